/** A bot answers each event once: its position moves together with its answer (protocol/events.md 1.14). */
import { describe, expect, onTestFinished, test } from 'vitest'
import { deleteUnusedPositions } from '../../src/store/register/queue-positions.js'
import { startGateway } from '../setup/processes/processes.js'
import { readWritten } from '../setup/realm/event-listener.js'
import { readUntil, transports, type WireEvent } from '../setup/realm/event-reader.js'
import { call, gateways, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { openSocket } from '../setup/requests/socket.js'

const setUp = async () => {
  const realm = await newRealm()
  onTestFinished(() => realm[Symbol.asyncDispose]())
  const [ada, bot] = (await realm.people(
    { full_name: 'Ada', settings: neverFollowing },
    { full_name: 'Bot', settings: neverFollowing },
  )) as [Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'orders' }],
    principals: [ada.user_id, bot.user_id],
    send_new_subscription_messages: false,
  })
  return { realm, ada, bot }
}

const order = { type: 'channel', to: 'orders', topic: 'tea' }
const answer = { ...order, topic: 'answers', content: 'Served' }

interface NamedQueue {
  queue_id: string
  last_event_id: number
  queue_position: string
}

const register = (bot: Person, queue_name = 'waiter') =>
  ok<NamedQueue>(bot, 'POST', '/register', { event_types: ['message'], queue_name })

/** The ids of the events of a queue after its beginning. */
const readIds = async (bot: Person, queue: NamedQueue): Promise<number[]> =>
  (await readWritten(bot, queue)).map(({ id }) => id)

/** Sends an order, and returns the id of its event in the queue of the bot. */
const sendOrder = async (ada: Person, bot: Person, queue: NamedQueue): Promise<number> => {
  const { id } = await ok(ada, 'POST', '/messages', { ...order, content: 'A cup' })
  const isOrder = (event: WireEvent) => (event.message as { id?: number } | undefined)?.id === id
  return (await readWritten(bot, queue)).find(isOrder)?.id as number
}

const countAnswers = async ({ sql, realm_id }: TestRealm): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from messages where realm_id = ${realm_id} and topic = 'answers'`
  return row?.n ?? 0
}

const positionOf = async (bot: Person) => (await ok(bot, 'GET', '/events/positions')).positions[0]?.event_id

const alreadyAcked = { status: 409, body: { code: 'EVENT_ALREADY_ACKED' } }

describe('A write with an ack', () => {
  test('is made once by all copies, at the same time through all gateways, and over a socket.', async () => {
    const { realm, ada, bot } = await setUp()
    const copies = await Promise.all(Array.from({ length: 12 }, () => register(bot)))
    const event_id = await sendOrder(ada, bot, copies[0] as NamedQueue)
    const answers = await Promise.all(
      copies.map(({ queue_id }, i) =>
        call(
          bot,
          'POST',
          '/messages',
          { ...answer, ack: { queue_id, event_id } },
          { url: gateways()[i % gateways().length] as string },
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const one of answers.filter(({ status }) => status !== 200)) {
      expect(one).toMatchObject({ ...alreadyAcked, body: { event_id } })
    }
    await using socket = await openSocket(bot)
    const { queue_id } = copies[1] as NamedQueue
    expect(await socket.call('POST', '/messages', { ...answer, ack: { queue_id, event_id } })).toMatchObject(
      alreadyAcked,
    )
    expect(
      await socket.call('POST', '/messages', { ...answer, ack: { queue_id, event_id: event_id - 1 } }),
    ).toMatchObject(alreadyAcked)
    expect(await countAnswers(realm)).toBe(1)
    expect(await positionOf(bot)).toBe(event_id)
  })

  test('of another kind is made once too, and a copy that comes late learns that it is.', async () => {
    const { ada, bot } = await setUp()
    const [one, two] = await Promise.all([register(bot), register(bot)])
    const event_id = await sendOrder(ada, bot, one)
    const { messages } = await ok(bot, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const path = `/messages/${messages[0]?.id}/reactions`
    const react = (queue_id: string) => call(bot, 'POST', path, { emoji_name: 'tada', ack: { queue_id, event_id } })
    const answers = await Promise.all([one, two].map(({ queue_id }) => react(queue_id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    // Without its ack, the reaction would be refused because it is there.
    expect(await react(two.queue_id)).toMatchObject(alreadyAcked)
    expect(await call(bot, 'POST', path, { emoji_name: 'tada' })).toMatchObject({
      body: { code: 'REACTION_ALREADY_EXISTS' },
    })
  })

  test('that is refused acknowledges nothing.', async () => {
    const { realm, ada, bot } = await setUp()
    const queue = await register(bot)
    const event_id = await sendOrder(ada, bot, queue)
    const ack = { queue_id: queue.queue_id, event_id }
    expect(await call(bot, 'POST', '/messages', { ...answer, to: 'nowhere', ack })).toMatchObject({ status: 400 })
    expect(await positionOf(bot)).toBe(queue.last_event_id)
    expect(await call(bot, 'POST', '/messages', { ...answer, ack })).toMatchObject({ status: 200 })
    expect(await countAnswers(realm)).toBe(1)
  })

  test('with a key has the first answer when it is repeated, and no other ack may use the key.', async () => {
    const { realm, ada, bot } = await setUp()
    const queue = await register(bot)
    const event_id = await sendOrder(ada, bot, queue)
    await using socket = await openSocket(bot)
    const send = (id: number, key: string, { queue_id } = queue) =>
      socket.call('POST', '/messages', { ...answer, ack: { queue_id, event_id: id } }, key)
    const first = await send(event_id, 'k')
    expect(first).toMatchObject({ status: 200 })
    expect((await send(event_id, 'k')).body).toEqual(first.body)
    expect((await send(event_id, 'k', await register(bot))).body).toEqual(first.body)
    expect(await send(event_id, 'l')).toMatchObject(alreadyAcked)
    const next = await sendOrder(ada, bot, queue)
    expect(await send(next, 'k')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    const snippet = { title: 'Orders', content: 'A cup', ack: { queue_id: queue.queue_id, event_id: next } }
    const stored = await socket.call('POST', '/saved_snippets', snippet, 's')
    expect(stored).toMatchObject({ status: 200 })
    expect((await socket.call('POST', '/saved_snippets', snippet, 's')).body).toEqual(stored.body)
    expect(await socket.call('POST', '/saved_snippets', snippet, 't')).toMatchObject(alreadyAcked)
    expect(await countAnswers(realm)).toBe(1)
  })

  test('is refused by calls that cannot be one transaction, and for queues and events that it cannot name.', async () => {
    const { realm, ada, bot } = await setUp()
    const queue = await register(bot)
    const event_id = await sendOrder(ada, bot, queue)
    const ack = { queue_id: queue.queue_id, event_id }
    const refused = { status: 400, body: { msg: expect.stringContaining('takes no ack') } }
    for (const [method, path, params] of [
      ['POST', '/mark_all_as_read', {}],
      ['POST', '/messages/flags', { messages: [1], op: 'add', flag: 'read' }],
      ['GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }],
      ['PUT', '/bot_storage', { storage: { a: '1' } }],
    ] as const) {
      expect(await call(bot, method, path, { ...params, ack })).toMatchObject(refused)
    }
    // More users than fit into one change.
    const many = await realm.people(...Array.from({ length: 260 }, (_, n) => ({ full_name: `User ${n}` })))
    const subscriptions = { subscriptions: [{ name: 'crowd' }], principals: many.map(({ user_id }) => user_id), ack }
    expect(await call(bot, 'POST', '/users/me/subscriptions', subscriptions)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('takes no ack') },
    })
    const send = async (by: Person, wrong: unknown) => call(by, 'POST', '/messages', { ...answer, ack: wrong })
    const unknown = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } }
    expect(await send(ada, ack)).toMatchObject(unknown)
    expect(await send(bot, { ...ack, queue_id: 'none' })).toMatchObject(unknown)
    const unnamed = await ok(bot, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] })
    const wrong = [
      { ...ack, queue_id: unnamed.queue_id },
      { ...ack, event_id: event_id + 1024 * 1024 },
      { event_id },
      7,
    ]
    for (const one of wrong) expect(await send(bot, one)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(await positionOf(bot)).toBe(queue.last_event_id)
  })
})

describe('A registration with a name', () => {
  test.each(transports)(
    'continues after the last acknowledged event, with an empty disk, over %s.',
    async (transport) => {
      const { ada, bot } = await setUp()
      const first = await register(bot)
      expect(first.queue_position).toBe('new')
      const ids = [await sendOrder(ada, bot, first), await sendOrder(ada, bot, first), await sendOrder(ada, bot, first)]
      await ok(bot, 'POST', '/events/ack', { queue_id: first.queue_id, event_id: ids[0] })
      const second = await register(bot)
      expect(second).toMatchObject({ queue_position: 'continued', last_event_id: ids[0] })
      const isLast = ({ id }: WireEvent) => id === ids.at(-1)
      const read = await readUntil(transport, gateways()[1] as string, bot, second, isLast)
      expect(read.map(({ id }) => id)).toEqual(ids.slice(1))
      // The queue of the former copy is read on.
      expect(await readIds(bot, first)).toEqual(ids)
    },
  )

  test('finds its position after the death of a gateway, and after its queue is gone.', async () => {
    const { ada, bot } = await setUp()
    const doomed = await startGateway()
    const first = await ok<NamedQueue>(
      bot,
      'POST',
      '/register',
      { event_types: ['message'], queue_name: 'waiter' },
      { url: doomed.url },
    )
    const event_id = await sendOrder(ada, bot, first)
    const ack = { queue_id: first.queue_id, event_id }
    expect(await call(bot, 'POST', '/messages', { ...answer, ack }, { url: doomed.url })).toMatchObject({ status: 200 })
    doomed.signal('SIGKILL')
    await doomed.ended
    expect(await call(bot, 'POST', '/messages', { ...answer, ack })).toMatchObject(alreadyAcked)
    await ok(bot, 'DELETE', '/events', { queue_id: first.queue_id })
    // A gateway that knew the queue may learn a moment later that it is gone. Until then it says that it was answered.
    const repeat = async () => (await call(bot, 'POST', '/messages', { ...answer, ack })).body.code
    await expect.poll(repeat, { timeout: 30_000 }).toBe('BAD_EVENT_QUEUE_ID')
    expect(await register(bot)).toMatchObject({ queue_position: 'continued', last_event_id: event_id })
  })

  test('is told that events are lost when the log does not go back to its position, by one answer for all copies.', async () => {
    const { realm, ada, bot } = await setUp()
    const first = await register(bot)
    await sendOrder(ada, bot, first)
    const newest = await sendOrder(ada, bot, first)
    await realm.sql`delete from log where realm_id = ${realm.realm_id} and seq * 1024 < ${newest}`
    const copies = await Promise.all(Array.from({ length: 6 }, () => register(bot)))
    expect(copies.map(({ queue_position }) => queue_position).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'continued'),
      'lost',
    ])
    expect(new Set(copies.map(({ last_event_id }) => last_event_id)).size).toBe(1)
  })

  test('has no snapshot, and its name and the number of names are bounded.', async () => {
    const { realm, bot } = await setUp()
    const wanted = { event_types: ['message'], queue_name: 'waiter' }
    expect(await ok(bot, 'POST', '/register', wanted)).not.toHaveProperty('max_message_id')
    expect(await call(bot, 'POST', '/register', { ...wanted, fetch_event_types: ['message'] })).toMatchObject({
      status: 400,
    })
    expect(await call(bot, 'POST', '/register', { ...wanted, queue_name: 'w'.repeat(101) })).toMatchObject({
      status: 400,
    })
    await realm.sql`
      insert into queue_positions (realm_id, user_id, name, event_id)
      select ${realm.realm_id}, ${bot.user_id}, 'other ' || n, 0 from generate_series(1, 99) n`
    expect(await call(bot, 'POST', '/register', { ...wanted, queue_name: 'one more' })).toMatchObject({ status: 400 })
    expect(await ok(bot, 'POST', '/register', wanted)).toMatchObject({ queue_position: 'continued' })
    await ok(bot, 'DELETE', '/events/positions', { queue_name: 'other 7' })
    expect(await call(bot, 'DELETE', '/events/positions', { queue_name: 'other 7' })).toMatchObject({ status: 404 })
    expect(await ok(bot, 'POST', '/register', { ...wanted, queue_name: 'one more' })).toMatchObject({
      queue_position: 'new',
    })
  })

  test('begins anew when its position was not used for as long as the log is kept.', async () => {
    const { realm, bot } = await setUp()
    await register(bot)
    await realm.sql`
      update queue_positions set used_at = now() - interval '9 days' where realm_id = ${realm.realm_id}`
    await deleteUnusedPositions(realm.sql, 8)
    expect(await register(bot)).toMatchObject({ queue_position: 'new' })
  })
})

test('An event without an answer is acknowledged by itself, and only forward.', async () => {
  const { ada, bot } = await setUp()
  const queue = await register(bot)
  const [first, second] = [await sendOrder(ada, bot, queue), await sendOrder(ada, bot, queue)]
  const acknowledge = (event_id: number) => call(bot, 'POST', '/events/ack', { queue_id: queue.queue_id, event_id })
  expect(await acknowledge(second)).toMatchObject({ status: 200 })
  expect(await acknowledge(first)).toMatchObject({ ...alreadyAcked, body: { event_id: second } })
  expect(await acknowledge(second)).toMatchObject(alreadyAcked)
  expect(await positionOf(bot)).toBe(second)
})
