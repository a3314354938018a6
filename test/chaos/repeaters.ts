/**
 * Clients that repeat every call. Each call has a key, and is sent again after every unclear outcome, through any
 * gateway, over HTTP or over a socket, until it is answered. Some calls are sent twice at once, through two gateways,
 * and some once more after their answer, at once or much later.
 *
 * 1. No outcome stays unknown: a call that was answered with success happened once, and a refused one did not happen.
 * 2. Each answer to a call equals the first one, whichever gateway and transport it came from.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../setup/random.js'
import type { Person } from '../setup/realm/realm.js'
import { multipart } from '../setup/requests/files.js'
import type { Attempt, Attempts } from './attempts.js'
import { type RepeatedCall, repeatedCalls, type SettledCall } from './repeated-calls.js'
import type { SocketAttempts } from './socket-attempts.js'

/** What all clients share. */
export interface Repeating {
  attempts: Attempts
  sockets: SocketAttempts
  /** the gateways that run */
  urls(): string[]
  channel_id: number
  settled: SettledCall[]
  /** answers to repetitions that differ from the first answer */
  wrongAnswers: string[]
  counts: Record<keyof typeof noRepetitions, number>
}

/** How often calls were sent again, and over what all of them were sent. */
export const noRepetitions = {
  'after an unclear outcome': 0,
  'at the same time': 0,
  'after the answer': 0,
  'much later': 0,
  'over HTTP': 0,
  'over sockets': 0,
}

/** After an unclear outcome. */
const PAUSE_MS = 50
/** Of so many calls, the latest, one is repeated much later. */
const REMEMBERED = 200

/** Starts a client. @returns ends it, after its current call */
export const startRepeater = (
  account: Person,
  random: Random,
  repeating: Repeating,
  { pause_ms }: { pause_ms: number },
): (() => Promise<void>) => {
  const { attempts, sockets, counts, settled, wrongAnswers, channel_id } = repeating
  const calls = repeatedCalls({ account, random, channel_id })
  const own: SettledCall[] = []
  let isStopped = false

  const sendOnce = (call: RepeatedCall, gateway: string): Promise<Attempt> => {
    const { method, path, params, key, file } = call
    if (file === undefined && random.next() < 0.5) {
      counts['over sockets'] += 1
      return sockets.send(account, gateway, { method, path, params, idempotency_key: key })
    }
    counts['over HTTP'] += 1
    const content = file === undefined ? undefined : multipart([{ filename: file, type: 'text/plain', data: file }])
    const headers = { ...content?.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) }
    const body = content === undefined ? {} : { body: content.body }
    return attempts.send(account, method, path, params, { headers, gateway, ...body })
  }
  /** Sends the call until it is answered. @param at the place of the first gateway in their list */
  const settle = async (call: RepeatedCall, at: number): Promise<Attempt> => {
    for (let n = at; ; n++) {
      const urls = repeating.urls()
      const gateway = urls[n % urls.length]
      const attempt = gateway === undefined ? undefined : await sendOnce(call, gateway)
      if (attempt !== undefined && attempt.outcome !== 'unknown') return attempt
      counts['after an unclear outcome'] += 1
      await sleep(PAUSE_MS)
    }
  }
  const compare = ({ call, answer }: SettledCall, other: Attempt, when: string) => {
    if (isDeepStrictEqual(answer, other)) return
    const texts = [answer, other].map(({ body }) => JSON.stringify(body).slice(0, 300))
    wrongAnswers.push(`${call.method} ${call.path} (${call.name}), ${when}: ${texts[1]}, and not ${texts[0]}`)
  }
  const run = async () => {
    while (!isStopped) {
      const call = calls.next()
      const at = random.integer(0, 100)
      const isTwice = random.next() < 0.35
      const [answer, twin] = await Promise.all([settle(call, at), isTwice ? settle(call, at + 1) : undefined])
      // A refusal is not kept: of two calls at once, one may be refused before the other happens.
      const isLate = answer.outcome === 'refused' && twin?.outcome === 'done'
      const first: SettledCall = { call, answer: isLate ? twin : answer }
      settled.push(first)
      if (twin !== undefined) {
        counts['at the same time'] += 1
        if (answer.outcome === twin.outcome) compare(first, twin, 'at the same time')
      }
      if (first.answer.outcome === 'done') {
        calls.note(call, first.answer.body)
        own.push(first)
        if (own.length > REMEMBERED) own.shift()
        if (random.next() < 0.3) {
          counts['after the answer'] += 1
          compare(first, await settle(call, at + 1), 'after the answer')
        }
        if (random.next() < 0.15) {
          counts['much later'] += 1
          const earlier = random.pick(own)
          compare(earlier, await settle(earlier.call, at), 'much later')
        }
      }
      await sleep(pause_ms)
    }
  }
  const running = run()
  return async () => {
    isStopped = true
    await running
  }
}
