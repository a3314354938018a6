/**
 * Redis servers of one test: any number of nodes on free ports, which the test may kill. They end with the test process
 * at the latest.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis, type RedisOptions } from 'ioredis'
import { inject } from 'vitest'
import { findRedis } from '../../../src/dev/find-redis.js'
import { freePort } from '../../../src/dev/ports.js'
import { openProcessGroup, type ProcessGroup } from '../../../src/dev/process-group.js'
import { startServer } from '../../../src/dev/server.js'
import { REDIS_CACHE } from '../../../src/dev/services.js'

export interface RedisNode {
  port: number
  /** A connection of the test to this node. */
  client: Redis
  /** Sends a signal to the process. */
  signal(name: NodeJS.Signals): void
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>
}

let group: ProcessGroup | undefined
let count = 0

/**
 * Starts a Redis server on loopback, without persistence.
 * @param lines   of its configuration, each an option and its value
 * @param options of the test's connection to it
 * @param kind    what it is, as the name of its log
 * @param server  its program; by default that of the tests
 */
export const startRedisNode = async (
  lines: readonly string[] = [],
  options: RedisOptions = {},
  kind = 'redis',
  server = findRedis({ path: process.env.PATH ?? '', cache: REDIS_CACHE, tell() {} }),
): Promise<RedisNode> => {
  group ??= openProcessGroup(() => {})
  const folder = join(inject('log_folder'), `${kind}-node-of-test-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const { command, env } = server
  const configuration = join(folder, 'redis.conf')
  const isSecure = options.tls !== undefined
  const all = [
    'bind 127.0.0.1',
    ...(isSecure ? [`tls-port ${port}`, 'port 0'] : [`port ${port}`]),
    `dir ${folder}`,
    ...(kind === 'sentinel' ? [] : ['save ""', 'appendonly no']),
    ...lines,
  ]
  writeFileSync(configuration, `${all.join('\n')}\n`)
  const { child, ended } = await startServer(group, {
    name: kind,
    signal: 'SIGTERM',
    command,
    args: kind === 'sentinel' ? [configuration, '--sentinel'] : [configuration],
    options: { env },
    logFile: join(folder, 'redis.log'),
    isReady: (log) => /Ready to accept connections|Sentinel ID is/.test(log),
  })
  const client = new Redis({ host: '127.0.0.1', port, ...options })
  client.on('error', () => {})
  return {
    port,
    client,
    signal: (name) => void child.kill(name),
    async kill() {
      client.disconnect()
      child.kill('SIGKILL')
      await ended
    },
  }
}
