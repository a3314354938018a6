/** What an event changes in a list of messages. */
import { findResolution } from '#rules/topics.js'
import type { Event, EventOf, Message } from '../kernel/api.js'
import type { NarrowContext } from './narrow.js'

/** Messages in the order of their ids. */
export type Messages = readonly Message[]

/**
 * An event, with the id of the newest message of its time. "All messages were read" concerns no later message, and a
 * list may have later ones, because an answer can be newer than an event that arrived after it.
 */
export type DatedEvent = Event & { newestId?: number }

/** Applies an event. Returns the same list if it changes nothing. Applying an event twice is the same as once. */
export const applyEvent = (context: NarrowContext, messages: Messages, event: DatedEvent): Messages => {
  switch (event.type) {
    case 'update_message':
      return change(messages, event.message_ids, (message) => updateMessage(context, message, event))
    case 'delete_message': {
      const ids = new Set(event.message_ids)
      return messages.some(({ id }) => ids.has(id)) ? messages.filter(({ id }) => !ids.has(id)) : messages
    }
    case 'update_message_flags': {
      const { newestId = Number.POSITIVE_INFINITY } = event
      const ids = event.all ? messages.map(({ id }) => id).filter((id) => id <= newestId) : event.messages
      return change(messages, ids, (message) => setFlag(message, event.flag, event.op === 'add'))
    }
    case 'reaction':
      return change(messages, [event.message_id], (message) => react(message, event))
    case 'submessage':
      return change(messages, [event.message_id], (message) => addSubmessage(message, event))
    case 'stream':
      return event.op === 'update' && event.property === 'name'
        ? renameChannel(messages, event.stream_id, String(event.value))
        : messages
    default:
      return messages
  }
}

/**
 * Finds the index of a message in a list. If the message is not in the list, it returns the index at which it would be
 * inserted.
 */
export const findIndex = (messages: Messages, id: number): number => {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle] as Message).id < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Adds messages to a list, each id once. The messages that are in the list already stay as they are. */
export const merge = (messages: Messages, more: Messages): Messages => {
  const known = new Set(messages.map(({ id }) => id))
  const added = more.filter(({ id }) => !known.has(id))
  return added.length === 0 ? messages : [...messages, ...added].sort((a, b) => a.id - b.id)
}

const change = (messages: Messages, ids: readonly number[], apply: (message: Message) => Message): Messages => {
  let copy: Message[] | undefined
  for (const id of ids) {
    const index = findIndex(messages, id)
    const message = messages[index]
    if (message?.id !== id) continue
    copy ??= [...messages]
    copy[index] = apply(message)
  }
  return copy ?? messages
}

/** Messages have the name of their channel. */
const renameChannel = (messages: Messages, stream_id: number, name: string): Messages => {
  const inside = messages.filter((message) => message.stream_id === stream_id).map(({ id }) => id)
  return change(messages, inside, (message) => ({ ...message, display_recipient: name }))
}

const updateMessage = ({ channels }: NarrowContext, message: Message, event: EventOf<'update_message'>): Message => {
  const { message_id, rendered_content, is_me_message, rendering_only, edit_timestamp, flags } = event
  const { stream_id, new_stream_id, orig_subject, subject, topic_links } = event
  const changed = { ...message }
  if (message.id === message_id) {
    changed.flags = flags
    if (rendered_content !== undefined) {
      changed.content = rendered_content
      // The marks of a search belong to the older text.
      delete changed.match_content
      delete changed.match_files
    }
    if (is_me_message !== undefined) changed.is_me_message = is_me_message
    if (rendered_content !== undefined && !rendering_only) changed.last_edit_timestamp = edit_timestamp
  }
  if (orig_subject === undefined) return changed
  if (!isResolution(event)) changed.last_moved_timestamp = edit_timestamp
  if (subject !== undefined) changed.subject = subject
  if (topic_links !== undefined) changed.topic_links = topic_links
  const channel = new_stream_id ?? stream_id
  if (channel !== undefined) {
    changed.stream_id = channel
    changed.display_recipient = channels.get().get(channel)?.name ?? message.display_recipient
  }
  return changed
}

/** Whether a topic was marked as resolved, or not any more. The server does not count that as a move. */
const isResolution = ({
  new_stream_id,
  orig_subject = '',
  subject = orig_subject,
}: EventOf<'update_message'>): boolean =>
  new_stream_id === undefined && findResolution(orig_subject, subject) !== undefined

const setFlag = (message: Message, flag: string, isSet: boolean): Message => {
  const others = (message.flags ?? []).filter((other) => other !== flag)
  return { ...message, flags: isSet ? [...others, flag] : others }
}

const react = (message: Message, event: EventOf<'reaction'>): Message => {
  const { op, user_id, emoji_name, emoji_code, reaction_type } = event
  const others = message.reactions.filter(
    (other) => other.user_id !== user_id || other.emoji_code !== emoji_code || other.reaction_type !== reaction_type,
  )
  if (op === 'remove') return { ...message, reactions: others }
  return { ...message, reactions: [...others, { emoji_name, emoji_code, reaction_type, user_id }] }
}

const addSubmessage = (message: Message, event: EventOf<'submessage'>): Message => {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = event
  const others = message.submessages.filter((other) => other.id !== id)
  return { ...message, submessages: [...others, { id, message_id, sender_id, msg_type, content }] }
}
