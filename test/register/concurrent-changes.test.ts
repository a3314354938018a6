/**
 * The guarantee of a registration: its snapshot, with the events of its queue applied as a client applies them,
 * equals a snapshot taken now. Registrations run on all gateways while all gateways make changes.
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import { readWritten } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'

const ask = {
  fetch_event_types: ['realm_user', 'realm_user_groups', 'subscription', 'message', 'update_message_flags'],
  event_types: ['realm_user', 'user_group', 'subscription', 'stream', 'message', 'update_message_flags'],
  include_subscribers: true,
  client_capabilities: { notification_settings_null: true, empty_topic_name: true },
}

const register = async (person: Person) => registry.register.response.parse(await ok(person, 'POST', '/register', ask))

type Snapshot = Awaited<ReturnType<typeof register>>

/** What a client keeps: the part of the state that the events of this test change. */
interface Kept {
  users: Map<number, string>
  groups: Map<number, Set<number>>
  /** the subscribers and the name of every channel that the client knows, by channel id */
  channels: Map<number, { name: string; subscribers: Set<number> }>
  mine: Set<number>
  unread: Set<number>
}

const clientState = (snapshot: Snapshot): Kept => {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [], unread_msgs } = snapshot
  const channels = [...subscriptions, ...unsubscribed, ...never_subscribed]
  const unread = [...(unread_msgs?.pms ?? []), ...(unread_msgs?.streams ?? []), ...(unread_msgs?.huddles ?? [])]
  return {
    users: new Map(snapshot.realm_users?.map((user) => [user.user_id, user.full_name])),
    groups: new Map(snapshot.realm_user_groups?.map((group) => [group.id, new Set(group.members)])),
    channels: new Map(
      channels.map(({ stream_id, name, subscribers }) => [stream_id, { name, subscribers: new Set(subscribers) }]),
    ),
    mine: new Set(subscriptions.map(({ stream_id }) => stream_id)),
    unread: new Set(unread.flatMap(({ unread_message_ids }) => unread_message_ids)),
  }
}

interface Stream {
  stream_id: number
  name: string
  subscribers: number[]
}

const apply = (self: Person, state: Kept, event: WireEvent): void => {
  const { user_ids, stream_ids, subscriptions, streams } = event as unknown as {
    user_ids: number[]
    stream_ids: number[]
    subscriptions: Stream[]
    streams: Stream[]
  }
  switch (`${event.type}/${event.op ?? ''}`) {
    case 'realm_user/add': {
      const { user_id, full_name } = event.person as { user_id: number; full_name: string }
      expect(state.users.has(user_id)).toBe(false)
      state.users.set(user_id, full_name)
      break
    }
    case 'user_group/add_members':
      for (const id of user_ids) state.groups.get(event.group_id as number)?.add(id)
      break
    case 'stream/create':
      for (const { stream_id, name } of streams) state.channels.set(stream_id, { name, subscribers: new Set() })
      break
    case 'subscription/add':
      for (const { stream_id, name, subscribers } of subscriptions) {
        state.mine.add(stream_id)
        state.channels.set(stream_id, { name, subscribers: new Set(subscribers) })
      }
      break
    case 'subscription/remove':
      for (const { stream_id } of subscriptions) {
        state.mine.delete(stream_id)
        state.channels.get(stream_id)?.subscribers.delete(self.user_id)
      }
      break
    case 'subscription/peer_add':
      for (const id of stream_ids) for (const user_id of user_ids) state.channels.get(id)?.subscribers.add(user_id)
      break
    case 'subscription/peer_remove':
      for (const id of stream_ids) for (const user_id of user_ids) state.channels.get(id)?.subscribers.delete(user_id)
      break
    case 'message/': {
      const { id } = event.message as { id: number }
      expect(state.unread.has(id)).toBe(false)
      if (!(event.flags as string[]).includes('read')) state.unread.add(id)
      break
    }
    case 'update_message_flags/add':
      for (const id of event.messages as number[]) state.unread.delete(id)
      break
    default:
      throw new Error(`no client can apply ${JSON.stringify(event)}`)
  }
}

/** Every event that the queue contains now. */
const readQueue = async (person: Person, { queue_id, last_event_id }: Snapshot): Promise<WireEvent[]> => {
  const cursor = { queue_id: queue_id as string, last_event_id: last_event_id as number }
  return (await readWritten(person, cursor)).filter(({ type }) => type !== 'heartbeat')
}

const toSortedLists = (state: Kept) => ({
  users: [...state.users].sort(([a], [b]) => a - b),
  groups: [...state.groups].map(([id, members]) => [id, [...members].sort((a, b) => a - b)]),
  channels: [...state.channels]
    .map(([id, { name, subscribers }]) => [id, name, [...subscribers].sort((a, b) => a - b)] as const)
    .sort(([a], [b]) => a - b),
  mine: [...state.mine].sort((a, b) => a - b),
})

const unreadAmong = (state: Kept, ids: readonly number[]) =>
  [...state.unread].filter((id) => ids.includes(id)).sort((a, b) => a - b)

test('A snapshot taken during concurrent changes, with its events applied, equals the snapshot at the end.', async () => {
  await using realm = await newRealm()
  const [owner, ada, grace] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
  )) as [Person, Person, Person]
  const subscribe = (person: Person, name: string, ...others: Person[]) =>
    ok(person, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      ...(others.length === 0 ? {} : { principals: others.map(({ user_id }) => user_id) }),
      send_new_subscription_messages: false,
    })
  const sent: number[] = []
  const post = async (person: Person, params: Record<string, unknown>) => {
    sent.push((await ok(person, 'POST', '/messages', { content: 'hello', ...params })).id)
  }
  await subscribe(owner, 'general', owner, ada, grace)

  const work = [
    ...Array.from({ length: 6 }, (_, i) => async () => {
      const person = { email: `new${i}@example.com`, full_name: `Newcomer ${i}`, password: `a modern prometheus ${i}` }
      await ok(owner, 'POST', '/users', person)
    }),
    ...Array.from({ length: 6 }, (_, i) => () => subscribe([ada, grace][i % 2] as Person, `channel ${i}`)),
    ...Array.from({ length: 4 }, (_, i) => () => subscribe(owner, `together ${i}`, ada, grace)),
    ...Array.from(
      { length: 20 },
      (_, i) => () => post([ada, grace, owner][i % 3] as Person, { type: 'stream', to: 'general', topic: `t${i % 4}` }),
    ),
    ...Array.from(
      { length: 8 },
      (_, i) => () => post([ada, grace][i % 2] as Person, { type: 'direct', to: [[grace, ada][i % 2]?.user_id] }),
    ),
    async () => {
      await subscribe(grace, 'left')
      await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    },
  ].sort(() => Math.random() - 0.5)

  const registered: { person: Person; snapshot: Snapshot }[] = []
  const watching = async (person: Person) => {
    for (let i = 0; i < 12; i++) registered.push({ person, snapshot: await register(person) })
  }
  const working = async () => {
    for (let next = work.pop(); next !== undefined; next = work.pop()) await next()
  }
  await Promise.all([working(), working(), working(), watching(ada), watching(grace), watching(owner)])

  for (const person of [ada, grace, owner]) {
    const now = clientState(await register(person))
    for (const { snapshot } of registered.filter((each) => each.person === person)) {
      const state = clientState(snapshot)
      for (const event of await readQueue(person, snapshot)) apply(person, state, event)
      expect(toSortedLists(state)).toEqual(toSortedLists(now))
      // Messages of the Notification Bot arrive whenever the workers send them, so only the test's own messages are
      // compared.
      expect(unreadAmong(state, sent)).toEqual(unreadAmong(now, sent))
    }
  }
}, 60_000)
