/** Parts of a file that a client asks for by a Range header: RFC 9110 section 14. */

/** Both ends belong to it; the first byte is 0. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The part of so many bytes that a header asks for; undefined for all of them: where there is no header, where it is
 * none that could be understood, and where it asks for several parts, which nobody needs.
 */
export const parseByteRange = (header: string, size: number): ByteRange | 'unsatisfiable' | undefined => {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  const [from, to] =
    first === '' ? [Math.max(0, size - Number(last)), size - 1] : [Number(first), last === '' ? size - 1 : Number(last)]
  if (from >= size) return 'unsatisfiable'
  return from > to ? undefined : { from, to: Math.min(to, size - 1) }
}
