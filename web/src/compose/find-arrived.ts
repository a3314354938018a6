/** Finds out whether a message reached the server although its answer was lost. */
import type { Narrow } from '@parley/client'
import type { Chat } from '../realm/chat.js'
import type { Outgoing } from './outbox.js'

/** The number of own messages in the conversation that are looked at. */
const LOOKED_AT = 100

/**
 * The id of the message, if the server has it: a message of the user in the conversation that is newer than all that
 * were known before the first attempt, and has the same text.
 * @param known ids of other messages that the user sent
 */
export const findArrived = async (
  chat: Chat,
  { conversation, content, afterId }: Outgoing,
  known: ReadonlySet<number>,
): Promise<number | undefined> => {
  if (afterId === undefined || chat.ownUserId === undefined) return undefined
  const place: Narrow =
    conversation.kind === 'direct'
      ? [{ operator: 'dm', operand: [...conversation.userIds] }]
      : [
          { operator: 'channel', operand: conversation.channelId },
          { operator: 'topic', operand: conversation.topic },
        ]
  const { messages } = await chat.client.call('GET /messages', {
    narrow: [...place, { operator: 'sender', operand: chat.ownUserId }],
    anchor: String(afterId),
    include_anchor: false,
    num_before: 0,
    num_after: LOOKED_AT,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return messages.find((message) => message.content === content && !known.has(message.id))?.id
}
