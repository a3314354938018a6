/** Calls to a fleet under chaos: each is sent once, and its outcome may stay unknown. */
import http from 'node:http'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import type { Person } from '../setup/realm/realm.js'
import { OpenWork } from './phase.js'

/**
 * `done`: acknowledged. `refused`: answered with an error of the caller. `unknown`: no answer in time, a broken
 * connection, or an answer that promises nothing (503).
 */
export type Outcome = 'done' | 'refused' | 'unknown'

export interface Attempt {
  outcome: Outcome
  body: Record<string, unknown>
}

/** What an attempt has beside its parameters. */
export interface AttemptOptions {
  headers?: Record<string, string>
  /** instead of the parameters */
  body?: Buffer
  /** the address of the gateway; by default the next one */
  gateway?: string | undefined
}

export interface Attempts {
  send(
    account: Person,
    method: string,
    path: string,
    params?: Record<string, unknown>,
    options?: AttemptOptions,
  ): Promise<Attempt>
  readonly counts: Readonly<Record<Outcome, number>>
  /** Answers that no fault excuses, such as a 500. */
  readonly unexpected: string[]
  /** refusals by method, path and message, with their number */
  readonly refusals: ReadonlyMap<string, number>
  /** the calls that have no outcome yet */
  readonly open: OpenWork
}

/** After this time the outcome of a call is unknown. */
export const TIMEOUT_MS = 6_000

/** The outcome that an answer with this status states; 0: there was none. */
export const readOutcome = (status: number): Outcome => {
  if (status === 200) return 'done'
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}

/** @param url returns the gateway of the next call; undefined while none runs */
export const openAttempts = (url: () => string | undefined): Attempts => {
  const agent = new http.Agent({ keepAlive: true })
  const counts = { done: 0, refused: 0, unknown: 0 }
  const unexpected: string[] = []
  const refusals = new Map<string, number>()
  const open = new OpenWork()

  const sendOnce = (target: string, options: http.RequestOptions, body: Buffer | string | undefined) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      const request = http.request(target, { ...options, agent, timeout: TIMEOUT_MS }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('error', () => resolve({ status: 0, text }))
        response.on('end', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text }))
      })
      const timer = setTimeout(() => request.destroy(), TIMEOUT_MS)
      request.on('close', () => {
        clearTimeout(timer)
        resolve({ status: 0, text: '' })
      })
      request.on('error', () => resolve({ status: 0, text: '' }))
      request.end(body)
    })

  return {
    counts,
    unexpected,
    refusals,
    open,
    async send(account, method, path, params = {}, options = {}) {
      const form = new URLSearchParams()
      for (const [name, value] of Object.entries(params)) {
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      }
      const inQuery = method === 'GET'
      const body = options.body ?? (inQuery ? undefined : form.toString())
      const headers: Record<string, string> = {
        Host: account.host,
        Authorization: basicAuthorization(account),
        ...(body === undefined
          ? {}
          : {
              'Content-Type': 'application/x-www-form-urlencoded',
              'Content-Length': String(Buffer.byteLength(body)),
            }),
        ...options.headers,
      }
      const gateway = options.gateway ?? url()
      const target = `${gateway}/api/v1${path}${inQuery ? `?${form}` : ''}`
      const end = open.begin(`${method} ${target} of ${account.full_name}`)
      const { status, text } =
        gateway === undefined ? { status: 0, text: '' } : await sendOnce(target, { method, headers }, body)
      end()
      const outcome = readOutcome(status)
      counts[outcome] += 1
      let parsed: Record<string, unknown> = {}
      try {
        parsed = status === 0 ? {} : JSON.parse(text)
      } catch {
        unexpected.push(`${method} ${path}: ${status}, not JSON: ${text.slice(0, 200)}`)
      }
      if (outcome === 'refused') {
        const what = `${method} ${path.replace(/\d+/g, 'N')}: ${parsed.msg}`
        refusals.set(what, (refusals.get(what) ?? 0) + 1)
      }
      if (outcome === 'unknown' && status !== 0 && status !== 503) {
        unexpected.push(`${method} ${path} ${JSON.stringify(params)}: ${status} ${text.slice(0, 300)}`)
      }
      return { outcome, body: parsed }
    },
  }
}
