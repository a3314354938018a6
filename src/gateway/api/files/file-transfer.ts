/** Receiving one file in a multipart body, and sending stored files: shared by all endpoints with files. */
import { create as contentDisposition } from 'content-disposition'
import { cleanFileName } from '../../../domain/files/file-links.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { type ApiError, errors } from '../../../domain/protocol/errors.js'
import type { OpenFile } from '../../../store/files/file-storage.js'
import type { Realm } from '../../../store/log/realm.js'
import { type Streaming, streaming } from '../../call/endpoint.js'
import type { App, DownloadOwner } from '../../contract/app.js'
import { parseByteRange } from '../../contract/byte-range.js'
import type { CallRequest, UploadedFile } from '../../contract/call-request.js'
import { hasTag } from '../../contract/header-values.js'
import type { Headers, HttpExchange } from '../../contract/transport.js'
import { rateLimitAddress } from '../../fairness/rate-limit.js'

export const MEBIBYTE = 1024 * 1024
/** Bytes that a multipart body may have besides its file. */
const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** The bound of a body with one file. It is larger than the bound of the file, which `requireSingleFile` checks. */
export const fileBodyRule = (mib: number, refusal: (mib: number) => ApiError) => ({
  limit: mib * MEBIBYTE + MULTIPART_OVERHEAD_BYTES,
  refusal: () => refusal(mib),
})

/** The error for an avatar, an icon or a logo above its bound. */
export const pictureTooLarge = (mib: number): ApiError =>
  errors.badRequest('This file is larger than {size} MiB.', { size: mib })

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

/**
 * Counts a download, of an account or of an address without credentials. Throws RATE_LIMIT_HIT.
 * @returns who the download belongs to
 */
export const countDownload = async (
  { allowances }: App,
  request: Pick<CallRequest, 'ip'>,
  realm: Realm | undefined,
  user: UserRow | undefined,
): Promise<DownloadOwner> => {
  const address = rateLimitAddress(request)
  const account = realm === undefined || user === undefined ? undefined : `${realm.id}:${user.id}`
  const allowance = await (account === undefined
    ? allowances.count('downloads_by_ip', address)
    : allowances.count('downloads_by_user', account))
  if (allowance?.retry_after !== undefined) throw errors.rateLimitHit({ 'retry-after': allowance.retry_after })
  return account === undefined ? { address } : { account }
}

/**
 * Headers of every file from a user: browsers run no script of the file, treat it as a page of a site of its own
 * (sandbox), and send its address, which may contain a key, to no other site.
 */
const sandboxHeaders = {
  'Content-Security-Policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Referrer-Policy': 'no-referrer',
}

/** The viewers of browsers show no PDF in a sandbox. They run its scripts, if at all, outside of every site. */
const pdfHeaders = {
  ...sandboxHeaders,
  'Content-Security-Policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
}

/** The Content-Disposition header. @param name the file name as its user wrote it; a safe form of it is added */
export const composeDisposition = (type: 'inline' | 'attachment', name: string): string =>
  contentDisposition(name, { type, fallback: cleanFileName(name) })

/** A URL always has the same bytes, so shared caches may store them. */
export const publicCaching = 'public, max-age=31536000'
/** Only the cache of this caller may store the bytes. */
export const privateCaching = 'private, immutable, max-age=31536000'

export interface SentFile {
  key: string
  /** in bytes; undefined: unknown */
  size?: number
  type: string
  disposition?: string
  caching: string
  /** identifies the bytes: others have another tag; undefined: no cache stores the file */
  tag?: string
}

/**
 * Sends a stored file, or a range of it, as fast as the client reads. Answers 304 if the client has it. Throws a 404,
 * and RATE_LIMIT_HIT when its owner has too many downloads (fairness/download-slots.ts).
 */
export const sendStoredFile = async (
  app: App,
  exchange: HttpExchange,
  owner: DownloadOwner,
  file: SentFile,
): Promise<Streaming> => {
  const { files } = app.store
  const { key, tag } = file
  const headers = composeHeaders(file)
  if (tag !== undefined && hasTag(exchange.header('if-none-match'), tag)) {
    exchange.reply(304, headers, '')
    return streaming
  }
  const ifRange = exchange.header('if-range')
  const rangeHeader = ifRange === '' || ifRange === quote(tag) ? exchange.header('range') : ''
  const size = file.size ?? (rangeHeader === '' ? undefined : await files.size(key))
  const range = size === undefined ? undefined : parseByteRange(rangeHeader, size)
  if (range === 'unsatisfiable') {
    exchange.reply(416, { 'Content-Range': `bytes */${size}`, 'Cache-Control': 'private, no-cache' }, '')
    return streaming
  }
  const rangeHeaders: Headers =
    range === undefined ? {} : { 'Content-Range': `bytes ${range.from}-${range.to}/${size}` }
  await startDownload(app, exchange, owner, {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...rangeHeaders },
    open: () => files.open(key, range),
  })
  return streaming
}

interface Download {
  status: number
  headers: Headers
  open(): Promise<OpenFile | undefined>
}

/** Resolves when the file is open: only then is it certain that there is one. It is sent afterwards. */
const startDownload = (
  { downloads, log }: App,
  exchange: HttpExchange,
  owner: DownloadOwner,
  { status, headers, open }: Download,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const download = async () => {
      const file = exchange.aborted ? undefined : await open()
      if (file === undefined) throw fileNotFound()
      resolve()
      await exchange
        .sendStream(status, headers, file.length, file.bytes)
        .catch((error: unknown) => log.warn({ err: error }, 'a download was cut off'))
    }
    downloads.run(owner, download).catch(reject)
  })

/** Returns the error for a file that is missing or that the caller may not see. Both cases look the same. */
export const fileNotFound = (): ApiError => errors.unknownPath({ path: 'file' })

const composeHeaders = ({ type, disposition, caching, tag }: SentFile): Headers => ({
  'Content-Type': type,
  ...(disposition === undefined ? {} : { 'Content-Disposition': disposition }),
  'Cache-Control': caching,
  'Accept-Ranges': 'bytes',
  ...(tag === undefined ? {} : { ETag: quote(tag) }),
  ...(type === 'application/pdf' ? pdfHeaders : sandboxHeaders),
})

const quote = (tag: string | undefined): string => `"${tag}"`

/** Sends a picture that the server drew, which is small and in memory. */
export const sendDrawnPicture = (exchange: HttpExchange, bytes: Uint8Array): void =>
  exchange.reply(200, composeHeaders({ key: '', type: 'image/png', caching: publicCaching }), bytes)

/** Redirects to another URL. */
export const redirect = (exchange: HttpExchange, location: string): void =>
  exchange.reply(302, { Location: location, 'Cache-Control': 'private, no-cache' }, '')
