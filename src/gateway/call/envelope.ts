/** The JSON envelope of every answer (protocol/errors.md 1), as text that ends in a newline. */
import type { Texts } from '#rules/texts.js'
import type { ApiError } from '../../domain/protocol/errors.js'
import { type Fragment, joinFragments, RawJson } from '../../domain/protocol/raw-json.js'
import type { Headers } from '../contract/transport.js'

/**
 * Headers by which no cache, shared or private, may store an answer. An answer is valid only for this caller at this
 * moment.
 */
export const jsonHeaders: Headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
}

/** A complete answer, independent of its transport. */
export interface Reply {
  readonly status: number
  /** the JSON text */
  readonly text: string
  readonly headers: Headers | undefined
  /** the same text in fragments, some of which other answers contain too; undefined: there are none */
  readonly fragments?: readonly Fragment[]
  /** the error in the answer, for the log */
  readonly refusal?: ApiError
  /** the texts in the language in which the error is answered */
  readonly reader?: Texts
  /**
   * Forgets the text, once it was read. The promises of a call that waited long are in the old generation by the time
   * they resolve. What they refer to is kept until the next full garbage collection, although the call has ended.
   */
  release?(): void
}

/** An answer in fragments. Its text is made only for a transport that cannot send fragments. */
class ReplyInFragments implements Reply {
  readonly status = 200
  readonly headers = undefined
  readonly #start: string
  readonly #fields: RawJson

  constructor(start: string, fields: RawJson) {
    this.#start = start
    this.#fields = fields
  }

  get fragments(): readonly Fragment[] {
    return [this.#start, ...(this.#fields.piecesInside ?? []), '}\n']
  }

  release(): void {
    this.#fields.release()
  }

  get text(): string {
    return joinFragments(this.fragments)
  }
}

/**
 * Composes the answer of a successful call. Fields in fragments are of this call only: they are forgotten with it.
 * @param ignored names of received parameters without effect, sorted (params.ts)
 */
export const composeSuccess = (fields: object, ignored: readonly string[]): Reply => {
  const ignoredMember = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`
  const start = `{"result":"success","msg":""${ignoredMember}`
  if (fields instanceof RawJson && fields.piecesInside !== undefined) {
    return new ReplyInFragments(`${start},`, fields)
  }
  const members = fields instanceof RawJson ? fields.inside : JSON.stringify(fields).slice(1, -1)
  return { status: 200, text: `${start}${members === '' ? '' : `,${members}`}}\n`, headers: undefined }
}

/**
 * Composes the answer of a failed call, with the headers that its status requires.
 * @param t the texts in the language of the caller (failure-texts.ts)
 */
export const composeFailure = (error: ApiError, t: Texts): Reply => {
  // One error has status 200: clients of that integration expect a success with an error code.
  const result = error.status === 200 ? 'success' : 'error'
  const reader = error.reader ?? t
  const text = `{"result":"${result}",${JSON.stringify(error.bodyIn(reader)).slice(1)}\n`
  return { status: error.status, text, headers: failureHeaders(error), refusal: error, reader }
}

/**
 * Removes the challenge from the answer for a browser (request-origin.ts, 1). Because of the challenge, the browser
 * would ask its user for a password.
 */
export const withoutChallenge = (reply: Reply): Reply =>
  reply.status === 401 ? { ...reply, headers: undefined } : reply

const failureHeaders = ({ status, body }: ApiError): Headers | undefined => {
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="zulip"' }
  if (status === 429 || status === 503) return { 'Retry-After': String(body['retry-after']) }
  // The coding that is read: none (RFC 9110 section 12.5.3).
  if ('content_encoding' in body) return { 'Accept-Encoding': 'identity' }
  if (status === 405) return { Allow: (body.allowed_methods as string[]).join(', ') }
  return undefined
}
