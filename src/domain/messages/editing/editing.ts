/**
 * Changing a message after it was sent: its text, its topic, its channel. Who may, and until when.
 *
 * What depends on the message and the realm's state alone is decided here, in the order of messages.md 4.1; mentions
 * and the age of the other messages of a topic take the database (store/messages/editing/edit-message.ts).
 * Source: messages.md 4.1 to 4.3; permissions.md 8.4 to 8.6.
 */

import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import {
  hasContentAccess,
  isChannelAdministrator,
  postingRefusal,
  visibleChannel,
} from '../../permissions/channel-access.js'
import { isAdministrator, isModerator, mayInChannel, mayInRealm } from '../../permissions/permissions.js'
import { errors } from '../../protocol/errors.js'
import { checkedTopic, emptyTopicName, normalizedContent, resolvedPrefix, sha256, shortenedTopic } from '../message.js'
import { checkEmptyTopic } from '../sending/posting.js'

export const propagateModes = ['change_one', 'change_later', 'change_all'] as const

export type PropagateMode = (typeof propagateModes)[number]

/** What a client asks for. */
export interface EditAsked {
  content?: string | undefined
  topic?: string | undefined
  stream_id?: number | undefined
  propagate_mode: PropagateMode
  prev_content_sha256?: string | undefined
}

/** The message as it is. */
export interface EditedMessage {
  sender_id: number
  channel_id: number | null
  topic: string
  content: string
  timestamp: number
  /** people act on it, so its text stays what they acted on */
  is_widget: boolean
}

/** What is changed, found and permitted. */
export interface Edit {
  /** another text, fit to store */
  content: string | undefined
  /** where it goes; undefined: it stays */
  move: Move | undefined
}

export interface Move {
  mode: PropagateMode
  /** the channel in which it is */
  from: ChannelRow
  /** the channel in which it will be: the same, unless it changes */
  to: ChannelRow
  /** the topic that it will have: the same, unless it changes */
  topic: string
  /** nothing changes but the mark of a resolved topic */
  resolves: 'resolved' | 'unresolved' | undefined
  /** messages that were sent before may not be moved along with this one; UNIX seconds */
  not_before: number
}

/** Clocks differ, and so do the moments of opening and sending an edit: seconds that every limit gives beside itself. */
const GRACE = 20

/** The edit that is asked for. Throws the refusals of messages.md 4.1, 2 to 16 and 18. */
export const editOf = (
  state: RealmState,
  editor: UserRow,
  message: EditedMessage,
  asked: EditAsked,
  now: number,
): Edit => {
  if (asked.content !== undefined) checkContentEdit(state, editor, message, now)
  const topic = asked.topic === undefined ? undefined : trimmedTopic(asked.topic)
  const changesTopic = topic !== undefined && shortenedTopic(topic) !== message.topic
  const changesChannel = asked.stream_id !== undefined && asked.stream_id !== message.channel_id
  if (asked.content === undefined && !changesTopic && !changesChannel) throw errors.nothingToChange()
  const from = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  if (from === undefined && changesChannel) {
    throw errors.badRequest('A direct message cannot move to a channel.')
  }
  if (from === undefined && changesTopic) throw errors.badRequest('A direct message has no topic.')
  if (asked.propagate_mode !== 'change_one' && !changesTopic && !changesChannel) {
    throw errors.badRequest('Only a move of the topic or channel takes a propagate_mode.')
  }
  // One that the editor does not see is refused as one that does not exist, by the same check.
  const target = changesChannel ? visibleChannel(state, editor, asked.stream_id ?? 0) : from
  const wanted = changesTopic ? topic : message.topic
  if (changesTopic || changesChannel) checkTopicName(state, target, wanted, changesTopic)
  if (changesTopic) checkedTopic(wanted)
  if (asked.content !== undefined && changesChannel) {
    throw errors.badRequest('Change the text and the channel in two calls.')
  }
  if (asked.content !== undefined && message.is_widget)
    throw errors.badRequest('Polls and to-do lists cannot be edited.')
  const { prev_content_sha256 } = asked
  if (prev_content_sha256 !== undefined && prev_content_sha256 !== sha256(message.content)) {
    throw errors.contentMismatch()
  }
  const move =
    from === undefined || !(changesTopic || changesChannel)
      ? undefined
      : moveOf(state, editor, message, { from, target, topic: changesTopic ? wanted : undefined, now, asked })
  return { content: asked.content === undefined ? undefined : editedContent(asked.content), move }
}

/** Whether the text may be changed by this person now; refuses otherwise (4.1, 2 to 4). */
export const checkContentEdit = (
  { settings }: RealmState,
  editor: UserRow,
  message: Pick<EditedMessage, 'sender_id' | 'timestamp'>,
  now: number,
  grace = GRACE,
): void => {
  if (!settings.allow_message_editing) throw errors.badRequest('This organization has turned off editing.')
  if (message.sender_id !== editor.id) throw errors.badRequest('You may not edit this message.')
  const limit = settings.message_content_edit_limit_seconds
  if (limit !== null && now - message.timestamp > limit + grace) {
    throw errors.badRequest('This message is too old to be edited.')
  }
}

const editedContent = (text: string): string => (text.trim() === '' ? '(deleted)' : normalizedContent(text))

/** `(no topic)` stays what it is here, unlike on sending. */
const trimmedTopic = (text: string): string => {
  const topic = text.trim()
  return topic === emptyTopicName ? '' : topic
}

const mark = resolvedPrefix.trim()

/** Refuses to leave a message without a topic where the target takes none (9), and a mark without a name (10). */
const checkTopicName = (state: RealmState, target: ChannelRow | undefined, topic: string, isNew: boolean): void => {
  const isNone = topic === '' || (isNew && topic === '(no topic)')
  if (isNone && target !== undefined) checkEmptyTopic(state, target)
  if (isNew && (topic === mark || topic === resolvedPrefix + emptyTopicName)) {
    throw errors.badRequest('Only a topic with a name can be resolved.')
  }
}

interface Moving {
  from: ChannelRow
  /** undefined: there is no such channel, for the editor */
  target: ChannelRow | undefined
  /** undefined: it stays */
  topic: string | undefined
  now: number
  asked: EditAsked
}

/** The move, if the editor may do it (15, 16, 18). */
const moveOf = (state: RealmState, editor: UserRow, message: EditedMessage, moving: Moving): Move => {
  const { from, target: to, topic, now, asked } = moving
  if (to === undefined || to.is_archived || !hasContentAccess(state, editor, to)) throw errors.invalidChannelId()
  const changesChannel = to.id !== from.id
  const resolves = topic === undefined || changesChannel ? undefined : resolving(message.topic, topic)
  const { settings } = state
  let limit: number | null = null
  if (resolves !== undefined) {
    if (!mayInRealm(state, editor, 'can_resolve_topics_group')) {
      throw errors.badRequest('You may not resolve topics.')
    }
  } else if (topic !== undefined) {
    if (!mayRename(state, editor, [from, to])) {
      throw errors.badRequest('You may not edit this message.')
    }
    limit = limitOf(editor, settings.move_messages_within_stream_limit_seconds)
    if (limit !== null && now - message.timestamp > limit) {
      throw errors.badRequest('This message is too old to get another topic.')
    }
  }
  if (changesChannel) {
    if (!mayMoveOut(state, editor, from)) throw errors.badRequest('You may not move this message.')
    const between = limitOf(editor, settings.move_messages_between_streams_limit_seconds)
    if (between !== null && now - message.timestamp > between) {
      throw errors.badRequest('This message is too old to move to another channel.')
    }
    if (postingRefusal(state, editor, to) !== undefined) {
      throw errors.badRequest('You may not send messages to this channel.')
    }
    limit = limit === null || between === null ? (limit ?? between) : Math.min(limit, between)
  }
  return {
    mode: asked.propagate_mode,
    from,
    to,
    topic: topic === undefined ? message.topic : shortenedTopic(topic),
    resolves,
    not_before: limit === null ? 0 : now - limit,
  }
}

/** Whether nothing but the mark comes or goes. Compared before the new topic is cut to length. */
const resolving = (before: string, after: string): Move['resolves'] => {
  if (after === resolvedPrefix + before) return 'resolved'
  if (before.startsWith(resolvedPrefix) && before.replace(/^[✔ ]+/, '') === after) return 'unresolved'
  return undefined
}

/** Seconds with the grace; null: none. Moderators have no limit. */
const limitOf = (editor: UserRow, seconds: number | null): number | null =>
  seconds === null || isModerator(editor) ? null : seconds + GRACE

const mayRename = (state: RealmState, editor: UserRow, channels: readonly ChannelRow[]): boolean =>
  mayInRealm(state, editor, 'can_move_messages_between_topics_group') ||
  channels.some(
    (channel) =>
      isChannelAdministrator(state, editor, channel) ||
      mayInChannel(state, editor, channel, 'can_move_messages_within_channel_group'),
  )

const mayMoveOut = (state: RealmState, editor: UserRow, channel: ChannelRow): boolean =>
  isAdministrator(editor) ||
  mayInRealm(state, editor, 'can_move_messages_between_channels_group') ||
  isChannelAdministrator(state, editor, channel) ||
  mayInChannel(state, editor, channel, 'can_move_messages_out_of_channel_group')
