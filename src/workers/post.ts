/**
 * Calls to servers that strangers name: one POST, and its answer.
 *
 * 1. The address is judged where it is connected to, and not before: a name that leads elsewhere when it is asked for
 *    again gains nothing. Redirections are not followed, for the same reason.
 * 2. An answer has a limit in time and in size.
 */
import { type LookupAddress, lookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callable } from '../domain/networks.js'

/** Milliseconds for everything together. */
const TIMEOUT_MS = 10_000
/** Bytes. */
const LONGEST_ANSWER = 256 * 1024

export interface PostAnswer {
  status: number
  text: string
}

/** There was no answer. */
export class PostFault extends Error {
  /** whether another attempt could fare better */
  readonly passes: boolean

  constructor(message: string, passes: boolean) {
    super(message)
    this.name = 'PostFault'
    this.passes = passes
  }
}

/** Sends a body to an address. Throws PostFault. */
export type Post = (url: string, type: string, body: string) => Promise<PostAnswer>

/** @param allowed networks that may be called although they are private */
export const openPost = (allowed: readonly string[]): Post => {
  const isCallable = callable(allowed)
  const refusal = (host: string) => new PostFault(`the address of ${host} is private`, false)

  /** Finds addresses as ever, and refuses them all when one of them is private (1). */
  const publicOnly: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '', 0)
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isCallable(address))) return done(refusal(host), '', 0)
      if (options.all === true) done(null, found)
      else done(null, first.address, first.family)
    })
  }

  return (given, type, body) =>
    new Promise((resolve, reject) => {
      const url = new URL(given)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isCallable(host)) return reject(refusal(host))
      const fail = (error: Error) => reject(error instanceof PostFault ? error : new PostFault(reasonOf(error), true))
      const request = (url.protocol === 'https:' ? https : http).request(
        url,
        {
          method: 'POST',
          agent: false,
          lookup: publicOnly,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            'Content-Type': type,
            'Content-Length': Buffer.byteLength(body),
            'User-Agent': 'ParleyOutgoingWebhook/1.0',
          },
        },
        (response) => {
          const parts: Buffer[] = []
          let size = 0
          response.on('error', fail)
          response.on('data', (part: Buffer) => {
            size += part.length
            if (size > LONGEST_ANSWER) request.destroy(new PostFault('the answer is too long', false))
            else parts.push(part)
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
          )
        },
      )
      request.on('error', fail)
      request.end(body)
    })
}

const reasonOf = (error: Error): string =>
  error.name === 'TimeoutError' || error.name === 'AbortError'
    ? `there was no answer within ${TIMEOUT_MS / 1000} seconds`
    : `the server could not be reached (${(error as NodeJS.ErrnoException).code ?? error.message})`
