/**
 * Messages: sending them.
 *
 * 1. What a send may depend on is decided on the realm's state at the guard: if the structure moved while it waited
 *    for anything, the combiner refuses it with Moved, and the handler runs again.
 * 2. A send does the same work for ten subscribers as for twenty thousand: there is no row and no loop per recipient.
 *    Only people who are mentioned have rows of their own.
 */
import { message } from '../domain/entries/message.js'
import { errors } from '../domain/errors.js'
import { everybody, Flag } from '../domain/flags.js'
import {
  checkMentions,
  type MentionFlags,
  type Mentions,
  mentionsAmong,
  mentionsInChannel,
} from '../domain/mentions.js'
import { normalizedContent, normalizedTopic, recipientId } from '../domain/messages.js'
import { secondsNow } from '../domain/permissions.js'
import { checkChannelPost, checkDirectPost, isReadBySender } from '../domain/posting.js'
import type { Destination } from '../domain/recipients.js'
import type { ChannelRow, UserRow } from '../domain/rows.js'
import { participantFields, senderFields } from '../domain/senders.js'
import type { RealmState } from '../domain/state.js'
import type { Writer } from './change.js'
import { type Send, sendCombiner } from './combiner.js'
import { conversationOf, isBegun } from './conversations.js'
import type { Realm } from './realm.js'
import type { Db } from './sql.js'

export type { Destination } from '../domain/recipients.js'

/** A message on its way, as its sender gave it. */
export interface Outgoing {
  sender: UserRow
  to: Destination
  content: string
  /** the sending program's name; `Internal` for the system's own messages */
  client: string
  /** the organization's address: links to it become relative */
  realm_url?: string | undefined
  /** overrides what the program's name says */
  read_by_sender?: boolean | undefined
  /** the queue that waits to see the message again */
  echo?: { queue_id: string; local_id: string } | undefined
}

/**
 * Sends a message that the sender may send, given the realm's state as it was at seq `guard`.
 * Throws the refusals of messages.md 3.1 to 3.5 in the order of 3.2, and Moved.
 */
export const send = async (
  writer: Writer,
  realm: Realm,
  guard: number,
  outgoing: Outgoing,
): Promise<{ id: number }> => ({ id: await combinerOf(writer, realm)(await compose(writer, realm, guard, outgoing)) })

/** The same message before it is stored, for a change that it belongs to (store/effects.ts). Throws the same. */
export const compose = async (writer: Writer, realm: Realm, guard: number, outgoing: Outgoing): Promise<Send> => {
  const { to } = outgoing
  const composed =
    'users' in to
      ? await toPeople(writer.sql, realm, outgoing, to.users)
      : await toChannel(writer.sql, realm, outgoing, to)
  return { guard, ...composed }
}

type Composed = Omit<Send, 'guard'>

const toChannel = async (
  sql: Db,
  realm: Realm,
  outgoing: Outgoing,
  to: { channel: string | number; topic: string },
): Promise<Composed> => {
  const { state } = realm
  const { sender } = outgoing
  const topic = normalizedTopic(to.topic)
  const content = normalizedContent(outgoing.content)
  const channel = channelOf(state, to.channel)
  checkChannelPost(state, sender, channel, topic)
  const rendered = render(content)
  const participants = rendered.mentions.topic_wildcard ? await participantsOf(sql, realm.id, channel.id, topic) : []
  checkMentions(state, sender, rendered.mentions, channel, participants.length)
  return composed(
    state,
    outgoing,
    content,
    rendered,
    mentionsInChannel(state, rendered.mentions, channel, participants),
    {
      channel,
      topic,
    },
  )
}

const toPeople = async (sql: Db, realm: Realm, outgoing: Outgoing, users: readonly UserRow[]): Promise<Composed> => {
  const { state } = realm
  const { sender } = outgoing
  const content = normalizedContent(outgoing.content)
  const people = [...new Map([...users, sender].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id)
  const ids = people.map(({ id }) => id)
  const { mayBegin } = checkDirectPost(state, sender, people)
  const dm_id = await conversationOf(sql, realm, ids)
  if (!mayBegin && !(await isBegun(sql, realm.id, dm_id))) {
    throw errors.badRequest('You do not have permission to initiate direct message conversations.')
  }
  const rendered = render(content)
  checkMentions(state, sender, rendered.mentions, undefined, 0)
  return composed(state, outgoing, content, rendered, mentionsAmong(state, rendered.mentions, new Set(ids)), {
    dm_id,
    people,
  })
}

/** The message's row, its entry and its flags. */
const composed = (
  state: RealmState,
  outgoing: Outgoing,
  content: string,
  { html, has_link, has_image, has_attachment }: Rendered,
  { everyone, flags, also }: MentionFlags,
  to: { channel: ChannelRow; topic: string } | { dm_id: number; people: readonly UserRow[] },
): Composed => {
  const { sender, client, read_by_sender, echo } = outgoing
  const timestamp = secondsNow()
  const is_me_message = content.startsWith('/me ')
  const topic = 'channel' in to ? to.topic : ''
  const rows = [...flags].map(([user_id, bits]) => ({ user_id, flags: bits }))
  if (everyone !== 0) rows.push({ user_id: everybody, flags: everyone })

  const sender_read = read_by_sender ?? isReadBySender(client)
  if (sender_read) flags.set(sender.id, (flags.get(sender.id) ?? everyone) | Flag.read)
  const { data, audience } = message({
    ...('channel' in to ? { stream_id: to.channel.id } : {}),
    public: 'channel' in to && !to.channel.invite_only,
    message: {
      ...senderFields(state, sender),
      topic,
      topic_links: [],
      display_recipient: 'channel' in to ? to.channel.name : participantFields(to.people),
      recipient_id: recipientId('channel' in to ? { channel_id: to.channel.id } : { dm_id: to.dm_id }),
      client,
      content,
      rendered_content: html,
      is_me_message,
      timestamp,
      submessages: [],
    },
    everyone,
    flags: Object.fromEntries(flags),
    ...(also.length > 0 ? { also } : {}),
    ...(echo === undefined ? {} : { echo: { user_id: sender.id, ...echo } }),
  })
  return {
    message: {
      sender_id: sender.id,
      channel_id: 'channel' in to ? to.channel.id : null,
      dm_id: 'channel' in to ? null : to.dm_id,
      topic,
      content,
      rendered_content: html,
      timestamp,
      client,
      is_me_message,
      sender_read,
      has_link,
      has_image,
      has_attachment,
    },
    audience,
    data,
    flags: rows,
  }
}

const channelOf = (state: RealmState, channel: string | number): ChannelRow => {
  const found = typeof channel === 'number' ? state.channels.get(channel) : state.channelByName(channel)
  if (found !== undefined) return found
  throw typeof channel === 'number'
    ? errors.channelIdDoesNotExist({ stream_id: channel })
    : errors.channelDoesNotExist({ stream: channel })
}

/** Who has written in the topic. Index: messages_topic. */
const participantsOf = async (db: Db, realm_id: number, channel_id: number, topic: string): Promise<number[]> => {
  const rows = await db<{ sender_id: number }[]>`
    select distinct sender_id from messages
    where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})`
  return rows.map(({ sender_id }) => sender_id)
}

const combiners = new WeakMap<Realm, (send: Send) => Promise<number>>()

/** The realm's one combiner in this process. */
const combinerOf = ({ sql, bus }: Writer, realm: Realm) => {
  let combiner = combiners.get(realm)
  if (combiner === undefined) {
    combiner = sendCombiner(sql, bus, realm)
    combiners.set(realm, combiner)
  }
  return combiner
}

interface Rendered {
  html: string
  mentions: Mentions
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
}

// The Markdown renderer takes this place.
const render = (content: string): Rendered => ({
  html: `<p>${content.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`,
  mentions: { users: [], groups: [], channel_wildcard: false, topic_wildcard: false },
  has_link: false,
  has_image: false,
  has_attachment: false,
})
