/**
 * Rate limits: how many calls all replicas together allow, and what the responses say. Source: protocol/errors.md 8.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { defaultRateLimits, parseRateLimits } from '../../src/domain/limits/rate-limits.js'
import { grant, SLOTS, type SlotCounts, slotLength } from '../../src/domain/limits/sliding-window.js'
import { cli } from '../setup/processes/cli.js'
import { startGateway, startRedis, type TestProcess } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { newRealm, type Person } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const LIMIT = 40
const rates = {
  RATE_LIMITS: 'on',
  RATES: `api_by_user=${LIMIT}/60 events_by_user=5/60 uploads_by_user=3/60 api_by_ip=10/60 failed_authentication_by_ip=10/60`,
  TRUSTED_PROXIES: '127.0.0.1',
}

const portOf = ({ url }: TestProcess) => Number(new URL(url).port)

let gateways: [TestProcess, TestProcess]
beforeAll(async () => {
  gateways = [await startGateway(rates), await startGateway(rates)]
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())))

const read = (gateway: TestProcess, { host, ...account }: Person, path = '/users/me/alert_words', headers = {}) =>
  sendRequest(portOf(gateway), {
    path: `/api/v1${path}`,
    host,
    authorization: basicAuthorization({ host, ...account }),
    headers,
  })

const setUp = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  return { realm, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

test('All accounts of an organization together make as many calls as its quota permits, and poll beyond it.', async () => {
  await using s = await setUp()
  await cli('quota', s.realm.host.split('.')[0] ?? '', '--calls-per-minute', '7')
  const statuses: number[] = []
  for (const person of [s.ada, s.grace, s.ada, s.grace]) {
    for (const gateway of gateways) statuses.push((await read(gateway, person)).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 429])
  expect((await read(gateways[0], s.grace)).json).toMatchObject({ code: 'RATE_LIMIT_HIT' })
  expect((await read(gateways[0], s.grace, '/events?queue_id=none&last_event_id=0')).status).toBe(400)
  await using other = await setUp()
  expect((await read(gateways[0], other.ada)).status).toBe(200)
})

describe('Rate limits of a user', () => {
  test('A user has one rate limit on all replicas together, and never exceeds it.', async () => {
    await using s = await setUp()
    const statuses: number[] = []
    for (let n = 0; n < LIMIT; n++) statuses.push((await read(gateways[0], s.ada)).status)
    expect(statuses).toEqual(Array(LIMIT).fill(200))
    for (const gateway of [...gateways, ...gateways]) {
      const told = await read(gateway, s.ada)
      expect([told.status, told.json]).toEqual([
        429,
        {
          result: 'error',
          msg: 'Too many calls: wait for the number of seconds in retry-after, then try again.',
          code: 'RATE_LIMIT_HIT',
          'retry-after': expect.any(Number),
        },
      ])
      expect(Number(told.headers['retry-after'])).toBe(told.json['retry-after'])
      expect(told.headers['x-ratelimit-remaining']).toBe('0')
    }
    expect((await read(gateways[0], s.grace)).status).toBe(200)
  })

  test('A user who calls all replicas at once has no more calls.', async () => {
    await using s = await setUp()
    const calls = Array.from({ length: 3 * LIMIT }, (_, n) => read(gateways[n % 2] as TestProcess, s.ada))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    const passed = statuses.filter((status) => status === 200).length
    expect(passed).toBeLessThanOrEqual(LIMIT)
    // What one replica took in advance and did not need is given back within a second or two.
    let more = 0
    for (const end = Date.now() + 10_000; passed + more < LIMIT && Date.now() < end; ) {
      if ((await read(gateways[1], s.ada)).status === 200) more += 1
      else await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(passed + more).toBe(LIMIT)
  })

  test('Every response says how many calls are left.', async () => {
    await using s = await setUp()
    const left: number[] = []
    const begun = Date.now() / 1_000
    for (const path of ['/users/me/alert_words', '/users/999', '/users/me/alert_words']) {
      const { headers } = await read(gateways[0], s.ada, path)
      expect(headers['x-ratelimit-limit']).toBe(String(LIMIT))
      const reset = Number(headers['x-ratelimit-reset'])
      expect(reset - begun).toBeGreaterThan(58)
      expect(reset - Date.now() / 1_000).toBeLessThan(63)
      left.push(Number(headers['x-ratelimit-remaining']))
    }
    expect(left).toEqual([LIMIT - 1, LIMIT - 2, LIMIT - 3])
  })

  test('Polls and uploads have rate limits of their own.', async () => {
    await using s = await setUp()
    const poll = () => read(gateways[0], s.ada, '/events?queue_id=x&last_event_id=-1')
    for (let n = 0; n < 5; n++) expect((await poll()).headers['x-ratelimit-limit']).toBe('5')
    expect((await poll()).status).toBe(429)
    const upload = () =>
      sendRequest(portOf(gateways[0]), {
        method: 'POST',
        path: '/api/v1/user_uploads',
        host: s.ada.host,
        authorization: basicAuthorization(s.ada),
        body: '',
      })
    for (let n = 0; n < 3; n++) expect((await upload()).status).toBe(400)
    expect((await upload()).status).toBe(429)
    expect((await read(gateways[0], s.ada)).headers['x-ratelimit-remaining']).toBe(String(LIMIT - 1))
  })

  test('A WebSocket has the same rate limit, and a refused call says when to try again.', async () => {
    await using s = await setUp()
    const url = `${gateways[0].url.replace('http', 'ws')}/api/v1/events?fetch_event_types=[]`
    const headers = { Host: s.ada.host, Authorization: basicAuthorization(s.ada) }
    const socket = new WebSocket(url, { headers })
    const answers: { req: number; status: number; body: Record<string, unknown> }[] = []
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if ('req' in frame) answers.push(frame)
      if (frame.req === 0) {
        for (let req = 1; req <= LIMIT; req++) socket.send(JSON.stringify({ req, method: 'GET', path: '/drafts' }))
      }
    })
    await expect.poll(() => answers.length, { timeout: 15_000 }).toBe(LIMIT + 1)
    socket.close()
    // The registration in the handshake was one call.
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(1)
    expect(answers.length - refused.length).toBeLessThanOrEqual(LIMIT)
    expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) })
    expect((await read(gateways[1], s.ada)).status).toBe(429)
  })

  test('A WebSocket handshake over the rate limit of polls is refused.', async () => {
    await using s = await setUp()
    for (let n = 0; n < 5; n++) await read(gateways[1], s.ada, '/events?queue_id=x&last_event_id=-1')
    const headers = { Host: s.ada.host, Authorization: basicAuthorization(s.ada) }
    const socket = new WebSocket(`${gateways[0].url.replace('http', 'ws')}/api/v1/events`, { headers })
    const told = await new Promise((resolve) => {
      socket.on('unexpected-response', (_, { statusCode, headers }) => resolve([statusCode, headers['retry-after']]))
      socket.on('open', () => resolve('open'))
    })
    expect(told).toEqual([429, expect.stringMatching(/^\d+(\.\d+)?$/)])
  })
})

describe('Rate limits of wrong API keys', () => {
  const from = (ip: string) => ({ 'X-Forwarded-For': ip })
  const wrong = (account: Person, n = 0): Person => ({ ...account, api_key: `wrong${n}`.padEnd(32, 'x') })

  /** The status of a WebSocket handshake. */
  const handshake = (account: Person, ip: string) =>
    new Promise<number>((resolve) => {
      const headers = { Host: account.host, Authorization: basicAuthorization(account), ...from(ip) }
      const socket = new WebSocket(`${gateways[1].url.replace('http', 'ws')}/api/v1/events`, { headers })
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
      socket.on('open', () => {
        socket.close()
        resolve(101)
      })
    })

  const file = (account: Person, ip: string, api_key: string) =>
    sendRequest(portOf(gateways[0]), {
      path: `/user_uploads/1/x/y.png?api_key=${api_key}`,
      host: account.host,
      headers: from(ip),
    })

  test('Wrong API keys from one address have one limit, over HTTP, WebSocket handshakes and URLs of files.', async () => {
    await using s = await setUp()
    const ip = '203.0.113.40'
    for (let n = 0; n < 6; n++) {
      expect((await read(gateways[n % 2] as TestProcess, wrong(s.ada, n), undefined, from(ip))).status).toBe(401)
    }
    for (let n = 0; n < 2; n++) expect(await handshake(wrong(s.ada, n), ip)).toBe(401)
    for (let n = 0; n < 2; n++) expect((await file(s.ada, ip, wrong(s.ada, n).api_key)).status).toBe(401)

    const told = await read(gateways[0], wrong(s.ada), undefined, from(ip))
    expect([told.status, told.json.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(Number(told.headers['retry-after'])).toBe(told.json['retry-after'])
    expect(await handshake(wrong(s.ada), ip)).toBe(429)
    expect((await file(s.ada, ip, wrong(s.ada).api_key)).status).toBe(429)
    expect((await read(gateways[1], wrong(s.ada), undefined, from('203.0.113.41'))).status).toBe(401)
  })

  test('Users with the right API key are served from an address with too many wrong keys, and from others.', async () => {
    await using s = await setUp()
    const ip = '203.0.113.42'
    for (let n = 0; n < 12; n++) await read(gateways[0], wrong(s.ada, n), undefined, from(ip))
    expect((await read(gateways[0], wrong(s.ada), undefined, from(ip))).status).toBe(429)
    expect((await read(gateways[0], s.ada, undefined, from(ip))).status).toBe(200)
    expect((await read(gateways[1], s.grace, undefined, from(ip))).status).toBe(200)
    expect((await read(gateways[1], s.ada, undefined, from('203.0.113.43'))).status).toBe(200)
  })
})

describe('Rate limits of callers without credentials', () => {
  const settings = (gateway: TestProcess, forwardedFor: string | string[]) =>
    sendRequest(portOf(gateway), {
      path: '/api/v1/server_settings',
      host: 'nowhere.example.com',
      headers: { 'X-Forwarded-For': forwardedFor as string },
    })

  test('Each client address that trusted proxies report has one rate limit.', async () => {
    for (let n = 0; n < 10; n++) {
      const told = await settings(gateways[n % 2] as TestProcess, '203.0.113.7')
      expect(told.headers['x-ratelimit-limit']).toBe('10')
      expect(told.status).not.toBe(429)
    }
    expect((await settings(gateways[0], '203.0.113.7')).status).toBe(429)
    // A client that sends the header itself does not get another address.
    expect((await settings(gateways[1], '198.51.100.1, 203.0.113.7')).status).toBe(429)
    expect((await settings(gateways[0], ['198.51.100.2', '203.0.113.7'])).status).toBe(429)
    expect((await settings(gateways[0], '203.0.113.8')).status).not.toBe(429)
  })

  test('Callers with IPv6 addresses are counted by network.', async () => {
    for (let n = 0; n < 10; n++) await settings(gateways[0], `2001:db8:1:2::${n}`)
    expect((await settings(gateways[1], '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await settings(gateways[1], '2001:db8:1:3::1')).status).not.toBe(429)
  })
})

test('Rate limits can be turned off.', async () => {
  await using s = await setUp()
  await using gateway = await startGateway({ ...rates, RATE_LIMITS: 'off' })
  const told = await Promise.all(Array.from({ length: 2 * LIMIT }, () => read(gateway, s.ada)))
  expect(new Set(told.map(({ status, headers }) => `${status} ${headers['x-ratelimit-limit']}`))).toEqual(
    new Set(['200 undefined']),
  )
})

test('While Redis is unreachable, each replica counts by itself, from what it was granted, and answers.', {
  timeout: 60_000,
}, async () => {
  await using s = await setUp()
  const redis = await startRedis()
  await using gateway = await startGateway({ ...rates, REDIS_URL: redis.url })
  const statuses: number[] = []
  for (let n = 0; n < LIMIT / 2; n++) statuses.push((await read(gateway, s.ada)).status)
  await redis.kill()
  for (let n = 0; n < LIMIT; n++) statuses.push((await read(gateway, s.ada)).status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(LIMIT / 2)
  // A lease that is not used up can be lost with Redis.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(LIMIT - 2)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  await redis.start()
  // Redis that forgot everything begins anew.
  await expect.poll(async () => (await read(gateway, s.grace)).status, { timeout: 15_000 }).toBe(200)
  await redis.kill()
})

describe('Configured rate limits', () => {
  test('Rate limits that the configuration does not name have their defaults.', () => {
    expect(parseRateLimits('')).toEqual(defaultRateLimits)
    expect(parseRateLimits('api_by_user=400/30 email_change_by_user=2/3600,5/86400')).toEqual({
      ...defaultRateLimits,
      api_by_user: [{ requests: 400, seconds: 30 }],
    })
  })

  test.each([
    ['api=1/2', '"api=1/2" must begin with one of these names: '],
    ['api_by_user', '"api_by_user" must begin with one of these names: '],
    ['api_by_user=0/60', '"0/60" of api_by_user must have the form <requests>/<seconds>'],
    ['api_by_user=1/60,', '"" of api_by_user must have the form <requests>/<seconds>'],
  ])('The error says what is wrong with %s.', (text, message) => {
    expect(() => parseRateLimits(text)).toThrow(message)
  })
})

describe('A sliding window', () => {
  const slot_length = slotLength({ seconds: 60 })

  test('A sliding window never has more grants than its limit, in any sequence of requests.', () => {
    const step = fc.record({ pause: fc.integer({ min: 0, max: 30_000 }), want: fc.integer({ min: 1, max: 30 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const counts: SlotCounts = new Map()
        const granted: { at: number; count: number }[] = []
        let now = 1_700_000_000_000
        for (const { pause, want } of steps) {
          now += pause
          const { granted: count, remaining, wait } = grant([{ counts, slot_length, limit: 20 }], want, 1, now)
          granted.push({ at: now, count })
          const inWindow = granted.filter(({ at }) => at > now - 60_000).reduce((sum, each) => sum + each.count, 0)
          expect(inWindow).toBeLessThanOrEqual(20)
          expect(remaining).toBeGreaterThanOrEqual(0)
          // A request after the announced wait gets a grant.
          if (count === 0) {
            const later = grant([{ counts: new Map(counts), slot_length, limit: 20 }], 1, 1, now + wait)
            expect(later.granted).toBe(1)
          }
        }
      }),
    )
  })

  test('A sliding window is empty at the announced time.', () => {
    const counts: SlotCounts = new Map()
    const now = 1_700_000_000_123
    const { full } = grant([{ counts, slot_length, limit: 5 }], 5, 5, now)
    expect(full).toBeGreaterThan(60_000)
    expect(full).toBeLessThanOrEqual((SLOTS + 1) * slot_length)
    expect(grant([{ counts, slot_length, limit: 5 }], 5, 5, now + full - 1).granted).toBe(0)
    expect(grant([{ counts, slot_length, limit: 5 }], 5, 5, now + full).granted).toBe(5)
  })

  test('A request gets no grants if one of several windows is full.', () => {
    const [hour, day] = [new Map(), new Map()] as [SlotCounts, SlotCounts]
    const windows = [
      { counts: hour, slot_length: slotLength({ seconds: 3_600 }), limit: 2 },
      { counts: day, slot_length: slotLength({ seconds: 86_400 }), limit: 3 },
    ]
    let now = 1_700_000_000_000
    const one = () => grant(windows, 1, 1, now).granted
    expect([one(), one(), one()]).toEqual([1, 1, 0])
    now += 2 * 3_600_000
    expect([one(), one()]).toEqual([1, 0])
  })
})
