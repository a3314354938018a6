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

const mostBytes = ({ MAX_FILE_UPLOAD_SIZE_MIB: mib }: Config) => mib * MEBIBYTE
const VERSION = { 'Tus-Resumable': '1.0.0' }

const tus = {
  who: 'account',
  response: z.object({}),
  rateLimit: 'uploads',
  announces: (config: Config) => ({
    ...VERSION,
    'Tus-Version': '1.0.0',
    'Tus-Extension': 'creation,termination,expiration',
    'Tus-Max-Size': String(mostBytes(config)),
  }),
} as const

/** Answers, unless the client is gone. */
const answer = (exchange: HttpExchange, status: number, headers: Headers, body: object | '' = '') => {
  const text = body === '' ? '' : JSON.stringify(body)
  const type: Headers = body === '' ? {} : { 'Content-Type': 'application/json' }
  exchange.reply(status, { ...VERSION, 'Cache-Control': 'no-store', ...type, ...headers }, text)
  return streaming
}

const refuse = (exchange: HttpExchange, status: number, message: string) => answer(exchange, status, {}, { message })

/** Refuses clients of another version, and says a refusal of ours in the words of the protocol. */
const speaking = async (exchange: HttpExchange, work: () => Promise<typeof streaming>) => {
  if (exchange.header('tus-resumable') !== VERSION['Tus-Resumable']) {
    return answer(exchange, 412, { 'Tus-Version': '1.0.0' }, { message: 'Tus-Resumable must be 1.0.0' })
  }
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refuse(exchange, error.code === 'REALM_UPLOAD_QUOTA' ? 413 : error.status, error.message)
  }
}

export const createResumable = streamed({
  ...tus,
  method: 'POST',
  path: ['/tus/', '/tus'],
  summary: 'Begins an upload that can be resumed (tus 1.0): its size and name come in headers.',
  params: {},
  handle: ({ app, caller, realm }, exchange) =>
    speaking(exchange, async () => {
      const size = lengthIn(exchange.header('upload-length'))
      if (size === undefined) return refuse(exchange, 411, 'Upload-Length is missing: it cannot be told later')
      const tooLarge = `This file is larger than the server takes (${app.config.MAX_FILE_UPLOAD_SIZE_MIB} MiB).`
      if (size > mostBytes(app.config)) return refuse(exchange, 413, tooLarge)
      const metadata = metadataIn(exchange.header('upload-metadata'))
      const name = (metadata.get('filename') ?? metadata.get('name') ?? '').split(/[\\/]/).at(-1) || 'file'
      const content_type = metadata.get('filetype') ?? metadata.get('type') ?? 'application/octet-stream'
      const id = await beginUpload(app.store.sql, realm, caller.user, { name, content_type, size })
      return answer(exchange, 201, { Location: `/api/v1/tus/${id}`, ...expiry() })
    }),
})

const upload_id = textInPath()

export const getResumable = streamed({
  ...tus,
  method: 'GET',
  path: '/tus/{upload_id}',
  summary: 'Tells, as HEAD, how much of an upload is there (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    speaking(exchange, async () => {
      const upload = await found(call)
      const headers = { 'Upload-Offset': String(upload.received), 'Upload-Length': String(upload.size), ...expiry() }
      return answer(exchange, 200, headers)
    }),
})

export const addToResumable = streamed({
  ...tus,
  method: 'PATCH',
  path: '/tus/{upload_id}',
  summary: 'Adds a part to an upload (tus 1.0). The answer to the last one tells the address of the file.',
  params: { upload_id },
  response: z.object({}),
  body: (config) => ({
    limit: mostBytes(config),
    refusal: () => errors.badRequest('More than the upload has'),
    isRaw: true,
  }),
  handle: (call, exchange) =>
    speaking(exchange, async () => {
      const [part] = call.request.files
      if (!/^application\/offset\+octet-stream$/i.test(exchange.header('content-type'))) {
        return refuse(exchange, 415, 'Content-Type must be application/offset+octet-stream')
      }
      const from = lengthIn(exchange.header('upload-offset'))
      if (from === undefined) return refuse(exchange, 400, 'Upload-Offset is missing')
      const { app, caller, realm, guard } = call
      const upload = await found(call)
      // All may be there already: this call runs again when the structure of the realm moved.
      const isWhole = upload.received === upload.size
      const bytes = part?.data ?? nothing
      const received = isWhole
        ? upload.size
        : await addPart(app.store.sql, app.store.files, realm.id, upload, from, bytes)
      if (received === undefined) return refuse(exchange, 409, 'Upload-Offset is not where the upload is')
      const headers = { 'Upload-Offset': String(received), ...expiry() }
      if (received < upload.size) return answer(exchange, 204, headers)
      const { writer, files } = app.store
      const path_id = await finishUpload(writer, files, realm, guard, caller.user, upload)
      return answer(exchange, 200, headers, { url: `/user_uploads/${path_id}`, filename: upload.name })
    }),
})

export const deleteResumable = streamed({
  ...tus,
  method: 'DELETE',
  path: '/tus/{upload_id}',
  summary: 'Gives an upload up (tus 1.0).',
  params: { upload_id },
  handle: (call, exchange) =>
    speaking(exchange, async () => {
      const { id } = await found(call)
      await removeUpload(call.app.store.sql, call.app.store.files, call.realm.id, id)
      return answer(exchange, 204, {})
    }),
})

type UploadCall = Pick<Call<{ upload_id: Param<string> }>, 'app' | 'caller' | 'realm' | 'params'>

/** The caller's upload. Throws a 404. */
const found = async ({ app, caller, realm, params }: UploadCall): Promise<ResumableUpload> => {
  const upload = await findUpload(app.store.sql, realm.id, caller.user, params.upload_id)
  if (upload === undefined) throw errors.unknownPath({ path: `/tus/${params.upload_id}` })
  return upload
}

const nothing = new Uint8Array()

const expiry = (): Headers => ({ 'Upload-Expires': new Date(Date.now() + UPLOAD_LIFETIME_MS).toUTCString() })

const lengthIn = (header: string): number | undefined => (/^\d{1,15}$/.test(header) ? Number(header) : undefined)

/** `filename d29ybGQ=,is_confidential`: names, and values in base64. */
const metadataIn = (header: string): Map<string, string> =>
  new Map(
    header.split(',').map((pair) => {
      const [name = '', value = ''] = pair.trim().split(' ')
      return [name, Buffer.from(value, 'base64').toString().replaceAll('\0', '')]
    }),
  )
