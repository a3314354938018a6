/** Leads what the user writes to the new place of a topic. */
import { isSameTopic, type TopicPlace } from '@parley/client/realm'
import type { Chat } from '../realm/chat.js'
import { chosenTarget } from './compose-target.js'
import { moveText } from './drafts.js'
import { outboxOf } from './outbox.js'

/** Moves the text, the chosen recipient and the unsent messages of a topic. Otherwise the next reply would split it. */
export const moveWriting = (chat: Chat, from: TopicPlace, to: TopicPlace): void => {
  if (chat.ownUserId === undefined) return
  moveText(chat, { kind: 'topic', ...from }, { kind: 'topic', ...to })
  outboxOf(chat).moveTo(from, to)
  const chosen = chosenTarget.peek()
  if (chosen?.target.kind !== 'topic') return
  const { channelId, topic } = chosen.target
  if (channelId === undefined || !isSameTopic({ channelId, topic: topic.trim() }, from)) return
  chosenTarget.value = { ...chosen, target: { kind: 'topic', ...to } }
}
