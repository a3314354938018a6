/** What an event means for a window of messages, as far as a client can tell without the server. */
import type { Event, EventOf, Message, Narrow } from '../kernel/api.js'
import { applyEvent, type DatedEvent, findIndex, type Messages } from './message-changes.js'
import { isSameTopic, type Move, topicOfNarrow } from './moves.js'
import { dependsOnFlag, dependsOnPlace, matchesNarrow, type NarrowContext, needsServer } from './narrow.js'
import type { MessagesView } from './types.js'

/** Applies events to messages of a narrow. Drops those that the events moved out. */
export const applyEvents = (
  context: NarrowContext,
  narrow: Narrow,
  messages: Messages,
  events: readonly DatedEvent[],
): Messages =>
  events.reduce((changed, event) => dropMovedOut(context, narrow, applyEvent(context, changed, event), event), messages)

const dropMovedOut = (context: NarrowContext, narrow: Narrow, messages: Messages, event: Event): Messages => {
  if (event.type !== 'update_message' || event.orig_subject === undefined || !dependsOnPlace(narrow)) return messages
  const moved = new Set(event.message_ids)
  return messages.filter((message) => !moved.has(message.id) || matchesNarrow(context, narrow, message) !== false)
}

/** Lists the new messages of some events. */
export const listArrivals = (events: readonly DatedEvent[]): Message[] =>
  events.flatMap((event) => (event.type === 'message' ? [{ ...event.message, flags: event.flags } as Message] : []))

/** Lists the messages that an event may have let into the narrow. It moves, flags, edits or restores them. */
export const findEntered = (context: NarrowContext, view: MessagesView, event: Event): readonly number[] => {
  const { narrow, messages } = view
  const isMissing = (id: number) => messages[findIndex(messages, id)]?.id !== id
  if (event.type === 'update_message') {
    const isMove = event.orig_subject !== undefined
    // Only the server knows which messages a search finds now.
    if (needsServer(context, narrow)) return isMove ? event.message_ids : [event.message_id]
    const canEnter = isMove && dependsOnPlace(narrow) && canBeAt(context, narrow, event)
    return canEnter ? event.message_ids.filter(isMissing) : []
  }
  if (event.type === 'restore_message') return canBeRestoredIn(context, narrow, event) ? event.message_ids : []
  if (event.type !== 'update_message_flags') return []
  const { flag, op } = event
  const isEntry = flag === 'read' ? op === 'remove' : op === 'add'
  return isEntry && dependsOnFlag(narrow, flag === 'read' ? 'unread' : flag) ? event.messages.filter(isMissing) : []
}

/** Whether a message of the topic to which an event moved messages can be in the narrow. */
const canBeAt = (
  context: NarrowContext,
  narrow: Narrow,
  { stream_id, new_stream_id, orig_subject, subject }: EventOf<'update_message'>,
): boolean => {
  const terms = narrow.filter((term) => dependsOnPlace([term]))
  const moved = { type: 'stream', stream_id: new_stream_id ?? stream_id, subject: subject ?? orig_subject }
  return matchesNarrow(context, terms, moved as Message) !== false
}

/** Whether restored messages can be in the narrow. Of direct messages, the event does not name the conversation. */
const canBeRestoredIn = (
  context: NarrowContext,
  narrow: Narrow,
  { stream_id, topic }: EventOf<'restore_message'>,
): boolean => {
  if (stream_id === undefined) return true
  const terms = narrow.filter((term) => dependsOnPlace([term]))
  return matchesNarrow(context, terms, { type: 'stream', stream_id, subject: topic } as Message) !== false
}

/**
 * Whether a move takes away what the user reads in a window of a topic.
 * @param reading the message that the user reads; undefined: the newest one
 */
export const leadsAway = (
  context: NarrowContext,
  { narrow, messages }: MessagesView,
  reading: number | undefined,
  { from, to, scope, messageIds }: Move,
): boolean => {
  const topic = topicOfNarrow(context, narrow)
  if (topic === undefined || !isSameTopic(topic, from)) return false
  if (scope === 'all') return true
  if (isSameTopic(from, to)) return false
  const moved = new Set(messageIds)
  if (scope === 'later' && moved.has(reading ?? messages.at(-1)?.id ?? 0)) return true
  return messages.length > 0 && messages.every(({ id }) => moved.has(id))
}

/** Whether other messages may be visible to the user after an event. */
export const changesAccess = (event: Event, selfId: number): boolean => {
  if (event.type === 'stream') {
    if (event.op !== 'update') return true
    return event.property === 'invite_only' || event.property === 'is_archived'
  }
  if (event.type === 'subscription') return event.op === 'add' || event.op === 'remove'
  return (
    event.type === 'realm_user' && event.op === 'update' && event.person.user_id === selfId && 'role' in event.person
  )
}
