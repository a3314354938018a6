/** The faults that chaos causes. Each one ends by itself: what it broke is whole again when it resolves. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Link } from '../drills/link.js'
import type { Random } from '../setup/random.js'
import type { ChaosFleet, Slot } from './fleet.js'
import { OpenWork } from './phase.js'

/** Runs one fault. @param ms how long it lasts */
type Run = (target: { fleet: ChaosFleet; slot: Slot; random: Random; ms: number }) => Promise<void>

interface Fault {
  name: string
  weight: number
  /** what it takes, so that no second fault uses it: one process, or a service of all */
  takes: 'process' | 'gateway' | 'postgres' | 'redis'
  run: Run
}

const end =
  (signal: NodeJS.Signals): Run =>
  async ({ slot }) => {
    slot.expectEnd()
    const { process } = slot
    process?.signal(signal)
    await process?.ended
    await slot.ready()
  }

const cut =
  (link: (slot: Slot) => Link): Run =>
  async ({ slot, ms }) => {
    link(slot).cut()
    await sleep(ms)
    link(slot).restore()
  }

const slowDown =
  (link: (slot: Slot) => Link): Run =>
  async ({ slot, random, ms }) => {
    link(slot).delay = random.integer(5, 80)
    await sleep(ms)
    link(slot).delay = 0
  }

const faults: readonly Fault[] = [
  { name: 'process killed', weight: 3, takes: 'process', run: end('SIGKILL') },
  { name: 'process drained', weight: 2, takes: 'process', run: end('SIGTERM') },
  {
    name: 'process stopped',
    weight: 3,
    takes: 'process',
    async run({ slot, ms }) {
      const { process } = slot
      process?.signal('SIGSTOP')
      await sleep(ms)
      process?.signal('SIGCONT')
    },
  },
  { name: 'network to Postgres cut', weight: 2, takes: 'process', run: cut(({ toPostgres }) => toPostgres) },
  { name: 'network to Redis cut', weight: 2, takes: 'process', run: cut(({ toRedis }) => toRedis) },
  { name: 'network to Postgres slow', weight: 1, takes: 'process', run: slowDown(({ toPostgres }) => toPostgres) },
  { name: 'network to Redis slow', weight: 1, takes: 'process', run: slowDown(({ toRedis }) => toRedis) },
  {
    name: 'connections reset',
    weight: 2,
    takes: 'process',
    async run({ slot }) {
      slot.toPostgres.reset()
      slot.toRedis.reset()
    },
  },
  {
    name: 'clock jumps',
    weight: 2,
    takes: 'process',
    async run({ slot, random, ms }) {
      const minutes = random.integer(1, 90) * random.pick([-1, 1])
      slot.control({ clock_ms: minutes * 60_000 })
      await sleep(ms)
      slot.control({ clock_ms: 0 })
    },
  },
  {
    name: 'disk for files full',
    weight: 1,
    takes: 'process',
    async run({ slot, ms }) {
      slot.control({ is_disk_full: true })
      await sleep(ms)
      slot.control({ is_disk_full: false })
    },
  },
  {
    name: 'Postgres killed',
    weight: 1,
    takes: 'postgres',
    async run({ fleet, ms }) {
      await fleet.postgres.kill()
      await sleep(ms / 2)
      await fleet.postgres.start()
    },
  },
  {
    name: 'disk of Postgres full',
    weight: 1,
    takes: 'postgres',
    // Each insert into the log fails with the error of a full disk, as the extension of its file would.
    async run({ fleet: { sql }, ms }) {
      await sql`
        create or replace function fail_disk_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`
      await sql`create trigger disk_full before insert on log for each statement execute function fail_disk_full()`
      await sleep(ms)
      await sql`drop trigger disk_full on log`
    },
  },
  {
    name: 'Postgres connections ended',
    weight: 1,
    takes: 'postgres',
    async run({ fleet: { sql } }) {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`.catch(() => {})
    },
  },
  {
    name: 'lock on messages',
    weight: 1,
    takes: 'postgres',
    async run({ fleet: { sql }, ms }) {
      await sql.begin(async (tx) => {
        await tx`lock table messages in access exclusive mode`
        await sleep(ms)
      })
    },
  },
  {
    name: 'Redis killed',
    weight: 1,
    takes: 'redis',
    async run({ fleet: { redis }, ms }) {
      await redis.kill()
      await sleep(ms)
      await redis.start()
    },
  },
  {
    name: 'Redis emptied',
    weight: 2,
    takes: 'redis',
    async run({ fleet }) {
      const client = new Redis(fleet.redis.url)
      client.on('error', () => {})
      await client.flushall()
      client.disconnect()
    },
  },
]

export interface Chaos {
  /** Resolves when the last fault has ended. */
  ended: Promise<void>
  /** how often each fault happened */
  readonly counts: ReadonlyMap<string, number>
  /** errors of faults themselves */
  readonly failures: readonly string[]
  /** the faults that have not ended yet */
  readonly running: OpenWork
}

/**
 * Causes faults in several rows at once, until a time has passed. Within a row, one fault follows the other.
 * @param options.longest_ms of one fault
 */
export const startChaos = (
  fleet: ChaosFleet,
  random: Random,
  { duration_ms, rows, longest_ms }: { duration_ms: number; rows: number; longest_ms: number },
): Chaos => {
  const counts = new Map<string, number>()
  const failures: string[] = []
  const taken = new Set<string>()
  const running = new OpenWork()
  const until = performance.now() + duration_ms

  const runRow = async (own: Random) => {
    while (performance.now() < until) {
      const fault = own.weighted(faults)
      const ms = own.integer(longest_ms / 10, longest_ms)
      const pause = own.integer(0, longest_ms / 2)
      const candidates = fleet.slots.filter(
        (slot) => !slot.isTaken && slot.process !== undefined && (fault.takes !== 'gateway' || slot.kind === 'gateway'),
      )
      const slot = own.pick(candidates.length === 0 ? fleet.slots : candidates)
      const isService = fault.takes === 'postgres' || fault.takes === 'redis'
      if (isService ? taken.has(fault.takes) : candidates.length === 0) {
        await sleep(20)
        continue
      }
      if (isService) taken.add(fault.takes)
      else slot.isTaken = true
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
      if (process.env.CHAOS_TRACE !== undefined) {
        console.log(`${Math.round(performance.now())} ${fault.name} ${isService ? '' : slot.name} ${ms}`)
      }
      const noteEnd = running.begin(`${fault.name}${isService ? '' : `, ${slot.name}`}, for ${ms} ms`)
      try {
        await fault.run({ fleet, slot, random: own, ms })
      } catch (error) {
        failures.push(`${fault.name}: ${(error as Error).message}`)
      }
      noteEnd()
      if (isService) taken.delete(fault.takes)
      else slot.isTaken = false
      await sleep(pause)
    }
  }
  const ended = Promise.all(Array.from({ length: rows }, (_, i) => runRow(random.fork(`row ${i}`)))).then(() => {})
  return { ended, counts, failures, running }
}
