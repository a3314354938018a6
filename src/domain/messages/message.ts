/**
 * A message: its text made fit to store, and the object that clients see.
 *
 * Events and fetches build the object in the same place, from the same fields, so a client that mixes both sees one
 * thing. Source: the API document's message object; messages.md 2.2, 3.3, 3.4; events.md 2.4.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { limits } from '../limits/limits.js'
import { errors } from '../protocol/errors.js'

/** What an empty topic is called for clients that do not know of empty topics. */
export const emptyTopicName = 'general chat'

/** What a resolved topic begins with. */
export const resolvedPrefix = '✔ '

/** By what a client or a job knows whether a text is still the one that it knows; in lower-case hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const submessage = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
})

/** One change of a message, as it is kept and as message objects show it. */
const historyItem = z.object({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
})

const participant = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})

const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
  user_id: z.int(),
  user: participant.optional().describe('deprecated: the reactor, for clients that have older names'),
})

/** The message object. A message event has it without `flags`, which stand beside it there. */
export const messageObject = z.object({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  stream_id: z.int().optional(),
  subject: z.string(),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  display_recipient: z.union([z.string(), z.array(participant)]),
  recipient_id: z.int(),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  is_me_message: z.boolean(),
  timestamp: z.int(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  edit_history: z.array(historyItem).optional(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  flags: z.array(z.string()).readonly().optional(),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
})

export type MessageObject = z.infer<typeof messageObject>
export type HistoryItem = z.infer<typeof historyItem>
export type Participant = z.infer<typeof participant>

/** Who wrote a message, as one reader may see them. */
export interface SenderFields {
  sender_id: number
  sender_email: string
  sender_full_name: string
  sender_realm_str: string
  avatar_url: string
  /** the reader's client could compute the picture's address by itself, and may ask us to leave it out */
  is_gravatar: boolean
}

/** Everything of a message that does not depend on the client that reads it, but for its ids. */
export interface MessageFields {
  sender: SenderFields
  topic: string
  topic_links: MessageObject['topic_links']
  display_recipient: string | Participant[]
  recipient_id: number
  client: string
  content: string
  rendered_content: string
  is_me_message: boolean
  timestamp: number
  reactions: MessageObject['reactions']
  submessages: readonly Hung[]
}

/** A submessage, where the message that it hangs on has no id yet. */
export type Hung = Omit<MessageObject['submessages'][number], 'message_id'>

/** How a client wants messages. */
export interface MessageFormat {
  apply_markdown: boolean
  client_gravatar: boolean
  /** the client understands empty topics */
  empty_topic_name: boolean
  /** the client reads who reacted by name (domain/protocol/aliases.ts) */
  older_names: boolean
}

/**
 * The message object, with its keys always in this order. Spelled out and not spread, here and where the fields are
 * put together: spreading objects of this size costs ten times as much as all the rest.
 * @param stream_id undefined in direct messages
 */
export const messageFor = (
  id: number,
  stream_id: number | undefined,
  fields: MessageFields,
  format: MessageFormat,
): MessageObject => {
  const { sender } = fields
  return {
    id,
    type: stream_id === undefined ? 'private' : 'stream',
    stream_id,
    subject: stream_id === undefined ? '' : topicFor(fields.topic, format.empty_topic_name),
    topic_links: fields.topic_links,
    display_recipient: fields.display_recipient,
    recipient_id: fields.recipient_id,
    sender_id: sender.sender_id,
    sender_email: sender.sender_email,
    sender_full_name: sender.sender_full_name,
    sender_realm_str: sender.sender_realm_str,
    avatar_url: format.client_gravatar && sender.is_gravatar ? null : sender.avatar_url,
    client: fields.client,
    content: format.apply_markdown ? fields.rendered_content : fields.content,
    content_type: format.apply_markdown ? 'text/html' : 'text/x-markdown',
    is_me_message: fields.is_me_message,
    timestamp: fields.timestamp,
    reactions: fields.reactions,
    submessages: fields.submessages.map((one) => ({
      id: one.id,
      message_id: id,
      sender_id: one.sender_id,
      msg_type: one.msg_type,
      content: one.content,
    })),
  }
}

/** A topic as a client sees it. */
export const topicFor = (topic: string, empty_topic_name: boolean): string =>
  topic === '' && !empty_topic_name ? emptyTopicName : topic

/** A conversation's number on the wire: even for channels, odd for direct messages. */
export const recipientId = (at: { channel_id: number } | { dm_id: number }): number =>
  'channel_id' in at ? 2 * at.channel_id : 2 * at.dm_id + 1

const truncationNote = '\n[message truncated]'

/** The text of a message as it is stored. Throws when nothing is left, or what is left cannot be stored. */
export const normalizedContent = (text: string): string => {
  const content = text.replace(/^\n+/, '').trimEnd()
  if (content === '') throw errors.badRequest('A message needs a text.')
  if (content.includes('\0')) throw errors.badRequest('A message must not hold null bytes.')
  return shortened(content, limits.max_message_length, truncationNote)
}

// Controls, halves of surrogate pairs, and code points that Unicode promises never to assign.
const unfitForTopic = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/** The topic of a message as it is sent. Throws when it has a character that no topic can have. */
export const normalizedTopic = (text: string): string => {
  const topic = checkedTopic(text.trim())
  return topic === emptyTopicName || topic === '(no topic)' ? '' : shortenedTopic(topic)
}

/** The topic, unless it has a character that no topic can have. */
export const checkedTopic = (topic: string): string => {
  const unfit = topic.search(unfitForTopic)
  if (unfit >= 0) {
    throw errors.badRequest(
      `The topic holds a character that it must not have, at position ${[...topic.slice(0, unfit)].length + 1}.`,
    )
  }
  return topic
}

/** The topic, cut where it is too long. */
export const shortenedTopic = (topic: string): string => shortened(topic, limits.max_topic_length, '...')

/** At most `most` code points, the last of them replaced by `note` where something was cut off. */
const shortened = (text: string, most: number, note: string): string => {
  // A code point is at most two units long, so most texts need no count.
  if (text.length <= most) return text
  const points = [...text]
  return points.length <= most ? text : points.slice(0, most - note.length).join('') + note
}
