/**
 * What does one HTTP call cost before and after its handler, against raw uWebSockets answering the same bytes?
 *
 * A GET without parameters and a POST with the six of a message, both authenticated: routing, credentials, decoding,
 * permission, validation, metrics, the envelope. CPU time of the serving process, system time included, per call.
 *
 * The same GET again from a caller who is counted against a limit, against one who is not: headers included.
 *
 * Not measured: the handlers, the read barrier's question to Postgres, compression, sockets (see send).
 */
import type { RawCallsJobs } from './baselines/raw-calls.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import type { CallJobs } from './load/calls.js'
import { request } from './load/http.js'
import { cpuSeconds, median } from './measure.js'
import { startPart } from './part.js'

const CONNECTIONS = 64
const CALLS = 40_000
const ROUNDS = 5

const message = {
  type: 'stream',
  to: '7',
  topic: 'plans for today',
  content: 'hello there, this is a message with some text!',
  queue_id: '6f1c1a3e-0000-4000-8000-000000000000',
  local_id: '12.3',
}

export const calls: Bench = {
  question: 'What does one HTTP call cost, against raw uWebSockets answering the same bytes?',
  async run({ hold, redis_url }) {
    const servers = startPart<RawCallsJobs>(hold, 'baselines/raw-calls')
    const load = startPart<CallJobs>(hold, 'load/calls')
    const { layer, counting, baseline, who } = await servers.call('listen', { redis_url })
    const microseconds = async (port: number, text: string) => {
      const before = cpuSeconds(servers.pid)
      await load.call('call', { port, text, connections: CONNECTIONS, count: CALLS })
      return ((cpuSeconds(servers.pid) - before) / CALLS) * 1_000_000
    }
    const answers: Answer[] = []
    for (const [what, text] of [
      ['an authenticated GET', request('GET', '/users/me', who, {})],
      ['a POST with six parameters', request('POST', '/messages', who, message)],
    ] as const) {
      const turn = async () => ({ raw: await microseconds(baseline, text), ours: await microseconds(layer, text) })
      await turn()
      const turns = await rounds(ROUNDS, turn)
      const ratios = turns.map(({ ours, raw }) => ours / raw)
      const isTrivial = answers.length === 0
      answers.push({
        what: `one call: ${what}`,
        ours: `${figure(median(turns.map(({ ours }) => ours)))} µs CPU`,
        baseline: `${figure(median(turns.map(({ raw }) => raw)))} µs CPU (raw uWebSockets)`,
        ratios,
        ...(isTrivial ? { expected: { ...required.atMost(2, ratios), required: false } } : {}),
      })
    }
    const text = request('GET', '/users/me', who, {})
    const turn = async () => ({ off: await microseconds(layer, text), on: await microseconds(counting, text) })
    await turn()
    const turns = await rounds(ROUNDS, turn)
    answers.push({
      what: 'one call: an authenticated GET, counted against a limit',
      ours: `${figure(median(turns.map(({ on }) => on)))} µs CPU`,
      baseline: `${figure(median(turns.map(({ off }) => off)))} µs CPU (not counted)`,
      ratios: turns.map(({ on, off }) => on / off),
    })
    await Promise.all([servers.stop(), load.stop()])
    return answers
  },
}
