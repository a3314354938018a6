/**
 * What does one hostile account, or an outsider, cost the 100 other accounts of its organization?
 *
 * For each kind of abuse (hostile/) an organization and a gateway of their own. 100 normal accounts have a socket
 * each and send 40 messages a second together, each to all of them; twice a second one logs in with its password, and
 * one registers; once a second one invites an address by mail. Each round measures them without the abuse, and then
 * beside it. Rates are limited as in production. Each round has another hostile account, so that no limit is used up
 * from the round before. A proxy that the gateway trusts reports the clients' addresses, another one for each
 * account.
 *
 * Bounds: the p99 of the times from sends to their answers, and to their deliveries, at most doubles; the resident
 * memory of the gateway and its children stays below a number of megabytes. The other times are printed without a
 * bound: a round has too few of them for a p99.
 *
 * The hostile process is on the same machine, with a lower priority (nice) than the others. The CPU time that it took
 * is printed: what the gateway loses to it, it would not lose to a client elsewhere. A hostile connection waits for
 * 10 ms before its next request, as it would for a network; connections are opened and uploads are sent as fast as
 * over a network of a gigabit per second. Other work on the machine makes all ratios larger: the gateway then has less
 * than a core, and what the abuse takes of it is a larger share. So the load of the machine is printed too, and the CPU
 * time of the gateway, which does not depend on it.
 *
 * Not measured: floods beyond what one machine sends so, several gateways, a load balancer that limits connections.
 */
import { mkdtempSync } from 'node:fs'
import { loadavg, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchEnvironment, GatewayProcess } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm } from './fleet/realm.js'
import { type BenchProcess, startProcess } from './harness/child-process.js'
import { median, percentile, readCpuSeconds, readResidentBytesOfTree } from './harness/measure.js'
import type { Abuse, Tally, Target } from './hostile/abuse.js'
import { abuses } from './hostile/abuses.js'
import type { HostileAccountProcedures } from './hostile/hostile-account.js'
import { startNormalAccounts, type Times } from './hostile/normal-accounts.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 3
const NICE = 10
const MESSAGES = 10_000
const MOST_RATIO = 2
/** The proxy through which all clients come, and the server of the bot. */
const LOCAL = '127.0.0.1'

interface Side {
  times: Times
  /** the highest, in megabytes */
  megabytes: number
  gatewayCpu: number
}

interface Round {
  without: Side
  beside: Side & { hostileCpu: number; tally: Tally; seconds: number }
}

export const hostileBench: Bench = {
  question: 'What does one hostile account cost the 100 other accounts of its organization?',
  async run(environment) {
    const outbox = mkdtempSync(join(tmpdir(), 'parley-outbox-'))
    environment.group.removeFolderAtEnd(outbox)
    const worker = await environment.startWorker({ MAIL_OUTBOX: outbox, WEBHOOK_NETWORKS: LOCAL })
    const hostile = startProcess<HostileAccountProcedures>(environment.group, 'hostile/hostile-account')
    setPriority(hostile.pid, NICE)
    environment.print(`  processes that wanted to run in the last minute: ${formatNumber(loadavg()[0] ?? 0)}`)
    const results: BenchResult[] = []
    // One organization for all kinds is enough to show that they run.
    const shared = environment.scale === 'smoke' ? await openOrganization(environment, outbox) : undefined
    for (const abuse of abuses) {
      const organization = shared ?? (await openOrganization(environment, outbox))
      results.push(...(await measureAbuse(environment, abuse, hostile, organization)))
      if (shared === undefined) await organization.close()
    }
    await shared?.close()
    await Promise.all([hostile.stop(), worker.stop()])
    return results
  },
}

/** An organization with its gateway, and the accounts that abuse it, one for each round. */
interface Organization {
  realm: BenchRealm
  gateway: GatewayProcess
  normal: Awaited<ReturnType<typeof startNormalAccounts>>
  user_ids: number[]
  readonly hostileIds: number[]
  close(): Promise<void>
}

const openOrganization = async (environment: BenchEnvironment, outbox: string): Promise<Organization> => {
  const accountCount = environment.size(100, { smoke: 5 })
  const realm = await createBenchRealm(environment, accountCount + environment.size(ROUNDS, { smoke: abuses.length }))
  const user_ids = realm.user_ids.slice(0, accountCount)
  await insertMessages(environment, realm)
  const gateway = await environment.startGateway({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: LOCAL,
    WEBHOOK_NETWORKS: LOCAL,
    MAIL_OUTBOX: outbox,
  })
  const normal = await startNormalAccounts(environment, realm, gateway.port, { user_ids, outbox })
  await normal.measure(environment.size(1, { smoke: 0.5 }))
  const close = async () => void (await Promise.all([normal.stop(), gateway.stop()]))
  return { realm, gateway, normal, user_ids, hostileIds: [...realm.user_ids.slice(accountCount)], close }
}

const measureAbuse = async (
  environment: BenchEnvironment,
  abuse: Abuse,
  hostile: BenchProcess<HostileAccountProcedures>,
  { realm, gateway, normal, user_ids, hostileIds }: Organization,
): Promise<BenchResult[]> => {
  const { size } = environment
  const rounds = size(ROUNDS, { short: 1, smoke: 1 })
  // Long enough for a login and a registration.
  const seconds = size(6, { short: 2, smoke: 0.5 })
  const measure = async (): Promise<Side> => {
    const before = readCpuSeconds(gateway.pid)
    const { value: times, megabytes } = await watchMemory(gateway.pid, () => normal.measure(seconds))
    return { times, megabytes, gatewayCpu: readCpuSeconds(gateway.pid) - before }
  }
  const measured = await runRounds(environment, rounds, async (): Promise<Round> => {
    const account = hostileIds.shift() ?? 0
    const { host, channel_id } = realm
    const authorization = realm.identify(account).credentials
    const target: Target = { port: gateway.port, host, channel_id, authorization, address: '192.0.2.1', user_ids }
    const without = await measure()
    await hostile.call('start', { name: abuse.name, target })
    const [cpuBefore, start] = [readCpuSeconds(hostile.pid), performance.now()]
    const beside = await measure()
    const took = { hostileCpu: readCpuSeconds(hostile.pid) - cpuBefore, seconds: (performance.now() - start) / 1000 }
    const tally = await hostile.call('stop', null)
    await sleep(size(1_000, { short: 200, smoke: 10 }))
    return { without, beside: { ...beside, ...took, tally } }
  })
  printRounds(environment, abuse, measured)
  return summarize(abuse, measured)
}

/** Samples the memory of a process and its children while `work` runs. @returns the highest, in megabytes */
const watchMemory = async <T>(pid: number, work: () => Promise<T>): Promise<{ value: T; megabytes: number }> => {
  let highest = 0
  const sample = () => {
    highest = Math.max(highest, readResidentBytesOfTree(pid))
  }
  const timer = setInterval(sample, 100)
  try {
    const value = await work()
    sample()
    return { value, megabytes: highest / 1e6 }
  } finally {
    clearInterval(timer)
  }
}

const printRounds = ({ print }: BenchEnvironment, { name }: Abuse, rounds: readonly Round[]) => {
  print(`  ${name}`)
  for (const { without, beside } of rounds) {
    const tally = Object.entries(beside.tally).map(([what, count]) => `${what}: ${count}`)
    const cpu = `${formatNumber(beside.hostileCpu)} s CPU of ${formatNumber(beside.seconds)} s`
    print(`    hostile: ${cpu}; answers ${tally.join(', ')}`)
    const gateway = `gateway ${formatNumber(without.gatewayCpu)} → ${formatNumber(beside.gatewayCpu)} s CPU`
    const p99 = (side: Side) => formatNumber(percentile(side.times.deliveries, 0.99))
    const deliveries = `deliveries p99 ${p99(without)} → ${p99(beside)} ms`
    const others = (['logins', 'registrations', 'mails'] as const).map((kind) => {
      const middle = (side: Side) => formatNumber(median(side.times[kind]))
      return `${kind} p50 ${middle(without)} → ${middle(beside)} ms`
    })
    const failures = `failures ${without.times.failures} → ${beside.times.failures}`
    print(`    ${[gateway, deliveries, ...others, failures].join('; ')}`)
  }
}

const summarize = ({ name, most_megabytes }: Abuse, rounds: readonly Round[]): BenchResult[] => {
  const compare = (kind: 'sends' | 'deliveries', label: string): BenchResult => {
    const tell = (side: 'without' | 'beside') => {
      const at = (share: number) => median(rounds.map((round) => percentile(round[side].times[kind], share)))
      return `p50 ${formatNumber(at(0.5))} ms, p99 ${formatNumber(at(0.99))} ms`
    }
    const p99 = (side: Side) => percentile(side.times[kind], 0.99)
    const ratios = rounds.map(({ without, beside }) => p99(beside) / p99(without))
    const bound = requireAtMost(MOST_RATIO, ratios)
    return { label: `${label} beside ${name}`, measured: tell('beside'), baseline: tell('without'), ratios, bound }
  }
  const highest = Math.max(...rounds.map(({ beside }) => beside.megabytes))
  const failures = rounds.reduce((sum, { beside }) => sum + beside.times.failures, 0)
  return [
    compare('sends', 'a send'),
    compare('deliveries', 'a delivery'),
    {
      label: `memory beside ${name}`,
      measured: `${formatNumber(highest)} MB`,
      baseline: `${formatNumber(median(rounds.map(({ without }) => without.megabytes)))} MB`,
      ratios: rounds.map(({ without, beside }) => beside.megabytes / without.megabytes),
      bound: { text: `< ${most_megabytes} MB`, isMet: highest < most_megabytes, isRequired: true },
    },
    ...(failures === 0 ? [] : [refusals(name, failures)]),
  ]
}

/** The row of requests of normal accounts that were refused or lost. */
const refusals = (name: string, failures: number): BenchResult => ({
  label: `refused or lost beside ${name}`,
  measured: String(failures),
  baseline: '0',
  ratios: [failures],
  bound: { text: '0', isMet: false, isRequired: true },
})

/** Inserts messages directly into the table, so that there is something to search. */
const insertMessages = async ({ sql }: BenchEnvironment, realm: BenchRealm): Promise<void> => {
  await sql`
    insert into messages (
      realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment
    )
    select ${realm.id}, i, ${realm.user_ids[0] ?? 0}, ${realm.channel_id}, null, 'Topic ' || i % 50,
      'Note ' || i || ': the kettle is on again', '<p>Note ' || i || ': the kettle is on again</p>', 1, 'bench', false,
      true, false, false, false
    from generate_series(1, ${MESSAGES}::int) as i`
  await sql`update log_heads set last_message_id = ${MESSAGES} where realm_id = ${realm.id}`
  await sql`analyze messages`
}
