/**
 * Chaos: random faults of processes, networks, Postgres, Redis, disks and clocks, while users make every kind of
 * change. No event is lost, doubled, out of order or leaked, and no acknowledged write is lost or done twice.
 *
 * The test suite runs a short form with a fixed seed. `npm run chaos -- --minutes M --seed S` runs longer ones. A seed
 * determines the faults and the operations, and not how their effects interleave.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRandom } from '../setup/random.js'
import { transports } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { openAttempts } from './attempts.js'
import { startChaos } from './faults.js'
import { startFleet } from './fleet.js'
import { Ledger } from './ledger.js'
import { runPhase } from './phase.js'
import { checkRepeatedCalls } from './repeated-calls.js'
import { noRepetitions, type Repeating, startRepeater } from './repeaters.js'
import { reportRun } from './report.js'
import { openSocketAttempts } from './socket-attempts.js'
import { checkClient, checkLedger, checkMessages, checkReplicas, type Findings } from './verdict.js'
import { startWatcher, type Watcher } from './watcher.js'
import { startWriter, type Writing } from './writers.js'

const minutes = Number(process.env.CHAOS_MINUTES ?? 0)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const size =
  minutes > 0
    ? { gateways: 3, workers: 2, duration_ms: minutes * 60_000, rows: 2, longest_ms: 3_000, pause_ms: 30, each: 3 }
    : { gateways: 2, workers: 1, duration_ms: 6_000, rows: 2, longest_ms: 1_000, pause_ms: 40, each: 1 }
/** Milliseconds within which everything must have arrived after the last fault. */
const SETTLE_MS = 60_000

// Each phase has a limit of its own, which says what did not end.
test('Chaos loses, doubles, reorders and leaks nothing.', { timeout: size.duration_ms + 600_000 }, async () => {
  const random = openRandom(seed)
  await using fleet = await runPhase('Starting the fleet', startFleet(size))
  const services = { database_url: fleet.postgres.url, redis_url: fleet.redis.url }
  await using realm = await runPhase('Creating the organization', newRealm(services))
  const accounts = [
    { full_name: 'Olga', role: 100 },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
    { full_name: 'Mallory' },
    { full_name: 'Gus', role: 600 },
    { full_name: 'Wanda' },
  ]
  const people = await runPhase('Creating its accounts', realm.people(...accounts))
  const [olga, ada, grace, mallory, gus, wanda] = people as [Person, Person, Person, Person, Person, Person]
  const repeaters = await runPhase(
    'Creating clients that repeat',
    realm.people({ full_name: 'Rita', role: 200 }, { full_name: 'Sven', role: 200 }),
  )
  const firstUrl = fleet.urls()[0] as string
  const at = { url: firstUrl }
  const open = async (name: string, members: Person[], options = {}) => {
    const values = { name, subscribers: members.map(({ user_id }) => user_id), ...options }
    const created = ok<{ id: number }>(olga, 'POST', '/channels/create', values, at)
    return (await runPhase(`Creating the channel ${name}`, created)).id
  }
  const channels = {
    general: await open('general', people),
    other: await open('other', people),
    secret: await open('secret', [olga, ada, grace], { invite_only: true, history_public_to_subscribers: false }),
    scratch: await open('scratch', people),
  }
  const once = await open('once', [ada, mallory, ...repeaters])

  const drawUrl = random.fork('urls')
  const url = () => drawUrl.pick(fleet.urls()) ?? firstUrl
  const watchers: Watcher[] = []
  for (const [i, account] of [ada, mallory, gus, wanda].entries()) {
    for (let j = 0; j < size.each; j++) {
      const transport = transports[(i + j) % transports.length] ?? 'poll'
      const isOutsider = account === mallory || account === gus
      const started = startWatcher(account, transport, { url, firstUrl, isOutsider })
      watchers.push(await runPhase(`Starting a reader of ${account.full_name}`, started))
    }
  }
  const writing: Writing = {
    attempts: openAttempts(() => drawUrl.pick(fleet.urls())),
    ledger: new Ledger(),
    channels,
    people,
    wanderer: wanda,
    sent: new Map(),
    scheduled: new Map(),
    files: new Map(),
    counts: new Map(),
  }
  const writers = [olga, ada, grace].map((account) =>
    startWriter(account, random.fork(account.full_name), writing, {
      pause_ms: size.pause_ms,
      isAdministrator: account === olga,
    }),
  )
  const repeating: Repeating = {
    attempts: openAttempts(() => drawUrl.pick(fleet.urls())),
    sockets: openSocketAttempts(),
    urls: fleet.urls,
    channel_id: once,
    settled: [],
    wrongAnswers: [],
    counts: { ...noRepetitions },
  }
  const clients = repeaters.map((account) => startRepeater(account, random.fork(account.full_name), repeating, size))
  const drawReaders = random.fork('readers')
  const roaming = setInterval(() => drawReaders.pick(watchers).reader.reconnect(), 2_000)
  const chaos = startChaos(fleet, random.fork('faults'), size)
  const { attempts } = writing
  await runPhase('Chaos', chaos.ended, { lasts_ms: size.duration_ms, open: chaos.running.list })
  clearInterval(roaming)
  await runPhase('The last operations', Promise.all(writers.map((stop) => stop())), { open: attempts.open.list })
  await runPhase('The last repetitions', Promise.all(clients.map((stop) => stop())), {
    open: repeating.attempts.open.list,
  })
  repeating.sockets.close()
  await runPhase('Starting again', Promise.all(fleet.slots.map((slot) => slot.ready())))

  // Everything arrives: jobs, scheduled messages, events.
  const openJobs = () => fleet.sql`
    select kind, attempts, last_error from jobs
    where realm_id = ${realm.realm_id} and done_at is null and run_after < now() + interval '1 hour'`
  await expect.poll(openJobs, { timeout: SETTLE_MS, interval: 100 }).toEqual([])
  const last = async () => (await ok(olga, 'POST', '/messages', end, { url: url() })).id
  const end = { type: 'channel', to: channels.general, topic: 'end', content: 'the end' }
  let lastId = 0
  await expect
    .poll(async () => {
      lastId = await runPhase('Sending the last message', last())
      return lastId
    })
    .toBeGreaterThan(0)
  const deadline = performance.now() + SETTLE_MS
  const isBehind = ({ messages }: Watcher) => (messages.at(-1) ?? 0) < lastId
  while (watchers.some(isBehind) && performance.now() < deadline) await sleep(20)
  for (const { reader } of watchers) reader.stop()

  const findings: Findings = { lostWrites: [], doubledWrites: [], stale: [] }
  const fresh = await runPhase('Starting a fresh gateway', fleet.newGateway())
  const behind = watchers.filter(isBehind).map(({ name, reader }) => `${name} is behind: ${reader.failures.slice(-3)}`)
  for (const watcher of watchers) {
    await runPhase(`Comparing the events of ${watcher.name}`, watcher.compareWithLog(fresh.url))
    await runPhase(`Checking the state of ${watcher.name}`, checkClient(watcher, fresh.url, findings))
  }
  await runPhase('Checking messages', checkMessages(fleet.sql, realm.realm_id, writing, findings))
  const repeated = checkRepeatedCalls(fleet.sql, realm.realm_id, repeating.settled, findings)
  await runPhase('Checking repeated calls', repeated)
  const values = await runPhase('Checking values', checkLedger(writing, fresh.url, findings))
  const compared = await runPhase('Comparing gateways', checkReplicas(people, fleet.urls(), fresh.url, findings))
  await runPhase('Ending the fresh gateway', fresh.stop())

  const sum = (fault: keyof Watcher['faults']) => watchers.reduce((all, { faults }) => all + faults[fault], 0)
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`)
  const brokenQueues = watchers.flatMap(({ name, reader }) =>
    reader.failures.filter((text) => /BAD_EVENT_QUEUE|: 5(?!03)/.test(text)).map((text) => `${name}: ${text}`),
  )
  const unexpected = [...attempts.unexpected, ...repeating.attempts.unexpected, ...repeating.sockets.unexpected]
  const wrong = {
    lost: sum('lost') + behind.length,
    doubled: sum('doubled') + findings.doubledWrites.length,
    disordered: sum('disordered'),
    leaked: sum('leaked'),
    stale: sum('stale') + findings.stale.length,
    'acknowledged writes lost': findings.lostWrites.length,
    'answers to repetitions that differ': repeating.wrongAnswers.length,
    'unexpected answers': unexpected.length + brokenQueues.length,
    'processes that ended by themselves': fleet.crashes.length,
  }
  reportRun({
    seed,
    minutes: (size.duration_ms / 60_000).toFixed(1),
    faults: [...chaos.counts.values()].reduce((all, count) => all + count, 0),
    'faults by kind': list(chaos.counts).join(', '),
    operations: [...writing.counts.values()].reduce((all, count) => all + count, 0),
    'operations by kind': list(writing.counts).join(', '),
    'calls acknowledged': attempts.counts.done,
    'calls refused': attempts.counts.refused,
    'calls without an outcome': attempts.counts.unknown,
    'calls with a key': repeating.settled.length,
    'of them by kind': list(countKinds(repeating)).join(', '),
    'of them refused': repeating.settled.filter(({ answer }) => answer.outcome === 'refused').length,
    'their repetitions': list(new Map(Object.entries(repeating.counts))).join(', '),
    readers: watchers.length,
    'connections of readers': watchers.reduce((all, { reader }) => all + reader.gaps.length + 1, 0),
    'events checked': watchers.reduce((all, { checked }) => all + checked, 0),
    'values checked': values + writing.sent.size + writing.scheduled.size,
    'registrations compared': compared,
    ...wrong,
  })
  const details = [
    ...watchers.flatMap((watcher) => watcher.details.slice(0, 5)),
    ...behind,
    ...findings.lostWrites.slice(0, 10),
    ...findings.doubledWrites.slice(0, 10),
    ...findings.stale.slice(0, 10),
    ...repeating.wrongAnswers.slice(0, 10),
    ...unexpected.slice(0, 10),
    ...brokenQueues.slice(0, 10),
    ...fleet.crashes,
    ...chaos.failures,
  ]
  if (process.env.CHAOS_TRACE !== undefined) {
    console.log([...list(attempts.refusals), ...list(repeating.attempts.refusals)].join('\n'))
  }
  expect({ seed, details, ...wrong }).toEqual({
    seed,
    details: [],
    ...Object.fromEntries(Object.keys(wrong).map((name) => [name, 0])),
  })
})

const countKinds = ({ settled }: Repeating): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { call } of settled) counts.set(call.kind, (counts.get(call.kind) ?? 0) + 1)
  return counts
}
