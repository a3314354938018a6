/**
 * Decodes query strings, and bodies that are URL-encoded forms, multipart forms or JSON, into fields and files.
 *
 * If a name is repeated, its last value wins. A `%` that begins no escape is literal, as in the URL standard.
 * Bytes that are not valid UTF-8 are refused, because Postgres cannot store them. Source: protocol/errors.md 5.1.
 */
import { isUtf8 } from 'node:buffer'
import { errors } from '../../domain/protocol/errors.js'
import type { Fields, UploadedFile } from '../contract/call-request.js'
import { parseParameters } from '../contract/header-values.js'
import { parseJson } from './json-values.js'
import { splitMultipart } from './multipart.js'

export interface DecodedBody {
  /** texts, or the values of a JSON object */
  fields: Fields
  /** absent: text */
  encoding?: 'json'
  /** the chunks of a body that is not decoded (request-body.ts, `isRaw`) */
  raw?: readonly Uint8Array[]
  files: readonly UploadedFile[]
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const noFiles: readonly UploadedFile[] = []
/** Further fields of a URL-encoded form are ignored. A multipart form with more parts is refused. */
const MAX_FIELDS = 1_000

/** Decodes a query string or URL-encoded form, and adds its fields to `fields`. Throws BAD_REQUEST. */
export const decodeForm = (form: string, fields: Record<string, string> = emptyFields()): Record<string, string> => {
  const source = form.includes('+') ? unescapeSpaces(form) : form
  const decode = form.includes('%') ? unescapeFormText : identity
  let start = 0
  for (let n = 0; start < source.length && n < MAX_FIELDS; n++) {
    let end = source.indexOf('&', start)
    if (end === -1) end = source.length
    if (end > start) {
      const equals = source.indexOf('=', start)
      const nameEnd = equals === -1 || equals > end ? end : equals
      fields[decode(source.slice(start, nameEnd))] = decode(source.slice(nameEnd + 1, Math.max(end, nameEnd + 1)))
    }
    start = end + 1
  }
  return fields
}

/**
 * Decodes the fields and files of a body. A body without a Content-Type is decoded as a URL-encoded form. Throws
 * BAD_REQUEST, and a 415 for a body of another type: without its fields, the call would do something else than was
 * meant.
 */
export const decodeBody = (body: Uint8Array, contentType: string): DecodedBody => {
  if (body.length === 0) return { fields: emptyFields(), files: noFiles }
  const type = contentType === FORM_TYPE ? FORM_TYPE : contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return decodeMultipart(body, contentType)
  if (type === '' || type === FORM_TYPE) {
    return { fields: decodeForm(decodeUtf8(body)), files: noFiles }
  }
  if (type === 'application/json') return { fields: decodeJson(decodeUtf8(body)), files: noFiles, encoding: 'json' }
  throw errors.unsupportedBody({ content_type: type ?? '' })
}

const decodeJson = (text: string): Fields => {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw errors.malformedJsonBody()
  return Object.assign(emptyFields(), value)
}

/** An empty map for field names from clients. It inherits nothing, so `__proto__` and `toString` are ordinary names. */
export const emptyFields = (): Record<string, string> => new FieldMap() as unknown as Record<string, string>

/** V8 reads an instance of this class faster than an object from Object.create(null), and it inherits as little. */
const FieldMap = function Bare() {} as unknown as new () => object
FieldMap.prototype = Object.create(null)

const decodeMultipart = (body: Uint8Array, contentType: string): DecodedBody => {
  const boundary = parseParameters(contentType).parameters.get('boundary')
  const parts = isBoundary(boundary) ? splitMultipart(body, boundary, MAX_FIELDS) : undefined
  if (parts === undefined) throw errors.malformedForm()
  if (parts === 'too many') throw errors.tooManyParts()
  const fields = emptyFields()
  const files: UploadedFile[] = []
  for (const { name, filename, type, data } of parts) {
    if (filename === undefined) fields[name] = decodeUtf8(data)
    // Copied, because the part is a view of the received buffer, which uWebSockets frees when the callback returns.
    else files.push({ field: name, filename, type: type ?? 'application/octet-stream', data: new Uint8Array(data) })
  }
  return { fields, files }
}

/** RFC 2046 section 5.1.1. */
const isBoundary = (text: string | undefined): text is string => text !== undefined && /^[ -~]{1,70}$/.test(text)

const decodeUtf8 = (bytes: Uint8Array): string => {
  if (!isUtf8(bytes)) throw errors.bodyNotUtf8()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** Up to this length `replaceAll` takes half the time of splitting and joining; in a long text, four times as long. */
const SHORT_FORM = 4_096

const unescapeSpaces = (form: string): string =>
  form.length < SHORT_FORM ? form.replaceAll('+', ' ') : form.split('+').join(' ')

const identity = (text: string) => text

const unescapeFormText = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return unescapeLeniently(text)
  }
}

/** URLSearchParams keeps a `%` that begins no escape, and decodes bytes that are not UTF-8 as U+FFFD. */
const unescapeLeniently = (text: string): string => {
  const value = new URLSearchParams(`=${text}`).get('') ?? ''
  if (value.includes('\uFFFD') && !/\uFFFD|%EF%BF%BD/i.test(text)) throw errors.bodyNotUtf8()
  return value
}
