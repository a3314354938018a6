/** The Range header: RFC 9110 section 14. */

/** A range of bytes, both ends included; the first byte of a file is 0. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * Parses a Range header.
 * @param header '' when the request has none
 * @param size the size of the file, in bytes
 * @returns the range, cut off at the end of the file; 'unsatisfiable' when it begins beyond the end; undefined to send
 * the whole file, because the header is absent, invalid or asks for several ranges (a server may ignore those)
 */
export const parseByteRange = (header: string, size: number): ByteRange | 'unsatisfiable' | undefined => {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const [from, to] =
    first === '' ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), last === '' ? size - 1 : Number(last)]
  if (from >= size) return 'unsatisfiable'
  return from > to ? undefined : { from, to: Math.min(to, size - 1) }
}
