/**
 * A fleet under chaos: a Postgres and a Redis of its own, gateways and workers. Each process has its own links to both,
 * and starts again when it ends, as under a supervisor.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { root } from '../../src/dev/root.js'
import { migrate } from '../../src/store/migrations.js'
import { openSql, type Sql } from '../../src/store/sql.js'
import { type Link, openLink } from '../drills/link.js'
import {
  type KillableService,
  startGateway,
  startPostgres,
  startRedis,
  startWorker,
  type TestProcess,
} from '../setup/processes/processes.js'

type Kind = 'gateway' | 'worker'

/** A place of the fleet, in which one process after the other runs. */
export interface Slot {
  readonly name: string
  readonly kind: Kind
  /** undefined: it is starting */
  process: TestProcess | undefined
  /** Its links. */
  readonly toPostgres: Link
  readonly toRedis: Link
  /** whether a fault is using it */
  isTaken: boolean
  /** Announces that the process will end, so that its end is no crash. */
  expectEnd(): void
  /** Resolves when a process runs in this slot. */
  ready(): Promise<TestProcess>
  /** Shifts the clock of the process, or fills its disk. */
  control(values: { clock_ms?: number; is_disk_full?: boolean }): void
}

export interface ChaosFleet extends AsyncDisposable {
  readonly slots: readonly Slot[]
  readonly postgres: KillableService
  readonly redis: KillableService
  /** A pool of connections of the test, past all links. */
  readonly sql: Sql
  /** The addresses of the gateways that run. */
  urls(): string[]
  /** Ends that no fault caused, with the last lines of the log. */
  readonly crashes: string[]
  /** Starts a gateway outside of the fleet, with the same Postgres and Redis. */
  newGateway(): Promise<TestProcess>
}

/** @param more environment variables of all processes */
export const startFleet = async (
  size: { gateways: number; workers: number },
  more: Record<string, string> = {},
): Promise<ChaosFleet> => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const sql = openSql(postgres.url, 4)
  await migrate(sql)
  const crashes: string[] = []
  let isClosing = false

  const direct = {
    POLL_HEARTBEAT_MS: '2000',
    STREAM_HEARTBEAT_MS: '2000',
    DRAIN_NOTICE_MS: '200',
    LONG_WORK_WAIT_MS: '2000',
    UPLOADS_DIR: join(inject('log_folder'), `uploads-of-chaos-${process.pid}`),
    ...more,
  }
  const openSlot = async (kind: Kind, name: string): Promise<Slot> => {
    const [toPostgres, toRedis] = await Promise.all([postgres.url, redis.url].map((url) => openLink(portOf(url))))
    if (toPostgres === undefined || toRedis === undefined) throw new Error('no link')
    const controlFile = join(inject('log_folder'), `control-${process.pid}-${name}.json`)
    let controlled = { clock_ms: 0, is_disk_full: false }
    const env = {
      ...direct,
      DATABASE_URL: withPort(postgres.url, toPostgres.port),
      REDIS_URL: withPort(redis.url, toRedis.port),
      NODE_OPTIONS: `--import ${join(root, 'test/chaos/preload.mjs')}`,
      CHAOS_CONTROL: controlFile,
    }
    let isEndExpected = false
    let starting: Promise<TestProcess>
    const start = async (): Promise<TestProcess> => {
      slot.process = undefined
      isEndExpected = false
      controlled = { clock_ms: 0, is_disk_full: false }
      for (;;) {
        try {
          const running = await (kind === 'gateway' ? startGateway(env) : startWorker(env))
          slot.process = running
          void running.ended.then((how) => {
            if (isClosing) return
            if (!isEndExpected) crashes.push(`${name}: ${how}\n${readEnd(running.logFile)}`)
            starting = start()
          })
          return running
        } catch (error) {
          if (isClosing) throw error
          // It needs Postgres to start, as a supervisor of production knows.
          await sleep(200)
        }
      }
    }
    const slot: Slot = {
      name,
      kind,
      process: undefined,
      toPostgres,
      toRedis,
      isTaken: false,
      expectEnd() {
        isEndExpected = true
      },
      ready: () => starting,
      control(values) {
        controlled = { ...controlled, ...values }
        writeFileSync(controlFile, JSON.stringify(controlled))
        slot.process?.signal('SIGUSR2')
      },
    }
    starting = start()
    await starting
    return slot
  }
  const names: [Kind, string][] = [
    ...Array.from({ length: size.gateways }, (_, i): [Kind, string] => ['gateway', `gateway ${i + 1}`]),
    ...Array.from({ length: size.workers }, (_, i): [Kind, string] => ['worker', `worker ${i + 1}`]),
  ]
  const slots = await Promise.all(names.map(([kind, name]) => openSlot(kind, name)))
  return {
    slots,
    postgres,
    redis,
    sql,
    crashes,
    urls: () => slots.flatMap(({ kind, process }) => (kind === 'gateway' && process !== undefined ? process.url : [])),
    newGateway: () => startGateway({ ...direct, DATABASE_URL: postgres.url, REDIS_URL: redis.url }),
    async [Symbol.asyncDispose]() {
      isClosing = true
      await Promise.all(
        slots.map(async ({ process, toPostgres, toRedis }) => {
          process?.signal('SIGKILL')
          await process?.ended
          await Promise.all([toPostgres, toRedis].map((link) => link[Symbol.asyncDispose]()))
        }),
      )
      await sql.end({ timeout: 1 })
      await Promise.all([postgres.kill(), redis.kill()])
    },
  }
}

const portOf = (url: string): number => Number(new URL(url).port)

const withPort = (text: string, port: number): string => {
  const url = new URL(text)
  url.port = String(port)
  return url.href
}

const readEnd = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-30).join('\n')
