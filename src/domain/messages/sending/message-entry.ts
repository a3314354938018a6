/**
 * A user sent a message.
 *
 * The entry holds everything that an event needs, so that the projection reads no state: a client that resumes hours
 * later gets the sender's name of that time. Source: protocol/events.md 2.4, 3.1 and 6; protocol/permissions.md 9.4.
 */
import { z } from 'zod'
import { type Audience, NonGuests } from '../../log/entry.js'
import { entry, type Recipient } from '../../log/entry-kind.js'
import type { EventForm } from '../../log/profile.js'
import { proxyStoredMedia } from '../../rendering/proxied-media.js'
import { flagNames } from '../flags.js'
import { buildMessageObject, type MessageFields, messageObject, type SenderFields } from '../message.js'
import { matchesNarrow } from '../narrow/event-narrow.js'

export interface MessageData {
  /** assigned by the commit, as the last key */
  id?: number
  stream_id?: number | undefined
  /** every user except guests may read the channel */
  public: boolean
  messageSent: MessageFields
  /** flags of the recipients who are not in `flags` */
  everyone: number
  /** flags of recipients that differ, by user id */
  flags: { readonly [user_id: string]: number }
  /** further recipients beside the participants or subscribers */
  also?: readonly number[] | undefined
  /** guests who may not know the sender, and the fields that they get instead */
  masked?: { users: readonly number[]; sender: SenderFields } | undefined
  /** the queue of the sending client, which gets its `local_id` back */
  echo?: { user_id: number; queue_id: string; local_id: string } | undefined
}

const event = z.object({
  type: z.literal('message'),
  message: messageObject.omit({
    flags: true,
    last_edit_timestamp: true,
    last_moved_timestamp: true,
    edit_history: true,
    match_content: true,
    match_subject: true,
  }),
  flags: z.array(z.string()),
  local_message_id: z.string().optional(),
})

const audience = ({ stream_id, messageSent: message, also }: MessageData): Audience => {
  if (stream_id !== undefined) return also === undefined ? { channel: stream_id } : { channel: stream_id, users: also }
  return { users: (message.display_recipient as { id: number }[]).map(({ id }) => id) }
}

/** The flags of a recipient, as bits. */
const recipientFlags = ({ flags, everyone }: MessageData, recipient: Recipient | undefined): number => {
  if (recipient === undefined) return everyone
  return recipient.is_outside === true ? 0 : (flags[recipient.user_id] ?? everyone)
}

const isMasked = ({ masked }: MessageData, recipient: Recipient | undefined): boolean =>
  recipient !== undefined && masked?.users.includes(recipient.user_id) === true

/** Whether the recipient is the queue that sent the message. */
const isEcho = ({ echo }: MessageData, recipient: Recipient | undefined): boolean =>
  recipient !== undefined && recipient.queue_id === echo?.queue_id

/** The message object as the recipient sees it. */
const buildSeenMessage = (data: MessageData, form: EventForm, recipient: Recipient | undefined) => {
  const { id = 0, stream_id, masked, messageSent } = data
  const sender = isMasked(data, recipient) ? masked?.sender : undefined
  return buildMessageObject(id, stream_id, sender === undefined ? messageSent : { ...messageSent, sender }, form)
}

export const message = entry<MessageData>({
  kind: 'message',
  type: 'message',
  description:
    'The user received a message. `flags` has its flags for this user, and `local_message_id` is that of the sender, in the queue that the sender named.',
  content: true,
  event,
  audience,
  project(data, form, { recipient, deployment }) {
    const seen = buildSeenMessage(data, form, recipient)
    if (form.apply_markdown) seen.content = proxyStoredMedia(seen.content, deployment)
    const flags = flagNames(recipientFlags(data, recipient))
    return isEcho(data, recipient)
      ? { type: 'message', message: seen, flags, local_message_id: data.echo?.local_id }
      : { type: 'message', message: seen, flags }
  },
  accepts(data, profile, { recipient }) {
    if (profile.narrow.length === 0) return true
    return matchesNarrow(profile.narrow, buildSeenMessage(data, profile, recipient), recipientFlags(data, recipient))
  },
  copyKey(data, recipient) {
    if (isEcho(data, recipient)) return undefined
    return `${recipientFlags(data, recipient)}${isMasked(data, recipient) ? ' masked' : ''}`
  },
  personalRecipients({ flags, masked, echo }) {
    const own = Object.keys(flags).map(Number)
    if (echo !== undefined && !own.includes(echo.user_id)) own.push(echo.user_id)
    for (const user_id of masked?.users ?? []) if (!own.includes(user_id)) own.push(user_id)
    return own
  },
  updateState({ id, stream_id }, state, seq) {
    if (stream_id === undefined || state.firstMessage.has(stream_id)) return
    state.setFirstMessage(stream_id, id, seq)
  },
  extraAudience: (data, profile) =>
    data.public && (profile.all_public_streams || profile.narrow.length > 0) ? NonGuests : undefined,
})
