/**
 * Uploads that can be resumed: the core of tus 1.0, with creation, termination and expiration.
 *
 * Of a connection that is cut, what came is kept. The answers are not those of the API: their bodies are what upload
 * libraries show to people. Sources: https://tus.io/protocols/resumable-upload; endpoints.md 3.10.
 */
import { z } from 'zod'
import type { Config } from '../../../config/config.js'
import { ApiError, errors } from '../../../domain/protocol/errors.js'
import {
  addPart,
  beginUpload,
  findUpload,
  finishUpload,
  type ResumableUpload,
  removeUpload,
  UPLOAD_LIFETIME_MS,
} from '../../../store/files/resumable-uploads.js'
import { type Call, streamed, streaming } from '../../http/endpoint.js'
import { type Param, textInPath } from '../../http/params.js'
import type { Headers, HttpExchange } from '../../http/transport.js'
import { MEBIBYTE } from './file-transfer.js'

const maxUploadBytes = ({ MAX_FILE_UPLOAD_SIZE_MIB: mib }: Config) => mib * MEBIBYTE
const versionHeader = { 'Tus-Resumable': '1.0.0' }

const tusEndpoint = {
  who: 'account',
  response: z.object({}),
  rateLimit: 'uploads',
  announces: (config: Config) => ({
    ...versionHeader,
    'Tus-Version': '1.0.0',
    'Tus-Extension': 'creation,termination,expiration',
    'Tus-Max-Size': String(maxUploadBytes(config)),
  }),
} as const

/** Answers, unless the client is gone. */
const reply = (exchange: HttpExchange, status: number, headers: Headers, body: object | '' = '') => {
  const text = body === '' ? '' : JSON.stringify(body)
  const type: Headers = body === '' ? {} : { 'Content-Type': 'application/json' }
  exchange.reply(status, { ...versionHeader, 'Cache-Control': 'no-store', ...type, ...headers }, text)
  return streaming
}

const replyWithError = (exchange: HttpExchange, status: number, message: string) =>
  reply(exchange, status, {}, { message })

/** Refuses clients of another version, and says a refusal of ours in the words of the protocol. */
const withTusProtocol = async (exchange: HttpExchange, work: () => Promise<typeof streaming>) => {
  if (exchange.header('tus-resumable') !== versionHeader['Tus-Resumable']) {
    return reply(exchange, 412, { 'Tus-Version': '1.0.0' }, { message: 'Tus-Resumable must be 1.0.0' })
  }
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return replyWithError(exchange, error.code === 'REALM_UPLOAD_QUOTA' ? 413 : error.status, error.message)
  }
}

export const createResumable = streamed({
  ...tusEndpoint,
  method: 'POST',
  path: ['/tus/', '/tus'],
  summary: 'Begins an upload that can be resumed (tus 1.0): its size and name come in headers.',
  params: {},
  handle: ({ app, caller, realm }, exchange) =>
    withTusProtocol(exchange, async () => {
      const size = parseLength(exchange.header('upload-length'))
      if (size === undefined) return replyWithError(exchange, 411, 'Upload-Length is missing: it cannot be told later')
      const tooLarge = `This file is larger than the server takes (${app.config.MAX_FILE_UPLOAD_SIZE_MIB} MiB).`
      if (size > maxUploadBytes(app.config)) return replyWithError(exchange, 413, tooLarge)
      const metadata = parseMetadata(exchange.header('upload-metadata'))
      const name = (metadata.get('filename') ?? metadata.get('name') ?? '').split(/[\\/]/).at(-1) || 'file'
      const content_type = metadata.get('filetype') ?? metadata.get('type') ?? 'application/octet-stream'
      const id = await beginUpload(app.store.sql, realm, caller.user, { name, content_type, size })
      return reply(exchange, 201, { Location: `/api/v1/tus/${id}`, ...expiryHeader() })
    }),
})

const upload_id = textInPath()

export const getResumable = streamed({
  ...tusEndpoint,
  method: 'GET',
  path: '/tus/{upload_id}',
  summary: 'Tells, as HEAD, how much of an upload is there (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    withTusProtocol(exchange, async () => {
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
  summary: 'Adds a part to an upload (tus 1.0). The answer to the last one tells the address of the file.',
  params: { upload_id },
  response: z.object({}),
  body: (config) => ({
    limit: maxUploadBytes(config),
    refusal: () => errors.badRequest('This part ends after the Upload-Length of the upload.'),
    isRaw: true,
  }),
  handle: (call, exchange) =>
    withTusProtocol(exchange, async () => {
      const [part] = call.request.files
      if (!/^application\/offset\+octet-stream$/i.test(exchange.header('content-type'))) {
        return replyWithError(exchange, 415, 'Content-Type must be application/offset+octet-stream')
      }
      const from = parseLength(exchange.header('upload-offset'))
      if (from === undefined) return replyWithError(exchange, 400, 'Upload-Offset is missing')
      const { app, caller, realm, write } = call
      const upload = await findCallersUpload(call)
      // All may be there already: this call runs again when the structure of the realm moved.
      const isWhole = upload.received === upload.size
      const bytes = part?.data ?? emptyBody
      const received = isWhole
        ? upload.size
        : await addPart(app.store.sql, app.store.files, realm.id, upload, from, bytes)
      if (received === undefined) return replyWithError(exchange, 409, 'Upload-Offset is not where the upload is')
      const headers = { 'Upload-Offset': String(received), ...expiryHeader() }
      if (received < upload.size) return reply(exchange, 204, headers)
      const path_id = await finishUpload(write, app.store.files, caller.user, upload)
      return reply(exchange, 200, headers, { url: `/user_uploads/${path_id}`, filename: upload.name })
    }),
})

export const deleteResumable = streamed({
  ...tusEndpoint,
  method: 'DELETE',
  path: '/tus/{upload_id}',
  summary: 'Gives an upload up (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    withTusProtocol(exchange, async () => {
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

const emptyBody = new Uint8Array()

const expiryHeader = (): Headers => ({ 'Upload-Expires': new Date(Date.now() + UPLOAD_LIFETIME_MS).toUTCString() })

const parseLength = (header: string): number | undefined => (/^\d{1,15}$/.test(header) ? Number(header) : undefined)

/** `filename d29ybGQ=,is_confidential`: names, and values in base64. */
const parseMetadata = (header: string): Map<string, string> =>
  new Map(
    header.split(',').map((pair) => {
      const [name = '', value = ''] = pair.trim().split(' ')
      return [name, Buffer.from(value, 'base64').toString().replaceAll('\0', '')]
    }),
  )
