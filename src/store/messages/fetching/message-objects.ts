/**
 * Builds the message objects of the API from rows.
 *
 * Senders and channels come from the state in memory.
 */

import type { RealmState } from '../../../domain/log/state.js'
import { findTopicLinks } from '../../../domain/markdown/links/topic-links.js'
import { filterHistory } from '../../../domain/messages/editing/edit-history.js'
import { flagNames } from '../../../domain/messages/flags.js'
import {
  buildMessageObject,
  type MessageFields,
  type MessageFormat,
  type MessageObject,
  type Participant,
  recipientId,
  type SenderFields,
} from '../../../domain/messages/message.js'
import { participantFields, senderFields, senderForSpectator, unknownSender } from '../../../domain/messages/senders.js'
import { nameReactionType } from '../../../domain/protocol/aliases.js'
import { compiledLinkifiers } from '../../../domain/realm/linkifiers.js'
import { proxyMedia, proxyStoredMedia } from '../../../domain/rendering/proxied-media.js'
import { loadAccessCheck } from '../../users/user-access.js'
import type { ReadContext } from '../narrow/conditions.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import type { WholeMessages } from './whole-messages.js'

/** The choices for fetched messages. */
export interface FetchedFormat extends MessageFormat {
  /** the client reads who reacted in an object of each reaction (domain/protocol/aliases.ts) */
  reacting_users: boolean
  /** the client reads the names of the API document (domain/protocol/aliases.ts) */
  document_names: boolean
}

/** Their objects, in their order, flags included. `host` is the organization's, for placeholder addresses. */
export const buildMessageObjects = async (
  context: ReadContext,
  { rows, reactions, submessages }: WholeMessages,
  format: FetchedFormat,
  host: string,
): Promise<MessageObject[]> => {
  const { sql, state, reader } = context
  const isKnown = await loadAccessCheck(sql, state, reader)
  const linkifiers = compiledLinkifiers(state)
  const policy = state.settings.message_edit_history_visibility_policy
  const composeReactor = (user_id: number): Participant | undefined => {
    const user = state.users.get(user_id)
    if (user !== undefined && isKnown(user)) return participantFields([user])[0]
    const { sender_email: email, sender_full_name: full_name } = unknownSender(state, user_id, host)
    return { id: user_id, email, full_name, is_mirror_dummy: false }
  }
  const composeSender = (sender_id: number): SenderFields => {
    const sender = state.users.get(sender_id)
    if (sender === undefined || !isKnown(sender)) return unknownSender(state, sender_id, host)
    return reader === undefined ? senderForSpectator(state, sender, host) : senderFields(state, sender)
  }
  const linksOf = memoize((topic) => findTopicLinks(topic, { linkifiers }))
  return rows.map((row) => {
    const { id, channel_id, last_edit_timestamp, last_moved_timestamp, flags } = row
    const fields: MessageFields = {
      sender: composeSender(row.sender_id),
      topic: row.topic,
      topic_links: linksOf(row.topic),
      display_recipient: displayRecipient(state, row),
      recipient_id: recipientId(channel_id === null ? { dm_id: row.dm_id ?? 0 } : { channel_id }),
      client: row.client,
      content: row.content,
      rendered_content: format.apply_markdown
        ? proxyStoredMedia(row.rendered_content, state.deployment)
        : row.rendered_content,
      is_me_message: row.is_me_message,
      timestamp: row.timestamp,
      reactions: (reactions.get(id) ?? []).map((stored) => {
        const reaction = nameReactionType(format, stored)
        return format.reacting_users ? { ...reaction, user: composeReactor(reaction.user_id) } : reaction
      }),
      submessages: submessages.get(id) ?? [],
    }
    const object = buildMessageObject(id, channel_id ?? undefined, fields, format)
    if (last_edit_timestamp !== null) object.last_edit_timestamp = last_edit_timestamp
    if (last_moved_timestamp !== null) object.last_moved_timestamp = last_moved_timestamp
    const history = filterHistory(row.edit_history, policy, format.empty_topic_name)
    if (history !== undefined) {
      object.edit_history = history.map((item) => proxyMedia(item, ['prev_rendered_content'], state.deployment))
    }
    object.flags = reader === undefined ? ['read'] : flagNames(flags)
    return object
  })
}

const displayRecipient = (
  state: RealmState,
  { channel_id, user_ids }: ReaderRow,
): MessageFields['display_recipient'] =>
  channel_id === null
    ? participantFields((user_ids ?? []).flatMap((id) => state.users.get(id) ?? []))
    : (state.channels.get(channel_id)?.name ?? '')

/** Calls `find` once per topic: a page often has few topics. */
const memoize = <T>(find: (topic: string) => T): ((topic: string) => T) => {
  const known = new Map<string, T>()
  return (topic) => {
    const found = known.get(topic) ?? find(topic)
    known.set(topic, found)
    return found
  }
}
