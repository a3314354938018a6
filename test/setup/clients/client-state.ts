/**
 * The state of a client: the snapshot of its registration, updated with events as existing clients do
 * (protocol/events.md 3).
 *
 * It is written from the protocol's description of clients and shares no code with the server. `known` makes two states
 * comparable: lists whose order has no meaning become maps or sorted lists.
 */
import type { WireEvent } from '../realm/event-reader.js'

type Row = Record<string, unknown>
type ById = Map<number, Row>

interface Unread {
  count: number
  pms: { other_user_id: number; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  mentions: number[]
}

/** The state, with a method that applies an event. */
export class ClientState {
  readonly users: ById
  readonly streams: ById
  readonly subscriptions: ById
  readonly unsubscribed: ById
  readonly neverSubscribed: ById
  readonly groups: ById
  readonly folders: ById
  defaultStreams: number[]
  /** undefined: the newest message was deleted, and no event names the new maximum */
  maxMessageId: number | undefined
  /** the topic or conversation of each unread message */
  readonly unread = new Map<number, string>()
  readonly mentions: Set<number>
  readonly starred: Set<number>
  readonly user_id: number
  /** Without the capability, a registration has a value where events have null for "as in my settings". */
  readonly #takesNull: boolean

  constructor(snapshot: Row, takesNull: boolean) {
    this.#takesNull = takesNull
    const list = (key: string) => (snapshot[key] ?? []) as Row[]
    this.user_id = snapshot.user_id as number
    this.users = byId('user_id', [...list('realm_users'), ...list('realm_non_active_users')])
    for (const user of list('realm_users')) user.is_active = true
    for (const user of list('realm_non_active_users')) user.is_active = false
    this.streams = byId('stream_id', list('streams'))
    this.subscriptions = byId('stream_id', list('subscriptions'))
    this.unsubscribed = byId('stream_id', list('unsubscribed'))
    this.neverSubscribed = byId('stream_id', list('never_subscribed'))
    this.groups = byId('id', list('realm_user_groups'))
    this.folders = byId('id', list('channel_folders'))
    this.defaultStreams = snapshot.realm_default_streams as number[]
    this.maxMessageId = snapshot.max_message_id as number
    const unread = snapshot.unread_msgs as Unread
    for (const { stream_id, topic, unread_message_ids } of unread.streams) {
      for (const id of unread_message_ids) this.unread.set(id, `${stream_id} ${topic}`)
    }
    for (const { other_user_id, unread_message_ids } of unread.pms) {
      const all = [...new Set([other_user_id, this.user_id])].sort((a, b) => a - b)
      for (const id of unread_message_ids) this.unread.set(id, all.join())
    }
    for (const { user_ids_string, unread_message_ids } of unread.huddles) {
      for (const id of unread_message_ids) this.unread.set(id, user_ids_string)
    }
    this.mentions = new Set(unread.mentions)
    this.starred = new Set(snapshot.starred_messages as number[])
  }

  /** Whether events of this kind change the state. */
  static knows(event: WireEvent): boolean {
    return nameOf(event) in handlers
  }

  apply(event: WireEvent): void {
    const handler = handlers[nameOf(event)]
    if (handler === undefined) throw new Error(`a client would not know what to do with ${JSON.stringify(event)}`)
    handler(this, event as WireEvent & Record<string, never>)
  }

  /** Converts a subscription of an event to the form of the registration (protocol/events.md 2.2). */
  registered(subscription: Row): Row {
    if (this.#takesNull) return subscription
    const inherited = notifications.filter((key) => subscription[key] === null).map((key) => [key, false])
    return { ...subscription, ...Object.fromEntries(inherited) }
  }

  /** Finds the records of a channel in all lists. */
  ofChannel(stream_id: number): Row[] {
    return [this.streams, this.subscriptions, this.unsubscribed, this.neverSubscribed].flatMap((list) => {
      const row = list.get(stream_id)
      return row === undefined ? [] : [row]
    })
  }

  /** The whole state, in a comparable form. */
  known(): Record<string, unknown> {
    const map = (rows: ById, hidden?: string) =>
      Object.fromEntries([...rows].sort(([a], [b]) => a - b).map(([id, row]) => [id, sorted(row, hidden)]))
    // Only subscribers receive the first message of an empty channel. Other clients learn its id when they register.
    const unheard = 'first_message_id'
    // No event says that a user was subscribed before, or with which settings, when they can see a channel again.
    const others = new Map([
      ...this.neverSubscribed,
      ...[...this.unsubscribed].map(([id, row]) => [id, bare(row)] as const),
    ])
    return {
      users: map(this.users),
      streams: map(this.streams, unheard),
      subscriptions: map(this.subscriptions),
      notSubscribed: map(others, unheard),
      groups: map(this.groups),
      folders: map(this.folders),
      defaultStreams: [...this.defaultStreams].sort((a, b) => a - b),
      maxMessageId: this.maxMessageId,
      unread: Object.fromEntries([...this.unread].sort(([a], [b]) => a - b)),
      mentions: [...this.mentions].filter((id) => this.unread.has(id)).sort((a, b) => a - b),
      starred: [...this.starred].sort((a, b) => a - b),
    }
  }
}

const nameOf = ({ type, op }: WireEvent): string => (op === undefined ? type : `${type}/${op}`)

/** Settings that are false for a new account. */
const notifications = ['desktop_notifications', 'audible_notifications', 'push_notifications', 'email_notifications']

const personal = [...['color', 'is_muted', 'in_home_view', 'pin_to_top', 'wildcard_mentions_notify'], ...notifications]

const bare = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([key]) => !personal.includes(key)))

const byId = (key: string, rows: Row[]): ById => new Map(rows.map((row) => [row[key] as number, row]))

const sets = ['subscribers', 'members', 'direct_subgroup_ids']

const sorted = (row: Row, hidden?: string): Row => {
  const copy = { ...row }
  if (hidden !== undefined) delete copy[hidden]
  for (const key of sets) {
    if (Array.isArray(copy[key])) copy[key] = [...(copy[key] as number[])].sort((a, b) => a - b)
  }
  return copy
}

// Events are read by key, as clients do. Other tests check their schemas.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Handler = (client: ClientState, event: any) => void

const handlers: Record<string, Handler> = {
  'realm_user/add': ({ users }, { person }) => void users.set(person.user_id, { ...person }),
  'realm_user/update': ({ users }, { person }) => {
    const user = users.get(person.user_id)
    if (user === undefined) throw new Error(`an update of unknown user ${person.user_id}`)
    const { new_email, user_id: _, ...rest } = person
    Object.assign(user, rest, new_email === undefined ? {} : { email: new_email })
  },
  'realm_user/remove': ({ users }, { person }) => void users.delete(person.user_id),
  'realm_bot/add': () => {},
  'realm_bot/update': () => {},
  realm_export_consent: () => {},
  'stream/create': (client, { streams }) => {
    for (const stream of streams) {
      client.streams.set(stream.stream_id, { ...stream })
      if (client.subscriptions.has(stream.stream_id)) continue
      client.neverSubscribed.set(stream.stream_id, { ...stream, subscribers: [] })
    }
  },
  'stream/delete': (client, { stream_ids }) => {
    for (const id of stream_ids) {
      for (const list of [client.streams, client.subscriptions, client.unsubscribed, client.neverSubscribed]) {
        list.delete(id)
      }
    }
  },
  'stream/update': (client, { stream_id, property, value, ...more }) => {
    for (const row of client.ofChannel(stream_id)) {
      row[property] = value
      for (const key of ['rendered_description', 'history_public_to_subscribers', 'is_web_public']) {
        if (key in more) row[key] = more[key]
      }
    }
  },
  'subscription/add': (client, { subscriptions }) => {
    for (const { ...subscription } of subscriptions) {
      const { stream_id } = subscription
      client.subscriptions.set(stream_id, client.registered(subscription))
      client.unsubscribed.delete(stream_id)
      client.neverSubscribed.delete(stream_id)
      const stream = client.streams.get(stream_id)
      if (stream === undefined) throw new Error(`subscribed to unknown channel ${stream_id}`)
      stream.subscriber_count = subscription.subscriber_count
    }
  },
  'subscription/remove': (client, { subscriptions }) => {
    for (const { stream_id } of subscriptions) {
      const subscription = client.subscriptions.get(stream_id)
      if (subscription === undefined) throw new Error(`unsubscribed from ${stream_id} without being subscribed`)
      client.subscriptions.delete(stream_id)
      client.unsubscribed.set(stream_id, subscription)
      for (const row of client.ofChannel(stream_id)) leave(row, client.user_id)
    }
  },
  'subscription/update': ({ subscriptions }, { stream_id, property, value }) => {
    const subscription = subscriptions.get(stream_id)
    if (subscription !== undefined) subscription[property] = value
  },
  'subscription/peer_add': (client, { stream_ids, user_ids }) => {
    for (const id of stream_ids) for (const row of client.ofChannel(id)) for (const user of user_ids) join(row, user)
  },
  'subscription/peer_remove': (client, { stream_ids, user_ids }) => {
    for (const id of stream_ids) for (const row of client.ofChannel(id)) for (const user of user_ids) leave(row, user)
  },
  'channel_folder/add': ({ folders }, { channel_folder }) => void folders.set(channel_folder.id, { ...channel_folder }),
  'channel_folder/update': ({ folders }, { channel_folder_id, data }) =>
    void Object.assign(folders.get(channel_folder_id) ?? {}, data),
  'channel_folder/reorder': ({ folders }, { order }) => {
    for (const [place, id] of order.entries()) Object.assign(folders.get(id) ?? {}, { order: place })
  },
  default_streams: (client, { default_streams }) => {
    client.defaultStreams = default_streams
  },
  'user_group/add': ({ groups }, { group }) => void groups.set(group.id, { ...group }),
  'user_group/remove': ({ groups }, { group_id }) => void groups.delete(group_id),
  'user_group/update': ({ groups }, { group_id, data }) => void Object.assign(groups.get(group_id) ?? {}, data),
  'user_group/add_members': ({ groups }, { group_id, user_ids }) => {
    const group = groups.get(group_id)
    if (group !== undefined) group.members = [...new Set([...(group.members as number[]), ...user_ids])]
  },
  'user_group/remove_members': ({ groups }, { group_id, user_ids }) => {
    const group = groups.get(group_id)
    if (group !== undefined) group.members = (group.members as number[]).filter((id) => !user_ids.includes(id))
  },
  'user_group/add_subgroups': ({ groups }, { group_id, direct_subgroup_ids }) => {
    const group = groups.get(group_id)
    if (group === undefined) return
    group.direct_subgroup_ids = [...new Set([...(group.direct_subgroup_ids as number[]), ...direct_subgroup_ids])]
  },
  'user_group/remove_subgroups': ({ groups }, { group_id, direct_subgroup_ids }) => {
    const group = groups.get(group_id)
    if (group === undefined) return
    const left = (group.direct_subgroup_ids as number[]).filter((id) => !direct_subgroup_ids.includes(id))
    group.direct_subgroup_ids = left
  },
  message: (client, { message, flags }) => {
    client.maxMessageId = Math.max(client.maxMessageId ?? 0, message.id)
    if (message.type === 'stream') {
      for (const row of client.ofChannel(message.stream_id)) row.first_message_id ??= message.id
    }
    if (flags.includes('read')) return
    const place =
      message.type === 'stream'
        ? `${message.stream_id} ${message.subject}`
        : message.display_recipient
            .map((person: { id: number }) => person.id)
            .sort((a: number, b: number) => a - b)
            .join()
    client.unread.set(message.id, place)
    if (flags.some((flag: string) => flag.endsWith('mentioned'))) client.mentions.add(message.id)
  },
  'update_message_flags/add': ({ unread, starred }, { flag, messages, all }) => {
    if (flag === 'starred') for (const id of messages) starred.add(id)
    if (flag !== 'read') return
    if (all) unread.clear()
    for (const id of messages) unread.delete(id)
  },
  'update_message_flags/remove': (client, { flag, messages, message_details }) => {
    if (flag === 'starred') for (const id of messages) client.starred.delete(id)
    if (flag !== 'read') return
    for (const id of messages) {
      const { stream_id, topic, user_ids, mentioned } = message_details[id]
      const people = () => [...user_ids, client.user_id].sort((a: number, b: number) => a - b)
      client.unread.set(id, stream_id === undefined ? people().join() : `${stream_id} ${topic}`)
      if (mentioned) client.mentions.add(id)
      else client.mentions.delete(id)
    }
  },
  update_message: (client, { message_id, message_ids, flags, content, stream_id, ...moved }) => {
    const { new_stream_id = stream_id, orig_subject, subject = orig_subject } = moved
    for (const id of message_ids) {
      if (orig_subject !== undefined && client.unread.has(id)) client.unread.set(id, `${new_stream_id} ${subject}`)
    }
    if (content === undefined) return
    if (flags.some((flag: string) => flag.endsWith('mentioned'))) client.mentions.add(message_id)
    else client.mentions.delete(message_id)
  },
  delete_message: (client, { message_ids, message_id }) => {
    for (const id of message_ids ?? [message_id]) {
      client.unread.delete(id)
      client.mentions.delete(id)
      client.starred.delete(id)
      if (id === client.maxMessageId) client.maxMessageId = undefined
    }
  },
  restore_message: (client) => {
    client.maxMessageId = undefined
  },
  'reaction/add': () => {},
  'reaction/remove': () => {},
  // Another test checks the visibility policies of topics (personal-data-consistency.test.ts).
  user_topic: () => {},
  muted_topics: () => {},
}

const subscribersOf = (row: Row): number[] | undefined => row.subscribers as number[] | undefined

/**
 * No event contains `subscriber_count`: clients compute it from subscriptions and their ends (protocol/events.md 3.2).
 */
const join = (row: Row, user_id: number): void => {
  const subscribers = subscribersOf(row)
  if (subscribers?.includes(user_id)) return
  if (subscribers !== undefined) row.subscribers = [...subscribers, user_id]
  row.subscriber_count = (row.subscriber_count as number) + 1
}

const leave = (row: Row, user_id: number): void => {
  const subscribers = subscribersOf(row)
  if (subscribers !== undefined) {
    if (!subscribers.includes(user_id)) return
    row.subscribers = subscribers.filter((id) => id !== user_id)
  }
  row.subscriber_count = (row.subscriber_count as number) - 1
}
