import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import type { RedisServer } from './find-redis.js'
import type { Hold } from './hold.js'
import { freePort } from './ports.js'
import { stages } from './processes.js'

const READY_WITHIN_MS = 20_000

/**
 * Starts a Redis of our own: this machine only, with a password, and without persistence, for Postgres keeps the truth.
 * @param folder where its configuration and log go
 * @returns its URL, once it accepts connections
 */
export async function startRedis(hold: Hold, server: RedisServer, folder: string): Promise<string> {
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

  const logFile = join(folder, 'redis.log')
  const log = openSync(logFile, 'w')
  const child = hold.start({ name: 'Redis', signal: 'SIGTERM', stage: stages.store }, server.command, [configuration], {
    stdio: ['ignore', log, log],
    env: server.env,
  })
  closeSync(log)
  let ended = false
  for (const event of ['error', 'exit']) child.once(event, () => (ended = true))

  const end = Date.now() + READY_WITHIN_MS
  while (Date.now() < end) {
    const text = readFileSync(logFile, 'utf8')
    if (text.includes('Ready to accept connections')) return `redis://:${password}@127.0.0.1:${port}`
    if (ended) throw new Failure(`Redis did not start:\n${text.trim().split('\n').slice(-8).join('\n')}`)
    await sleep(25)
  }
  throw new Failure(`Redis did not accept connections within ${READY_WITHIN_MS / 1000} s; see ${logFile}`)
}
