/**
 * Who may read which messages, as a plain model: written from the protocol's description (messages.md 2.4 and 4.4) and
 * from bare facts of the tables (who is subscribed, what a channel is, which role somebody has), sharing nothing with
 * the server's rules. It keeps for every message who has a record of it, as if there were a row per recipient.
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

/** One moment of the organization. */
interface Facts {
  channels: Map<number, ChannelFacts>
  /** channel id, user id */
  subscribers: Set<string>
  roles: Map<number, number>
  messages: Map<number, MessageFacts>
}

/** Groups of a channel that this model knows: nobody, and the roles up to a rank. */
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

export class Knowledge {
  readonly #realm: TestRealm
  #now: Facts = { channels: new Map(), subscribers: new Set(), roles: new Map(), messages: new Map() }
  #before = this.#now
  /** who has a record of the message */
  readonly #holders = new Map<number, Set<number>>()
  /** the same before the last thing happened, where it differs */
  readonly #heldBefore = new Map<number, Set<number>>()
  /** what somebody could read once: message ids, and the topics they stood in */
  readonly #knew = new Map<number, Set<string>>()

  /** who gets a message beside the subscribers */
  readonly #sentBeside = new Map<number, number[]>()
  /** messages that stood where every member reads */
  readonly #public = new Set<number>()

  constructor(realm: TestRealm) {
    this.#realm = realm
  }

  /** Looks at the organization anew, after something has happened. */
  async look(): Promise<void> {
    this.#before = this.#now
    this.#heldBefore.clear()
    this.#now = await load(this.#realm)
    for (const message of this.#now.messages.values()) {
      const { id, channel_id } = message
      if (this.#now.channels.get(channel_id ?? 0)?.invite_only === false) this.#public.add(id)
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

  /** A message that was just sent went to this account, too. */
  sentTo(user_id: number, message_id: number): void {
    this.#sentBeside.set(message_id, [user_id])
  }

  /** Somebody gains a record of a message, by a flag. */
  gain(user_id: number, message_id: number): void {
    if (this.mayRead(user_id, message_id)) this.#holders.get(message_id)?.add(user_id)
  }

  /** Somebody has named something themselves, and learns nothing when it comes back. */
  learn(user_id: number, ...what: (number | string)[]): void {
    const known = this.#knew.get(user_id) ?? new Set()
    for (const one of what) known.add(String(one).toLowerCase())
    this.#knew.set(user_id, known)
  }

  knows(user_id: number, what: number | string): boolean {
    return this.#knew.get(user_id)?.has(String(what).toLowerCase()) ?? false
  }

  /** Whether the message stood once where every member reads: what links to it says no more than its number. */
  wasPublic(message_id: number): boolean {
    return this.#public.has(message_id)
  }

  /** Whether the user may read the message now; null: whoever has no account. */
  mayRead(user_id: number | null, message_id: number): boolean {
    return this.#isReadable(this.#now, user_id, message_id)
  }

  /** Whether they may, or might before the last thing happened: events tell of what is gone, too. */
  mightRead(user_id: number, message_id: number): boolean {
    return this.mayRead(user_id, message_id) || this.#isReadable(this.#before, user_id, message_id, this.#heldBefore)
  }

  get ids(): number[] {
    return [...this.#now.messages.keys()]
  }

  /** The messages of a topic, whoever may read them. */
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
    const role = facts.roles.get(user_id) ?? 600
    const isSubscribed = facts.subscribers.has(`${channel.id} ${user_id}`)
    const isGranted = [channel.can_add_subscribers_group, channel.can_subscribe_group].some(
      (group) => role <= (weakest[String(group)] ?? 0),
    )
    const reads = isSubscribed || (role < 600 && (!channel.invite_only || isGranted))
    const holders = held.get(message_id) ?? this.#holders.get(message_id)
    return reads && (channel.history_public_to_subscribers || holders?.has(user_id) === true)
  }

  /** What a move leaves of the records (messages.md 4.4). */
  #carry({ id, channel_id }: MessageFacts): void {
    this.#heldBefore.set(id, this.#holders.get(id) ?? new Set())
    const channel = this.#now.channels.get(channel_id ?? 0)
    if (channel?.history_public_to_subscribers === false) {
      this.#holders.set(id, new Set(this.subscribersOf(channel_id)))
      return
    }
    this.#holders.set(id, new Set([...(this.#holders.get(id) ?? [])].filter((user_id) => this.mayRead(user_id, id))))
  }

  /** Who is subscribed now. */
  subscribersOf(channel_id: number | null): number[] {
    return [...this.#now.roles.keys()].filter((user_id) => this.#now.subscribers.has(`${channel_id} ${user_id}`))
  }
}
