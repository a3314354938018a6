/**
 * Changing a message after it was sent: its text, its topic, its channel. Who may, and until when.
 *
 * What depends on the message and the realm's state alone is decided here, in the order of protocol/messages.md 4.1;
 * mentions and the age of the other messages of a topic take the database (store/messages/editing/edit-message.ts).
 * Source: protocol/messages.md 4.1 to 4.3; protocol/permissions.md 8.4 to 8.6.
 */

import { hasContentAccess, mayCreateTopic, postingRefusal } from '#rules/channel-access.js'
import {
  channelMoveLimit,
  contentEditRefusal,
  isTooOld,
  mayMoveOut,
  mayRenameTopic,
  mayResolveTopics,
  topicMoveLimit,
} from '#rules/message-rights.js'
import { emptyTopicName, findResolution, resolvedPrefix } from '#rules/topics.js'
import type { ChannelRow, UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { findVisibleChannel } from '../../permissions/channel-access.js'
import { errors } from '../../protocol/errors.js'
import { checkTopic, normalizeContent, sha256, truncateTopic } from '../message.js'
import { checkTopicPolicy } from '../sending/posting.js'

/** Which messages of the topic a move takes along (protocol/messages.md 4.3). */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const

export type PropagateMode = (typeof propagateModes)[number]

/** The parameters of a request. */
export interface EditParameters {
  content?: string | undefined
  topic?: string | undefined
  stream_id?: number | undefined
  propagate_mode: PropagateMode
  prev_content_sha256?: string | undefined
}

/** The message before the edit. */
export interface EditedMessage {
  sender_id: number
  channel_id: number | null
  topic: string
  content: string
  timestamp: number
  /** users respond to the text of a widget, so it cannot be edited */
  is_widget: boolean
}

/** A permitted edit. */
export interface Edit {
  /** the new text in normal form */
  content: string | undefined
  /** undefined when the message stays where it is */
  move: Move | undefined
}

export interface Move {
  mode: PropagateMode
  /** the channel before the move */
  from: ChannelRow
  /** the channel after the move; may be the same */
  to: ChannelRow
  /** the topic after the move; may be the same */
  topic: string
  /** set when only the prefix of a resolved topic is added or removed */
  resolves: 'resolved' | 'unresolved' | undefined
  /** the topic stays the same, because its case does not count: no notice reports a move */
  isCaseOnly: boolean
  /** earlier messages may not be moved along with this one; UNIX seconds */
  not_before: number
}

/** Seconds added to every time limit: clocks differ, and a user opens an edit some time before sending it. */
const GRACE = 20

/** Checks a request to edit. Throws the errors 2 to 16 and 18 of protocol/messages.md 4.1. */
export const checkEdit = (
  state: RealmState,
  editor: UserRow,
  message: EditedMessage,
  request: EditParameters,
  now: number,
): Edit => {
  if (request.content !== undefined) checkContentEdit(state, editor, message, now)
  const topic = request.topic === undefined ? undefined : trimTopic(request.topic)
  const changesTopic = topic !== undefined && truncateTopic(topic) !== message.topic
  const changesChannel = request.stream_id !== undefined && request.stream_id !== message.channel_id
  if (request.content === undefined && !changesTopic && !changesChannel) throw errors.nothingToChange()
  const from = message.channel_id === null ? undefined : state.channels.get(message.channel_id)
  if (from === undefined && changesChannel) {
    throw errors.badRequest('A direct message cannot move to a channel.')
  }
  if (from === undefined && changesTopic) throw errors.badRequest('A direct message has no topic.')
  if (request.propagate_mode !== 'change_one' && !changesTopic && !changesChannel) {
    throw errors.badRequest('propagate_mode is for moves only: send it with a new topic or channel.')
  }
  // A channel that the editor does not see gets the error of an unknown channel, from the same check.
  const target = changesChannel ? findVisibleChannel(state, editor, request.stream_id ?? 0) : from
  const newTopic = changesTopic ? topic : message.topic
  if (changesTopic || changesChannel) checkTopicName(state, target, newTopic, changesTopic)
  if (changesTopic) checkTopic(newTopic)
  if (request.content !== undefined && changesChannel) {
    throw errors.badRequest('Change the text and the channel in two calls.')
  }
  if (request.content !== undefined && message.is_widget)
    throw errors.badRequest('Polls and to-do lists cannot be edited.')
  const { prev_content_sha256 } = request
  if (prev_content_sha256 !== undefined && prev_content_sha256 !== sha256(message.content)) {
    throw errors.contentMismatch()
  }
  const move =
    from === undefined || !(changesTopic || changesChannel)
      ? undefined
      : checkMove(state, editor, message, { from, target, topic: changesTopic ? newTopic : undefined, now, request })
  return { content: request.content === undefined ? undefined : normalizeEditedContent(request.content), move }
}

/** Throws BAD_REQUEST unless the editor may change the text now (4.1, 2 to 4). */
export const checkContentEdit = (
  state: RealmState,
  editor: UserRow,
  message: Pick<EditedMessage, 'sender_id' | 'timestamp'>,
  now: number,
  grace = GRACE,
): void => {
  const refusal = contentEditRefusal(state, editor, message, now, grace)
  if (refusal === 'turned-off') throw errors.badRequest('This organization has turned off editing.')
  if (refusal === 'not-sender') throw errors.badRequest('You may not edit this message.')
  if (refusal === 'too-old') throw errors.badRequest('This message is too old to be edited.')
}

const normalizeEditedContent = (text: string): string => (text.trim() === '' ? '(deleted)' : normalizeContent(text))

/** Unlike on sending, `(no topic)` stays a topic of this name. */
const trimTopic = (text: string): string => {
  const topic = text.trim()
  return topic === emptyTopicName ? '' : topic
}

const mark = resolvedPrefix.trim()

/** Throws BAD_REQUEST for a topic that the target does not accept (9), and for a bare resolved prefix (10). */
const checkTopicName = (state: RealmState, target: ChannelRow | undefined, topic: string, isNew: boolean): void => {
  const isNone = topic === '' || (isNew && topic === '(no topic)')
  if (target !== undefined) checkTopicPolicy(state, target, isNone ? '' : topic)
  if (isNew && (topic === mark || topic === resolvedPrefix + emptyTopicName)) {
    throw errors.badRequest('Only a topic with a name can be resolved.')
  }
}

interface Moving {
  from: ChannelRow
  /** undefined when the editor sees no such channel */
  target: ChannelRow | undefined
  /** undefined when unchanged */
  topic: string | undefined
  now: number
  request: EditParameters
}

/** Checks the move (15, 16, 18). Throws BAD_REQUEST. */
const checkMove = (state: RealmState, editor: UserRow, message: EditedMessage, moving: Moving): Move => {
  const { from, target: to, topic, now, request } = moving
  if (to === undefined || to.is_archived || !hasContentAccess(state, editor, to)) throw errors.invalidChannelId()
  const changesChannel = to.id !== from.id
  // Compared before the new topic is truncated.
  const resolves = topic === undefined || changesChannel ? undefined : findResolution(message.topic, topic)
  let limit: number | null = null
  if (resolves !== undefined) {
    if (!mayResolveTopics(state, editor, to)) throw errors.badRequest('You may not resolve topics.')
  } else if (topic !== undefined) {
    if (!mayRenameTopic(state, editor, [from, to])) throw errors.badRequest('You may not edit this message.')
    limit = addGrace(topicMoveLimit(state, editor))
    if (isTooOld(message, limit, now)) {
      throw errors.badRequest('This message is too old to get another topic.')
    }
  }
  if (changesChannel) {
    if (!mayMoveOut(state, editor, from)) throw errors.badRequest('You may not move this message.')
    const between = addGrace(channelMoveLimit(state, editor))
    if (isTooOld(message, between, now)) {
      throw errors.badRequest('This message is too old to move to another channel.')
    }
    if (postingRefusal(state, editor, to) !== undefined) {
      throw errors.badRequest('You may not send messages to this channel.')
    }
    limit = limit === null || between === null ? (limit ?? between) : Math.min(limit, between)
  }
  const newTopic = topic === undefined ? message.topic : truncateTopic(topic)
  return {
    mode: request.propagate_mode,
    from,
    to,
    topic: newTopic,
    resolves,
    isCaseOnly: !changesChannel && newTopic.toLowerCase() === message.topic.toLowerCase(),
    not_before: limit === null ? 0 : now - limit,
  }
}

/**
 * Throws BAD_REQUEST if the move begins a topic that the editor may not begin.
 * @param isNew the topic after the move has no other message
 */
export const checkNewTopic = (
  state: RealmState,
  editor: UserRow,
  before: string,
  { from, to, topic, resolves }: Move,
  isNew: boolean,
): void => {
  const isSame = from.id === to.id && before.toLowerCase() === topic.toLowerCase()
  if (isNew && !isSame && resolves === undefined && !mayCreateTopic(state, editor, to)) throw errors.mayNotCreateTopic()
}

/** The limit with the grace period. */
const addGrace = (limit: number | null): number | null => (limit === null ? null : limit + GRACE)
