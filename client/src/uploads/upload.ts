/** Uploads, with progress where the platform tells it. */
import { ApiError, ConnectionError } from '../kernel/errors.js'
import { type Http, keyHeader, makeKey, parseObject, readAnswer, readBody, send, type Values } from '../kernel/http.js'
import { uploadInParts } from './upload-in-parts.js'
import type { Upload, Uploaded } from './upload-request.js'

export interface UploadOptions {
  /** Is called with the bytes that were sent and their sum. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
  /** the name under which the file is stored; that of the file by default */
  name?: string
  /** another call that takes a file, such as `/users/me/avatar` */
  path?: string
}

/** Files that are not larger are uploaded in one request. */
const PART_BYTES = 1024 * 1024

/**
 * Uploads a file. Browsers tell how much of a request was sent. Elsewhere a large file is sent in parts, and an upload
 * whose connection breaks continues. Throws ApiError, ConnectionError, and the reason of the signal.
 */
export const uploadFile = async (
  http: Http,
  gateway: string,
  file: Blob & { readonly name?: string },
  { onProgress = () => {}, signal, name = file.name ?? 'file', path = '/user_uploads' }: UploadOptions,
): Promise<Uploaded> => {
  const { size } = file
  onProgress(0, size)
  const headers = { ...(await http.headers(gateway, 'POST', signal)), ...keyHeader(makeKey()) }
  const upload: Upload = { address: `${gateway}/api/v1${path}`, file, name, headers, signal, size, onProgress }
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: RequestClass }
  const isInParts = XMLHttpRequest === undefined && size > PART_BYTES && path === '/user_uploads'
  if (isInParts) return uploadInParts(http, gateway, upload, PART_BYTES)
  const attempt = () =>
    XMLHttpRequest === undefined ? uploadByFetch(http, upload) : uploadByXhr(XMLHttpRequest, upload)
  const answer = await attempt().catch((error: unknown) => {
    // With its key, the file is stored once.
    if (error instanceof ConnectionError && signal?.aborted !== true) return attempt()
    throw error
  })
  return { url: String(answer.url), filename: String(answer.filename ?? name) }
}

const composeForm = ({ file, name }: Upload): FormData => {
  const form = new FormData()
  form.set('filename', file, name)
  return form
}

const uploadByFetch = async (http: Http, upload: Upload): Promise<Values> => {
  const { address, headers, signal, size, onProgress } = upload
  const response = await send(http.fetch, address, {
    method: 'POST',
    body: composeForm(upload),
    headers,
    credentials: http.credentials === 'session' ? 'same-origin' : 'omit',
    ...(signal === undefined ? {} : { signal }),
  })
  const answer = readAnswer(response.status, await readBody(response, signal))
  onProgress(size, size)
  return answer
}

/** The part of XMLHttpRequest that this file uses: in browsers, only it tells how much of a body was sent. */
interface BrowserRequest {
  readonly status: number
  readonly responseText: string
  readonly upload: {
    addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void
  }
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void
  send(body: FormData): void
  abort(): void
}
type RequestClass = new () => BrowserRequest

const uploadByXhr = (Request: RequestClass, upload: Upload) =>
  new Promise<Values>((resolve, reject) => {
    const { address, headers, signal, size, onProgress } = upload
    signal?.throwIfAborted()
    const request = new Request()
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      // The form has some bytes more than the file.
      onProgress(Math.round((size * loaded) / Math.max(total, 1)), size)
    })
    const fail = (error: unknown) => {
      signal?.removeEventListener('abort', abort)
      reject(error)
    }
    request.addEventListener('load', () => {
      signal?.removeEventListener('abort', abort)
      const body = parseObject(request.responseText)
      if (body === undefined) fail(new ConnectionError(`A server in front of the gateway answered ${request.status}.`))
      else if (request.status !== 200) fail(new ApiError(request.status, body))
      else resolve(body)
    })
    request.addEventListener('error', () => fail(new ConnectionError('The connection broke during the upload.')))
    request.addEventListener('abort', () => fail(signal?.reason))
    request.send(composeForm(upload))
  })
