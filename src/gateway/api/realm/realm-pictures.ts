/** The organization's icon and logos. Source: protocol/endpoints.md 3.11. */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import type { RealmPicture } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { nextVersion, realmPictureUrl, setRealmPicture } from '../../../domain/realm/realm-pictures.js'
import { imagesOf, makeFitted, makeSquare } from '../../../store/files/image-processing.js'
import { realmPictureKey } from '../../../store/files/storage-keys.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint, streamed, streaming } from '../../call/endpoint.js'
import { bool } from '../../call/params.js'
import type { CallRequest } from '../../contract/call-request.js'
import { fileBodyRule, pictureTooLarge, redirect, requireSingleFile } from '../files/file-transfer.js'

/** Sizes in pixels. */
const ICON_SIDE = 256
const LOGO = { width: 800, height: 100 }

const night = bool().describe('true: the logo of the dark theme')
const chooseLogo = (params: { night: boolean }): RealmPicture => (params.night ? 'night_logo' : 'logo')

export const uploadRealmIcon = endpoint({
  method: 'POST',
  path: '/realm/icon',
  summary: "Sets the organization's icon. The form has one file with any field name: a PNG, GIF, JPEG or WebP image.",
  callers: 'administrator',
  params: {},
  response: z.object({ icon_url: z.string() }),
  errors: [errors.badImage, errors.imageTooLarge],
  rateLimit: 'uploads',
  body: fileBodyRule(limits.max_icon_file_size_mib, pictureTooLarge),
  // Decoding it takes up to seconds of a core.
  isHeavy: () => true,
  changesStructure: true,
  prepare({ app, caller, realm, request }) {
    const data = requirePicture(request, limits.max_icon_file_size_mib)
    return makeSquare(imagesOf(app.store.images, realm.id, caller.id), data, ICON_SIDE)
  },
  handle: (call) => setIcon(call, call.prepared),
})

export const deleteRealmIcon = endpoint({
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Removes the organization's icon.",
  callers: 'administrator',
  params: {},
  response: z.object({ icon_url: z.string() }),
  changesStructure: true,
  handle: (call) => setIcon(call),
})

export const getRealmIcon = streamed({
  method: 'GET',
  path: '/realm/icon',
  summary: "Redirects to the organization's icon.",
  callers: 'account',
  params: {},
  noExample: 'It redirects to a picture.',
  response: z.object({}),
  handle({ state }, exchange) {
    redirect(exchange, realmPictureUrl(state.realm, 'icon'))
    return streaming
  },
})

export const uploadRealmLogo = endpoint({
  method: 'POST',
  path: '/realm/logo',
  summary:
    'Sets a logo of the organization. The form has one file with any field name: a PNG, GIF, JPEG or WebP image.',
  callers: 'administrator',
  params: { night },
  example: { night: false },
  response: z.object({}),
  errors: [errors.badImage, errors.imageTooLarge],
  rateLimit: 'uploads',
  body: fileBodyRule(limits.max_logo_file_size_mib, pictureTooLarge),
  // Decoding it takes up to seconds of a core.
  isHeavy: () => true,
  changesStructure: true,
  prepare({ app, caller, realm, request }) {
    const data = requirePicture(request, limits.max_logo_file_size_mib)
    return makeFitted(imagesOf(app.store.images, realm.id, caller.id), data, LOGO.width, LOGO.height)
  },
  handle: (call) => setPicture(call, chooseLogo(call.params), call.prepared, () => ({})),
})

export const deleteRealmLogo = endpoint({
  method: 'DELETE',
  path: '/realm/logo',
  summary: 'Removes a logo of the organization.',
  callers: 'administrator',
  params: { night },
  example: { night: false },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => setPicture(call, chooseLogo(call.params), undefined, () => ({})),
})

export const getRealmLogo = streamed({
  method: 'GET',
  path: '/realm/logo',
  summary: 'Redirects to a logo of the organization.',
  callers: 'account',
  params: { night },
  noExample: 'It redirects to a picture.',
  response: z.object({}),
  handle({ state, params }, exchange) {
    redirect(exchange, realmPictureUrl(state.realm, chooseLogo(params)))
    return streaming
  },
})

/** The bytes of the one file in the form. Throws BAD_REQUEST. */
const requirePicture = (request: CallRequest, maxMib: number): Uint8Array => {
  const wrongCount = () => errors.badRequest('Upload exactly one picture.')
  return requireSingleFile(request, wrongCount, maxMib, pictureTooLarge).data
}

type PictureCall = Pick<Call, 'app' | 'caller' | 'realm' | 'state' | 'write'>

const setIcon = (call: PictureCall, bytes?: Uint8Array) => setPicture(call, 'icon', bytes, (icon_url) => ({ icon_url }))

/**
 * Sets or removes a picture.
 * @param composeAnswer gets the address of the uploaded or the default picture
 */
const setPicture = async <A extends object>(
  call: PictureCall,
  picture: RealmPicture,
  bytes: Uint8Array | undefined,
  composeAnswer: (url: string) => A,
): Promise<A> => {
  const { app, realm, state, write } = call
  if (bytes !== undefined) {
    await app.store.files.put(realmPictureKey(realm.id, picture, nextVersion(state.realm, picture)), bytes)
  }
  const { entries, after } = runSteps(state, [setRealmPicture(picture, bytes !== undefined)])
  const answer = composeAnswer(realmPictureUrl(after.realm, picture))
  return write.answering(
    () => answer,
    (keyed) => commitEntries(keyed, entries),
  )
}
