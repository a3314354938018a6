/** Finds out whether a message reached the server although its answer was lost. */
import type { Message } from '@parley/client'
import { participants } from '@parley/client/realm'
import { isResolved } from '#rules/topics.js'
import type { Chat } from '../realm/chat.js'
import { targetKey } from './compose-target.js'
import type { Outgoing } from './outgoing.js'

/** The number of own messages that are looked at. */
const LOOKED_AT = 100

/**
 * Finds the id of the message, if the server has it. Such a message of the user is newer than all that were known
 * before the first attempt, has the same text, and is in the conversation or was moved out of it.
 * @param known ids of other messages that the user sent
 */
export const findArrived = async (
  chat: Chat,
  { conversation, content, afterId }: Outgoing,
  known: ReadonlySet<number>,
): Promise<number | undefined> => {
  if (afterId === undefined || chat.ownUserId === undefined) return undefined
  const { messages } = await chat.client.call('GET /messages', {
    narrow: [{ operator: 'sender', operand: chat.ownUserId }],
    anchor: String(afterId),
    include_anchor: false,
    num_before: 0,
    num_after: LOOKED_AT,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  const place = targetKey(chat, conversation)
  const candidates = messages.filter((message) => message.content === content && !known.has(message.id))
  const inPlace = candidates.find((message) => placeKey(chat, message) === place)
  // Resolving a topic is no move for the server, but changes the topic's name.
  const moved = candidates.find(
    (message) => wasMoved(message) && (conversation.kind === 'topic') === isInChannel(message),
  )
  return (inPlace ?? moved)?.id
}

const isInChannel = ({ type }: Message): boolean => type === 'stream'

const wasMoved = ({ last_moved_timestamp, subject }: Message): boolean =>
  last_moved_timestamp !== undefined || isResolved(subject)

const placeKey = (chat: Chat, message: Message): string =>
  targetKey(
    chat,
    isInChannel(message)
      ? { kind: 'topic', channelId: message.stream_id, topic: message.subject }
      : { kind: 'direct', userIds: participants(message) },
  )
