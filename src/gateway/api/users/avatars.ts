/**
 * Pictures of accounts and of custom emoji: changing one's own, and getting them.
 *
 * Pictures are for everybody, as images in a page bring no credentials. Whose address is behind a computed picture is
 * not: it is shown as to somebody who may not see the address (users.ts), unless the caller says who they are.
 * Source: endpoints.md 3.7.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { readImageHeader } from '../../../domain/files/image-header.js'
import { limits } from '../../../domain/limits/limits.js'
import type { RealmPicture } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { uploadedVersion } from '../../../domain/realm/realm-pictures.js'
import { checkAvatarChange, setAvatar } from '../../../domain/users/avatar-changes.js'
import { avatarUrl, canSeeAddress, unknownAvatarUrl } from '../../../domain/users/users.js'
import type { FileStorage } from '../../../store/files/file-storage.js'
import { makeAvatar } from '../../../store/files/image-processing.js'
import { avatarKey, emojiKey, realmPictureKey } from '../../../store/files/storage-keys.js'
import { type AvatarImages, storeAvatar } from '../../../store/files/stored-avatars.js'
import { commitEntries } from '../../../store/log/change.js'
import { loadAccount } from '../../../store/users/account-changes.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint, streamed, streaming } from '../../http/endpoint.js'
import { idInPath, restInPath, textInPath } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import type { HttpExchange } from '../../http/transport.js'
import { realmIcon } from '../files/drawn-pictures.js'
import { fileBodyRule, pictureTooLarge, redirect, requireSingleFile, sendPublic } from '../files/file-transfer.js'
import { userOfAddress } from './users.js'

export const setOwnAvatar = endpoint({
  method: 'POST',
  path: '/users/me/avatar',
  summary: "Sets the caller's picture: a PNG, GIF, JPEG or WebP file as the one part of the form, under any name.",
  access: 'account',
  params: {},
  response: z.object({ avatar_url: z.string() }),
  errors: [errors.badImage, errors.imageTooLarge],
  rateLimit: 'uploads',
  body: fileBodyRule(limits.max_avatar_file_size_mib, pictureTooLarge),
  async handle(call) {
    const wrongCount = () => errors.badRequest('Upload exactly one picture.')
    const { data } = requireSingleFile(call.request, wrongCount, limits.max_avatar_file_size_mib, pictureTooLarge)
    checkAvatarChange(call.state, call.caller.user)
    return change(call, 'U', await makeAvatar(data))
  },
})

export const deleteOwnAvatar = endpoint({
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: "Puts the picture that is computed from the caller's address back in place of an uploaded one.",
  access: 'account',
  params: {},
  response: z.object({ avatar_url: z.string() }),
  handle(call) {
    checkAvatarChange(call.state, call.caller.user)
    return change(call, 'G')
  },
})

type OwnCall = Pick<Call, 'app' | 'caller' | 'realm' | 'state' | 'write'>

const change = (call: OwnCall, source: 'G' | 'U', given?: AvatarImages) =>
  withStructureLock(call, async (write) => {
    const { app, state, caller, realm } = call
    checkAvatarChange(state, caller.user)
    if (given !== undefined) {
      await storeAvatar(app.store.files, realm.id, caller.id, caller.user.avatar_version + 1, given)
    }
    const account = await loadAccount(app.store.sql, state, caller.user, realmHost(state.realm.string_id, app.config))
    const { entries, after } = runSteps(state, [setAvatar(account, source)])
    await commitEntries(write, entries)
    return { avatar_url: avatarUrl(after.users.get(caller.id) ?? caller.user, true) }
  })

const picture = {
  method: 'GET',
  site: true,
  response: z.object({}),
  rateLimit: null,
} as const

export const getAvatar = streamed({
  ...picture,
  path: '/avatar/{user_id}',
  summary: 'Leads to the picture of an account.',
  access: 'anyone',
  params: { user_id: idInPath() },
  handle: (call, exchange) => toAvatarOf(call, exchange, false),
})

export const getMediumAvatar = streamed({
  ...picture,
  path: '/avatar/{user_id}/medium',
  summary: 'Leads to the larger picture of an account.',
  access: 'anyone',
  params: { user_id: idInPath() },
  handle: (call, exchange) => toAvatarOf(call, exchange, true),
})

export const getAvatarByEmail = streamed({
  ...picture,
  path: '/avatar/{email}',
  summary: 'Leads to the picture of the account with this address.',
  access: 'account',
  params: { email: textInPath() },
  handle: (call, exchange) => toAvatarAt(call, exchange, false),
})

export const getMediumAvatarByEmail = streamed({
  ...picture,
  path: '/avatar/{email}/medium',
  summary: 'Leads to the larger picture of the account with this address.',
  access: 'account',
  params: { email: textInPath() },
  handle: (call, exchange) => toAvatarAt(call, exchange, true),
})

const toAvatarOf = (
  { state, params }: Pick<Call<{ user_id: ReturnType<typeof idInPath> }, 'anyone'>, 'state' | 'params'>,
  exchange: HttpExchange,
  medium: boolean,
) => {
  const user = state?.users.get(params.user_id)
  redirect(exchange, user === undefined ? unknownAvatarUrl : avatarUrl(user, user.is_bot, medium))
  return streaming
}

const toAvatarAt = async (
  call: Pick<Call<{ email: ReturnType<typeof textInPath> }>, 'app' | 'state' | 'caller' | 'params'>,
  exchange: HttpExchange,
  medium: boolean,
) => {
  const user = userOfAddress(call, call.params.email)
  const known = await loadAccessCheck(call.app.store.sql, call.state, call.caller.user)
  const isShown = user !== undefined && known(user)
  redirect(exchange, isShown ? avatarUrl(user, canSeeAddress(call.caller.user, user), medium) : unknownAvatarUrl)
  return streaming
}

export const getPicture = streamed({
  ...picture,
  path: '/user_avatars/{path}',
  summary: "Gets a picture: an account's, a custom emoji's or the organization's.",
  access: 'anyone',
  params: { path: restInPath() },
  async handle({ app, realm, state, params: { path } }, exchange) {
    if (realm === undefined || state === undefined) throw errors.unknownPath({ path: `/user_avatars/${path}` })
    const bytes = await bytesAt(app.store.files, realm.id, state, path)
    if (bytes === undefined) throw errors.unknownPath({ path: `/user_avatars/${path}` })
    sendPublic(exchange, readImageHeader(bytes)?.type ?? 'application/octet-stream', bytes)
    return streaming
  },
})

const bytesAt = async (files: FileStorage, realm_id: number, state: Call['state'], path: string) => {
  const key = keyAt(realm_id, state, path)
  if (key !== undefined) return files.get(key)
  return path === `${realm_id}/realm/icon.png` ? realmIcon() : undefined
}

const keyAt = (realm_id: number, state: Call['state'], path: string): string | undefined => {
  const [, user_id, medium] = /^(\d{1,9})(-medium)?\.png$/.exec(path) ?? []
  const user = state.users.get(Number(user_id))
  if (user?.avatar_source === 'U') {
    return avatarKey(realm_id, user.id, user.avatar_version, medium === undefined ? undefined : 'medium')
  }
  const picture = /^(\d{1,9})\/realm\/(icon|logo|night_logo)\.png$/.exec(path)
  if (picture !== null) {
    const name = picture[2] as RealmPicture
    const version = Number(picture[1]) === realm_id ? uploadedVersion(state.realm, name) : undefined
    return version === undefined ? undefined : realmPictureKey(realm_id, name, version)
  }
  const [, of_realm, file_name] = /^(\d{1,9})\/emoji\/images\/([0-9a-f]+\.\w+)$/.exec(path) ?? []
  return file_name !== undefined && Number(of_realm) === realm_id ? emojiKey(realm_id, file_name) : undefined
}
