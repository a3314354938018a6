/**
 * Checks how the end of a request's body is marked (RFC 9112 section 6.3), where uWebSockets does not.
 *
 * uWebSockets refuses a Content-Length that is no number, and one beside Transfer-Encoding. But it reads only the first
 * header of a name, and takes every Transfer-Encoding for `chunked`. A request whose end is ambiguous is refused here:
 * a proxy may see its end elsewhere, and what follows would then be the request of another client (request smuggling).
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'

/** The part of uWebSockets' HttpRequest that is used here. */
export interface HeaderList {
  forEach(visit: (name: string, value: string) => void): void
}

/** Finds why the end of a request's body is unknown; undefined: it is known. Reads all headers. */
export const findFramingFault = (headers: HeaderList): ApiError | undefined => {
  let length: string | undefined
  let codings: string | undefined
  let isUnclear = false
  headers.forEach((name, value) => {
    if (name === 'content-length') {
      if (value === '' || value !== (length ?? value)) isUnclear = true
      length = value
    } else if (name === 'transfer-encoding') {
      if (value === '') isUnclear = true
      codings = codings === undefined ? value : `${codings}, ${value}`
    }
  })
  if (isUnclear || (length !== undefined && codings !== undefined)) return errors.unclearBodyLength()
  if (codings === undefined || codings.toLowerCase() === 'chunked') return undefined
  const [last, ...others] = codings
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/)
    .toReversed()
  // Without a last `chunked`, or with two, nothing marks the end. Codings before it change the body only.
  if (last !== 'chunked' || others.includes('chunked')) return errors.unclearBodyLength()
  return errors.unsupportedTransferCoding({ codings })
}
