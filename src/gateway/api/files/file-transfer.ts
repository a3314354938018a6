/** Receiving one file in a multipart body, and sending files: shared by all endpoints with files. */
import { type ApiError, errors } from '../../../domain/protocol/errors.js'
import type { ByteRange } from '../../http/byte-range.js'
import type { CallRequest, UploadedFile } from '../../http/endpoint.js'
import type { HttpExchange } from '../../http/transport.js'

export const MEBIBYTE = 1024 * 1024
/** Bytes that a multipart body may have besides its file. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** The bound of a body with one file. It is larger than the bound of the file, which `requireSingleFile` checks. */
export const fileBodyRule = (mib: number, refusal: (mib: number) => ApiError) => ({
  limit: mib * MEBIBYTE + MULTIPART_OVERHEAD_BYTES,
  refusal: () => refusal(mib),
})

export const pictureTooLarge = (mib: number): ApiError => errors.badRequest(`This file is larger than ${mib} MiB.`)

/** The only file of a request. Throws `wrongCount` for none or several files, and `tooLarge` for a file above `mib`. */
export const requireSingleFile = (
  { files }: Pick<CallRequest, 'files'>,
  wrongCount: (count: number) => ApiError,
  mib: number,
  tooLarge: (mib: number) => ApiError,
): UploadedFile => {
  const [file, another] = files
  if (file === undefined || another !== undefined) throw wrongCount(files.length)
  if (file.data.length > mib * MEBIBYTE) throw tooLarge(mib)
  return file
}

/** Headers for files from users: browsers run no script of the file, and do not guess another type (nosniff). */
const sandboxHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Sends a file whose URL always has the same bytes, so that shared caches may store it. */
export const sendPublic = (exchange: HttpExchange, type: string, bytes: Uint8Array): void =>
  exchange.reply(200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000', ...sandboxHeaders }, bytes)

export interface PrivateFile {
  type: string
  disposition: string
  bytes: Uint8Array
  /** the range that the bytes are of the file; undefined: the whole file */
  part?: (ByteRange & { size: number }) | undefined
}

/** Sends a file, or a range of it, that only this caller's cache may store. */
export const sendPrivate = (exchange: HttpExchange, { type, disposition, bytes, part }: PrivateFile): void =>
  exchange.reply(
    part === undefined ? 200 : 206,
    {
      'Content-Type': type,
      'Content-Disposition': disposition,
      'Cache-Control': 'private, immutable, max-age=31536000',
      'Accept-Ranges': 'bytes',
      ...(part === undefined ? {} : { 'Content-Range': `bytes ${part.from}-${part.to}/${part.size}` }),
      ...sandboxHeaders,
    },
    bytes,
  )

/** Answers a range that begins beyond the end of the file (RFC 9110 section 15.5.17). */
export const sendRangeNotSatisfiable = (exchange: HttpExchange, size: number): void =>
  exchange.reply(416, { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'private, no-cache' }, '')

/** Redirects to another URL. */
export const redirect = (exchange: HttpExchange, location: string): void =>
  exchange.reply(302, { Location: location, 'Cache-Control': 'private, no-cache' }, '')
