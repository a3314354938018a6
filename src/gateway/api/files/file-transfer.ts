/** The file that comes with a request, and files that are sent back: what all endpoints with files share. */
import { type ApiError, errors } from '../../../domain/protocol/errors.js'
import type { ByteRange } from '../../http/byte-range.js'
import type { CallRequest, UploadedFile } from '../../http/endpoint.js'
import type { HttpExchange } from '../../http/transport.js'

export const MEBIBYTE = 1024 * 1024
/** What a multipart body holds beside its file. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** How large a body with one file may be. Somewhat more is received than a file may have, so look at `data` too. */
export const fileBodyRule = (mib: number, refusal: (mib: number) => ApiError) => ({
  limit: mib * MEBIBYTE + MULTIPART_OVERHEAD_BYTES,
  refusal: () => refusal(mib),
})

export const pictureTooLarge = (mib: number): ApiError => errors.badRequest(`This file is larger than ${mib} MiB.`)

/** The one file of a request. Throws `wrongCount` for none or several, and what is too large. */
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

/** Whatever a file holds: it runs nothing here, and is nothing but what its type says. */
const sandboxHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Sends bytes whose address never leads to others: caches may keep them. */
export const sendPublic = (exchange: HttpExchange, type: string, bytes: Uint8Array): void =>
  exchange.reply(200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000', ...sandboxHeaders }, bytes)

export interface PrivateFile {
  type: string
  disposition: string
  bytes: Uint8Array
  /** what the bytes are of the whole, where they are not the whole */
  part?: (ByteRange & { size: number }) | undefined
}

/** Sends bytes that are for this caller. */
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

/** Tells whoever asks for what lies beyond the end of a file where that is. */
export const sendRangeNotSatisfiable = (exchange: HttpExchange, size: number): void =>
  exchange.reply(416, { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'private, no-cache' }, '')

export const redirect = (exchange: HttpExchange, location: string): void =>
  exchange.reply(302, { Location: location, 'Cache-Control': 'private, no-cache' }, '')
