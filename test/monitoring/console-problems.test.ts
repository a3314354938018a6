/** The problems that the console states, for a deployment with one fault each. */
import { expect, test } from 'vitest'
import { findProblems } from '../../src/monitoring/console/problems.js'
import type { DeploymentFacts, ProcessReport, Sample, ShownProcess } from '../../src/monitoring/console/report.js'

const report: ProcessReport = {
  kind: 'gateway',
  version: '1.0.0+abcdef0',
  host: 'one',
  pid: 7,
  address: '127.0.0.1:9990',
  started_at: 0,
  is_draining: false,
  memory_limit: 1000,
  heap_limit: 1000,
  outages: {},
  warnings: [],
  realms: [],
  calls: [],
}
const good: Omit<Sample, 'at'> = { lag: 0, loop: 0.1, loopDelay: 1, memory: 100, heap: 100, postgresWait: 1 }
const compose = (
  part: Partial<ProcessReport> = {},
  sample: Partial<Sample> = {},
  age = 100,
  samples = 20,
): ShownProcess => ({
  id: `${part.kind ?? 'gateway'} ${part.pid ?? 7}`,
  report: { ...report, ...part },
  samples: Array.from({ length: samples }, (_, i) => ({ at: i * 2_000, ...good, ...sample })),
  age,
})
const worker = compose({ kind: 'worker', pid: 8 })
const facts: DeploymentFacts = { queues: 0, jobs: [], failed_jobs: [], running_statements: [] }
const failedJob = { id: 1, realm: 'zulip', kind: 'missed_mail', last_error: 'Error: no', age: 9, runs_in: 9 }

const textsOf = (processes: ShownProcess[], some: Partial<DeploymentFacts> = {}, isRedisAway = false) =>
  findProblems({ processes, facts: { ...facts, ...some } }, isRedisAway).map(({ text }) => text)

test('A deployment without a fault has no problem.', () => {
  expect(textsOf([compose(), worker])).toEqual([])
})

test.each<[string, ShownProcess]>([
  ['has not reported for 30 s', compose({ kind: 'gateway', pid: 9 }, {}, 30_000)],
  ['is 500 entries behind the log', compose({}, { lag: 500 })],
  ['is busy for 97 % of the time', compose({}, { loop: 0.97 })],
  ['event loop of the gateway one:7 is delayed by 250 ms', compose({}, { loopDelay: 250 })],
  ['of memory', compose({}, { memory: 950 })],
  ['The heap of the gateway', compose({}, { heap: 900 })],
  ['A small query of the gateway one:7 takes 300 ms', compose({}, { postgresWait: 300 })],
  ['arrive late: 2.0 s', compose({}, { deliveryP99: 2_000 })],
  ['with an error of the server (1.00 a second)', compose({}, { failedCalls: 1 })],
  ['closed clients that did not read', compose({}, { slowClients: 0.1 })],
  ['Jobs fail in the worker', compose({ kind: 'worker' }, { jobFailures: 0.1 })],
  ['warns: a folder is full', compose({ warnings: ['a folder is full'] })],
  ['2 releases run at the same time', compose({ version: '2.0.0+1234567' })],
  [
    'Postgres cannot be used by gateway one:7: it does not answer',
    compose({ outages: { postgres: 'it does not answer' } }),
  ],
])('The problem "%s" is stated.', (text, faulty) => {
  expect(textsOf([compose({ pid: 1 }), worker, faulty])).toEqual([expect.stringContaining(text)])
})

test('A process that has just started is not judged by its first samples.', () => {
  const started = compose({}, { loop: 1, loopDelay: 900, postgresWait: 900, lag: 900 }, 100, 3)
  expect(textsOf([started, worker])).toEqual([])
})

test('A deployment without gateways or without workers cannot work.', () => {
  expect(textsOf([worker])).toEqual(['No gateway runs.'])
  expect(textsOf([compose()])).toEqual(['No worker runs.'])
})

test('While Redis is away, silent processes are no problem of their own.', () => {
  expect(textsOf([compose({ outages: { redis: 'refused' } }), compose({ pid: 9 }, {}, 60_000)], {}, true)).toEqual([
    'Redis cannot be used by gateway one:7: refused.',
  ])
})

test('Late jobs, jobs that fail again and again, and statements that run for long are stated.', () => {
  const jobs = [{ name: 'mail', due: 3, longest_wait: 90, scheduled: 0, failed: 0 }]
  expect(textsOf([compose(), worker], { jobs })).toEqual([expect.stringContaining('3 jobs of the class mail are due')])
  const failed_jobs = [
    { ...failedJob, attempts: 4 },
    { ...failedJob, id: 2, attempts: 6 },
  ]
  expect(textsOf([compose(), worker], { failed_jobs })).toEqual(['A job has failed 5 times or more.'])
  const running_statements = [{ pid: 44, query: 'select 1', seconds: 40, waits_for_lock: true }]
  expect(textsOf([compose(), worker], { running_statements })).toEqual([
    'A statement has run for 40 s in Postgres (process 44), waiting for a lock.',
  ])
})

test('Errors come before warnings.', () => {
  const all = findProblems({ processes: [compose({}, { loop: 1, lag: 500 }), worker], facts }, false)
  expect(all.map(({ severity }) => severity)).toEqual(['error', 'warning'])
})
