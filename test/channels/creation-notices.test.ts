/** The first message of a new channel: it exists when the request that creates the channel is answered. */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const SUBSCRIPTIONS = '/users/me/subscriptions'

const twoPeople = async (realm: Awaited<ReturnType<typeof newRealm>>) =>
  (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]

const channelId = async (person: Person, stream: string): Promise<number> =>
  (await ok(person, 'GET', '/get_stream_id', { stream })).stream_id

test('A new channel has its notice when the request is answered, and later messages have greater ids.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = await twoPeople(realm)
  for (let i = 0; i < 20; i++) {
    const name = `channel ${i}`
    await ok(ada, 'POST', SUBSCRIPTIONS, {
      subscriptions: [{ name, description: 'Shapes' }],
      principals: [ada.user_id, grace.user_id],
    })
    const stream_id = await channelId(grace, name)
    const [{ topics }, { stream }, sent] = await Promise.all([
      ok(grace, 'GET', `/users/me/${stream_id}/topics`),
      ok(grace, 'GET', `/streams/${stream_id}`),
      ok(ada, 'POST', '/messages', { type: 'channel', to: name, topic: 'hello', content: 'first' }),
    ])
    const notice = topics.find((topic) => topic.name === 'channel events')
    expect(notice?.max_id).toBe(stream.first_message_id)
    expect(sent.id).toBeGreaterThan(stream.first_message_id as number)
  }
})

test('The subscribers of a new channel receive its events and its notice in this order, and only its creator has read it.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = await twoPeople(realm)
  await ok(grace, 'POST', '/users/me/alert_words', { alert_words: ['shapes'] })
  const listener = await listen(grace, { event_types: ['stream', 'subscription', 'message'] })
  await ok(ada, 'POST', SUBSCRIPTIONS, {
    subscriptions: [{ name: 'design', description: 'Shapes, @**Grace** and @**all**' }],
    principals: [ada.user_id, grace.user_id],
  })
  const events = await listener.events()
  expect(events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`))).toEqual([
    'stream/create',
    'subscription/add',
    'message',
  ])
  expect(events.at(-1)).toMatchObject({
    flags: ['has_alert_word'],
    message: {
      subject: 'channel events',
      client: 'Internal',
      sender_full_name: 'Notification Bot',
      content: [
        `**Public** channel created by @_**Ada|${ada.user_id}**. **Description:**`,
        '```` quote',
        'Shapes, @**Grace** and @**all**',
        '````',
      ].join('\n'),
    },
  })
  const { id } = (events.at(-1) as unknown as { message: { id: number } }).message
  const unread = async (person: Person) => {
    const { unread_msgs } = await ok(person, 'POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    return (unread_msgs as { streams: { unread_message_ids: number[] }[] }).streams.flatMap(
      ({ unread_message_ids }) => unread_message_ids,
    )
  }
  expect([await unread(ada), await unread(grace)]).toEqual([[], [id]])
})

test('The notice of a new channel is read for its creator in the event too, and only for a subscriber.', async () => {
  await using realm = await newRealm()
  const [ada, grace] = await twoPeople(realm)
  const [listener, other] = await Promise.all([ada, grace].map((one) => listen(one, { event_types: ['message'] })))
  await ok(ada, 'POST', SUBSCRIPTIONS, {
    subscriptions: [{ name: 'design' }],
    principals: [ada.user_id, grace.user_id],
  })
  expect([await listener?.events(), await other?.events()]).toMatchObject([[{ flags: ['read'] }], [{ flags: [] }]])

  await ok(ada, 'POST', '/channels/create', { name: 'for grace', subscribers: [grace.user_id] })
  expect(await other?.events()).toMatchObject([{ flags: [] }])
  expect(await listener?.events()).toEqual([])
  const rows = await realm.sql`
    select from message_flags f join messages m on m.realm_id = f.realm_id and m.id = f.message_id
    where f.realm_id = ${realm.realm_id} and m.channel_id = ${await channelId(ada, 'for grace')}`
  expect(rows).toHaveLength(0)
})

test('A new private channel has its notice as first message for all who see it, subscribed or not.', async () => {
  await using realm = await newRealm()
  const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
  const [ada, grace] = await twoPeople(realm)
  const events = { event_types: ['stream', 'subscription', 'message'] }
  const [adaListener, ownerListener] = [await listen(ada, events), await listen(owner, events)]
  await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'secret' }], invite_only: true })
  const [created, added, sent] = (await adaListener.events()) as unknown as [
    { streams: { first_message_id: number }[] },
    { subscriptions: { first_message_id: number }[] },
    { message: { id: number } },
  ]
  const first_message_id = sent.message.id
  expect([created.streams, added.subscriptions]).toMatchObject([[{ first_message_id }], [{ first_message_id }]])
  expect((await ownerListener.events())[0]).toMatchObject({ op: 'create', streams: [{ first_message_id }] })
  const stream_id = await channelId(ada, 'secret')
  for (const person of [ada, owner]) {
    expect(await ok(person, 'GET', `/streams/${stream_id}`)).toMatchObject({ stream: { first_message_id } })
    const { streams } = await ok(person, 'GET', '/streams', { include_all: true })
    expect(streams).toMatchObject([{ first_message_id }])
    const { subscriptions, never_subscribed } = await ok(person, 'POST', '/register', {
      fetch_event_types: ['subscription', 'stream'],
    })
    expect([...(subscriptions ?? []), ...(never_subscribed ?? [])]).toMatchObject([{ first_message_id }])
  }
  expect((await ok(ada, 'GET', SUBSCRIPTIONS)).subscriptions).toMatchObject([{ first_message_id }])

  const graceListener = await listen(grace, events)
  await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'secret' }], principals: [grace.user_id] })
  // A worker's message that says who subscribed Grace can be there already.
  expect((await graceListener.events()).slice(0, 2)).toMatchObject([
    { op: 'create', streams: [{ first_message_id }] },
    { op: 'add', subscriptions: [{ first_message_id }] },
  ])
  const next = { type: 'channel', to: 'secret', topic: 'hello', content: 'second' }
  const { id } = await ok(ada, 'POST', '/messages', next)
  await updateRealmSettings(realm, { can_delete_any_message_group: SystemGroup.members })
  await ok(ada, 'DELETE', `/messages/${first_message_id}`)
  const update = { type: 'stream', op: 'update', stream_id, property: 'first_message_id', value: id }
  expect(await ownerListener.events()).toContainEqual(expect.objectContaining(update))
  expect(await graceListener.events()).toContainEqual(expect.objectContaining(update))
})

test('Many new channels have their notices when the request is answered.', { timeout: 60_000 }, async () => {
  await using realm = await newRealm()
  const [ada] = await twoPeople(realm)
  const names = Array.from({ length: 1_000 }, (_, i) => `channel ${i}`)
  await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: names.map((name) => ({ name })) })
  const { subscriptions } = await ok(ada, 'GET', SUBSCRIPTIONS)
  expect(subscriptions).toHaveLength(1_000)
  const firsts = new Set(subscriptions.map(({ first_message_id }) => first_message_id))
  expect(firsts.has(null)).toBe(false)
  expect(firsts.size).toBe(1_000)
})

test('A channel whose users do not fit into one change gets its notice after the last of them.', {
  timeout: 60_000,
}, async () => {
  await using realm = await newRealm()
  const people = await realm.people(...Array.from({ length: 5_200 }, (_, i) => ({ full_name: `Person ${i}` })))
  const [ada, last] = [people[0], people.at(-1)] as [Person, Person]
  const principals = people.map(({ user_id }) => user_id)
  await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'all hands' }], principals })
  const stream_id = await channelId(ada, 'all hands')
  for (const person of [ada, last]) {
    const { topics } = await ok(person, 'GET', `/users/me/${stream_id}/topics`)
    expect(topics).toHaveLength(1)
    const { unread_msgs } = await ok(person, 'POST', '/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    })
    expect(unread_msgs).toMatchObject({ count: person === ada ? 0 : 1 })
  }
})

test('An organization without such notices gets none.', async () => {
  await using realm = await newRealm()
  const [ada] = await twoPeople(realm)
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'design' }] })
  const { topics } = await ok(ada, 'GET', `/users/me/${await channelId(ada, 'design')}/topics`)
  expect(topics).toEqual([])
  expect((await call(ada, 'GET', `/streams/${await channelId(ada, 'design')}`)).body).toMatchObject({
    stream: { first_message_id: null },
  })
})
