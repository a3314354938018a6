/**
 * Serves uploaded files to users who may read them.
 *
 * A file is sent with the type that its uploader declared only if a browser cannot run that type; every other file is a
 * download. Range requests are supported, because video players use them. Source: endpoints.md 3.10.
 */
import { z } from 'zod'
import { cleanFileName, signFileToken, verifyFileToken } from '../../../domain/files/file-links.js'
import { thumbnailFormats } from '../../../domain/files/thumbnails.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { secondsNow } from '../../../domain/permissions/permissions.js'
import { errors } from '../../../domain/protocol/errors.js'
import { type AttachmentRow, canReadFile, findAttachment } from '../../../store/files/attachments.js'
import { thumbnailKey, uploadKey } from '../../../store/files/storage-keys.js'
import type { Realm } from '../../../store/log/realm.js'
import { hasSpectatorAccess } from '../../http/access-rules.js'
import type { App } from '../../http/app.js'
import { parseByteRange } from '../../http/byte-range.js'
import { type Call, endpoint, streamed, streaming } from '../../http/endpoint.js'
import { authenticateFileRequest } from '../../http/file-credentials.js'
import { idInPath, type Param, restInPath, str, textInPath } from '../../http/params.js'
import type { HttpExchange } from '../../http/transport.js'
import { sendPrivate, sendRangeNotSatisfiable } from './file-transfer.js'

export const getFileLink = endpoint({
  method: 'GET',
  path: '/user_uploads/{realm_id}/{path}',
  summary: 'Returns a URL of an uploaded file that needs no credentials and is valid for a minute.',
  access: 'spectator',
  params: { realm_id: idInPath(), path: restInPath() },
  response: z.object({ url: z.string() }),
  rateLimit: null,
  async handle({ app, caller, realm, params }) {
    const file = await findReadableFile(app, realm, caller?.user, `${params.realm_id}/${params.path}`)
    const token = signFileToken(app.config.SECRET_KEY, realm.id, file.id, secondsNow())
    return { url: `/user_uploads/temporary/${token}/${cleanFileName(file.name)}` }
  },
})

const fileEndpoint = { method: 'GET', site: true, access: 'anyone', response: z.object({}), rateLimit: null } as const
const api_key = str().optional().describe('instead of an Authorization header')

export const getFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/{path}',
  summary:
    'Gets an uploaded file, or a range of its bytes. The uploader and readers of a message that links to it may get it.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendRequestedFile(call, exchange, false),
})

export const downloadFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/download/{path}',
  summary: 'Gets an uploaded file as a download, whatever its type is.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendRequestedFile(call, exchange, true),
})

export const getThumbnail = streamed({
  ...fileEndpoint,
  path: '/user_uploads/thumbnail/{path}',
  summary: 'Gets a thumbnail of an uploaded picture, with the permissions of the picture.',
  params: { path: restInPath(), api_key },
  async handle({ app, realm, params, request }, exchange) {
    const [, path_id, name] = /^(.+)\/([\w.-]+)$/.exec(params.path) ?? []
    if (path_id === undefined || name === undefined) throw fileNotFound()
    const { image } = await findRequestedFile({ app, realm, params: { path: path_id }, request })
    const isThere = image?.thumbnail === 'ready' && (isThumbnail(name) || name === image.transcoded)
    const bytes = isThere ? await app.store.files.get(thumbnailKey(path_id, name)) : undefined
    if (bytes === undefined) throw fileNotFound()
    sendPrivate(exchange, { type: 'image/webp', disposition: 'inline', bytes })
    return streaming
  },
})

export const getTemporaryFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/temporary/{token}/{name}',
  summary: 'Gets an uploaded file by a temporary URL that needs no credentials.',
  params: { token: textInPath(), name: textInPath() },
  async handle({ app, realm, params }, exchange) {
    if (realm === undefined) throw fileNotFound()
    const id = verifyFileToken(app.config.SECRET_KEY, realm.id, params.token, secondsNow())
    if (id === undefined) throw errors.accessDenied()
    const found = await findAttachment(app.store.sql, realm.id, { id })
    if (found === undefined) throw fileNotFound()
    return sendFile(app, exchange, found, false)
  },
})

const isThumbnail = (name: string) => thumbnailFormats.some((format) => format.name === name)

type FileCall = Pick<Call<{ path: Param<string> }, 'anyone'>, 'app' | 'realm' | 'params' | 'request'>

const sendRequestedFile = async (call: FileCall, exchange: HttpExchange, asDownload: boolean) =>
  sendFile(call.app, exchange, await findRequestedFile(call), asDownload)

/** The file of a request outside the API, which authenticates here. Throws as `findReadableFile` does. */
const findRequestedFile = async ({ app, realm, params, request }: FileCall): Promise<AttachmentRow> => {
  if (realm === undefined) throw fileNotFound()
  const reader = authenticateFileRequest(app, realm, request)
  if (reader === undefined && !hasSpectatorAccess(realm.state)) throw errors.notLoggedIn()
  return findReadableFile(app, realm, reader, params.path)
}

/**
 * The file, if this reader may read it. Throws a 404 when it does not exist, a 403 when the reader may not read it, and a
 * 401 for both when the request has no credentials. Throws RATE_LIMIT_HIT when too many requests without credentials
 * got the file today.
 */
const findReadableFile = async (
  app: App,
  realm: Realm,
  reader: UserRow | undefined,
  path_id: string,
): Promise<AttachmentRow> => {
  const { sql } = app.store
  const found = await findAttachment(sql, realm.id, { path_id })
  const mayRead = found !== undefined && (await canReadFile({ sql, state: realm.state, reader }, found))
  if (reader === undefined && !mayRead) throw errors.notLoggedIn()
  if (found === undefined) throw fileNotFound()
  if (!mayRead) throw errors.accessDenied()
  if (reader === undefined) {
    const allowance = await app.allowances.spend('spectator_attachment_access_by_file', `${realm.id}:${found.id}`)
    if (allowance?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': allowance.retry_after })
  }
  return found
}

const fileNotFound = () => errors.unknownPath({ path: 'file' })

/** Types that browsers display without running scripts. */
const inlineTypes = new Set([
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

const sendFile = async (
  app: App,
  exchange: HttpExchange,
  { path_id, name, content_type, size }: AttachmentRow,
  asDownload: boolean,
) => {
  const { files } = app.store
  const key = uploadKey(path_id)
  const declaredType = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isShown = inlineTypes.has(declaredType)
  const type = isShown ? declaredType.replace(/^text\/plain$/, 'text/plain; charset=utf-8') : 'application/octet-stream'
  const disposition = `${isShown && !asDownload ? 'inline' : 'attachment'}; filename="${cleanFileName(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`
  const range = parseByteRange(exchange.header('range'), size)
  if (range === 'unsatisfiable') {
    sendRangeNotSatisfiable(exchange, size)
    return streaming
  }
  const bytes = await (range === undefined ? files.get(key) : files.getPart(key, range.from, range.to - range.from + 1))
  if (bytes === undefined) throw fileNotFound()
  sendPrivate(exchange, { type, disposition, bytes, part: range && { ...range, size } })
  return streaming
}
