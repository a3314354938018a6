import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RedisServer } from './find-redis.js'
import { freePort } from './ports.js'
import type { ProcessGroup } from './process-group.js'
import { type RunningServer, startServer } from './server.js'

/**
 * Prepares a private Redis server. The server listens on loopback only, with a password, and without persistence, which
 * Parley does not need.
 * @param folder the folder of its configuration and log
 * @returns the program to start, and its URL, which does not change with restarts
 */
export async function prepareRedis(
  group: ProcessGroup,
  server: RedisServer,
  folder: string,
): Promise<{ name: string; url: string; start(): Promise<RunningServer> }> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const password = randomBytes(24).toString('hex')
  const configuration = join(folder, 'redis.conf')
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'save ""',
    'appendonly no',
    // BullMQ's keys must never be evicted.
    'maxmemory-policy noeviction',
    'daemonize no',
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 })

  return {
    name: 'Redis',
    url: `redis://:${password}@127.0.0.1:${port}`,
    start: () =>
      startServer(group, {
        name: 'Redis',
        signal: 'SIGTERM',
        command: server.command,
        args: [configuration],
        options: { env: server.env },
        logFile: join(folder, 'redis.log'),
        isReady: (log) => log.includes('Ready to accept connections'),
      }),
  }
}
