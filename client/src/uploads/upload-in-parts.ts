/**
 * Resumable uploads (tus 1.0): the file is created on the server, and its parts are appended.
 *
 * When a connection breaks, the server is asked how much it has, and the upload continues there.
 */

import { backoff } from '../events/backoff.js'
import { encodeBase64 } from '../kernel/base64.js'
import { ApiError, ConnectionError } from '../kernel/errors.js'
import { type Http, parseObject, send } from '../kernel/http.js'
import type { Upload, Uploaded } from './upload-request.js'

/** After this many broken connections in a row an upload fails. */
const MAX_FAILURES = 5

/**
 * Uploads a file in parts of this many bytes. Throws ApiError when the server refuses it, ConnectionError after
 * MAX_FAILURES broken connections in a row, and the reason of the signal.
 */
export const uploadInParts = async (
  http: Http,
  gateway: string,
  { file, name, headers, signal, size, onProgress }: Upload,
  partBytes: number,
): Promise<Uploaded> => {
  const request = async (method: string, path: string, more: Record<string, string>, body?: Blob) => {
    const response = await send(http.fetch, `${gateway}${path}`, {
      method,
      headers: { ...headers, 'Tus-Resumable': '1.0.0', ...more },
      credentials: http.credentials === 'session' ? 'same-origin' : 'omit',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text().catch((cause: unknown) => {
      throw new ConnectionError('The connection broke during the answer.', { cause })
    })
    const answer = parseObject(text) ?? {}
    if (response.status >= 500) throw new ConnectionError(`The server answered ${response.status}.`)
    if (response.status >= 300) throw new ApiError(response.status, { msg: answer.message, ...answer })
    return { answer, headers: response.headers }
  }

  const metadata = `filename ${encodeBase64(name)}${file.type === '' ? '' : `,filetype ${encodeBase64(file.type)}`}`
  const created = await request('POST', '/api/v1/tus', { 'Upload-Length': String(size), 'Upload-Metadata': metadata })
  const path = created.headers.get('Location') ?? ''

  let offset = 0
  let failures = 0
  for (;;) {
    try {
      const part = file.slice(offset, offset + partBytes)
      const { answer } = await request(
        'PATCH',
        path,
        { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) },
        part,
      )
      failures = 0
      offset += part.size
      onProgress(offset, size)
      if (offset === size) return { url: String(answer.url), filename: String(answer.filename) }
    } catch (error) {
      if (!(error instanceof ConnectionError) || ++failures > MAX_FAILURES) throw error
      await new Promise((resolve) => setTimeout(resolve, backoff(failures)))
      signal?.throwIfAborted()
      offset = await askOffset(() => request('HEAD', path, {}), offset)
    }
  }
}

/** Asks how much the server has. If it cannot be reached, the next part finds that out. */
const askOffset = async (ask: () => Promise<{ headers: Headers }>, known: number): Promise<number> => {
  try {
    return Number((await ask()).headers.get('Upload-Offset') ?? known)
  } catch (error) {
    if (error instanceof ConnectionError) return known
    throw error
  }
}
