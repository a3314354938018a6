import { directKey } from '@parley/client/realm'
import type { Chat } from '../realm/chat.js'
import type { Conversation } from '../routing/views.js'

/** What can be marked as read. */
export type ReadTarget = Conversation | { kind: 'everything' }

/**
 * The ids of the unread messages of which the page knows. Topics are compared without case.
 * @param unread the state that is shown by default; the store of the realm has that after the last event
 */
export const unreadIds = (chat: Chat, target: ReadTarget, { channels, direct } = chat.unread.value): number[] => {
  if (target.kind === 'everything') {
    return [...direct.values(), ...[...channels.values()].flatMap((topics) => [...topics.values()])].flat()
  }
  if (target.kind === 'direct') return [...(direct.get(directKey([...target.userIds, chat.ownUserId ?? 0])) ?? [])]
  return [...(channels.get(target.channelId) ?? [])].flatMap(([topic, ids]) =>
    target.kind === 'channel' || topic.toLowerCase() === target.topic.toLowerCase() ? ids : [],
  )
}
