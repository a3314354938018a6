/**
 * A bot that answers once: two copies of it run all the time, and they and the gateways are killed at random, while
 * orders are sent. Each order is answered exactly once, and so is each step before an answer.
 *
 * The test suite kills a few times. `npm run chaos -- --bots 200 --seed S` kills 200 times.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../client/src/index.js'
import { root } from '../../src/dev/root.js'
import { type Relay, startRelay } from '../setup/proxies/relay.js'
import { openRandom, type Random } from '../setup/random.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { type ChaosFleet, type Slot, startFleet } from './fleet.js'
import { runPhase } from './phase.js'
import { reportRun } from './report.js'

const allKills = Number(process.env.CHAOS_BOT_KILLS ?? 6)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const COPIES = 2
/** Milliseconds between two orders: until the last kill, and then, when the copies catch up. */
const ORDER_MS = 25
const LATE_ORDER_MS = 500
/** Milliseconds within which all orders are answered after the last kill. */
const SETTLE_MS = 120_000

/** A copy of the bot, which starts again when it ends. */
interface Copy {
  /** the order that any process of this copy has handled last */
  last: number
  kill(): void
  /** Ends it for good. */
  stop(): Promise<void>
}

const startCopy = (env: Record<string, string>): Copy => {
  let isStopping = false
  let ended: Promise<unknown> = Promise.resolve()
  let child = start()
  function start() {
    const started = spawn(process.execPath, [join(root, 'test/chaos/accounting-bot.mjs')], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    createInterface({ input: started.stdout }).on('line', (line) => {
      const number = /^handled (\d+)$/.exec(line)?.[1]
      if (number !== undefined) copy.last = Math.max(copy.last, Number(number))
    })
    ended = once(started, 'exit').then(() => {
      if (!isStopping) child = start()
    })
    return started
  }
  const copy: Copy = {
    last: 0,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      isStopping = true
      child.kill('SIGKILL')
      await ended
    },
  }
  return copy
}

/** Kills a gateway, and leads its relay to the next one in its place. */
const killGateway = async (slot: Slot, relay: Relay): Promise<void> => {
  if (slot.process === undefined) return
  slot.expectEnd()
  slot.process.signal('SIGKILL')
  await slot.process.ended
  relay.moveTo((await slot.ready()).url ?? '')
}

/** What was killed, and how often. */
const killAtRandom = async (
  kills: number,
  fleet: ChaosFleet,
  relays: ReadonlyMap<Slot, Relay>,
  copies: readonly Copy[],
  random: Random,
) => {
  const counts = { bots: 0, gateways: 0 }
  const killing = new Map<Slot, Promise<void>>()
  for (let done = 0; done < kills; done++) {
    await sleep(random.integer(200, 1_500))
    const slot = random.pick(fleet.slots.filter((one) => relays.has(one) && !killing.has(one)))
    // One gateway is left at least.
    if (slot !== undefined && killing.size < relays.size - 1 && random.integer(1, 4) === 1) {
      counts.gateways += 1
      killing.set(
        slot,
        killGateway(slot, relays.get(slot) as Relay).finally(() => killing.delete(slot)),
      )
    } else {
      counts.bots += 1
      random.pick(copies)?.kill()
    }
  }
  await Promise.all(killing.values())
  return counts
}

const runBots = async (kills: number, more: Record<string, string> = {}) => {
  const random = openRandom(seed)
  await using fleet = await runPhase('Starting the fleet', startFleet({ gateways: kills > 10 ? 3 : 2, workers: 1 }))
  await using realm = await newRealm({ database_url: fleet.postgres.url, redis_url: fleet.redis.url })
  const [ada, bot] = (await realm.people(
    { full_name: 'Ada', role: 100, settings: neverFollowing },
    { full_name: 'Accountant', settings: neverFollowing },
  )) as [Person, Person]
  const url = fleet.urls()[0] as string
  const members = [ada.user_id, bot.user_id]
  const { id } = await ok<{ id: number }>(
    ada,
    'POST',
    '/channels/create',
    { name: 'orders', subscribers: members },
    { url },
  )
  // The position of the bot begins before the first order.
  await ok(bot, 'POST', '/register', { event_types: ['message'], queue_name: 'accountant' }, { url })
  const relays = new Map<Slot, Relay>()
  for (const slot of fleet.slots) {
    if (slot.kind === 'gateway') relays.set(slot, await startRelay(slot.process?.url ?? '', realm.host))
  }
  const urls = [...relays.values()].map((relay) => relay.url)
  const settings = { PARLEY_URLS: urls.join(), PARLEY_EMAIL: bot.email, PARLEY_API_KEY: bot.api_key, ...more }
  const copies = Array.from({ length: COPIES }, () => startCopy(settings))

  const client = createClient({ url: urls, credentials: { email: ada.email, apiKey: ada.api_key } })
  let orders = 0
  let isSending = true
  let pause_ms = ORDER_MS
  const sendOrder = async (number: number) => {
    const params = { type: 'channel', to: String(id), topic: 'orders', content: `order ${number}` } as const
    // The same key until there is an answer: an order is sent once.
    for (let failures = 0; ; failures++) {
      try {
        return await client.call('POST /messages', params, { key: `order ${number}` })
      } catch (error) {
        if (failures === 100) throw error
        await sleep(100)
      }
    }
  }
  const sending = (async () => {
    while (isSending) {
      orders += 1
      await sendOrder(orders)
      await sleep(pause_ms)
    }
  })()
  try {
    const killed = await runPhase('Killing', killAtRandom(kills, fleet, relays, copies, random), {
      lasts_ms: kills * 3_000,
    })
    // A copy skips what the other one has answered: orders go on until both have handled one of the orders after the
    // kills, and then all are answered.
    const lastBefore = orders
    pause_ms = LATE_ORDER_MS
    await expect
      .poll(() => copies.every(({ last }) => last > lastBefore), { timeout: SETTLE_MS, interval: 200 })
      .toBe(true)
    isSending = false
    await runPhase('Sending the last order', sending)
    const answered = () => fleet.sql`
      select from messages where realm_id = ${realm.realm_id} and content = ${`answer ${orders}`}`
    await expect.poll(async () => (await answered()).length, { timeout: SETTLE_MS, interval: 200 }).toBeGreaterThan(0)
    // What a copy still asks for is made before the counts, or not at all.
    await Promise.all(copies.map((copy) => copy.stop()))
    const rows = await fleet.sql<{ topic: string; content: string; n: number }[]>`
      select topic, content, count(*)::int as n from messages
      where realm_id = ${realm.realm_id} and topic in ('answers', 'steps') group by 1, 2`
    const count = (topic: string, isCounted: (n: number) => boolean) =>
      rows.filter((row) => row.topic === topic && isCounted(row.n)).length
    return {
      seed,
      'bots killed': killed.bots,
      'gateways killed': killed.gateways,
      'copies at the same time': COPIES,
      orders,
      'orders answered': count('answers', () => true),
      'orders answered more than once': count('answers', (n) => n > 1),
      'orders with a step': Math.ceil(orders / 2),
      'steps made': count('steps', () => true),
      'steps made more than once': count('steps', (n) => n > 1),
      crashes: fleet.crashes.length,
    }
  } finally {
    isSending = false
    await Promise.all(copies.map((copy) => copy.stop()))
    for (const relay of relays.values()) await relay[Symbol.asyncDispose]()
  }
}

test('Two copies of a bot that are killed answer each order once.', {
  timeout: allKills * 3_000 + 400_000,
}, async () => {
  const figures = await runBots(allKills)
  reportRun(figures)
  expect(figures).toMatchObject({
    'orders answered': figures.orders,
    'orders answered more than once': 0,
    'steps made': figures['orders with a step'],
    'steps made more than once': 0,
    crashes: 0,
  })
})

test('Without an acknowledgement, both copies answer, and the counts show it.', { timeout: 400_000 }, async () => {
  const figures = await runBots(1, { IGNORES_ACK: '1' })
  expect(figures['orders answered more than once']).toBeGreaterThan(0)
  expect(figures['steps made more than once']).toBe(0)
})
