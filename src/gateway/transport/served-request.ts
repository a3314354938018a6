/**
 * A request over HTTP while it is served: what its answer needs of the head, and the ways to send the answer.
 *
 * It is a class, because there is one for each request: instances share methods, closures would not.
 */
import { ApiError } from '../../domain/protocol/errors.js'
import { composeFailure, jsonHeaders, type Reply, withoutChallenge } from '../call/envelope.js'
import { acceptedTexts } from '../call/failure-texts.js'
import type { HttpSide } from '../call/running-call.js'
import { composeUnexpectedError, isUnexpected } from '../call/unexpected-error.js'
import { type EncodedFragments, encodeFragments } from '../compression/encoded-fragments.js'
import type { App } from '../contract/app.js'
import { acceptsValue } from '../contract/header-values.js'
import type { Headers } from '../contract/transport.js'
import { renderErrorPage } from '../pages/error-page.js'
import type { NativeExchange } from './native-exchange.js'
import { logRefusal } from './refusal-log.js'

/** Answers with fewer characters are not compressed: compressing them costs more than sending them. */
const MIN_GZIP_LENGTH = 8 * 1024

/** The parts of the head that decide how a request is answered. */
export interface AnsweredHead {
  readonly method: string
  readonly path: string
  /** the header Accept-Encoding */
  readonly encodings: string
  /** the header Accept-Language; '' when it is absent, or was not read */
  readonly acceptLanguage: string
  /** a browser sent the request (request-origin.ts, 1) */
  readonly isBrowser: boolean
  /** a person opened an address outside of the API: an error is a page */
  readonly wantsPage: boolean
}

/** One request that is served. The call pipeline and the receiver of its body use it. */
export class ServedRequest implements HttpSide {
  readonly exchange: NativeExchange
  readonly #head: AnsweredHead
  readonly #log: App['log']

  constructor(exchange: NativeExchange, head: AnsweredHead, log: App['log']) {
    this.exchange = exchange
    this.#head = head
    this.#log = log
  }

  /** Sends the answer of the call; undefined: the handler took the exchange, or answers later. */
  send(reply: Reply | undefined): void {
    if (reply === undefined) return
    const answer = this.#composeForCaller(reply)
    const { status, headers, fragments } = answer
    const all = headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers }
    const body = fragments === undefined ? answer.text : encodeFragments(fragments)
    reply.release?.()
    if (body.length < MIN_GZIP_LENGTH) this.#sendBody(status, all, body)
    else this.#sendLarge(status, { ...all, Vary: 'Accept-Encoding' }, body)
  }

  /** Sends the answer for an error that the call pipeline did not see. */
  fail(error: unknown): void {
    this.#noteRefusal(error)
    this.send(this.#composeError(error))
  }

  /**
   * Answers a request whose body is not read.
   * @param isReceived whether the whole body was received; otherwise the answer is sent while the client still sends
   */
  refuseBody(error: unknown, isReceived: boolean): void {
    this.#noteRefusal(error)
    const { status, text, headers } = this.#composeForCaller(this.#composeError(error))
    if (isReceived) this.exchange.reply(status, { ...jsonHeaders, ...headers }, text)
    else this.exchange.replyBeforeRequestEnds(status, { ...jsonHeaders, ...headers }, text)
  }

  #noteRefusal(error: unknown): void {
    if (!(error instanceof ApiError)) return
    const { method, path } = this.#head
    const { remoteAddress: ip } = this.exchange
    logRefusal(this.#log, error, { ip, host: '', authorization: '', call: `${method} ${path}` })
  }

  /** The reply as the caller can use it: a browser gets no challenge, and a person gets a page. */
  #composeForCaller(reply: Reply): Reply {
    const { isBrowser, wantsPage } = this.#head
    const answer = isBrowser ? withoutChallenge(reply) : reply
    const { refusal, reader } = answer
    if (!wantsPage || refusal === undefined || reader === undefined) return answer
    const { html, headers } = renderErrorPage(reader, refusal)
    return { ...answer, text: html, headers: { ...answer.headers, ...headers } }
  }

  #composeError(error: unknown): Reply {
    const { method, path, acceptLanguage } = this.#head
    const t = acceptedTexts(acceptLanguage)
    if (error instanceof ApiError) return composeFailure(error, t)
    if (isUnexpected(error)) this.#log.error({ err: error, method, path }, 'a request failed')
    return composeFailure(composeUnexpectedError(error), t)
  }

  #acceptsGzip(): boolean {
    const { encodings } = this.#head
    return encodings.includes('gzip') && (!encodings.includes('q=0') || acceptsValue(encodings, 'gzip'))
  }

  #sendLarge(status: number, headers: Headers, body: string | EncodedFragments): void {
    if (!this.#acceptsGzip()) {
      this.#sendBody(status, headers, body)
      return
    }
    const encoded = typeof body === 'string' ? encodeFragments([body]) : body
    encoded.gzip().then(
      (bytes) => this.exchange.reply(status, { ...headers, 'Content-Encoding': 'gzip' }, bytes),
      () => this.#sendBody(status, headers, body),
    )
  }

  #sendBody(status: number, headers: Headers, body: string | EncodedFragments): void {
    if (typeof body === 'string') this.exchange.reply(status, headers, body)
    else this.exchange.replyInChunks(status, headers, body.chunks)
  }
}
