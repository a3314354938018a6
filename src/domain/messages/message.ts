/**
 * A message: the normal form of its text and topic, and the message object of the protocol.
 *
 * Events and fetches build the object with the same function from the same fields, so both show a message alike.
 * Source: the API document's message object; protocol/messages.md 2.2, 3.3, 3.4; protocol/events.md 2.4.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emptyTopicName, isEmptyTopic } from '#rules/topics.js'
import { limits } from '../limits/limits.js'
import { errors } from '../protocol/errors.js'

/** Lower-case hex. A client or a job compares it to detect that a text has changed. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const submessageObject = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
})

/** One change of a message, as stored and as message objects contain it. */
export const historyItem = z.object({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
})

/** A user in `display_recipient` of a direct message. */
export const participant = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})

export const reactionObject = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
  user_id: z.int(),
  user: participant.optional().describe('deprecated: the reactor, for clients that have older names'),
})

/** A link that the linkifiers of the organization make of a topic. */
export const topicLink = z.object({ text: z.string(), url: z.string() })

/** A file to which a found message links. */
export const foundFile = z.object({ name: z.string(), url: z.string() })

/** The message object. In a message event, `flags` is a field of the event and not of the object. */
export const messageObject = z.object({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  stream_id: z.int().optional(),
  subject: z.string(),
  topic_links: z.array(topicLink),
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
  reactions: z.array(reactionObject),
  submessages: z.array(submessageObject),
  flags: z.array(z.string()).readonly().optional(),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
  match_files: z
    .array(foundFile)
    .optional()
    .describe('the linked files that have all searched words; absent without such a file'),
})

export type MessageObject = z.infer<typeof messageObject>
export type HistoryItem = z.infer<typeof historyItem>
export type Participant = z.infer<typeof participant>

/** The sender's fields of a message, as far as the reader may know the sender. */
export interface SenderFields {
  sender_id: number
  sender_email: string
  sender_full_name: string
  sender_realm_str: string
  avatar_url: string
  /** the client can compute the avatar's URL itself, and may ask the server to omit it (`client_gravatar`) */
  is_gravatar: boolean
}

/** The fields of a message, except its ids, that are the same for every client. */
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
  submessages: readonly NewSubmessage[]
}

/** A submessage whose message has no id yet. */
export type NewSubmessage = Omit<MessageObject['submessages'][number], 'message_id'>

/** The client's choices for message objects. */
export interface MessageFormat {
  apply_markdown: boolean
  client_gravatar: boolean
  /** the client accepts empty topics */
  empty_topic_name: boolean
}

/**
 * Builds the message object, with its keys always in this order. The keys are spelled out here and where the fields are
 * collected: spreading objects of this size costs ten times as much as everything else.
 * @param stream_id undefined in direct messages
 */
export const buildMessageObject = (
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
    subject: stream_id === undefined ? '' : displayTopic(fields.topic, format.empty_topic_name),
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
    submessages: fields.submessages.map((submessage) => ({
      id: submessage.id,
      message_id: id,
      sender_id: submessage.sender_id,
      msg_type: submessage.msg_type,
      content: submessage.content,
    })),
  }
}

/** The topic's name for a client. */
export const displayTopic = (topic: string, empty_topic_name: boolean): string =>
  topic === '' && !empty_topic_name ? emptyTopicName : topic

/** `recipient_id` on the wire: even for channels, odd for direct messages. */
export const recipientId = (at: { channel_id: number } | { dm_id: number }): number =>
  'channel_id' in at ? 2 * at.channel_id : 2 * at.dm_id + 1

const truncationNote = '\n[message truncated]'

/** The normal form of a message's text. Throws BAD_REQUEST when it is empty or holds null bytes. */
export const normalizeContent = (text: string): string => normalizeDraft(text.trimEnd())

/**
 * Normalizes a text that is not sent, as `normalizeContent` does. It keeps the spaces at the end of the text. Throws
 * BAD_REQUEST for the same texts.
 */
export const normalizeDraft = (text: string): string => {
  const content = text.replace(/^\n+/, '')
  if (content === '') throw errors.badRequest('A message needs a text.')
  if (content.includes('\0')) throw errors.badRequest('A message must not contain the NUL character.')
  return truncate(content, limits.max_message_length, truncationNote)
}

// Controls, halves of surrogate pairs, and code points that Unicode promises never to assign.
const invalidInTopic = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/** The normal form of a topic. Throws BAD_REQUEST when it has an invalid character. */
export const normalizeTopic = (text: string): string => {
  const topic = checkTopic(text.trim())
  return isEmptyTopic(topic) ? '' : truncateTopic(topic)
}

/** Returns the topic. Throws BAD_REQUEST when it has an invalid character. */
export const checkTopic = (topic: string): string => {
  const unfit = topic.search(invalidInTopic)
  if (unfit >= 0) {
    throw errors.badRequest('The topic contains a character that is not allowed, at position {position}.', {
      position: [...topic.slice(0, unfit)].length + 1,
    })
  }
  return topic
}

/** The topic, truncated to the maximal length. */
export const truncateTopic = (topic: string): string => truncate(topic, limits.max_topic_length, '...')

/** At most `most` code points; a truncated text ends with `note`. */
const truncate = (text: string, most: number, note: string): string => {
  // A text has at least as many UTF-16 units as code points, so a short one needs no count.
  if (text.length <= most) return text
  const points = [...text]
  return points.length <= most ? text : points.slice(0, most - note.length).join('') + note
}
