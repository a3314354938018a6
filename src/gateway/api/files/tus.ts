/**
 * Resumable uploads: the core protocol of tus 1.0, with the extensions creation, termination and expiration.
 *
 * When a connection is cut, the received part is kept. The answers do not have the envelope of the API: upload
 * libraries show their bodies to users. Sources: https://tus.io/protocols/resumable-upload; protocol/endpoints.md 3.10.
 */
import { z } from 'zod'
import type { Config } from '../../../config/config.js'
import { storedContentType, storedFileName } from '../../../domain/files/file-links.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import { accountTexts } from '../../../domain/readers/reader-texts.js'
import { imagesOf } from '../../../store/files/image-processing.js'
import {
  addPart,
  beginUpload,
  findUpload,
  finishUpload,
  type ResumableUpload,
  removeUpload,
  UPLOAD_LIFETIME_MS,
} from '../../../store/files/resumable-uploads.js'
import { StaleStateError } from '../../../store/log/log.js'
import { type Call, streamed, streaming } from '../../call/endpoint.js'
import { type Param, type Params, textInPath } from '../../call/params.js'
import { parseParameters } from '../../contract/header-values.js'
import type { Headers, HttpExchange } from '../../contract/transport.js'
import { MEBIBYTE } from './file-transfer.js'

const maxUploadBytes = ({ MAX_FILE_UPLOAD_SIZE_MIB: mib }: Config) => mib * MEBIBYTE
const versionHeader = { 'Tus-Resumable': '1.0.0' }

const tusEndpoint = {
  callers: 'account',
  noExample: 'Its requests and answers are headers of the protocol tus.',
  response: z.object({}),
  rateLimit: 'uploads',
  announces: (config: Config) => ({
    ...versionHeader,
    'Tus-Version': '1.0.0',
    'Tus-Extension': 'creation,termination,expiration',
    'Tus-Max-Size': String(maxUploadBytes(config)),
  }),
} as const

/** Answers with the headers of tus. Does nothing when the client has disconnected. */
const reply = (exchange: HttpExchange, status: number, headers: Headers, body: object | '' = '') => {
  const text = body === '' ? '' : JSON.stringify(body)
  const type: Headers = body === '' ? {} : { 'Content-Type': 'application/json' }
  exchange.reply(status, { ...versionHeader, 'Cache-Control': 'no-store', ...type, ...headers }, text)
  return streaming
}

const replyWithError = (exchange: HttpExchange, status: number, message: string) =>
  reply(exchange, status, {}, { message })

/**
 * Checks the client's tus version, runs `work`, and answers an ApiError in the format of tus. If the state was stale on
 * which `work` refused, it throws StaleStateError, so that the call runs again, as calls do that throw their refusals.
 */
const withTusProtocol = async (
  { realm, caller }: Pick<Call<Params, 'account'>, 'realm' | 'caller'>,
  exchange: HttpExchange,
  work: () => Promise<typeof streaming>,
) => {
  const { structureSeq } = realm
  if (exchange.header('tus-resumable') !== versionHeader['Tus-Resumable']) {
    return reply(exchange, 412, { 'Tus-Version': '1.0.0' }, { message: 'Tus-Resumable must be 1.0.0' })
  }
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await realm.barrier()
    if (realm.structureSeq !== structureSeq) throw new StaleStateError()
    return replyWithError(
      exchange,
      error.code === 'REALM_UPLOAD_QUOTA' ? 413 : error.status,
      String(error.bodyIn(accountTexts(caller.user)).msg),
    )
  }
}

export const createResumable = streamed({
  ...tusEndpoint,
  method: 'POST',
  path: ['/tus/', '/tus'],
  summary: 'Creates a resumable upload (tus 1.0). The size and name of the file are sent in headers.',
  params: {},
  handle: ({ app, caller, realm }, exchange) =>
    withTusProtocol({ realm, caller }, exchange, async () => {
      const size = parseLength(exchange.header('upload-length'))
      if (size === undefined)
        return replyWithError(
          exchange,
          411,
          'Upload-Length is missing: this server does not support Upload-Defer-Length',
        )
      if (size > maxUploadBytes(app.config)) {
        const t = accountTexts(caller.user)
        const limit = { size: app.config.MAX_FILE_UPLOAD_SIZE_MIB }
        return replyWithError(exchange, 413, t('This file is larger than the server takes ({size} MiB).', limit))
      }
      const metadata = parseMetadata(exchange.header('upload-metadata'))
      const name = storedFileName(metadata.get('filename') ?? metadata.get('name') ?? '')
      const type = metadata.get('filetype') ?? metadata.get('type') ?? 'application/octet-stream'
      const content_type = storedContentType(type)
      const id = await beginUpload(app.store.sql, realm, caller.user, { name, content_type, size })
      return reply(exchange, 201, { Location: `/api/v1/tus/${id}`, ...expiryHeader() })
    }),
})

const upload_id = textInPath()

export const getResumable = streamed({
  ...tusEndpoint,
  method: 'GET',
  path: '/tus/{upload_id}',
  summary: 'Returns, with HEAD, how many bytes of an upload were received (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    withTusProtocol(call, exchange, async () => {
      const upload = await findCallersUpload(call)
      const headers = {
        'Upload-Offset': String(upload.received),
        'Upload-Length': String(upload.size),
        ...expiryHeader(),
      }
      return reply(exchange, 200, headers)
    }),
})

export const addToResumable = streamed({
  ...tusEndpoint,
  method: 'PATCH',
  path: '/tus/{upload_id}',
  summary: 'Appends a part to an upload (tus 1.0). The answer to the last part has the URL of the file.',
  params: { upload_id },
  response: z.object({}),
  body: (config) => ({
    limit: maxUploadBytes(config),
    refusal: () => errors.badRequest('This part ends after the Upload-Length of the upload.'),
    isRaw: true,
  }),
  handle: (call, exchange) =>
    withTusProtocol(call, exchange, async () => {
      if (parseParameters(exchange.header('content-type')).value !== 'application/offset+octet-stream') {
        return replyWithError(exchange, 415, 'Content-Type must be application/offset+octet-stream')
      }
      const from = parseLength(exchange.header('upload-offset'))
      if (from === undefined) return replyWithError(exchange, 400, 'Upload-Offset is missing')
      const { app, caller, realm, write } = call
      const upload = await findCallersUpload(call)
      // The upload may be complete already, because the call runs again when the state of the realm was stale.
      const isWhole = upload.received === upload.size
      const received = isWhole
        ? upload.size
        : await addPart(app.store.sql, app.store.files, realm.id, upload, from, call.request.raw ?? [])
      if (received === undefined)
        return replyWithError(exchange, 409, 'Upload-Offset does not match the bytes received so far')
      const headers = { 'Upload-Offset': String(received), ...expiryHeader() }
      if (received < upload.size) return reply(exchange, 204, headers)
      const images = imagesOf(app.store.images, realm.id, caller.id)
      const path_id = await finishUpload(write, app.store.files, images, caller.user, upload)
      return reply(exchange, 200, headers, { url: `/user_uploads/${path_id}`, filename: upload.name })
    }),
})

export const deleteResumable = streamed({
  ...tusEndpoint,
  method: 'DELETE',
  path: '/tus/{upload_id}',
  summary: 'Deletes an unfinished upload (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    withTusProtocol(call, exchange, async () => {
      const { id } = await findCallersUpload(call)
      await removeUpload(call.app.store.sql, call.app.store.files, call.realm.id, id)
      return reply(exchange, 204, {})
    }),
})

type UploadCall = Pick<Call<{ upload_id: Param<string> }>, 'app' | 'caller' | 'realm' | 'params'>

/** The caller's upload. Throws a 404. */
const findCallersUpload = async ({ app, caller, realm, params }: UploadCall): Promise<ResumableUpload> => {
  const upload = await findUpload(app.store.sql, realm.id, caller.user, params.upload_id)
  if (upload === undefined) throw errors.unknownPath({ path: `/tus/${params.upload_id}` })
  return upload
}

const expiryHeader = (): Headers => ({ 'Upload-Expires': new Date(Date.now() + UPLOAD_LIFETIME_MS).toUTCString() })

const parseLength = (header: string): number | undefined => (/^\d{1,15}$/.test(header) ? Number(header) : undefined)

/** Parses Upload-Metadata, for example `filename d29ybGQ=,is_confidential`: names with optional values in base64. */
const parseMetadata = (header: string): Map<string, string> =>
  new Map(
    header.split(',').map((pair) => {
      const [name = '', value = ''] = pair.trim().split(' ')
      return [name, Buffer.from(value, 'base64').toString().replaceAll('\0', '')]
    }),
  )
