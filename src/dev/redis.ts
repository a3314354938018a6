import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RedisServer } from './find-redis.js'
import { freePort } from './ports.js'
import type { Hold } from './process-group.js'
import { type Running, startServer } from './server.js'

/**
 * A Redis of our own: for this machine only, with a password, without persistence, for Postgres keeps the truth.
 * @param folder where its configuration and log go
 * @returns its URL, which stays through restarts
 */
export async function privateRedis(
  hold: Hold,
  server: RedisServer,
  folder: string,
): Promise<{ name: string; url: string; start(): Promise<Running> }> {
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
      startServer(hold, {
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
