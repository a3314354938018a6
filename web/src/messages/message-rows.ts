/**
 * Arranges messages as rows: a bar for each conversation and day, and messages that share their sender's name.
 *
 * A row is one message with what is shown above it. The rows of a list have no state, so a message that arrives or
 * changes needs only its own row and the next one.
 */
import { dayKey } from '../ui/times.js'

/** Of a message, what decides how it is arranged. */
export interface ArrangedMessage {
  id: number
  type: 'stream' | 'private'
  stream_id?: number | undefined
  subject: string
  display_recipient?: unknown
  recipient_id: number
  sender_id: number
  timestamp: number
  is_me_message?: boolean | undefined
}

export interface MessageRow<Message extends ArrangedMessage> {
  message: Message
  /** the first message of a conversation among the others of the list: a bar with its name is above it */
  startsConversation: boolean
  /** the first message of a day */
  startsDay: boolean
  /** the name and the picture of the sender are shown */
  startsSender: boolean
  /** the line of the first unread message is above it */
  isFirstUnread: boolean
}

/** Messages of one sender within this time share a name. */
const GROUP_SECONDS = 10 * 60

/** Arranges messages; `previous` is the one before the first, if it is known. */
export const arrangeMessages = <Message extends ArrangedMessage>(
  messages: readonly Message[],
  firstUnreadId: number | undefined,
  previous?: Message,
): MessageRow<Message>[] => {
  const rows: MessageRow<Message>[] = []
  let before = previous
  for (const message of messages) {
    const startsDay = before === undefined || dayKey(before.timestamp) !== dayKey(message.timestamp)
    const startsConversation = before === undefined || conversationKey(before) !== conversationKey(message)
    const isFirstUnread = message.id === firstUnreadId
    const startsSender =
      startsDay ||
      startsConversation ||
      isFirstUnread ||
      before?.sender_id !== message.sender_id ||
      before.is_me_message === true ||
      message.is_me_message === true ||
      message.timestamp - before.timestamp > GROUP_SECONDS
    rows.push({ message, startsConversation, startsDay, startsSender, isFirstUnread })
    before = message
  }
  return rows
}

/** A text that is equal for two messages of one conversation. Topics that differ in case are one topic. */
export const conversationKey = (message: ArrangedMessage): string =>
  message.type === 'stream' ? `${message.stream_id}:${message.subject.toLowerCase()}` : `dm:${message.recipient_id}`
