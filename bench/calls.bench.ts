/**
 * What does one HTTP call cost outside of its handler? Baseline: raw uWebSockets that responds with the same bytes.
 *
 * An authenticated GET without parameters, and an authenticated POST with the six parameters of a message. The cost
 * includes routing, authentication, decoding, validation, permission, metrics and the envelope. It is the CPU time of
 * the serving process per call, system time included.
 *
 * Then the same GET with rate limits, headers included. Baseline: without rate limits.
 *
 * Not measured: handlers, the query of the read barrier to Postgres, compression, calls over sockets (see send).
 */
import type { CallServerProcedures } from './baselines/call-servers.js'
import { startProcess } from './harness/child-process.js'
import { median, readCpuSeconds } from './harness/measure.js'
import type { ClosedLoopCallProcedures } from './load/closed-loop-calls.js'
import { formatRequest } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const CONNECTIONS = 64
const ROUNDS = 5

const messageFields = {
  type: 'stream',
  to: '7',
  topic: 'plans for today',
  content: 'hello there, this is a message with some text!',
  queue_id: '6f1c1a3e-0000-4000-8000-000000000000',
  local_id: '12.3',
}

export const callsBench: Bench = {
  question: 'What does one HTTP call cost outside of its handler? Baseline: raw uWebSockets',
  async run(environment) {
    const { group, redis_url, size } = environment
    const count = size(40_000, { smoke: 400 })
    const servers = startProcess<CallServerProcedures>(group, 'baselines/call-servers')
    const callers = startProcess<ClosedLoopCallProcedures>(group, 'load/closed-loop-calls')
    const { unlimited, limited, baseline, identity } = await servers.call('listen', { redis_url })
    /** @returns microseconds of CPU per call */
    const measureCost = async (port: number, text: string) => {
      const before = readCpuSeconds(servers.pid)
      await callers.call('repeatCall', { port, text, connections: CONNECTIONS, count })
      return ((readCpuSeconds(servers.pid) - before) / count) * 1_000_000
    }
    const get = formatRequest('GET', '/users/me', identity, {})
    const post = formatRequest('POST', '/messages', identity, messageFields)

    const results: BenchResult[] = []
    for (const [name, text] of [
      ['an authenticated GET', get] as const,
      ['a POST with six parameters', post] as const,
    ]) {
      const measureRound = async () => ({
        raw: await measureCost(baseline, text),
        parley: await measureCost(unlimited, text),
      })
      await measureRound()
      const costs = await runRounds(environment, ROUNDS, measureRound)
      const ratios = costs.map(({ parley, raw }) => parley / raw)
      results.push({
        label: `one call: ${name}`,
        measured: `${formatNumber(median(costs.map(({ parley }) => parley)))} µs CPU`,
        baseline: `${formatNumber(median(costs.map(({ raw }) => raw)))} µs CPU (raw uWebSockets)`,
        ratios,
        ...(text === get ? { bound: { ...requireAtMost(2, ratios), isRequired: false } } : {}),
      })
    }
    const measureRound = async () => ({
      without: await measureCost(unlimited, get),
      with: await measureCost(limited, get),
    })
    await measureRound()
    const costs = await runRounds(environment, ROUNDS, measureRound)
    results.push({
      label: 'one call: an authenticated GET with rate limits',
      measured: `${formatNumber(median(costs.map((cost) => cost.with)))} µs CPU`,
      baseline: `${formatNumber(median(costs.map((cost) => cost.without)))} µs CPU (without rate limits)`,
      ratios: costs.map((cost) => cost.with / cost.without),
    })
    await Promise.all([servers.stop(), callers.stop()])
    return results
  },
}
