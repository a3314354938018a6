/**
 * Serves uploaded files to users who may read them.
 *
 * A file is sent with the type that its uploader declared only if a browser cannot run that type; every other file is a
 * download. Range requests are supported, because video players use them. Source: protocol/endpoints.md 3.10.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { cleanFileName, type FileClaim, signFileToken, verifyFileToken } from '../../../domain/files/file-links.js'
import { thumbnailFormats } from '../../../domain/files/thumbnails.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { accountTexts } from '../../../domain/readers/reader-texts.js'
import { type AttachmentRow, canReadFile, findAttachment } from '../../../store/files/attachments.js'
import { thumbnailKey, uploadKey } from '../../../store/files/storage-keys.js'
import type { Realm } from '../../../store/log/realm.js'
import { authenticateFileRequest } from '../../auth/file-credentials.js'
import { hasSpectatorAccess } from '../../call/access-rules.js'
import { type Call, endpoint, streamed } from '../../call/endpoint.js'
import { idInPath, type Param, restInPath, str, textInPath } from '../../call/params.js'
import type { App, DownloadOwner } from '../../contract/app.js'
import type { HttpExchange } from '../../contract/transport.js'
import { composeDisposition, countDownload, fileNotFound, privateCaching, sendStoredFile } from './file-transfer.js'

export const getFileLink = endpoint({
  method: 'GET',
  path: '/user_uploads/{realm_id}/{path}',
  summary: 'Returns a URL of an uploaded file that needs no credentials and is valid for a minute.',
  callers: 'spectator',
  condition: 'The caller may read the file.',
  params: { realm_id: idInPath(), path: restInPath() },
  response: z.object({ url: z.string() }),
  rateLimit: 'downloads',
  async handle({ app, caller, realm, params }) {
    const file = await findReadableFile(app, realm, caller?.user, `${params.realm_id}/${params.path}`)
    const claim = { attachment_id: file.id, user_id: caller?.id }
    const token = signFileToken(app.config.SECRET_KEY, realm.id, claim, secondsNow())
    return { url: `/user_uploads/temporary/${token}/${cleanFileName(file.name)}` }
  },
})

const fileEndpoint = { method: 'GET', site: true, callers: 'anyone', response: z.object({}), rateLimit: null } as const
const api_key = str().optional().describe('instead of an Authorization header')

export const getFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/{path}',
  summary:
    'Gets an uploaded file, or a range of its bytes. The uploader and readers of a message that links to it may get it.',
  condition: 'The handler reads the credentials: the caller may read the file.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendRequestedFile(call, exchange, false),
})

export const downloadFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/download/{path}',
  summary: 'Gets an uploaded file as a download, whatever its type is.',
  condition: 'The handler reads the credentials: the caller may read the file.',
  params: { path: restInPath(), api_key },
  handle: (call, exchange) => sendRequestedFile(call, exchange, true),
})

export const getThumbnail = streamed({
  ...fileEndpoint,
  path: '/user_uploads/thumbnail/{path}',
  summary: 'Gets a thumbnail of an uploaded picture, with the permissions of the picture.',
  condition: 'The handler reads the credentials: the caller may read the file.',
  params: { path: restInPath(), api_key },
  async handle({ app, realm, params, request }, exchange) {
    const [, path_id, name] = /^(.+)\/([\w.-]+)$/.exec(params.path) ?? []
    if (path_id === undefined || name === undefined) throw fileNotFound()
    const { found, owner } = await findRequestedFile({ app, realm, params: { path: path_id }, request })
    const { image, id } = found
    const isThere = image?.thumbnail === 'ready' && (isThumbnail(name) || name === image.transcoded)
    if (!isThere) throw fileNotFound()
    return sendStoredFile(app, exchange, owner, {
      key: thumbnailKey(path_id, name),
      type: 'image/webp',
      disposition: 'inline',
      caching: privateCaching,
      tag: `${id}/${name}`,
    })
  },
})

export const getTemporaryFile = streamed({
  ...fileEndpoint,
  path: '/user_uploads/temporary/{token}/{name}',
  summary: 'Gets an uploaded file by a temporary URL that needs no credentials.',
  params: { token: textInPath(), name: textInPath() },
  async handle({ app, realm, params, request }, exchange) {
    const owner = await countDownload(app, request, realm, undefined)
    if (realm === undefined) throw fileNotFound()
    const claim = verifyFileToken(app.config.SECRET_KEY, realm.id, params.token, secondsNow())
    if (claim === undefined) throw errors.accessDenied()
    return sendFile(app, exchange, owner, await findClaimedFile(app, realm, claim), false)
  },
})

const isThumbnail = (name: string) => thumbnailFormats.some((format) => format.name === name)

type FileCall = Pick<Call<{ path: Param<string> }, 'anyone'>, 'app' | 'realm' | 'params' | 'request'>

const sendRequestedFile = async (call: FileCall, exchange: HttpExchange, asDownload: boolean) => {
  const { found, owner } = await findRequestedFile(call)
  return sendFile(call.app, exchange, owner, found, asDownload)
}

/**
 * The file of a request outside the API, which authenticates and is counted here. Throws as `findReadableFile` does.
 */
const findRequestedFile = async ({
  app,
  realm,
  params,
  request,
}: FileCall): Promise<{ found: AttachmentRow; owner: DownloadOwner }> => {
  if (realm === undefined) throw fileNotFound()
  const reader = authenticateFileRequest(app, realm, request)
  const owner = await countDownload(app, request, realm, reader)
  if (reader === undefined && !hasSpectatorAccess(realm.state)) throw errors.notLoggedIn()
  try {
    return { found: await findReadableFile(app, realm, reader, params.path), owner }
  } catch (error) {
    // The call itself has no account, so its errors would not be in the language of this one.
    if (error instanceof ApiError && reader !== undefined) error.reader = accountTexts(reader)
    throw error
  }
}

/**
 * The file of a temporary address. It needs no credentials, but what its user may read is checked again: the address
 * must not outlive the account, the organization, or the user's access to the file.
 */
const findClaimedFile = async (
  app: App,
  realm: Realm,
  { attachment_id, user_id }: FileClaim,
): Promise<AttachmentRow> => {
  const { sql } = app.store
  const { state } = realm
  if (!state.realm.is_active) throw errors.realmDeactivated()
  const reader = user_id === undefined ? undefined : state.users.get(user_id)
  if (user_id !== undefined && reader?.is_active !== true) throw errors.accountDeactivated()
  if (user_id === undefined && !hasSpectatorAccess(state)) throw errors.accessDenied()
  const found = await findAttachment(sql, realm.id, { id: attachment_id })
  if (found === undefined) throw fileNotFound()
  if (!(await canReadFile({ sql, state, reader }, found))) throw errors.accessDenied()
  return found
}

/**
 * The file, if this reader may read it. Throws a 404 when it does not exist, a 403 when the reader may not
 * read it, and a 401 for both when the request has no credentials. Throws RATE_LIMIT_HIT when too many
 * requests without credentials got the file today.
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
    const allowance = await app.allowances.consume('spectator_attachment_access_by_file', `${realm.id}:${found.id}`)
    if (allowance?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': allowance.retry_after })
  }
  return found
}

/** Types that browsers display without running scripts. Types with scripts of the site's origin must never be added. */
const inlineTypes = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'image/apng',
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

const sendFile = (
  app: App,
  exchange: HttpExchange,
  owner: DownloadOwner,
  { id, path_id, name, content_type, size }: AttachmentRow,
  asDownload: boolean,
) => {
  const declaredType = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isShown = inlineTypes.has(declaredType)
  return sendStoredFile(app, exchange, owner, {
    key: uploadKey(path_id),
    size,
    type: isShown ? declaredType.replace(/^text\/plain$/, 'text/plain; charset=utf-8') : 'application/octet-stream',
    disposition: composeDisposition(isShown && !asDownload ? 'inline' : 'attachment', name),
    caching: privateCaching,
    // Not the path id: a client with a temporary address must not learn the permanent one.
    tag: String(id),
  })
}
