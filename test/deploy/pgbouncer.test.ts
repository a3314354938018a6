/**
 * PgBouncer between Parley and Postgres: session mode works, the other modes are refused by name, and no call waits for
 * ever or gets the rows of another one in any of them.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { findConnectionProblem } from '../../src/store/connection-check.js'
import { openSql } from '../../src/store/sql.js'
import {
  findNewPgbouncer,
  findPgbouncer,
  type PgbouncerProgram,
  type PoolMode,
  startPgbouncer,
} from '../setup/processes/pgbouncer.js'
import { startGateway, startWorker } from '../setup/processes/processes.js'
import { newRealm } from '../setup/realm/realm.js'
import { listStatuses, sendBurst } from '../setup/requests/burst.js'

const programs = [
  ['the PgBouncer of this system', findPgbouncer()],
  ['the PgBouncer of Debian 13', findNewPgbouncer()],
] as const

/** The configuration that docs/operations.md names. */
const DOCUMENTED = ['ignore_startup_parameters = plan_cache_mode']

describe.each(programs)('Through %s', (_, found) => {
  // Skipped where neither PATH nor an archive of Debian has it.
  const test_ = test.skipIf(found === undefined)
  const program = found as PgbouncerProgram

  test_.each([
    ['that lets plan_cache_mode pass', DOCUMENTED],
    ['that refuses parameters', []],
  ])('150 calls at a time succeed in session mode, with a configuration %s.', { timeout: 60_000 }, async (_, lines) => {
    const DATABASE_URL = await startPgbouncer(program, inject('database_url'), 'session', lines)
    await using gateway = await startGateway({ DATABASE_URL })
    await using _worker = await startWorker({ DATABASE_URL })
    await using realm = await newRealm()
    const people = await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' }, { full_name: 'Joan' })
    expect(listStatuses(await sendBurst(people, gateway.url))).toEqual([200])
    const ready = await fetch(`${gateway.operations_url}/health/ready`)
    const { warnings } = (await ready.json()) as { warnings: string[] }
    expect([ready.status, warnings.filter((warning) => warning.includes('plan_cache_mode'))]).toEqual([
      200,
      [expect.stringMatching(/Run: alter role "parley" set plan_cache_mode = force_generic_plan$/)],
    ])
  })

  test_.each(['transaction', 'statement'] as const)(
    'No process starts in %s mode.',
    { timeout: 60_000 },
    async (mode) => {
      const DATABASE_URL = await startPgbouncer(program, inject('database_url'), mode, DOCUMENTED)
      const refusal = new RegExp(`DATABASE_URL: .*PgBouncer.* is in ${mode} mode.*use pool_mode = session`)
      await Promise.all([
        expect(startGateway({ DATABASE_URL })).rejects.toThrow(refusal),
        expect(startWorker({ DATABASE_URL })).rejects.toThrow(refusal),
        expect(startGateway({ DATABASE_READ_URL: DATABASE_URL })).rejects.toThrow(/DATABASE_READ_URL: .*pool_mode/),
      ])
      for (const command of ['migrate', 'list-realms']) {
        const env = { ...inject('process_env'), DATABASE_URL }
        const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli.js'), command], {
          env,
          encoding: 'utf8',
        })
        expect([status, stderr]).toEqual([1, expect.stringMatching(refusal)])
      }
    },
  )

  test_.each<[PoolMode, string, string | undefined, readonly string[]]>([
    ['session', 'few connections', undefined, ['default_pool_size = 3']],
    ['session', 'no connection left', undefined, ['default_pool_size = 1']],
    ['transaction', 'one connection', 'is in transaction mode', ['default_pool_size = 1']],
    ['transaction', 'connections in turn', 'is in transaction mode', ['server_round_robin = 1']],
  ])('The check recognizes %s mode with %s.', async (mode, _, problem, lines) => {
    const url = await startPgbouncer(program, inject('database_url'), mode, [...DOCUMENTED, ...lines])
    // Connections that were used before, in an order that the check does not know.
    const count = lines.includes('default_pool_size = 1') ? 1 : 3
    const earlier = openSql(url, count)
    await Promise.all(Array.from({ length: count }, () => earlier`select pg_sleep(0.05)`.catch(() => {})))
    if (mode === 'session') await earlier.end()
    else onTestFinished(() => earlier.end({ timeout: 0 }))
    const found = await findConnectionProblem('DATABASE_URL', url)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  test_('The check recognizes transaction mode under load.', async () => {
    const url = await startPgbouncer(program, inject('database_url'), 'transaction', DOCUMENTED)
    const load = openSql(url, 8)
    let isOver = false
    const work = Array.from({ length: 8 }, async () => {
      while (!isOver) await load.unsafe(`select pg_sleep(${Math.random() / 50})`).catch(() => {})
    })
    for (let i = 0; i < 5; i++) expect(await findConnectionProblem('DATABASE_URL', url)).toContain('transaction mode')
    isOver = true
    await Promise.all(work)
    await load.end()
  })

  test_(
    'Statements in transaction mode get their own rows, or fail: none waits for ever.',
    { timeout: 120_000 },
    async () => {
      const url = await startPgbouncer(program, inject('database_url'), 'transaction', DOCUMENTED)
      await findConnectionProblem('DATABASE_URL', url)
      const sql = openSql(url, 10, { silence_ms: 1_000 })
      onTestFinished(() => sql.end({ timeout: 1 }))
      const send = async (k: number) => {
        if (k % 3 === 0) return (await sql`select ${k}::int as value`)[0]?.value === k
        if (k % 3 === 1) return (await sql`select ${`t${k}`}::text as text, 1 as other`)[0]?.text === `t${k}`
        return sql.begin(async (tx) => (await tx`select ${k}::int8 as id`)[0]?.id === k)
      }
      for (let round = 0; round < 5; round++) {
        const sent = Array.from({ length: 30 }, (_, k) => send(30 * round + k).catch(() => 'failed'))
        const results = await Promise.race([Promise.all(sent), sleep(20_000, 'a statement waits')])
        expect(results).not.toContain(false)
        expect(results).not.toBe('a statement waits')
      }
    },
  )
})
