/**
 * A receiver that fails at random gets every event of a subscription, while processes and services are killed.
 *
 * The receiver answers with errors, closes connections, lets requests wait until the server gives up, and loses its
 * answer after it has processed an event. It processes an event once by its id, as the documentation says.
 */
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { startPostgres, type TestProcess } from '../setup/processes/processes.js'
import { openRandom } from '../setup/random.js'
import { readWritten } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { type Called, openServer } from '../setup/web/web-server.js'

const MESSAGES = 80

/** What the receiver does with a request. */
const behaviours = [
  { name: 'confirms', weight: 12 },
  { name: 'fails', weight: 2 },
  { name: 'closes the connection', weight: 2 },
  { name: 'loses its answer', weight: 2 },
] as const

const openReceiver = async (secret: () => string) => {
  const random = openRandom(20_260)
  /** the bodies by their ids, in the order in which they were processed first */
  const processed = new Map<string, string>()
  let doubled = 0
  const process = ({ text, headers }: Called) => {
    new Webhook(secret()).verify(text, headers as Record<string, string>)
    const id = String(headers['webhook-id'])
    const before = processed.get(id)
    if (before === undefined) processed.set(id, text)
    else {
      doubled += 1
      expect(text).toBe(before)
    }
  }
  const server = await openServer((called: Called, response: ServerResponse, n: number) => {
    const { name } = random.weighted(behaviours)
    // One request waits until the server gives up.
    if (n === 20) return
    if (name === 'fails') return void response.writeHead(500).end()
    if (name === 'closes the connection') return void response.destroy()
    process(called)
    if (name === 'loses its answer') response.destroy()
    else response.writeHead(204).end()
  })
  return Object.assign(server, { processed, doubled: () => doubled })
}

test('A receiver that fails at random gets each event of a queue once and in order, while everything is killed.', {
  timeout: 300_000,
}, async () => {
  const postgres = await startPostgres()
  await using fleet = await startOwnFleet({}, postgres.url)
  const { realm, redis } = fleet
  const gateways = [fleet.gateway, await fleet.newGateway()]
  const workers = [await fleet.worker(), await fleet.worker()]
  const random = openRandom(7)
  const url = () => random.pick(gateways).url
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  const both = { subscriptions: [{ name: 'general' }], principals: [ada.user_id, grace.user_id] }
  await ok(ada, 'POST', '/users/me/subscriptions', both, { url: url() })
  // The notice for Grace would come before or after the position of the subscription.
  await waitForJobs(realm)

  let secret = ''
  await using receiver = await openReceiver(() => secret)
  const filter = { event_types: ['message', 'reaction'] }
  const queue = await ok(grace, 'POST', '/register', { ...filter, queue_lifespan_secs: 3_600 }, { url: url() })
  const wanted = { ...filter, name: 'Mirror', address: receiver.url }
  const created = await ok(grace, 'POST', '/event_subscriptions', wanted, { url: url() })
  secret = created.secret

  /** Kills a process and puts a new one in its place. */
  const replace = async (list: TestProcess[], i: number, start: () => Promise<TestProcess>) => {
    list[i]?.signal('SIGKILL')
    await list[i]?.ended
    list[i] = await start()
  }
  const disasters: Readonly<Record<number, () => Promise<unknown>>> = {
    15: () => replace(workers, 0, fleet.worker),
    25: () => redis.kill(),
    32: () => redis.start(),
    40: () => replace(gateways, 1, fleet.newGateway),
    55: () => replace(workers, 1, fleet.worker),
    65: async () => {
      await postgres.kill()
      await postgres.start()
    },
  }
  for (let n = 0; n < MESSAGES; n++) {
    await disasters[n]?.()
    // A send to a process that is killed, or without a database, may get no answer.
    const message = { type: 'channel', to: 'general', topic: 'flow', content: `m${n}` }
    const sent = await call(ada, 'POST', '/messages', message, { url: url() }).catch(() => undefined)
    const reaction = { emoji_name: 'tada' }
    if (n % 5 === 0 && sent?.status === 200) {
      await call(ada, 'POST', `/messages/${sent.body.id}/reactions`, reaction, { url: url() }).catch(() => undefined)
    }
  }
  // Each attempt has a text of its own: one that fails may have been stored.
  let attempts = 0
  const sendLast = () => {
    const last = { type: 'direct', to: [grace.user_id], content: `the last one of attempt ${++attempts}` }
    return call(ada, 'POST', '/messages', last, { url: url() })
  }
  await expect.poll(async () => (await sendLast()).status, { timeout: 60_000 }).toBe(200)

  const lastText = () => [...receiver.processed.values()].at(-1) ?? ''
  await expect.poll(lastText, { timeout: 200_000, interval: 200 }).toContain(`the last one of attempt ${attempts}`)
  const events = await readWritten(grace, queue, url())
  const expected = events.filter(({ type }) => type !== 'heartbeat')
  expect([...receiver.processed.values()].map((text) => JSON.parse(text))).toEqual(expected)
  expect(expected.length).toBeGreaterThan(MESSAGES / 2)
  // The receiver lost answers, so it got some events again: with the same id and the same body.
  expect(receiver.doubled()).toBeGreaterThan(0)
  await expect
    .poll(
      async () =>
        (await ok(grace, 'GET', `/event_subscriptions/${created.subscription_id}`, {}, { url: url() }))
          .event_subscription,
    )
    .toMatchObject({ state: 'active', failures: 0, delivered: expected.length })
  await Promise.all([...workers, ...gateways].map((process) => process.stop()))
})
