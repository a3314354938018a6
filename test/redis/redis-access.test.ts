/**
 * Redis and Valkey with TLS and a user that may do only what docs/operations.md grants: events, jobs, rate limits and
 * the console work, Redis refuses nothing, and there is no permission that nothing uses.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { findRedis } from '../../src/dev/find-redis.js'
import { root } from '../../src/dev/root.js'
import { REDIS_CACHE } from '../../src/dev/services.js'
import { makeCertificates } from '../setup/processes/certificates.js'
import { findValkey } from '../setup/processes/find-valkey.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startRedisNode } from '../setup/processes/redis-servers.js'
import { transports } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { expectExactlyOnce, readMessages, startMessageFlow } from '../setup/realm/message-flow.js'
import { call, ok } from '../setup/realm/realm.js'

/** The rules of the user in the guide, which begin after its name. */
const readRules = (): string[] => {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [, text = ''] = /^ACL SETUSER parley ([^`]*?)^```/ms.exec(guide) ?? []
  return text.split(/\s+/).filter((rule) => rule !== '')
}

/** Commands of scripts that run after failures, of other versions, or after half an hour. */
const RARE = [
  ...['+hdel', '+lrange', '+pttl', '+rpush', '+unsubscribe', '+zrem', '+zremrangebyrank', '+zremrangebyscore'],
  ...['+zrevrange', '+zrevrangebyscore', '+zscore'],
]

/** The names of the commands that a server has run for all clients, as rules: `+get`, `+client|setname`. */
const readUsed = async (client: Redis): Promise<string[]> =>
  [...String(await client.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=[1-9]/gm)]
    .map(([, name]) => `+${name}`)
    .sort()

const servers = [
  ['Redis', () => findRedis({ path: process.env.PATH ?? '', cache: REDIS_CACHE, tell() {} })],
  ['Valkey', findValkey],
] as const

describe.each(servers)('On %s', (name, find) => {
  test('With TLS, a user with the least permissions is enough, and Redis refuses nothing.', {
    timeout: 90_000,
  }, async ({ skip }) => {
    const server = find() ?? skip(`this machine has no ${name} and cannot unpack one`)
    const { ca, cert, key } = makeCertificates()
    const secure = [`tls-ca-cert-file ${ca}`, `tls-cert-file ${cert}`, `tls-key-file ${key}`, 'tls-auth-clients no']
    const tls = { ca: readFileSync(ca) }
    const node = await startRedisNode([...secure, 'requirepass admin'], { tls, password: 'admin' }, 'redis', server)
    const rules = readRules().map((rule) => rule.replace('>PASSWORD', '>p@ss/word'))
    expect(rules).toContain('&parley:*')
    await node.client.call('ACL', 'SETUSER', 'parley', ...rules)
    await node.client.config('RESETSTAT')

    const url = (options: string) => `rediss://parley:p%40ss%2Fword@127.0.0.1:${node.port}${options}`
    const service = { url: url(`?ssl_ca_certs=${ca}`), async kill() {}, async start() {} }
    // Gateways do not ask Postgres during the test, so all events come through the bus, or with a later event.
    const env = {
      ANTI_ENTROPY_MS: '3600000',
      RATE_LIMITS: 'on',
      RATES:
        'api_by_user=100000/60 events_by_user=100000/60 api_by_ip=100000/60 failed_authentication_by_ip=10/60 authenticate_by_username=3/60',
    }
    await using fleet = await startOwnFleet(env, undefined, service)
    // Node itself can be told of the authority too.
    await using second = await fleet.newGateway({ REDIS_URL: url(''), NODE_EXTRA_CA_CERTS: ca })
    await using worker = await fleet.worker()
    const urls = () => [fleet.gateway.url, second.url]
    const flow = await startMessageFlow(urls, () => fleet.newRealm())
    const { ada, grace, realm } = flow
    await using _realm = realm

    const COUNT = 30
    const cursors = [flow.cursor, await flow.register(), await flow.register()]
    const readings = cursors.map((cursor, i) => readMessages(grace, cursor, COUNT, urls, transports.slice(i, i + 1)))
    for (let n = 0; n < COUNT; n++) await flow.send()
    const subscribe = (params: object) =>
      ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'told' }], ...params }, { url: second.url })
    await subscribe({})
    await subscribe({ principals: [grace.user_id] })
    await waitForJobs(realm)
    for (const events of await Promise.all(readings)) expectExactlyOnce(events, flow.sent)

    const statuses: number[] = []
    for (let n = 0; n < 15; n++) {
      const wrong = { ...ada, api_key: 'x'.repeat(32) }
      statuses.push((await call(wrong, 'GET', '/users/me', {}, { url: urls()[n % 2] as string })).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)

    // The console reads what all processes reported.
    await expect.poll(async () => (await fetch(`${second.operations_url}/console/state`)).text()).toContain('worker')
    for (const { stop } of [second, worker]) expect(await stop()).toBe('exit code 0')
    const used = await readUsed(node.client)
    const permitted = rules.filter((rule) => rule.startsWith('+'))
    expect(permitted.filter((rule) => !used.includes(rule) && !RARE.includes(rule))).toEqual([])
    const stranger = new Redis(url(''), { tls, disableClientInfo: true })
    for (const refused of [
      ['get', 'other'],
      ['publish', 'other', ''],
    ] as const) {
      await expect(stranger.call(...(refused as unknown as [string]))).rejects.toThrow('NOPERM')
    }
    stranger.disconnect()
    const log = (await node.client.call('ACL', 'LOG')) as string[][]
    // Beside those of the stranger above.
    expect(log.filter((entry) => !entry.includes('other'))).toEqual([])
  })
})
