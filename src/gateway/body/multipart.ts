/**
 * Splits a multipart body (RFC 7578). HTTP libraries write the headers of a part in several ways: names without quotes,
 * names of files in RFC 5987 form, the type before the disposition, and headers that mean nothing here.
 */
import { parseParameters } from '../contract/header-values.js'

/** A part of a multipart body. */
export interface MultipartPart {
  name: string
  /** undefined: the part is a field and not a file */
  filename: string | undefined
  type: string | undefined
  /** a view of the body */
  data: Buffer
}

const LINE_BREAK = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
/** The headers of a part are few and short. */
const MAX_HEAD_BYTES = 16 * 1024

/**
 * Splits a body into parts.
 * @returns undefined when the body is not valid; 'too many' when it has more than `most` parts
 */
export const splitMultipart = (
  bytes: Uint8Array,
  boundary: string,
  most: number,
): MultipartPart[] | undefined | 'too many' => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const isAtStart = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
  const first = isAtStart ? -2 : body.indexOf(delimiter)
  if (!isAtStart && first === -1) return undefined
  const parts: MultipartPart[] = []
  for (let at = first + delimiter.length; ; ) {
    if (body.toString('latin1', at, at + 2) === '--') return parts
    // White space may follow a boundary.
    while (body[at] === 0x20 || body[at] === 0x09) at += 1
    if (!body.subarray(at, at + 2).equals(LINE_BREAK)) return undefined
    const headEnd = body.subarray(at, at + MAX_HEAD_BYTES).indexOf(BLANK_LINE)
    if (headEnd === -1) return undefined
    const start = at + headEnd + BLANK_LINE.length
    // The line break of an empty part belongs to its delimiter.
    const end = body.indexOf(delimiter, start - LINE_BREAK.length)
    if (end === -1) return undefined
    if (parts.length === most) return 'too many'
    const part = parseHead(body.toString('utf8', at, at + headEnd))
    if (part === undefined) return undefined
    parts.push({ ...part, data: body.subarray(start, Math.max(start, end)) })
    at = end + delimiter.length
  }
}

const parseHead = (head: string): Omit<MultipartPart, 'data'> | undefined => {
  const headers = new Map<string, string>()
  // A line that begins with white space continues the one before.
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const { value, parameters } = parseParameters(headers.get('content-disposition') ?? '')
  const name = parameters.get('name')
  if (value !== 'form-data' || name === undefined) return undefined
  const filename = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename')
  return { name, filename, type: headers.get('content-type') }
}

/** Decodes `utf-8''a%20b` (RFC 5987). @returns undefined for other charsets, and for what is not valid */
const decodeExtended = (text: string | undefined): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(text ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
