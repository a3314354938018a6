/**
 * The promise of the client library: no event is lost, doubled or out of order, whatever happens to its connections.
 * Relays to three gateways cut, slow down and refuse them at random, and the client moves between transports.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event, EventStream, Reset, Transport } from '../../client/src/index.js'
import { type Relays, startRelays } from '../setup/clients/library-client.js'
import type { Relay } from '../setup/proxies/relay.js'
import { createChannel } from '../setup/realm/messages.js'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'

const relay = fc.nat({ max: 2 })
const transport = fc.constantFrom<Transport>('websocket', 'sse', 'poll')

/** What happens between two messages. */
const disturbance = fc.oneof(
  fc.record({ do: fc.constant('cut' as const), relay }),
  fc.record({ do: fc.constant('cut all' as const) }),
  fc.record({ do: fc.constant('delay' as const), relay, delay: fc.constantFrom(0, 5, 40) }),
  fc.record({ do: fc.constant('down' as const), relay, isDown: fc.boolean() }),
  fc.record({ do: fc.constant('refuse sockets' as const), relay, refuses: fc.boolean() }),
  fc.record({ do: fc.constant('move' as const), relay, to: relay }),
  fc.record({ do: fc.constant('transport' as const), transport }),
  fc.record({ do: fc.constant('gateway' as const), relay }),
  fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('wait' as const), count: fc.integer({ min: 1, max: 4 }) }),
)
type Disturbance = typeof disturbance extends fc.Arbitrary<infer D> ? D : never

/** Reads a stream until the test has seen what it waits for. */
class Reader {
  readonly items: (Event | Reset)[] = []
  #waiting: (() => void) | undefined
  readonly ended: Promise<void>

  constructor(readonly stream: EventStream) {
    this.ended = this.#read()
  }

  async #read() {
    for await (const item of this.stream) {
      this.items.push(item)
      this.#waiting?.()
    }
  }

  /** The ids of the messages that arrived. */
  messages(): number[] {
    return this.items.flatMap((item) => (item.type === 'message' ? [item.message.id] : []))
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
  }
}

const start = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  // Without the notice for Grace, which a worker would send at any time.
  await createChannel(ada, 'general', [ada, grace])
  const relays = await startRelays(realm.host)
  const sent: number[] = []
  const send = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const content = `message ${sent.length}`
      sent.push((await ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic: 't', content })).id)
    }
  }
  return { realm, relays, grace, sent, send }
}

const disturb = (step: Disturbance, { list }: Relays, { stream }: Reader): void => {
  const at = (index: number) => list[index] as Relay
  if (step.do === 'cut') at(step.relay).cut()
  else if (step.do === 'cut all') for (const one of list) one.cut()
  else if (step.do === 'delay') at(step.relay).delay = step.delay
  else if (step.do === 'down') {
    at(step.relay).isDown = step.isDown
    if (step.isDown) at(step.relay).cut()
  } else if (step.do === 'refuse sockets') at(step.relay).refusesSockets = step.refuses
  else if (step.do === 'move') {
    at(step.relay).moveTo(gateways()[step.to] as string)
    at(step.relay).cut()
  } else if (step.do === 'transport') stream.switchTransport(step.transport)
  else if (step.do === 'gateway') stream.switchGateway(at(step.relay).url)
}

const run = async (steps: readonly Disturbance[]): Promise<void> => {
  const { realm, relays, grace, sent, send } = await start()
  await using _ = realm
  await using __ = relays
  const reader = new Reader(relays.client(grace).events({ event_types: ['message'], fetch_event_types: [] }))
  await reader.stream.snapshot
  // The waits between attempts would make most of the test's time.
  reader.stream.state.subscribe(() => setTimeout(() => reader.stream.retryNow(), 20))
  for (const step of steps) {
    if (step.do === 'send') await send(step.count)
    else if (step.do === 'wait') {
      // If no gateway can be reached, nothing arrives.
      const isReachable = relays.list.some(({ isDown }) => !isDown)
      const goal = Math.min(sent.length, reader.messages().length + step.count)
      if (isReachable) await reader.until(() => reader.messages().length >= goal)
    } else disturb(step, relays, reader)
  }
  for (const one of relays.list) Object.assign(one, { isDown: false, refusesSockets: false, delay: 0 })
  await send(1)
  await reader.until(() => reader.messages().at(-1) === sent.at(-1))
  expect(reader.messages()).toEqual(sent)
  expect(reader.items.filter(({ type }) => type === 'reset')).toEqual([])
  reader.stream.close()
  await reader.ended
}

test('No event is lost, doubled or out of order while connections are cut, delayed and moved at random.', {
  timeout: 300_000,
}, async () => {
  const steps = fc.array(disturbance, { minLength: 20, maxLength: 60 })
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 12)
  await fc.assert(fc.asyncProperty(steps, run), { numRuns, endOnFailure: true, interruptAfterTimeLimit: 150_000 })
})

test.each(['websocket', 'sse', 'poll'] as const)(
  'A stream whose queue is lost yields one reset over %s.',
  async (only) => {
    const { realm, relays, grace, sent, send } = await start()
    await using _ = realm
    await using __ = relays
    const events = relays.client(grace).events({ event_types: ['message'], transports: [only] })
    const reader = new Reader(events)
    await events.snapshot
    await send(3)
    await reader.until(() => reader.messages().length === 3)
    for (const one of relays.list) Object.assign(one, { isDown: true }).cut()
    await send(2)
    await ok(grace, 'DELETE', '/events', { queue_id: events.queueId })
    for (const one of relays.list) one.isDown = false
    await reader.until(() => reader.items.some(({ type }) => type === 'reset'))
    await send(3)
    await reader.until(() => reader.messages().at(-1) === sent.at(-1))
    const [reset, ...others] = reader.items.filter((item) => item.type === 'reset')
    expect(others).toEqual([])
    // The snapshot has the messages that were sent between the two queues.
    expect(reset?.snapshot.max_message_id).toBe(sent[4])
    expect(reader.messages()).toEqual([...sent.slice(0, 3), ...sent.slice(5)])
    events.close()
  },
)

test('A client behind a proxy that refuses WebSockets reads server-sent events.', async () => {
  const { realm, relays, grace, sent, send } = await start()
  await using _ = realm
  await using __ = relays
  for (const one of relays.list) one.refusesSockets = true
  const reader = new Reader(relays.client(grace).events({ event_types: ['message'] }))
  await reader.stream.snapshot
  await send(2)
  await reader.until(() => reader.messages().length === 2)
  expect(reader.messages()).toEqual(sent)
  expect(reader.stream.state.get()).toMatchObject({ status: 'open', transport: 'sse' })
  reader.stream.close()
})

test('A client behind a proxy that holds streams back reads by long polls.', { timeout: 60_000 }, async () => {
  const { realm, relays, grace, sent, send } = await start()
  await using _ = realm
  await using __ = relays
  for (const one of relays.list) Object.assign(one, { refusesSockets: true, holdsStreams: true })
  const url = relays.list[0]?.url as string
  const reader = new Reader(relays.client(grace, { url }).events({ event_types: ['message'] }))
  await reader.stream.snapshot
  await send(2)
  await reader.until(() => reader.messages().length === 2)
  expect(reader.messages()).toEqual(sent)
  expect(reader.stream.state.get()).toMatchObject({ status: 'open', transport: 'poll' })
  reader.stream.close()
})
