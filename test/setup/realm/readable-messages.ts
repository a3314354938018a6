/**
 * A model of which users may read which messages: written from the protocol's description (protocol/messages.md 2.4 and
 * 4.4), from the subscriptions, channels and roles in the tables. It shares no code with the server's rules.
 *
 * It keeps the set of users who hold a record of each message, as if there were one row per recipient.
 */
import type { TestRealm } from './realm.js'

interface ChannelFacts {
  id: number
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  can_add_subscribers_group: unknown
  can_subscribe_group: unknown
}

interface MessageFacts {
  id: number
  channel_id: number | null
  topic: string
  /** of a direct message */
  participants: number[] | null
}

/** The facts of the organization at one moment. */
interface Facts {
  channels: Map<number, ChannelFacts>
  /** channel id, user id */
  subscribers: Set<string>
  roles: Map<number, number>
  messages: Map<number, MessageFacts>
}

/** The weakest role in each system group that this model supports. Group 1 has no members. */
const weakest: Record<string, number> = { '1': 0, '3': 200, '4': 300 }

const load = async ({ sql, realm_id }: TestRealm): Promise<Facts> => {
  const [channels, subscribers, users, messages] = await Promise.all([
    sql<ChannelFacts[]>`
      select id, invite_only, is_web_public, history_public_to_subscribers, can_add_subscribers_group,
        can_subscribe_group
      from channels where realm_id = ${realm_id}`,
    sql<{ user_id: number; channel_id: number }[]>`
      select user_id, channel_id from subscriptions where realm_id = ${realm_id} and active`,
    sql<{ id: number; role: number }[]>`select id, role from users where realm_id = ${realm_id}`,
    sql<MessageFacts[]>`
      select id, channel_id, topic, (
        select array_agg(d.user_id) from dm_members d where d.realm_id = m.realm_id and d.dm_id = m.dm_id
      ) as participants
      from messages m where realm_id = ${realm_id} order by id`,
  ])
  return {
    channels: new Map(channels.map((one) => [one.id, one])),
    subscribers: new Set(subscribers.map(({ user_id, channel_id }) => `${channel_id} ${user_id}`)),
    roles: new Map(users.map(({ id, role }) => [id, role])),
    messages: new Map(messages.map((one) => [one.id, one])),
  }
}

/** The model of one organization. `reload` follows each change of it. */
export class ReadableMessages {
  readonly #realm: TestRealm
  #now: Facts = { channels: new Map(), subscribers: new Set(), roles: new Map(), messages: new Map() }
  #before = this.#now
  /** users who hold a record of the message */
  readonly #holders = new Map<number, Set<number>>()
  /** the same before the last change, where it differs */
  readonly #heldBefore = new Map<number, Set<number>>()
  /** what a user could read at some time: message ids and topics */
  readonly #knew = new Map<number, Set<string>>()

  /** recipients of a message who are not subscribed */
  readonly #sentBeside = new Map<number, number[]>()
  /** messages that were once in a channel that every member can read */
  readonly #public = new Set<number>()
  /** the channels with shared history in which a message once was */
  readonly #sharedIn = new Map<number, Set<number>>()

  constructor(realm: TestRealm) {
    this.#realm = realm
  }

  /** Loads the facts again, after a change. */
  async reload(): Promise<void> {
    this.#before = this.#now
    this.#heldBefore.clear()
    this.#now = await load(this.#realm)
    for (const message of this.#now.messages.values()) {
      const { id, channel_id } = message
      const channel = this.#now.channels.get(channel_id ?? 0)
      if (channel?.invite_only === false) this.#public.add(id)
      if (channel?.history_public_to_subscribers === true) {
        this.#sharedIn.set(id, (this.#sharedIn.get(id) ?? new Set()).add(channel.id))
      }
      const earlier = this.#before.messages.get(id)
      if (earlier === undefined) {
        const sentTo = this.#sentBeside.get(id) ?? []
        this.#holders.set(id, new Set([...(message.participants ?? this.subscribersOf(channel_id)), ...sentTo]))
      } else if (earlier.channel_id !== channel_id) this.#carry(message)
    }
    for (const user_id of this.#now.roles.keys()) {
      for (const { id, topic } of this.#now.messages.values())
        if (this.mayRead(user_id, id)) this.learn(user_id, id, topic)
    }
  }

  /** Records that a new message was also sent to this user. */
  sentTo(user_id: number, message_id: number): void {
    this.#sentBeside.set(message_id, [user_id])
  }

  /** Records that a flag gave a user a record of a message. */
  gain(user_id: number, message_id: number): void {
    if (this.mayRead(user_id, message_id)) this.#holders.get(message_id)?.add(user_id)
  }

  /** Records what a user knows already, because they sent it themselves. */
  learn(user_id: number, ...what: (number | string)[]): void {
    const known = this.#knew.get(user_id) ?? new Set()
    for (const one of what) known.add(String(one).toLowerCase())
    this.#knew.set(user_id, known)
  }

  knows(user_id: number, what: number | string): boolean {
    return this.#knew.get(user_id)?.has(String(what).toLowerCase()) ?? false
  }

  /** Whether the message was once in a channel that every member can read. A link to it reveals only its id. */
  wasPublic(message_id: number): boolean {
    return this.#public.has(message_id)
  }

  /** Whether the message was once in the history of a channel that the user reads now: there, notices may name it. */
  wasShared(user_id: number, message_id: number): boolean {
    const channels = [...(this.#sharedIn.get(message_id) ?? [])]
    return channels.some((id) => {
      const channel = this.#now.channels.get(id)
      return channel?.history_public_to_subscribers === true && this.#hasAccess(this.#now, user_id, channel)
    })
  }

  /** Whether the user has a record of the message, which they keep when they lose access to its channel. */
  holds(user_id: number, message_id: number): boolean {
    return this.#holders.get(message_id)?.has(user_id) ?? false
  }

  /** Whether the user may read the message now. null is a caller without an account. */
  mayRead(user_id: number | null, message_id: number): boolean {
    return this.#isReadable(this.#now, user_id, message_id)
  }

  /** Whether the user may read the message now, or could before the last change: events also announce removals. */
  mightRead(user_id: number, message_id: number): boolean {
    return this.mayRead(user_id, message_id) || this.#isReadable(this.#before, user_id, message_id, this.#heldBefore)
  }

  get ids(): number[] {
    return [...this.#now.messages.keys()]
  }

  /** All messages of a topic. */
  messagesIn(channel_id: number, topic: string): number[] {
    return [...this.#now.messages.values()]
      .filter((one) => one.channel_id === channel_id && one.topic === topic)
      .map(({ id }) => id)
  }

  get channels(): number[] {
    return [...this.#now.channels.keys()]
  }

  /** The messages of the same topic that the user may read. */
  inTopicOf(user_id: number, message_id: number): number[] {
    const target = this.#now.messages.get(message_id)
    return [...this.#now.messages.values()]
      .filter(
        ({ channel_id, topic }) =>
          channel_id === target?.channel_id && topic.toLowerCase() === target?.topic.toLowerCase(),
      )
      .map(({ id }) => id)
      .filter((id) => this.mayRead(user_id, id))
  }

  #isReadable(facts: Facts, user_id: number | null, message_id: number, held = this.#holders): boolean {
    const message = facts.messages.get(message_id)
    if (message === undefined) return false
    if (message.channel_id === null) return message.participants?.includes(user_id ?? 0) ?? false
    const channel = facts.channels.get(message.channel_id)
    if (channel === undefined) return false
    if (channel.is_web_public) return true
    if (user_id === null) return false
    const holders = held.get(message_id) ?? this.#holders.get(message_id)
    const isShared = channel.history_public_to_subscribers || holders?.has(user_id) === true
    return isShared && this.#hasAccess(facts, user_id, channel)
  }

  /** Whether the user may read messages of the channel. */
  #hasAccess(facts: Facts, user_id: number, channel: ChannelFacts): boolean {
    const role = facts.roles.get(user_id) ?? 600
    const isSubscribed = facts.subscribers.has(`${channel.id} ${user_id}`)
    const isGranted = [channel.can_add_subscribers_group, channel.can_subscribe_group].some(
      (group) => role <= (weakest[String(group)] ?? 0),
    )
    return isSubscribed || (role < 600 && (!channel.invite_only || isGranted))
  }

  /** Applies a move to the records (protocol/messages.md 4.4). */
  #carry({ id, channel_id }: MessageFacts): void {
    this.#heldBefore.set(id, this.#holders.get(id) ?? new Set())
    const channel = this.#now.channels.get(channel_id ?? 0)
    if (channel?.history_public_to_subscribers === false) {
      this.#holders.set(id, new Set(this.subscribersOf(channel_id)))
      return
    }
    this.#holders.set(id, new Set([...(this.#holders.get(id) ?? [])].filter((user_id) => this.mayRead(user_id, id))))
  }

  /** The subscribers now. */
  subscribersOf(channel_id: number | null): number[] {
    return [...this.#now.roles.keys()].filter((user_id) => this.#now.subscribers.has(`${channel_id} ${user_id}`))
  }
}
