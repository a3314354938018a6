/** Unread and starred messages that their reader cannot reach: registrations leave them out, events take them away. */
import { describe, expect, test } from 'vitest'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith, type RealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const told = { notification_settings_null: true, archived_channels: true }

const setUp = async () => {
  const s = await newRealmWith('Owner', 'Ada', 'Grace', 'Guest')
  await updateRealmSettings(s.realm, { send_channel_events_messages: false })
  return s
}

type Stage = RealmWith<'Owner' | 'Ada' | 'Grace' | 'Guest'>

const star = (by: Person, message: number) =>
  ok(by, 'POST', '/messages/flags', { messages: [message], op: 'add', flag: 'starred' })

/** Which of these messages a new registration has as unread, as a mention, and as starred. */
const counted = async (by: Person, message: number, client_capabilities?: object) => {
  const { unread_msgs, starred_messages } = await ok(by, 'POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
    client_capabilities,
  })
  return {
    unread: unread_msgs.streams.some(({ unread_message_ids }) => unread_message_ids.includes(message)),
    count: unread_msgs.count,
    mention: unread_msgs.mentions.includes(message),
    starred: starred_messages.includes(message),
  }
}

const nothing = { unread: false, count: 0, mention: false, starred: false }
const everything = { unread: true, count: 1, mention: true, starred: true }

const listenToFlags = (by: Person, client_capabilities?: object) =>
  listen(by, { event_types: ['update_message_flags'], client_capabilities })

/** The events, each as operation, flag and messages, after all jobs. */
const flagEvents = async ({ realm }: Stage, listener: Listener) => {
  await waitForJobs(realm)
  return (await listener.events())
    .map(({ op, flag, messages }) => `${op} ${flag} ${(messages as number[]).join()}`)
    .sort()
}

const leave = (by: Person) => ok(by, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
const join = (by: Person, whom: Person) =>
  ok(by, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }], principals: [whom.user_id] })

describe('An archived channel', () => {
  const prepare = async (s: Stage) => {
    const id = await createChannel(s.ada, 'design', [s.ada, s.grace])
    const message = await postMessage(s.ada, 'design', 'logo', '@**Grace** look')
    await star(s.grace, message)
    expect(await counted(s.grace, message)).toEqual(everything)
    return { id, message }
  }
  const archive = (s: Stage, id: number) => ok(s.ada, 'DELETE', `/streams/${id}`)
  const restore = (s: Stage, id: number) => ok(s.ada, 'PATCH', `/streams/${id}`, { is_archived: false })

  test('Nothing in it is unread or starred for a client that is not told of it.', async () => {
    await using s = await setUp()
    const { id, message } = await prepare(s)
    await archive(s, id)
    expect(await counted(s.grace, message)).toEqual(nothing)
    expect(await counted(s.grace, message, told)).toEqual(everything)
    await restore(s, id)
    expect(await counted(s.grace, message)).toEqual(everything)
  })

  test('Events take the messages away from such a client, and bring them back with the channel.', async () => {
    await using s = await setUp()
    const { id, message } = await prepare(s)
    const [listener, toldListener] = [await listenToFlags(s.grace), await listenToFlags(s.grace, told)]
    await archive(s, id)
    expect(await flagEvents(s, listener)).toEqual([`add read ${message}`, `remove starred ${message}`])
    await restore(s, id)
    await waitForJobs(s.realm)
    const [again, starred] = (await listener.events()).sort((a, b) => String(a.flag).localeCompare(String(b.flag)))
    expect(again).toMatchObject({ op: 'remove', flag: 'read', messages: [message] })
    expect(again?.message_details).toEqual({
      [message]: { type: 'stream', mentioned: true, stream_id: id, topic: 'logo', unmuted_stream_msg: true },
    })
    expect(starred).toMatchObject({ op: 'add', flag: 'starred', messages: [message] })
    expect(await flagEvents(s, toldListener)).toEqual([])
  })

  test('A reader without unread or starred messages there gets no event.', async () => {
    await using s = await setUp()
    const { id, message } = await prepare(s)
    for (const reader of [s.ada, s.grace]) await ok(reader, 'POST', '/mark_all_as_read')
    await ok(s.grace, 'POST', '/messages/flags', { messages: [message], op: 'remove', flag: 'starred' })
    const listeners = [await listenToFlags(s.grace), await listenToFlags(s.ada)]
    await archive(s, id)
    await restore(s, id)
    for (const listener of listeners) expect(await flagEvents(s, listener)).toEqual([])
  })

  test('A notice about a change of it is unread for nobody.', async () => {
    await using s = await setUp()
    const { id } = await prepare(s)
    await archive(s, id)
    await waitForJobs(s.realm)
    await updateRealmSettings(s.realm, { send_channel_events_messages: true })
    const listener = await listen(s.grace, { event_types: ['message'] })
    await ok(s.ada, 'PATCH', `/streams/${id}`, { description: 'Shapes' })
    await waitForJobs(s.realm)
    expect(await listener.events()).toMatchObject([{ message: { stream_id: id }, flags: ['read'] }])
  })

  test('What becomes unread or starred in it counts only for clients that are told of it.', async () => {
    await using s = await setUp()
    const { id, message } = await prepare(s)
    await archive(s, id)
    await waitForJobs(s.realm)
    const change = (op: string, flag: string) =>
      ok(s.grace, 'POST', '/messages/flags', { messages: [message], op, flag })
    await change('remove', 'starred')
    await change('add', 'read')
    const [listener, toldListener] = [await listenToFlags(s.grace), await listenToFlags(s.grace, told)]
    await change('add', 'starred')
    await change('remove', 'read')
    expect(await flagEvents(s, listener)).toEqual([])
    expect(await flagEvents(s, toldListener)).toEqual([`add starred ${message}`, `remove read ${message}`])
    expect(await counted(s.grace, message)).toEqual(nothing)
  })
})

describe('A starred message', () => {
  /** Each takes Grace's access to the channel away, and gives it back. */
  const losses: [
    string,
    Record<string, unknown>,
    (s: Stage, id: number) => Promise<unknown>,
    (s: Stage, id: number) => Promise<unknown>,
  ][] = [
    ['leaves a private channel', { invite_only: true }, (s) => leave(s.grace), (s) => join(s.ada, s.grace)],
    [
      'leaves a private channel with protected history',
      { invite_only: true, history_public_to_subscribers: false },
      (s) => leave(s.grace),
      (s) => join(s.ada, s.grace),
    ],
    [
      'is not in a channel that becomes private',
      {},
      async (s, id) => {
        await leave(s.grace)
        await ok(s.ada, 'PATCH', `/streams/${id}`, { is_private: true })
      },
      (s, id) => ok(s.ada, 'PATCH', `/streams/${id}`, { is_private: false }),
    ],
    [
      'becomes a guest outside of a public channel',
      {},
      async (s) => {
        await leave(s.grace)
        await ok(s.owner, 'PATCH', `/users/${s.grace.user_id}`, { role: 600 })
      },
      (s) => ok(s.owner, 'PATCH', `/users/${s.grace.user_id}`, { role: 400 }),
    ],
  ]

  test.each(losses)(
    'It is not counted while its reader cannot reach it: a user who %s.',
    async (_, kind, lose, regain) => {
      await using s = await setUp()
      const id = await createChannel(s.ada, 'design', [s.ada, s.grace], kind)
      const message = await postMessage(s.ada, 'design', 'logo', 'look')
      await star(s.grace, message)
      await ok(s.grace, 'POST', '/mark_all_as_read')
      const [listener, other] = [await listenToFlags(s.grace), await listenToFlags(s.ada)]
      await lose(s, id)
      expect(await counted(s.grace, message)).toEqual(nothing)
      expect(await flagEvents(s, listener)).toEqual([`remove starred ${message}`])
      await regain(s, id)
      expect(await counted(s.grace, message)).toMatchObject({ starred: true })
      expect(await flagEvents(s, listener)).toEqual([`add starred ${message}`])
      expect(await flagEvents(s, other)).toEqual([])
    },
  )

  test('It follows the groups that may read a private channel, and not only its subscribers.', async () => {
    await using s = await setUp()
    const makeGroup = async (name: string, members: number[]) =>
      (await ok(s.owner, 'POST', '/user_groups/create', { name, description: '', members })).group_id
    const [inner, outer] = [await makeGroup('inner', [s.grace.user_id]), await makeGroup('outer', [])]
    const members = (params: object) => ok(s.owner, 'POST', `/user_groups/${inner}/members`, { ...params })
    const subgroups = (params: object) => ok(s.owner, 'POST', `/user_groups/${outer}/subgroups`, { ...params })
    await subgroups({ add: [inner] })
    const options = { invite_only: true, history_public_to_subscribers: true, can_subscribe_group: outer }
    const id = await createChannel(s.ada, 'design', [s.ada], options)
    const setting = (group: number) => ok(s.ada, 'PATCH', `/streams/${id}`, { can_subscribe_group: { new: group } })
    const message = await postMessage(s.ada, 'design', 'logo', 'look')
    await star(s.grace, message)
    const listener = await listenToFlags(s.grace)
    for (const [lose, regain] of [
      [() => members({ delete: [s.grace.user_id] }), () => members({ add: [s.grace.user_id] })],
      [() => subgroups({ delete: [inner] }), () => subgroups({ add: [inner] })],
      [() => setting(SystemGroup.nobody), () => setting(outer)],
    ] as const) {
      expect(await counted(s.grace, message)).toMatchObject({ starred: true })
      await lose()
      expect(await counted(s.grace, message)).toMatchObject({ starred: false })
      expect(await flagEvents(s, listener)).toEqual([`remove starred ${message}`])
      await regain()
      expect(await flagEvents(s, listener)).toEqual([`add starred ${message}`])
    }
  })

  test('Leaving and joining a public channel changes nothing about it.', async () => {
    await using s = await setUp()
    await createChannel(s.ada, 'design', [s.ada, s.grace])
    const message = await postMessage(s.ada, 'design', 'logo', 'look')
    await star(s.grace, message)
    await ok(s.grace, 'POST', '/mark_all_as_read')
    const listener = await listenToFlags(s.grace)
    await leave(s.grace)
    expect(await counted(s.grace, message)).toMatchObject({ starred: true })
    await join(s.grace, s.grace)
    expect(await flagEvents(s, listener)).toEqual([])
  })
})
