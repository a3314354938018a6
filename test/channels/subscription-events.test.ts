/** The events that users receive when a user joins or leaves a channel, and their order. */
import { describe, expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { Role } from '../../src/domain/log/rows.js'
import { sendMessage } from '../../src/store/messages/sending/send-message.js'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateChannelRow, updateRealmSettings, updateUserRow, withWriteContext } from '../setup/realm/row-changes.js'

const about = { event_types: ['stream', 'subscription', 'default_streams', 'update_message_flags'] }

type Name = 'owner' | 'ada' | 'grace' | 'linus' | 'guest'

/** Creates an organization in which every user has an event queue from the beginning. */
const setUp = async (names: readonly Name[] = ['owner', 'ada', 'grace', 'linus', 'guest']) => {
  const realm = await newRealm()
  const roles: Partial<Record<Name, number>> = { owner: Role.owner, guest: Role.guest }
  const list = await realm.people(...names.map((name) => ({ full_name: name, role: roles[name] ?? Role.member })))
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const people = Object.fromEntries(names.map((name, i) => [name, list[i]])) as Record<Name, Person>
  const listening = names.map(async (name) => [name, await listen(people[name], about)])
  const listeners = Object.fromEntries(await Promise.all(listening)) as Record<Name, Listener>
  const receivedTypes = async () =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, (await listeners[name].eventNames()).join(' ')])),
    )
  return { realm, people, listeners, receivedTypes, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const ids = (...people: Person[]) => people.map(({ user_id }) => user_id)
const subscribe = (person: Person, name: string, params: Record<string, unknown> = {}) =>
  ok(person, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
const unsubscribe = (person: Person, name: string, params: Record<string, unknown> = {}) =>
  ok(person, 'DELETE', '/users/me/subscriptions', { subscriptions: [name], ...params })

describe('Joining a channel', () => {
  test('For a new public channel, subscribers receive add, other members receive peer_add, and guests receive nothing.', async () => {
    await using s = await setUp()
    const { ada, grace } = s.people
    await subscribe(ada, 'design', { principals: ids(ada, grace) })
    expect(await s.receivedTypes()).toEqual({
      owner: 'stream/create subscription/peer_add',
      ada: 'stream/create subscription/add',
      grace: 'stream/create subscription/add',
      linus: 'stream/create subscription/peer_add',
      guest: '',
    })
  })

  test('Only users with access to a new private channel receive events about it.', async () => {
    await using s = await setUp()
    const { ada, grace, guest } = s.people
    await subscribe(ada, 'secret', { principals: ids(grace, guest), invite_only: true })
    expect(await s.receivedTypes()).toEqual({
      owner: 'stream/create subscription/peer_add',
      // Ada administers the channel that she created, so she has access to it without being subscribed.
      ada: 'stream/create subscription/peer_add',
      grace: 'stream/create subscription/add',
      linus: '',
      guest: 'stream/create subscription/add',
    })
  })

  test('Members and guests receive a new web-public channel.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { enable_spectator_access: true })
    await subscribe(s.people.owner, 'open', { is_web_public: true })
    expect(await s.receivedTypes()).toMatchObject({
      owner: 'stream/create subscription/add',
      ada: 'stream/create subscription/peer_add',
      guest: 'stream/create subscription/peer_add',
    })
  })

  test('A channel that becomes visible to a user arrives with the subscribers it had until then.', async () => {
    await using s = await setUp()
    const { ada, grace, linus } = s.people
    await subscribe(ada, 'secret', { principals: ids(ada, grace), invite_only: true })
    await subscribe(ada, 'secret', { principals: ids(linus) })
    const counts = (events: WireEvent[]) =>
      events.flatMap(({ streams, subscriptions, user_ids }) => {
        const objects = (streams ?? subscriptions) as { subscriber_count: number }[] | undefined
        return objects?.map(({ subscriber_count }) => `${subscriber_count}`) ?? [`+${(user_ids as number[]).length}`]
      })
    expect(counts(await s.listeners.owner.events())).toEqual(['0', '+2', '+1'])
    expect(counts(await s.listeners.grace.events())).toEqual(['0', '2', '+1'])
    expect(counts(await s.listeners.linus.events())).toEqual(['2', '3'])
  })

  test('The list of default channels arrives before the subscriptions of a new default channel.', async () => {
    await using s = await setUp()
    await subscribe(s.people.owner, 'news', { is_default_stream: true })
    expect(await s.receivedTypes()).toMatchObject({
      owner: 'stream/create default_streams subscription/add',
      ada: 'stream/create default_streams subscription/peer_add',
      guest: '',
    })
  })

  test('A guest who joins an existing public channel receives stream/create first.', async () => {
    await using s = await setUp()
    const { ada, linus, guest } = s.people
    await subscribe(ada, 'design')
    await s.receivedTypes()
    await subscribe(ada, 'design', { principals: ids(linus, guest) })
    expect(await s.receivedTypes()).toEqual({
      owner: 'subscription/peer_add',
      ada: 'subscription/peer_add',
      grace: 'subscription/peer_add',
      linus: 'subscription/add',
      guest: 'stream/create subscription/add',
    })
  })

  test('A user who joins a private channel they already have access to receives no stream/create.', async () => {
    await using s = await setUp()
    const { ada, grace, linus, owner } = s.people
    await subscribe(ada, 'secret', {
      invite_only: true,
      can_subscribe_group: { direct_members: ids(linus), direct_subgroups: [] },
    })
    expect(await s.receivedTypes()).toMatchObject({ linus: 'stream/create subscription/peer_add', grace: '' })
    await subscribe(ada, 'secret', { principals: ids(grace, linus, owner) })
    expect(await s.receivedTypes()).toEqual({
      owner: 'subscription/add',
      ada: 'subscription/peer_add',
      grace: 'stream/create subscription/add',
      linus: 'subscription/add',
      guest: '',
    })
  })

  test('A subscription/add event contains the channel with all of its subscribers.', async () => {
    await using s = await setUp()
    const { ada, grace } = s.people
    await subscribe(ada, 'design')
    await s.receivedTypes()
    await subscribe(grace, 'design')
    const [added] = await s.listeners.grace.events()
    const { subscriptions } = await ok(grace, 'GET', '/users/me/subscriptions', {
      include_subscribers: true,
    })
    expect(added).toMatchObject({ type: 'subscription', op: 'add', subscriptions })
    expect(subscriptions).toMatchObject([{ subscribers: ids(ada, grace), subscriber_count: 2 }])
    const [peer] = await s.listeners.ada.events()
    expect(peer).toMatchObject({ op: 'peer_add', stream_ids: [1], user_ids: ids(grace) })
  })

  test('Joining several channels sends peers one event per audience, and a guest hears only of their own channel.', async () => {
    await using s = await setUp()
    const { ada, guest } = s.people
    for (const name of ['a', 'b', 'c']) await subscribe(ada, name)
    await subscribe(ada, 'c', { principals: ids(guest) })
    await s.receivedTypes()
    const names = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
    await ok(s.people.grace, 'POST', '/users/me/subscriptions', { subscriptions: names })
    const events = await s.listeners.linus.events()
    expect(events.map(({ stream_ids }) => stream_ids)).toEqual([[1, 2], [3]])
    const received = await s.listeners.guest.events()
    expect(received.map(({ stream_ids }) => stream_ids)).toEqual([[3]])
    const own = await s.listeners.grace.events()
    expect(own.map(({ subscriptions }) => (subscriptions as { name: string }[]).map(({ name }) => name))).toEqual([
      ['a', 'b', 'c'],
    ])
  })

  test('Only clients with the archived_channels capability receive that a user joined an archived channel.', async () => {
    await using s = await setUp(['ada', 'grace'])
    const { ada, grace } = s.people
    await subscribe(ada, 'old')
    await updateChannelRow(s.realm, 'old', { is_archived: true })
    await s.receivedTypes()
    const capable = { ...about, client_capabilities: { notification_settings_null: true, archived_channels: true } }
    const listener = await listen(grace, capable)
    await subscribe(grace, 'old')
    expect(await s.receivedTypes()).toEqual({ ada: '', grace: '' })
    expect(await listener.eventNames()).toEqual(['subscription/add'])
  })
})

describe('Leaving a channel', () => {
  test('When users leave a public channel, members receive peer_remove, and a guest who left receives stream/delete.', async () => {
    await using s = await setUp()
    const { owner, ada, grace, guest } = s.people
    await subscribe(ada, 'design', { principals: ids(ada, grace, guest) })
    await s.receivedTypes()
    await unsubscribe(owner, 'design', { principals: ids(grace, guest) })
    expect(await s.receivedTypes()).toEqual({
      owner: 'subscription/peer_remove',
      ada: 'subscription/peer_remove',
      grace: 'subscription/remove',
      linus: 'subscription/peer_remove',
      guest: 'subscription/remove stream/delete',
    })
  })

  test('A user who leaves a private channel and has no other access to it receives stream/delete.', async () => {
    await using s = await setUp()
    const { owner, ada, grace, linus } = s.people
    await subscribe(ada, 'secret', { principals: ids(owner, ada, grace, linus), invite_only: true })
    await s.receivedTypes()
    await unsubscribe(ada, 'secret', { principals: ids(ada, grace, owner) })
    expect(await s.receivedTypes()).toEqual({
      owner: 'subscription/remove',
      ada: 'subscription/remove',
      grace: 'subscription/remove stream/delete',
      linus: 'subscription/peer_remove',
      guest: '',
    })
  })

  test('The user who left receives the channel name, and stream/delete lists the channel ID in both forms.', async () => {
    await using s = await setUp()
    const { ada, grace } = s.people
    await subscribe(ada, 'secret', { principals: ids(ada, grace), invite_only: true })
    await s.receivedTypes()
    await unsubscribe(grace, 'secret')
    const [removed, deleted] = await s.listeners.grace.events()
    expect(removed).toMatchObject({ op: 'remove', subscriptions: [{ stream_id: 1, name: 'secret' }] })
    expect(deleted).toMatchObject({ op: 'delete', streams: [{ stream_id: 1 }], stream_ids: [1] })
  })

  test('Unread messages of a channel are marked as read for the user who left it.', async () => {
    await using s = await setUp(['ada', 'grace', 'linus'])
    const { ada, grace, linus } = s.people
    await subscribe(ada, 'design', { principals: ids(ada, grace, linus) })
    const postMessage = (content: string) =>
      withWriteContext(s.realm, async (context) => {
        const { state } = s.realm.realm
        const sender = state.users.get(ada.user_id)
        if (sender === undefined) throw new Error('who is she?')
        return sendMessage(context, {
          sender,
          to: { channel: 'design', topic: 't' },
          content,
          client: 'test',
        })
      })
    const first = await postMessage('one')
    await unsubscribe(linus, 'design')
    await subscribe(linus, 'design')
    const second = await postMessage('two')
    await s.receivedTypes()
    await unsubscribe(grace, 'design')
    await unsubscribe(linus, 'design')
    await waitForJobs(s.realm, 10_000)

    const flags = (events: WireEvent[]) =>
      events.filter(({ type }) => type === 'update_message_flags').map(({ flag, messages }) => [flag, messages])
    expect(flags(await s.listeners.grace.events())).toEqual([['read', [first.id, second.id]]])
    // The message that Linus left unread the first time was marked as read then or is marked now, but not twice.
    const linusRead = flags(await s.listeners.linus.events()).flatMap(([, messages]) => messages as number[])
    expect(linusRead.at(-1)).toBe(second.id)
    expect(new Set(linusRead).size).toBe(linusRead.length)
    expect(flags(await s.listeners.ada.events())).toEqual([])
  })
})

test('Every event of joining and leaving matches the schema that its kind declares.', async () => {
  await using s = await setUp()
  const { owner, ada, grace, guest } = s.people
  await subscribe(ada, 'design', { principals: ids(ada, grace, guest) })
  await subscribe(owner, 'news', { is_default_stream: true })
  await unsubscribe(owner, 'design', { principals: ids(guest, grace) })
  await updateUserRow(s.realm, grace.user_id, { full_name: 'Grace Hopper' })
  const kinds = [...entryKinds.values()]
  for (const listener of Object.values(s.listeners)) {
    for (const { id: _, ...event } of await listener.events()) {
      const fitting = kinds.filter((kind) => kind.type === event.type && kind.event.safeParse(event).success)
      expect(fitting.length, JSON.stringify(event)).toBeGreaterThan(0)
    }
  }
})
