/** Uploads, and files as the gateways serve them. */

import { basicAuthorization } from '../realm/event-reader.js'
import { anyGateway, type Person } from '../realm/realm.js'
import { type RawResponse, sendRequest } from './raw-request.js'

export interface GivenFile {
  field?: string
  filename: string
  type?: string
  data: Uint8Array | string
}

const portOf = (url: string) => Number(new URL(url).port)

/** Encodes files as a multipart body. */
export const multipart = (files: readonly GivenFile[]): { headers: Record<string, string>; body: Buffer } => {
  const boundary = 'parley-test-boundary'
  const pieces = files.flatMap(({ field = 'file', filename, type = 'application/octet-stream', data }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** Sends an API call with files in its body. */
export const upload = (person: Person, path: string, ...files: GivenFile[]): Promise<RawResponse> =>
  sendRequest(portOf(anyGateway()), {
    method: 'POST',
    path: `/api/v1${path}`,
    host: person.host,
    authorization: basicAuthorization(person),
    ...multipart(files),
  })

/** Fetches a path below the root of the site. It sends credentials if a person is given. */
export const fetchFile = (host: string, path: string, person?: Person): Promise<RawResponse> =>
  sendRequest(portOf(anyGateway()), {
    path,
    host,
    ...(person === undefined ? {} : { authorization: basicAuthorization(person) }),
  })

/** A PNG of one red pixel. */
export const redPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** A GIF of one transparent pixel. */
export const emptyGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
