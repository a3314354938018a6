/**
 * Uploaded files: taking them in, and sending them to whoever may read them.
 *
 * A file is sent as what its uploader said it is only if that can do no harm in a browser; everything else is a
 * download. Source: endpoints.md 3.10.
 */
import { z } from 'zod'
import { attachmentObject } from '../../domain/entries/attachments.js'
import { type ApiError, errors } from '../../domain/errors.js'
import { fileOfToken, newPathId, safeFileName, temporaryToken } from '../../domain/messages/file-links.js'
import { thumbnailFormats } from '../../domain/messages/thumbnails.js'
import { secondsNow } from '../../domain/permissions.js'
import type { UserRow } from '../../domain/rows.js'
import {
  type AttachmentRow,
  addAttachment,
  attachmentAt,
  attachmentsOf,
  mayReadFile,
  spaceUsed,
  thumbnailKey,
  uploadKey,
} from '../../store/files/attachments.js'
import { removeAttachment } from '../../store/files/file-removal.js'
import { uploadedImage } from '../../store/files/raster.js'
import type { Realm } from '../../store/realm.js'
import type { App } from '../app.js'
import { bearerOf } from '../http/bearer.js'
import { type Call, endpoint, streamed, streaming } from '../http/endpoint.js'
import { idInPath, type Param, restInPath, str, textInPath } from '../http/params.js'
import type { Exchange } from '../http/transport.js'
import { hasSpectatorAccess } from '../http/who.js'
import { fileBody, onlyFile, sendPrivate } from './uploaded.js'

const tooLarge = (mib: number): ApiError => errors.badRequest(`This file is larger than the server takes (${mib} MiB).`)

export const uploadFile = endpoint({
  method: 'POST',
  path: '/user_uploads',
  summary: 'Uploads a file: the one part of the form, under any name.',
  who: 'account',
  params: {},
  response: z.object({ url: z.string(), uri: z.string(), filename: z.string() }),
  errors: [errors.uploadQuota],
  rateLimit: 'uploads',
  body: ({ MAX_FILE_UPLOAD_SIZE_MIB: mib }) => fileBody(mib, tooLarge),
  async handle({ app, caller, realm, guard, request }) {
    const wrongCount = (count: number) =>
      errors.badRequest(count === 0 ? 'Send a file to upload.' : 'Upload one file at a time.')
    const { filename: given, type, data } = onlyFile(request, wrongCount, app.config.MAX_FILE_UPLOAD_SIZE_MIB, tooLarge)
    const filename = given.split(/[\\/]/).at(-1) || 'file'
    const path_id = newPathId(realm.id, filename)
    const image = (await uploadedImage(data)) ?? null
    const file = { path_id, name: filename, content_type: type, data, image }
    await addAttachment(app.store.writer, app.store.files, realm, guard, caller.user, file)
    const url = `/user_uploads/${path_id}`
    return { url, uri: url, filename }
  },
})

export const getFileLink = endpoint({
  method: 'GET',
  path: '/user_uploads/{realm_id}/{path}',
  summary: 'Gets an address of an uploaded file that needs no credentials for a minute.',
  who: 'spectator',
  params: { realm_id: idInPath(), path: restInPath() },
  response: z.object({ url: z.string() }),
  rateLimit: null,
  async handle({ app, caller, realm, params }) {
    const file = await readable(app, realm, caller?.user, `${params.realm_id}/${params.path}`)
    const token = temporaryToken(app.config.SECRET_KEY, realm.id, file.id, secondsNow())
    return { url: `/user_uploads/temporary/${token}/${safeFileName(file.name)}` }
  },
})

export const getAttachments = endpoint({
  method: 'GET',
  path: '/attachments',
  summary: 'Lists the files that the caller uploaded, newest first.',
  who: 'account',
  params: {},
  response: z.object({ attachments: z.array(attachmentObject), upload_space_used: z.int() }),
  handle: async ({ app, caller, realm }) => ({
    attachments: await attachmentsOf(app.store.sql, realm.id, caller.id),
    upload_space_used: await spaceUsed(app.store.sql, realm.id),
  }),
})

export const deleteAttachment = endpoint({
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Deletes a file that the caller uploaded.',
  who: 'account',
  params: { attachment_id: idInPath() },
  response: z.object({}),
  async handle({ app, caller, realm, guard, params }) {
    await removeAttachment(app.store.writer, app.store.files, realm, guard, caller.user, params.attachment_id)
    return {}
  },
})

const file = { method: 'GET', site: true, who: 'anyone', response: z.object({}), rateLimit: null } as const
const api_key = str().optional().describe('instead of an Authorization header')

export const getFile = streamed({
  ...file,
  path: '/user_uploads/{path}',
  summary: 'Gets an uploaded file, for whoever uploaded it or may read a message that leads to it.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendAsked(call, exchange, false),
})

export const downloadFile = streamed({
  ...file,
  path: '/user_uploads/download/{path}',
  summary: 'Gets the same as a download, whatever it is.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendAsked(call, exchange, true),
})

export const getThumbnail = streamed({
  ...file,
  path: '/user_uploads/thumbnail/{path}',
  summary: 'Gets a smaller version of an uploaded picture, for whoever gets the picture itself.',
  params: { path: restInPath(), api_key },
  async handle({ app, realm, params, request }, exchange) {
    const [, path_id, name] = /^(.+)\/([\w.-]+)$/.exec(params.path) ?? []
    if (path_id === undefined || name === undefined) throw noFile()
    const { image } = await asked({ app, realm, params: { path: path_id }, request })
    const isThere = image?.thumbnail === 'ready' && (isThumbnail(name) || name === image.transcoded)
    const bytes = isThere ? await app.store.files.get(thumbnailKey(path_id, name)) : undefined
    if (bytes === undefined) throw noFile()
    sendPrivate(exchange, 'image/webp', 'inline', bytes)
    return streaming
  },
})

export const getTemporaryFile = streamed({
  ...file,
  path: '/user_uploads/temporary/{token}/{name}',
  summary: 'Gets an uploaded file by an address that needs no credentials.',
  params: { token: textInPath(), name: textInPath() },
  async handle({ app, realm, params }, exchange) {
    if (realm === undefined) throw noFile()
    const id = fileOfToken(app.config.SECRET_KEY, realm.id, params.token, secondsNow())
    if (id === undefined) throw errors.accessDenied()
    const found = await attachmentAt(app.store.sql, realm.id, { id })
    if (found === undefined) throw noFile()
    return send(app, exchange, found, false)
  },
})

const isThumbnail = (name: string) => thumbnailFormats.some((format) => format.name === name)

type FileCall = Pick<Call<{ path: Param<string> }, 'anyone'>, 'app' | 'realm' | 'params' | 'request'>

const sendAsked = async (call: FileCall, exchange: Exchange, asDownload: boolean) =>
  send(call.app, exchange, await asked(call), asDownload)

/** The file that a call from outside the API asks for. Throws as `readable` does. */
const asked = async ({ app, realm, params, request }: FileCall): Promise<AttachmentRow> => {
  if (realm === undefined) throw noFile()
  const reader = bearerOf(app, realm, request)
  if (reader === undefined && !hasSpectatorAccess(realm.state)) throw errors.notLoggedIn()
  return readable(app, realm, reader, params.path)
}

/**
 * The file, if this reader may read it. Throws a 404 for one that is not there, a 403 for one they may not read; and a
 * 401 for either, where they have no credentials; and RATE_LIMIT_HIT where too many of those have had it today.
 */
const readable = async (
  app: App,
  realm: Realm,
  reader: UserRow | undefined,
  path_id: string,
): Promise<AttachmentRow> => {
  const { sql } = app.store
  const found = await attachmentAt(sql, realm.id, { path_id })
  const mayRead = found !== undefined && (await mayReadFile({ sql, state: realm.state, reader }, found))
  if (reader === undefined && !mayRead) throw errors.notLoggedIn()
  if (found === undefined) throw noFile()
  if (!mayRead) throw errors.accessDenied()
  if (reader === undefined) {
    const spent = await app.allowances.spend('spectator_attachment_access_by_file', `${realm.id}:${found.id}`)
    if (spent?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': spent.retry_after })
  }
  return found
}

const noFile = () => errors.unknownPath({ path: 'file' })

/** Types that a browser shows and that can run nothing. */
const shown = new Set([
  'application/pdf',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/ogg',
  'video/webm',
])

const send = async (
  app: App,
  exchange: Exchange,
  { path_id, name, content_type }: AttachmentRow,
  asDownload: boolean,
) => {
  const bytes = await app.store.files.get(uploadKey(path_id))
  if (bytes === undefined) throw noFile()
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isShown = shown.has(type)
  const disposition = `${isShown && !asDownload ? 'inline' : 'attachment'}; filename="${safeFileName(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`
  sendPrivate(
    exchange,
    isShown ? type.replace(/^text\/plain$/, 'text/plain; charset=utf-8') : 'application/octet-stream',
    disposition,
    bytes,
  )
  return streaming
}
