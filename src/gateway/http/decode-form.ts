/**
 * From the bytes of a request to its fields: query strings, forms and multipart bodies.
 *
 * Of a name that is repeated the last value counts. A stray `%` is taken literally, as browsers do; bytes that are no
 * UTF-8 are refused, because what was meant cannot be stored. Source: errors.md section 5.1.
 */
import { isUtf8 } from 'node:buffer'
import { errors } from '../../domain/protocol/errors.js'
import type { UploadedFile } from './endpoint.js'

export interface MultipartPart {
  name: string
  data: ArrayBuffer
  type?: string
  filename?: string
}

/** Splits a multipart body; undefined when it is none. The library that does it is behind http/uws.ts. */
export type SplitMultipart = (body: Uint8Array, contentType: string) => MultipartPart[] | undefined

export interface DecodedBody {
  fields: Record<string, string>
  files: readonly UploadedFile[]
}

const noFiles: readonly UploadedFile[] = []
/** More names than this are read no further. */
const MAX_FIELDS = 1_000

/** The fields of a query string or form, added to `fields`. Throws BAD_REQUEST. */
export const decodeForm = (source: string, fields: Record<string, string> = emptyFields()): Record<string, string> => {
  let start = 0
  for (let n = 0; start < source.length && n < MAX_FIELDS; n++) {
    let end = source.indexOf('&', start)
    if (end === -1) end = source.length
    if (end > start) {
      const equals = source.indexOf('=', start)
      const nameEnd = equals === -1 || equals > end ? end : equals
      fields[unescapeFormText(source.slice(start, nameEnd))] = unescapeFormText(
        source.slice(nameEnd + 1, Math.max(end, nameEnd + 1)),
      )
    }
    start = end + 1
  }
  return fields
}

/** The fields and files of a body. A body without a type is taken for a form; other types hold no fields. */
export const decodeBody = (body: Uint8Array, contentType: string, split: SplitMultipart): DecodedBody => {
  if (body.length === 0) return { fields: emptyFields(), files: noFiles }
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return decodeMultipart(body, contentType, split)
  if (type === '' || type === 'application/x-www-form-urlencoded') {
    return { fields: decodeForm(decodeUtf8(body)), files: noFiles }
  }
  return { fields: emptyFields(), files: noFiles }
}

/** Names come from the client: no name of Object's own may be among them. */
export const emptyFields = (): Record<string, string> => new FieldMap() as unknown as Record<string, string>

/** What Object.create(null) makes is slow to read; an instance of this is not, and inherits as little. */
const FieldMap = function Bare() {} as unknown as new () => object
FieldMap.prototype = Object.create(null)

const decodeMultipart = (body: Uint8Array, contentType: string, split: SplitMultipart): DecodedBody => {
  const parts = split(body, contentType)
  if (parts === undefined) throw errors.malformedBody({ what: 'valid multipart/form-data' })
  const fields = emptyFields()
  const files: UploadedFile[] = []
  for (const { name, filename, type, data } of parts) {
    if (filename === undefined) fields[name] = decodeUtf8(new Uint8Array(data))
    // Copied: the part lies in the received buffer, which is gone when its callback returns.
    else
      files.push({
        field: name,
        filename,
        type: type ?? 'application/octet-stream',
        data: new Uint8Array(data.slice(0)),
      })
  }
  return { fields, files }
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  if (!isUtf8(bytes)) throw errors.malformedBody({ what: 'valid UTF-8' })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

const unescapeFormText = (source: string): string => {
  const text = source.includes('+') ? source.replaceAll('+', ' ') : source
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return unescapeLeniently(text)
  }
}

/** URLSearchParams takes a stray `%` literally, and puts U+FFFD where bytes are no UTF-8. */
const unescapeLeniently = (text: string): string => {
  const value = new URLSearchParams(`=${text}`).get('') ?? ''
  if (value.includes('\uFFFD') && !/\uFFFD|%EF%BF%BD/i.test(text)) throw errors.malformedBody({ what: 'valid UTF-8' })
  return value
}
