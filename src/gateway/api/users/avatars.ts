/**
 * Avatars, custom emoji and the organization's pictures: changing the caller's avatar, and downloading pictures.
 *
 * Downloads of pictures need no credentials, because browsers send none for the images of a page. The addresses that
 * only redirect to a picture tell whose it is, so they need credentials, and tell a caller no more than the API does:
 * the avatar of an account that the caller may not see is that of an unknown one.
 * Source: protocol/endpoints.md 3.7.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { readDrawnPath } from '../../../domain/users/drawn-pictures.js'
import { checkAvatarChange, setAvatar } from '../../../domain/users/profiles/avatar-changes.js'
import { avatarUrl, canSeeAddress, unknownAvatarUrl } from '../../../domain/users/users.js'
import { imagesOf, makeAvatar } from '../../../store/files/image-processing.js'
import { findPictureKey } from '../../../store/files/storage-keys.js'
import { type AvatarImages, storeAvatar } from '../../../store/files/stored-avatars.js'
import { commitEntries } from '../../../store/log/change.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { findUserByEmail, loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint, streamed, streaming } from '../../call/endpoint.js'
import { idInPath, type Params, restInPath, textInPath } from '../../call/params.js'
import type { HttpExchange } from '../../contract/transport.js'
import {
  countDownload,
  fileBodyRule,
  fileNotFound,
  pictureTooLarge,
  publicCaching,
  redirect,
  requireSingleFile,
  sendDrawnPicture,
  sendStoredFile,
} from '../files/file-transfer.js'
import { drawnAvatar, realmIcon } from '../files/generated-avatars.js'

export const setOwnAvatar = endpoint({
  method: 'POST',
  path: '/users/me/avatar',
  summary: "Sets the caller's avatar. The form has one file with any field name: a PNG, GIF, JPEG or WebP image.",
  callers: 'account',
  keyScope: 'write',
  condition: 'The organization can reserve changes of avatars for administrators.',
  params: {},
  response: z.object({ avatar_url: z.string() }),
  errors: [errors.badImage, errors.imageTooLarge],
  rateLimit: 'uploads',
  body: fileBodyRule(limits.max_avatar_file_size_mib, pictureTooLarge),
  // Decoding it takes up to seconds of a core.
  isHeavy: () => true,
  changesStructure: true,
  prepare(call) {
    const wrongCount = () => errors.badRequest('Upload exactly one picture.')
    const { data } = requireSingleFile(call.request, wrongCount, limits.max_avatar_file_size_mib, pictureTooLarge)
    checkAvatarChange(call.state, call.caller.user)
    return makeAvatar(imagesOf(call.app.store.images, call.realm.id, call.caller.id), data)
  },
  handle: (call) => changeAvatar(call, 'U', call.prepared),
})

export const deleteOwnAvatar = endpoint({
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: "Removes the caller's uploaded avatar: the account shows a drawn one, or its Gravatar where those are used.",
  callers: 'account',
  keyScope: 'write',
  condition: 'The organization can reserve changes of avatars for administrators.',
  params: {},
  response: z.object({ avatar_url: z.string() }),
  changesStructure: true,
  handle: (call) => changeAvatar(call, 'G'),
})

type OwnCall = Pick<Call, 'app' | 'caller' | 'realm' | 'state' | 'write'>

const changeAvatar = async (call: OwnCall, source: 'G' | 'U', images?: AvatarImages) => {
  const { app, state, caller, realm, write } = call
  checkAvatarChange(state, caller.user)
  if (images !== undefined) {
    await storeAvatar(app.store.files, realm.id, caller.id, caller.user.avatar_version + 1, images)
  }
  const account = await loadAccount(write, state, caller.user, realmHost(state.realm.string_id, app.config))
  const { entries, after } = runSteps(state, [setAvatar(account, source)])
  const answer = { avatar_url: avatarUrl(after.users.get(caller.id) ?? caller.user, true) }
  return write.answering(
    () => answer,
    (keyed) => commitEntries(keyed, entries),
  )
}

const redirectEndpoint = {
  method: 'GET',
  site: true,
  response: z.object({}),
  // A page of messages can show a hundred avatars.
  rateLimit: 'downloads',
} as const

export const getAvatar = streamed({
  ...redirectEndpoint,
  path: '/avatar/{user_id}',
  summary: 'Redirects to the avatar of an account; without credentials to that of an unknown user.',
  callers: 'spectator',
  params: { user_id: idInPath() },
  handle: (call, exchange) => redirectById(call, exchange, false),
})

export const getMediumAvatar = streamed({
  ...redirectEndpoint,
  path: '/avatar/{user_id}/medium',
  summary: 'Redirects to the larger avatar of an account; without credentials to that of an unknown user.',
  callers: 'spectator',
  params: { user_id: idInPath() },
  handle: (call, exchange) => redirectById(call, exchange, true),
})

export const getAvatarByEmail = streamed({
  ...redirectEndpoint,
  path: '/avatar/{email}',
  summary: 'Redirects to the avatar of the account with this address.',
  callers: 'account',
  params: { email: textInPath() },
  handle: (call, exchange) => redirectByEmail(call, exchange, false),
})

export const getMediumAvatarByEmail = streamed({
  ...redirectEndpoint,
  path: '/avatar/{email}/medium',
  summary: 'Redirects to the larger avatar of the account with this address.',
  callers: 'account',
  params: { email: textInPath() },
  handle: (call, exchange) => redirectByEmail(call, exchange, true),
})

const redirectById = (
  call: Pick<Call<{ user_id: ReturnType<typeof idInPath> }, 'spectator'>, 'app' | 'state' | 'caller' | 'params'>,
  exchange: HttpExchange,
  medium: boolean,
) => redirectToAvatar(call, call.state.users.get(call.params.user_id), exchange, medium)

const redirectByEmail = async (
  call: Pick<Call<{ email: ReturnType<typeof textInPath> }>, 'app' | 'state' | 'caller' | 'params'>,
  exchange: HttpExchange,
  medium: boolean,
) => {
  const { app, state, caller, params } = call
  const host = realmHost(state.realm.string_id, app.config)
  const user = await findUserByEmail(app.store.sql, state, caller.user, params.email, host)
  return redirectToAvatar(call, user, exchange, medium)
}

/** Redirects to the account's avatar as the caller may see it: that of an unknown user if the caller may not see it. */
const redirectToAvatar = async (
  { app, state, caller }: Pick<Call<Params, 'spectator'>, 'app' | 'state' | 'caller'>,
  user: UserRow | undefined,
  exchange: HttpExchange,
  medium: boolean,
) => {
  const isShown =
    user !== undefined && caller !== undefined && (await loadAccessCheck(app.store.sql, state, caller.user))(user)
  redirect(exchange, isShown ? avatarUrl(user, canSeeAddress(caller.user, user), medium) : unknownAvatarUrl)
  return streaming
}

export const getPicture = streamed({
  ...redirectEndpoint,
  rateLimit: null,
  path: '/user_avatars/{path}',
  summary: 'Downloads an avatar, a custom emoji, or a picture of the organization.',
  callers: 'anyone',
  params: { path: restInPath() },
  async handle({ app, realm, state, params: { path }, request }, exchange) {
    const owner = await countDownload(app, request, realm, undefined)
    if (realm === undefined || state === undefined) throw fileNotFound()
    const picture = readDrawnPath(path)
    if (picture !== undefined) {
      sendDrawnPicture(exchange, drawnAvatar(realm.id, picture))
      return streaming
    }
    const key = findPictureKey(realm.id, state, path)
    if (key !== undefined) {
      const type = typeOf(path)
      return sendStoredFile(app, exchange, owner, { key, type, caching: publicCaching, tag: key })
    }
    if (path !== `${realm.id}/realm/icon.png`) throw fileNotFound()
    sendDrawnPicture(exchange, realmIcon())
    return streaming
  },
})

/** Pictures have the type of their extension: the server chose it, and made every picture but emoji itself. */
const typeOf = (path: string): string => {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  return types[extension] ?? 'application/octet-stream'
}

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}
