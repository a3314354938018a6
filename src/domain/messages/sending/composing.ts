/**
 * Composes a message for the send combiner: its columns, its log entry, and the flag rows of mentioned users.
 */

import { secondsNow } from '#rules/time.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { RenderedContent } from '../../markdown/context/render-context.js'
import { findTopicLinks } from '../../markdown/links/topic-links.js'
import { isMeMessage } from '../../markdown/render.js'
import { compiledLinkifiers } from '../../realm/linkifiers.js'
import { everySubscriber, Flag } from '../flags.js'
import { type NewSubmessage, recipientId, type SenderFields } from '../message.js'
import { participantFields, senderFields } from '../senders.js'
import type { MentionFlags } from './mentions.js'
import { message } from './message-entry.js'
import { addPersonalFlags } from './personal-flags.js'
import { isReadBySender } from './posting.js'

/** Where a message goes, found and permitted. */
export type MessageLocation =
  | {
      channel: ChannelRow
      topic: string
      /** of a channel that the state does not have yet */
      subscriber_ids?: ReadonlySet<number>
    }
  /** the participants, by id ascending */
  | { dm_id: number; participants: readonly UserRow[] }

export interface Composition {
  sender: UserRow
  content: string
  rendered: RenderedContent
  mentions: MentionFlags
  /** the sending program's name */
  client: string
  read_by_sender?: boolean | undefined
  echo?: { queue_id: string; local_id: string } | undefined
  /** guests who may not know the sender, and what they see instead */
  masked?: { users: readonly number[]; sender: SenderFields } | undefined
  /** the first submessage of a widget */
  submessages?: readonly NewSubmessage[] | undefined
}

/** The input of the send combiner. @param guard the seq of the state on which the message was permitted */
export const composeMessage = (
  state: RealmState,
  guard: number,
  location: MessageLocation,
  composition: Composition,
) => {
  const { sender, content, rendered, client, echo, masked, submessages = [] } = composition
  const { html: rendered_content, has_link, has_image, has_attachment } = rendered
  const timestamp = secondsNow()
  const is_me_message = isMeMessage(content)
  const sender_read = composition.read_by_sender ?? isReadBySender(client)
  const isInChannel = 'channel' in location
  const topic = isInChannel ? location.topic : ''
  const receivers = isInChannel
    ? (location.subscriber_ids ?? state.subscribers(location.channel.id))
    : new Set(location.participants.map(({ id }) => id))
  const written = { sender_id: sender.id, content }
  const mentions = addPersonalFlags(state, written, (id) => receivers.has(id), composition.mentions)
  const { data, audience } = message({
    stream_id: isInChannel ? location.channel.id : undefined,
    public: isInChannel && !location.channel.invite_only,
    messageSent: {
      sender: senderFields(state, sender),
      topic,
      topic_links: topic === '' ? [] : findTopicLinks(topic, { linkifiers: compiledLinkifiers(state) }),
      display_recipient: isInChannel ? location.channel.name : participantFields(location.participants),
      recipient_id: recipientId(isInChannel ? { channel_id: location.channel.id } : location),
      client,
      content,
      rendered_content,
      is_me_message,
      timestamp,
      reactions: [],
      submessages,
    },
    everyone: mentions.common,
    flags: flagsForEvent(mentions, sender_read ? sender.id : undefined),
    also: mentions.also.length > 0 ? mentions.also : undefined,
    masked,
    echo: echo && { user_id: sender.id, queue_id: echo.queue_id, local_id: echo.local_id },
  })
  const columns = {
    sender_id: sender.id,
    channel_id: isInChannel ? location.channel.id : null,
    dm_id: isInChannel ? null : location.dm_id,
    topic,
    content,
    rendered_content,
    timestamp,
    client,
    is_me_message,
    sender_read,
    read_by_all: false,
    has_link,
    has_image,
    has_attachment,
    has_wildcard: mentions.common !== 0,
  }
  return { guard, message: columns, audience, data, flags: flagsForRows(mentions), submessages }
}

/** Flags by user for the event: the sender's `read` is in the event, but needs no row. */
const flagsForEvent = (
  { flags, common: everyone }: MentionFlags,
  reader: number | undefined,
): Record<string, number> => {
  const flagsByUser: Record<string, number> = {}
  for (const [user_id, bits] of flags) flagsByUser[user_id] = bits
  if (reader !== undefined) flagsByUser[reader] = (flags.get(reader) ?? everyone) | Flag.read
  return flagsByUser
}

const flagsForRows = ({ flags, common: everyone }: MentionFlags): { user_id: number; flags: number }[] => {
  const rows: { user_id: number; flags: number }[] = []
  for (const [user_id, bits] of flags) rows.push({ user_id, flags: bits })
  if (everyone !== 0) rows.push({ user_id: everySubscriber, flags: everyone })
  return rows
}
