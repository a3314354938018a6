/**
 * No user receives anything about a message that they may not read: no event, no fetched message, no id. The one
 * exception is `first_message_id`: the API document shows it to all who see the channel.
 *
 * Random users run random operations in channels of every kind. Message ids, texts and topics are recognizable in any
 * answer, so the test searches every event and every answer for them. Each match must be something that the recipient
 * may know, according to a model (setup/realm/readable-messages.ts).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cursor } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel } from '../setup/realm/messages.js'
import { ReadableMessages } from '../setup/realm/readable-messages.js'
import { type Answer, anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const roles = [100, 200, 300, 400, 400, 600, 400] as const
/** The index of the bot, the last of the users. */
const ROBOT = roles.length - 1
const who = fc.nat({ max: ROBOT })
const channel = fc.nat({ max: 5 })
const topic = fc.nat({ max: 1 })
const message = fc.nat({ max: 30 })

/** The kinds of channels, as parameters for creating and changing a channel. */
const kinds: readonly { is_private: boolean; history_public_to_subscribers?: boolean; is_web_public?: boolean }[] = [
  { is_private: false },
  { is_private: true, history_public_to_subscribers: true },
  { is_private: true, history_public_to_subscribers: false },
  { is_web_public: true, is_private: false },
  { is_private: true, history_public_to_subscribers: false },
]

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('post' as const), who, channel, topic, mention: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), who, other: who, third: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), who, message, mention: who }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      who: fc.oneof(fc.nat({ max: 2 }), who),
      message,
      channel: fc.option(channel, { nil: undefined }),
      topic: fc.option(topic, { nil: undefined }),
      propagate_mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
      loudly: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), who, message }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete topic' as const), who: fc.nat({ max: 1 }), channel, topic }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('react' as const), who, message }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('flag' as const),
      who,
      messages: fc.array(message, { minLength: 1, maxLength: 3 }),
      op: fc.constantFrom('add', 'remove'),
      flag: fc.constantFrom('read', 'starred', 'collapsed'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who, channel, other: who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who, channel, other: who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('privacy' as const),
      who: fc.nat({ max: 2 }),
      channel,
      kind: fc.nat({ max: kinds.length - 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const), channel, group: fc.constantFrom(1, 3, 4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const), channel, back: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('role' as const),
      other: fc.integer({ min: 1, max: 5 }),
      role: fc.constantFrom(200, 300, 400, 600),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('follow' as const), who, channel, topic, visibility_policy: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewrite' as const), who, message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('type' as const), who, channel, topic }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('poll' as const), who, channel, topic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('vote' as const), who, poll: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remind' as const), who, message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('report' as const), who, message }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Message ids start here, so that no other number looks like one. */
const FIRST_ID = 50_000_000

interface Queue extends Cursor {
  who: number
  url: string
}

/** The profiles with which clients register. */
const profiles = [
  {
    all_public_streams: true,
    client_capabilities: {
      bulk_message_deletion: true,
      notification_settings_null: true,
      empty_topic_name: true,
      stream_typing_notifications: true,
    },
  },
  { apply_markdown: true, narrow: [['is', 'unread']] },
]

/** Whether a value is the id of a channel's first message, or the event that tells it. */
const isFirstMessage = (key: string, value: unknown): boolean =>
  key === 'first_message_id' || (value as { property?: unknown } | null)?.property === 'first_message_id'

/**
 * Returns the notice of a move without its text, which is pushed to `removedTexts`: the text names the topic or channel
 * from which the acting user moved messages, and that user may reveal it. So may a user who moves a notice to another
 * channel: its text is not searched.
 */
const withoutNotice = (key: string, value: unknown, removedTexts: string[]): unknown => {
  if (isFirstMessage(key, value)) return null
  const { client, content, edit_history } = (value ?? {}) as Record<string, unknown>
  if (client !== 'Internal' || typeof content !== 'string') return value
  if (edit_history === undefined) removedTexts.push(content)
  return { ...(value as object), client: '', content: '', match_content: '' }
}

const topicOf = (n: number) => `topic-${n}-of-it`

class Office {
  readonly realm: TestRealm
  readonly people: Person[]
  readonly knowledge: ReadableMessages
  readonly queues: Queue[] = []
  /** message ids by the unique word in the message's text */
  readonly words = new Map<string, number>()
  readonly polls: number[] = []
  #words = 0
  /** the id of the message of the current step, if it mentions the bot */
  #sentToRobot: number | undefined
  /** the messages that the current step flagged */
  #flagged: { user_id: number; ids: readonly number[] } | undefined

  constructor(realm: TestRealm, people: Person[]) {
    this.realm = realm
    this.people = people
    this.knowledge = new ReadableMessages(realm)
  }

  at(who: number): Person {
    return this.people[who] as Person
  }

  id(n: number): number {
    const { ids } = this.knowledge
    return ids[n % Math.max(ids.length, 1)] ?? 0
  }

  channelName(n: number): string {
    return `channel ${n}`
  }

  async perform(step: Step): Promise<void> {
    this.#sentToRobot = undefined
    this.#flagged = undefined
    const actor = this.at('who' in step ? step.who : 0)
    const { knowledge } = this
    const word = `word${++this.#words}x`
    // A user who acts on a message must be able to read it. A refused request must reveal nothing.
    const onMessage = async (id: number, method: string, path: string, params: Record<string, unknown> = {}) => {
      const could = knowledge.mayRead(actor.user_id, id)
      const answer = await call(actor, method, path, params)
      if (!could) expect(answer.status, `${method} ${path} of ${actor.full_name}`).not.toBe(200)
      this.search(actor.user_id, answer.body, `an answer to ${method} ${path}`)
      return answer.status === 200
    }
    switch (step.do) {
      case 'post': {
        const content = `${word} @**${this.at(step.mention).full_name}**`
        knowledge.learn(actor.user_id, topicOf(step.topic))
        const to = this.channelName(step.channel)
        const topic = topicOf(step.topic)
        const answer = await call(actor, 'POST', '/messages', { type: 'stream', to, topic, content })
        this.#said(word, answer)
        if (answer.status !== 200 || step.mention !== ROBOT) return
        // A message that mentions a bot is sent to the bot, even in a channel that the bot cannot access. The bot can
        // fetch it later only if it has access.
        this.#sentToRobot = answer.body.id as number
        knowledge.sentTo(this.at(ROBOT).user_id, this.#sentToRobot)
        knowledge.learn(this.at(ROBOT).user_id, this.#sentToRobot, topic)
        return
      }
      case 'write': {
        const to = [this.at(step.other).user_id, this.at(step.third).user_id]
        this.#said(word, await call(actor, 'POST', '/messages', { type: 'direct', to, content: word }))
        return
      }
      case 'edit': {
        const id = this.id(step.message)
        this.words.set(word, id)
        await onMessage(id, 'PATCH', `/messages/${id}`, { content: `${word} @**${this.at(step.mention).full_name}**` })
        return
      }
      case 'move': {
        const id = this.id(step.message)
        const { propagate_mode } = step
        const topic = step.topic === undefined ? undefined : topicOf(step.topic)
        const stream_id = step.channel === undefined ? undefined : step.channel + 1
        if (topic !== undefined) knowledge.learn(actor.user_id, topic)
        const notices = { send_notification_to_new_thread: step.loudly, send_notification_to_old_thread: step.loudly }
        await onMessage(id, 'PATCH', `/messages/${id}`, { topic, stream_id, propagate_mode, ...notices })
        return
      }
      case 'delete':
        await onMessage(this.id(step.message), 'DELETE', `/messages/${this.id(step.message)}`)
        return
      case 'delete topic':
        knowledge.learn(actor.user_id, topicOf(step.topic))
        await call(actor, 'POST', `/streams/${step.channel + 1}/delete_topic`, { topic_name: topicOf(step.topic) })
        return
      case 'react': {
        const id = this.id(step.message)
        await onMessage(id, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
        return
      }
      case 'flag': {
        const messages = step.messages.map((n) => this.id(n))
        const { op, flag } = step
        const { status } = await call(actor, 'POST', '/messages/flags', { messages, op, flag })
        const isNoRecord = flag === 'read' && op === 'add'
        if (status !== 200 || isNoRecord) return
        // A user may flag a message of which they have a record, also without access to its channel. The event names
        // the ids again.
        for (const id of messages) {
          expect(knowledge.mayRead(actor.user_id, id) || knowledge.holds(actor.user_id, id)).toBe(true)
        }
        this.#flagged = { user_id: actor.user_id, ids: messages }
        // No row is created for a message that already had the flag state, or for unread messages in a channel
        // without a subscription.
        for (const id of messages) if (await this.#hasRow(actor.user_id, id)) knowledge.gain(actor.user_id, id)
        return
      }
      case 'subscribe':
        await call(actor, 'POST', '/users/me/subscriptions', {
          subscriptions: [{ name: this.channelName(step.channel) }],
          principals: [this.at(step.other).user_id],
        })
        return
      case 'unsubscribe':
        await call(actor, 'DELETE', '/users/me/subscriptions', {
          subscriptions: [this.channelName(step.channel)],
          principals: [this.at(step.other).user_id],
        })
        return
      case 'privacy':
        await call(actor, 'PATCH', `/streams/${step.channel + 1}`, kinds[step.kind])
        return
      case 'grant':
        await call(actor, 'PATCH', `/streams/${step.channel + 1}`, { can_subscribe_group: { new: step.group } })
        return
      case 'archive':
        if (step.back) await call(actor, 'PATCH', `/streams/${step.channel + 1}`, { is_archived: false })
        else await call(actor, 'DELETE', `/streams/${step.channel + 1}`)
        return
      case 'role':
        await call(actor, 'PATCH', `/users/${this.at(step.other).user_id}`, { role: step.role })
        return
      case 'follow': {
        knowledge.learn(actor.user_id, topicOf(step.topic))
        const { visibility_policy } = step
        const asked = { stream_id: step.channel + 1, topic: topicOf(step.topic), visibility_policy }
        await call(actor, 'POST', '/user_topics', asked)
        return
      }
      case 'rewrite': {
        const id = this.id(step.message)
        await onMessage(id, 'POST', `/messages/${id}/typing`, { op: 'start' })
        return
      }
      case 'type': {
        // A typing event names the topic to the subscribers of the channel.
        const recipients = [actor.user_id, ...knowledge.subscribersOf(step.channel + 1)]
        for (const user_id of recipients) knowledge.learn(user_id, topicOf(step.topic))
        const asked = { type: 'stream', op: 'start', stream_id: step.channel + 1, topic: topicOf(step.topic) }
        await call(actor, 'POST', '/typing', asked)
        return
      }
      case 'poll': {
        knowledge.learn(actor.user_id, topicOf(step.topic))
        const place = { type: 'stream', to: this.channelName(step.channel), topic: topicOf(step.topic) }
        const answer = await call(actor, 'POST', '/messages', { ...place, content: `/poll ${word}?` })
        if (answer.status === 200) this.polls.push(answer.body.id as number)
        this.#said(word, answer)
        return
      }
      case 'vote': {
        const message_id = this.polls[step.poll % Math.max(this.polls.length, 1)] ?? this.id(step.poll)
        this.words.set(word, message_id)
        const content = JSON.stringify({ type: 'new_option', idx: 1, option: word })
        await onMessage(message_id, 'POST', '/submessage', { message_id, msg_type: 'widget', content })
        return
      }
      case 'remind': {
        const message_id = this.id(step.message)
        const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 100_000
        await onMessage(message_id, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp })
        return
      }
      case 'report': {
        const id = this.id(step.message)
        await onMessage(id, 'POST', `/messages/${id}/report`, { report_type: 'spam' })
        return
      }
    }
  }

  #said(word: string, { status, body }: Answer): void {
    if (status === 200) this.words.set(word, body.id as number)
  }

  async #hasRow(user_id: number, message_id: number): Promise<boolean> {
    const { sql, realm_id } = this.realm
    const rows = await sql`
      select from message_flags where realm_id = ${realm_id} and user_id = ${user_id} and message_id = ${message_id}`
    return rows.length > 0
  }

  /** Finds message ids, texts and topics in `said`, and expects that the user may know each of them. */
  search(user_id: number, said: unknown, where: string, may = this.#mayKnow): void {
    const notices: string[] = []
    const text = JSON.stringify(said, (key, value) => withoutNotice(key, value, notices))
    const fail = (what: string) => {
      const { full_name } = this.people.find((one) => one.user_id === user_id) ?? {
        full_name: 'A caller without an account',
      }
      throw new Error(`${full_name} learns ${what} from ${where}: ${text.slice(0, 1_500)}`)
    }
    for (const [number] of text.matchAll(/\b50000\d{3}\b/g)) {
      if (!may(user_id, Number(number))) fail(`message ${number}`)
    }
    // A notice of a move keeps the text that it had when it was sent.
    for (const [number] of notices.join(' ').matchAll(/\b50000\d{3}\b/g)) {
      const id = Number(number)
      const { knowledge } = this
      const isAllowed = knowledge.knows(user_id, id) || knowledge.wasPublic(id) || knowledge.wasShared(user_id, id)
      if (!isAllowed) fail(`message ${number} in a notice: ${notices.join(' ')}`)
    }
    for (const [word] of text.matchAll(/\bword\d+x\b/g)) {
      const id = this.words.get(word)
      if (id !== undefined && !may(user_id, id)) fail(`the text ${word} of message ${id}`)
    }
    for (const [name] of text.matchAll(/topic-\d-of-it/g)) {
      if (!this.knowledge.knows(user_id, name)) fail(`topic ${name}`)
    }
  }

  readonly #mayKnow = (user_id: number, id: number): boolean =>
    this.knowledge.mightRead(user_id, id) ||
    (user_id === this.at(ROBOT).user_id && id === this.#sentToRobot) ||
    (user_id === this.#flagged?.user_id && this.#flagged.ids.includes(id))

  /**
   * The stricter model: only messages that the user can read now. A word of a refused edit belongs to no message, so
   * it is not secret.
   */
  readonly strictly = (user_id: number, id: number): boolean => this.knowledge.mayRead(user_id, id)

  async register(who: number, profile: number): Promise<void> {
    const url = anyGateway()
    // Guests cannot register for events beyond their own channels.
    const own = roles[who] === 600 ? { all_public_streams: undefined, narrow: undefined } : {}
    const asked = { ...profiles[profile], ...own, fetch_event_types: [] }
    const { queue_id, last_event_id } = await ok(this.at(who), 'POST', '/register', asked, { url })
    this.queues.push({ who, queue_id, last_event_id, url })
  }

  /** Reads the events of all queues, and expects that each event reveals only what its user may know. */
  async readEvents(after: string): Promise<void> {
    await Promise.all(
      this.queues.map(async (queue) => {
        const { who, queue_id, last_event_id, url } = queue
        const person = this.at(who)
        await ok(person, 'GET', '/users/me', {}, { url })
        const asked = { queue_id, last_event_id, dont_block: true }
        const { events } = await ok(person, 'GET', '/events', asked, { url })
        queue.last_event_id = events.at(-1)?.id ?? last_event_id
        for (const event of events) {
          this.search(person.user_id, event, `an event after ${after}`)
          // Only users who can read the message at its new location learn the location. Other users get a delete
          // event.
          const { type, message_id } = event as { type: string; message_id?: number }
          if (type === 'update_message' && !this.knowledge.mayRead(person.user_id, message_id ?? 0)) {
            throw new Error(
              `${person.full_name} learns the new location of a message after ${after}: ${JSON.stringify(event)}`,
            )
          }
        }
      }),
    )
  }

  /** Sends, as this user, every request whose answer could contain a message. */
  async ask(who: number, chosen: number): Promise<void> {
    const person = this.at(who)
    const { user_id } = person
    const { ids, channels } = this.knowledge
    const id = this.id(chosen)
    const request = async (method: string, path: string, params: Record<string, unknown> = {}) => {
      const answer = await call(person, method, path, params)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
      this.search(user_id, answer.body, `${method} ${path} ${JSON.stringify(params)}`, this.strictly)
      return answer
    }
    const page = { anchor: 'newest', num_before: 100, num_after: 0 }
    const place = channels[chosen % channels.length] ?? 0
    const word = [...this.words.keys()][chosen % Math.max(this.words.size, 1)] ?? 'word0x'
    const narrowed = (...narrow: object[]) => ({ ...page, narrow })
    const is = (operator: string, operand: unknown) => ({ operator, operand, negated: false })
    await Promise.all([
      request('GET', '/messages', page),
      request('GET', '/messages', { ...page, anchor: 'first_unread', num_after: 5 }),
      request('GET', '/messages', narrowed(is('channel', place))),
      request('GET', '/messages', narrowed(is('channels', 'public'))),
      request('GET', '/messages', narrowed(is('channel', place), is('search', word))).then(() => undefined),
      request('GET', '/messages', narrowed(is('search', word), is('channels', 'public'))),
      // A word of all topic names, which matches every message.
      request('GET', '/messages', narrowed(is('search', 'topic'))),
      request('GET', '/messages', narrowed(is('channel', place), is('search', 'topic'))),
      request('GET', '/messages', narrowed(is('is', 'starred'))),
      request('GET', '/messages', narrowed(is('is', 'mentioned'))),
      request('GET', '/messages', narrowed(is('is', 'followed'))),
      request('GET', '/messages', narrowed(is('has', 'reaction'))),
      request('GET', '/messages', { message_ids: ids }),
      request('GET', '/messages/matches_narrow', { msg_ids: ids, narrow: [is('sender', this.at(3).user_id)] }),
      request('POST', '/messages/flags/narrow', { ...page, narrow: [is('channel', place)], op: 'add', flag: 'read' }),
      ...channels.map((channel_id) => request('GET', `/users/me/${channel_id}/topics`)),
      request('GET', '/streams', { include_all: true, exclude_archived: false }),
      request('GET', '/users/me/subscriptions'),
      request('POST', '/messages/render', { content: channels.map((n) => `#**channel ${n - 1}>xyz**`).join(' ') }),
      this.#single(person, id),
      this.#register(person),
    ])
    // A search by message id must not reveal that a message exists that the user may not read.
    if (!this.knowledge.mayRead(user_id, id)) {
      for (const operator of ['with', 'id']) {
        const there = await call(person, 'GET', '/messages', narrowed(is(operator, id), is('is', 'dm')))
        const none = await call(person, 'GET', '/messages', narrowed(is(operator, FIRST_ID - 1), is('is', 'dm')))
        expect(there, `${operator}: ${id}`).toEqual(none)
      }
    }
  }

  /** Fetches one message, its history and its read receipts. */
  async #single(person: Person, id: number): Promise<void> {
    const may = this.knowledge.mayRead(person.user_id, id)
    for (const path of [`/messages/${id}`, `/messages/${id}/history`, `/messages/${id}/read_receipts`]) {
      const { status, body } = await call(person, 'GET', path)
      if (may) expect(status, `${path} for ${person.full_name}: ${JSON.stringify(body)}`).toBe(200)
      else
        expect({ status, ...body }, `${path} for ${person.full_name}`).toMatchObject({
          status: 400,
          msg: 'There is no such message, or you may not read it.',
        })
    }
  }

  /**
   * Registers: max_message_id and starred_messages may name messages that the user could read once; unread messages
   * must be readable now.
   */
  async #register(person: Person): Promise<void> {
    const body = await ok(person, 'POST', '/register', {
      client_capabilities: { notification_settings_null: true, archived_channels: true },
    })
    const { max_message_id, starred_messages, ...strict } = body
    const { user_id } = person
    const once = (_: number, id: number) => this.knowledge.knows(user_id, id)
    this.search(user_id, { max_message_id, starred_messages }, 'registration', once)
    this.search(user_id, strict, 'registration', this.strictly)
  }

  /** Sends the requests that need no account. */
  async askOutside(): Promise<void> {
    const { host } = this.realm
    const narrow = [{ operator: 'channels', operand: 'web-public', negated: false }]
    const asked = { anchor: 'newest', num_before: 100, num_after: 0, narrow }
    const answers = await Promise.all([
      call(undefined, 'GET', '/messages', asked, { host }),
      ...this.knowledge.channels.map((id) => call(undefined, 'GET', `/users/me/${id}/topics`, {}, { host })),
      ...this.knowledge.ids.slice(-5).map((id) => call(undefined, 'GET', `/messages/${id}`, {}, { host })),
    ])
    for (const { body } of answers) {
      const text = JSON.stringify(body, (key, value) => withoutNotice(key, value, []))
      for (const [number] of text.matchAll(/\b50000\d{3}\b/g)) {
        expect(this.knowledge.mayRead(null, Number(number)), `message ${number} for a spectator`).toBe(true)
      }
    }
  }

  /** Resolves when the realm's jobs are done, except for jobs that are due later. */
  quiet(): Promise<void> {
    return waitForJobs(this.realm, 60_000)
  }
}

const open = async (realm: TestRealm, members: readonly number[][]): Promise<Office> => {
  const names = ['Owner', 'Admin', 'Moderator', 'Member', 'Other Member', 'Guest']
  const people = await realm.people(...names.map((full_name, i) => ({ full_name, role: roles[i] as number })))
  const owner_id = (people[3] as Person).user_id
  people.push(...(await realm.people({ full_name: 'Robot', bot: { type: 1, owner_id } })))
  await realm.sql`update log_heads set last_message_id = ${FIRST_ID} where realm_id = ${realm.realm_id}`
  await updateRealmSettings(realm, { enable_spectator_access: true, can_create_web_public_channel_group: 3 })
  const office = new Office(realm, people)
  for (const [i, some] of members.entries()) {
    const principals = [...new Set([0, ...some])].map((who) => office.at(who).user_id)
    const { is_private: invite_only, ...kind } = kinds[i % kinds.length] as (typeof kinds)[number]
    await ok(office.at(0), 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: office.channelName(i) }],
      principals,
      invite_only,
      send_new_subscription_messages: false,
      ...kind,
    })
  }
  // Reports go to a channel that only an extra user reads, because a report shows the message to the channel's
  // subscribers.
  const [reader] = (await realm.people({ full_name: 'Reader' })) as [Person]
  const moderation_request_channel_id = await createChannel(reader, 'reports', [reader], { invite_only: true })
  await updateRealmSettings(realm, { moderation_request_channel_id })
  await office.quiet()
  await office.knowledge.reload()
  for (const who of people.keys()) for (const profile of profiles.keys()) await office.register(who, profile)
  return office
}

/** Posts messages in every channel before the random operations. */
const setupSteps: readonly Step[] = [
  ...[0, 1, 2, 3, 4, 5].flatMap((channel): Step[] => [
    { do: 'post', who: 0, channel, topic: channel % 2, mention: channel },
    { do: 'post', who: 0, channel, topic: channel % 2, mention: 4 },
  ]),
  // In channels with protected history, these users can read a part of a topic.
  ...[2, 4].flatMap((channel): Step[] => [
    { do: 'subscribe', who: 0, channel, other: 5 },
    { do: 'subscribe', who: 0, channel, other: 3 },
    { do: 'post', who: 0, channel, topic: 0, mention: 5 },
  ]),
  { do: 'write', who: 3, other: 4, third: 4 },
]

/** Operations on topics that some users can read only in part. Random operations would reach this case too seldom. */
const stepsOnPartialTopics = ({ knowledge }: Office): Step[] => [
  {
    do: 'move',
    who: 0,
    message: knowledge.ids.indexOf(knowledge.messagesIn(3, topicOf(0))[0] ?? 0),
    channel: undefined,
    topic: 1,
    propagate_mode: 'change_all',
    loudly: true,
  },
  { do: 'delete topic', who: 0, channel: 4, topic: 0 },
  {
    do: 'move',
    who: 0,
    message: knowledge.ids.indexOf(knowledge.messagesIn(1, topicOf(0))[0] ?? 0),
    channel: 1,
    topic: undefined,
    propagate_mode: 'change_one',
    loudly: false,
  },
]

const run = async (members: readonly number[][], random: readonly Step[]): Promise<void> => {
  await using realm = await newRealm()
  const office = await open(realm, members)
  for (const step of setupSteps) {
    await office.perform(step)
    await office.knowledge.reload()
  }
  const steps = [...stepsOnPartialTopics(office), ...random]
  for (const [i, step] of steps.entries()) {
    await office.perform(step)
    await office.quiet()
    await office.knowledge.reload()
    await office.readEvents(JSON.stringify(step))
    if (i % 5 === 4) await office.ask(i % roles.length, i)
  }
  for (const who of roles.keys()) await office.ask(who, who * 7 + steps.length)
  await office.askOutside()
}

test('No user receives an event or an answer about a message that they may not read.', {
  timeout: 300_000,
}, async () => {
  const members = fc.array(fc.uniqueArray(who, { maxLength: 4 }), { minLength: 6, maxLength: 6 })
  const steps = fc.array(step, { minLength: 15, maxLength: 40 })
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 8)
  const endOnFailure = process.env.PROPERTY_SHRINK === undefined
  await fc.assert(fc.asyncProperty(members, steps, run), { numRuns, endOnFailure, interruptAfterTimeLimit: 240_000 })
})
