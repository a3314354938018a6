/**
 * Processes that one test starts in addition to the shared fleet, with another environment, and may signal or kill.
 * They use the Postgres and Redis of the fleet unless `env` names others, and end with the test file at the latest.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { type Application, type ApplicationSpec, startApplication } from '../../../src/dev/application.js'
import { findRedis } from '../../../src/dev/find-redis.js'
import { preparePostgres } from '../../../src/dev/postgres.js'
import { openProcessGroup, type ProcessGroup } from '../../../src/dev/process-group.js'
import { prepareRedis } from '../../../src/dev/redis.js'
import { REDIS_CACHE } from '../../../src/dev/services.js'

export interface TestProcess extends AsyncDisposable {
  pid: number
  /** Where a gateway listens; empty for a worker. */
  url: string
  /** Where it serves metrics and its health to operators. */
  operations_url: string
  /** Resolves with `exit code 0`, `SIGKILL`, … when it has ended. */
  ended: Promise<string>
  /** The file with its log lines. */
  logFile: string
  signal(name: NodeJS.Signals): void
  /** Asks it to drain, and resolves with how it ended. */
  stop(): Promise<string>
}

/**
 * Starts a gateway on a free port.
 * @param env overrides the environment of the fleet
 * @param clone the folder of another release
 * @param node another Node than that of the tests
 */
export const startGateway = (
  env: Record<string, string> = {},
  clone?: string,
  node?: ApplicationSpec['node'],
): Promise<TestProcess> => start('gateway', env, clone, node)

/**
 * Starts a worker.
 * @param env overrides the environment of the fleet
 * @param clone the folder of another release
 */
export const startWorker = (env: Record<string, string> = {}, clone?: string): Promise<TestProcess> =>
  start('worker', env, clone)

/**
 * Waits until a gateway that was asked to stop refuses connections. The gateway then has begun to close its sockets.
 */
export const waitUntilRefusing = async (url: string): Promise<void> => {
  const isListening = () =>
    fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
  await expect.poll(isListening, { timeout: 10_000 }).toBe(false)
}

/** A service that a test may kill and start again. */
export interface KillableService {
  url: string
  kill(): Promise<void>
  start(): Promise<void>
}

type RunningService = Awaited<ReturnType<PostgresService['start']>>

const openKillable = (url: string, first: RunningService, start: () => Promise<RunningService>): KillableService => {
  let running = first
  return {
    url,
    async kill() {
      running.child.kill('SIGKILL')
      await running.ended
    },
    async start() {
      running = await start()
    },
  }
}

/** Starts a Redis of the test's own. The test may kill it and start it again, empty. */
export const startRedis = async (): Promise<KillableService> => {
  group ??= openProcessGroup(() => {})
  count += 1
  const server = findRedis({ path: process.env.PATH ?? '', cache: REDIS_CACHE, tell() {} })
  const service = await prepareRedis(group, server, join(inject('log_folder'), `redis-of-test-${process.pid}-${count}`))
  return openKillable(service.url, await service.start(), () => service.start())
}

/** Starts a Postgres of the test's own, whose commits are durable. The test may kill it and start it again. */
export const startPostgres = async (): Promise<KillableService> => {
  group ??= openProcessGroup(() => {})
  count += 1
  const folder = join(inject('log_folder'), `postgres-of-test-${process.pid}-${count}`)
  const service = await preparePostgres(group, folder, true)
  return openKillable(service.url, await service.start(), () => startAfterCrash(service))
}

type PostgresService = Awaited<ReturnType<typeof preparePostgres>>

/** Until the last process of the killed server has ended, a new one refuses to start. */
const startAfterCrash = async (service: PostgresService): ReturnType<PostgresService['start']> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.start()
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}

let group: ProcessGroup | undefined
let count = 0

/** Ends all that a test file has started and left running. */
export const endProcesses = async (): Promise<void> => {
  const ended = group
  group = undefined
  await ended?.stop()
}

async function start(
  kind: 'gateway' | 'worker',
  more: Record<string, string>,
  clone?: string,
  node?: ApplicationSpec['node'],
): Promise<TestProcess> {
  group ??= openProcessGroup(() => {})
  count += 1
  const name = `${kind}-of-test-${process.pid}-${count}`
  const logFile = join(inject('log_folder'), `${name}.log`)
  const env = { ...inject('process_env'), ...more }
  const spec = { kind, name, env, logFile, ...(clone === undefined ? {} : { clone }), ...(node && { node }) }
  const application = await startApplication(group, spec)
  return testProcess(application, logFile)
}

function testProcess({ child, pid, port, operationsPort, ended }: Application, logFile: string): TestProcess {
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return {
    pid,
    url: port === undefined ? '' : `http://127.0.0.1:${port}`,
    operations_url: `http://127.0.0.1:${operationsPort}`,
    ended,
    logFile,
    signal: (name) => void child.kill(name),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
