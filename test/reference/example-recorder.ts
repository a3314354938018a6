/**
 * Records what calls and events look like, as examples for the API reference.
 *
 * Values that differ in each run (ids that are random, keys, times, the host) are replaced by fixed ones, so that a
 * recording can be compared with the one that is committed.
 */
import { randomUUID } from 'node:crypto'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import type { Person } from '../setup/realm/realm.js'
import { type GivenFile, multipart } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

export type Params = Record<string, unknown>

/** The answer to a call; its fields are read without their types. */
// biome-ignore lint/suspicious/noExplicitAny: the calls are given as paths, so no type can be derived
export type Answer = any

/** A call that must succeed. */
export type Send = (
  by: Person | undefined,
  method: string,
  path: string,
  params?: Params,
  file?: GivenFile,
) => Promise<Answer>

export interface Recording {
  calls: Record<string, { params: Params; answer: unknown }>
  /** by the kind of the entry: `message`, `subscription/add` */
  events: Record<string, unknown>
}

export interface Recorder {
  recording: Recording
  /** Makes a call that must succeed. */
  send: Send
  /** Records the call of an endpoint. */
  record(name: string, params: Params, answer: Answer): void
  /** Reads the events that a queue has by now, and records the first one of each kind. */
  readEvents(by: Person, queue: { queue_id: string; last_event_id: number }): Promise<void>
}

/** Calls after which the same credentials are refused, so that their repetition is, too. */
const ending = ['POST /users/me/api_key/regenerate', 'DELETE /users/me', 'POST /realm/deactivate']

/** Calls that keep no key. */
const keyless = Object.values<Endpoint>(registry)
  .filter(({ ignoresKeys, streams }) => ignoresKeys === true || streams)
  .filter(({ paths }) => paths[0] !== '/messages')
  .map(({ method, paths }) => new RegExp(`^${method} ${paths[0].replace(/\{\w+\}/g, '[^/]+')}$`))

const isRepeatable = (method: string, path: string): boolean =>
  method !== 'GET' && !ending.includes(`${method} ${path}`) && !keyless.some((one) => one.test(`${method} ${path}`))

/**
 * Opens a recorder. It makes each call that changes something twice, with one idempotency key: the second must have the
 * answer of the first, and what is recorded shows that it happened once.
 * @param kinds the names of all kinds of events
 */
export const openRecorder = (url: string, host: string, kinds: ReadonlySet<string>): Recorder => {
  const recording: Recording = { calls: {}, events: {} }
  const normalize = openNormalizer(host)

  const send: Send = async (by, method, path, params = {}, file) => {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ).toString()
    const inAddress = method === 'GET' || file !== undefined
    const body =
      file === undefined
        ? { body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
        : multipart([file])
    const key = { 'Idempotency-Key': randomUUID() }
    const request = {
      method,
      path: `/api/v1${path}${inAddress && form !== '' ? `?${form}` : ''}`,
      host,
      ...(by === undefined ? {} : { authorization: basicAuthorization(by) }),
      ...(method === 'GET' ? {} : { body: body.body, headers: { ...body.headers, ...key } }),
    }
    const { text } = await sendRequest(portOf(url), request)
    if (by !== undefined && isRepeatable(method, path)) {
      const repeated = await sendRequest(portOf(url), request)
      if (repeated.text !== text) throw new Error(`${method} ${path}, repeated: ${repeated.text}\nfirst: ${text}`)
    }
    const answer = JSON.parse(text) as Answer
    if (answer.result !== 'success') throw new Error(`${method} ${path} ${JSON.stringify(params)}: ${text}`)
    return answer
  }

  return {
    recording,
    send,
    record(name, params, answer) {
      recording.calls[name] = normalize({ params, answer })
    },
    async readEvents(by, queue) {
      const { queue_id, last_event_id } = queue
      const { events } = await send(by, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
      for (const event of events as { id: number; type: string; op?: string }[]) {
        queue.last_event_id = event.id
        const kind = [`${event.type}/${event.op}`, `${event.type}/put`, event.type].find((name) => kinds.has(name))
        if (kind !== undefined) recording.events[kind] ??= normalize({ ...event, id: EVENT_ID })
      }
    },
  }
}

const EVENT_ID = 65_536
/** Numbers that depend on when workers have written entries. */
const progress: Readonly<Record<string, number>> = { last_event_id: EVENT_ID, position: EVENT_ID, lag_entries: 3 }
const DAY_SECONDS = 86_400
/** The time of the examples: the first of January 2027, 12:00 UTC. */
const EXAMPLE_TIME = 1_798_804_800

/** Other positions are small numbers: those of a list. */
const isProgress = (name: string, value: unknown): boolean =>
  name in progress && typeof value === 'number' && (name !== 'position' || value >= 1_024)

/** Opens a function that replaces what differs between two runs. */
const openNormalizer = (host: string) => {
  const start = Date.now() / 1000
  const [subdomain = ''] = host.split('.')

  const normalizeNumber = (value: number): number => {
    // Some times are in milliseconds.
    if (value > start * 500 && value < start * 2000) return normalizeNumber(value / 1000) * 1000
    const days = (value - start) / DAY_SECONDS
    return Math.abs(days) < 60 && value > DAY_SECONDS * 365 ? EXAMPLE_TIME + DAY_SECONDS * Math.round(days) : value
  }

  const normalizeText = (text: string) =>
    text
      .replaceAll(host, 'chat.example.com')
      .replaceAll(subdomain, 'chat')
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '5f0f6f2c-3a51-4d0e-9c1e-2b7f4c8d9e10')
      .replace(/\bwhsec_[\w+/]+=*/g, 'whsec_ZxRmPqLtYwNbKcVdHsJfQxTgAbCdEfGhIjKlMnOpQr=')
      .replace(/[\w-]{20,}/g, (token) => (isRandom(token) ? 'Zx8R2mPq4LtYw6NbKc3V' : token))
      // Microseconds.
      .replace(/\b1[78]\d{14}\b/g, `${EXAMPLE_TIME}000000`)
      .replace(/\b1[78]\d{8}\b/g, (seconds) => String(normalizeNumber(Number(seconds))))
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '2027-01-01T12:00:00+00:00')

  const normalize = <T>(value: T): T => {
    if (typeof value === 'number') return normalizeNumber(value) as T
    if (typeof value === 'string') return normalizeText(value) as T
    if (Array.isArray(value)) return value.map(normalize) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        normalizeText(name),
        isProgress(name, inner) ? progress[name] : normalize(inner),
      ]),
    ) as T
  }
  return normalize
}

/** Whether a word looks like a key, a token or a hash, and not like a name. */
const isRandom = (word: string): boolean =>
  /\d/.test(word) && (/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(word) || /^[0-9a-f]+$/.test(word))
