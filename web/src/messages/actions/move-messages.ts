/** Moves messages as the user, who is told where they are then and can take it back. */

import { isResolution, type Move, readMove, type TopicPlace } from '@parley/client/realm'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { conversationName } from '../../realm/names.js'
import { linkTo } from '../../routing/location.js'
import { topicView } from '../../routing/views.js'
import { say, statusLink } from '../../ui/status-line.js'

/** What `PATCH /messages/{message_id}` takes for a move. */
interface MoveParameters {
  message_id: number
  propagate_mode: 'change_one' | 'change_later' | 'change_all'
  topic?: string
  stream_id?: number
  send_notification_to_old_thread: boolean
  send_notification_to_new_thread: boolean
}

/** How long the event of a move may take after its answer. Without the event, the move is told without "Undo". */
const EVENT_MS = 5_000
/** Messages that are led back one by one, because other messages are between them. Each takes a call. */
const MAX_SINGLE = 100

/**
 * Moves messages. Throws ApiError when the server refuses it, and ConnectionError.
 * @param describe says what was done: `Moved to #plans › summer.` without it
 */
export const moveMessages = async (chat: Chat, parameters: MoveParameters, describe?: string): Promise<void> => {
  const { found, stop } = awaitMove(chat, parameters.message_id)
  try {
    await chat.client.call('PATCH /messages/{message_id}', { ...parameters })
  } catch (error) {
    stop()
    throw error
  }
  const move = await found
  if (move === undefined) return say({ text: describe ?? t('The messages were moved.') })
  const { channelId, topic } = move.to
  const action = { label: t('Undo'), run: () => moveBack(chat, move) }
  if (describe !== undefined) return say({ text: describe, action })
  const place = conversationName(chat, { kind: 'topic', ...move.to })
  const link = statusLink(linkTo(topicView(channelId, topic, move.messageIds[0])))
  say({ text: t.rich('Moved to <link>{place}</link>', { link }, { place }), action })
}

/** Waits for the user's own move of a message. */
const awaitMove = (chat: Chat, messageId: number): { found: Promise<Move | undefined>; stop: () => void } => {
  let finish: (move: Move | undefined) => void = () => {}
  const found = new Promise<Move | undefined>((resolve) => {
    finish = resolve
  })
  const stop = chat.realm.onEvent((event) => {
    const move = event.type === 'update_message' ? readMove(event) : undefined
    if (move?.userId === chat.ownUserId && move?.messageIds.includes(messageId)) finish(move)
  })
  const timer = setTimeout(() => finish(undefined), EVENT_MS)
  void found.finally(() => {
    clearTimeout(timer)
    stop()
  })
  return { found, stop: () => finish(undefined) }
}

/**
 * Moves the messages of a move back, with what was written after them since. Where the new place had other messages
 * between them, they are moved one by one. Throws an Error for more than MAX_SINGLE of these.
 */
const moveBack = async (chat: Chat, move: Move): Promise<void> => {
  const { from, to, messageIds, scope } = move
  const propagate_mode = scope === 'one' ? 'change_one' : await chooseMode(chat, to, messageIds)
  if (propagate_mode === 'change_one' && messageIds.length > MAX_SINGLE) {
    throw new Error(t('Other messages are between the moved ones: move them back one after another.'))
  }
  for (const message_id of propagate_mode === 'change_one' ? messageIds : messageIds.slice(0, 1)) {
    await chat.client.call('PATCH /messages/{message_id}', {
      message_id,
      propagate_mode,
      topic: from.topic,
      ...(from.channelId !== to.channelId && { stream_id: from.channelId }),
      send_notification_to_old_thread: false,
      // The notice that a topic was resolved is followed by one that it was not.
      send_notification_to_new_thread: isResolution(move),
    })
  }
  say({ text: t('Moved back to {place}.', { place: conversationName(chat, { kind: 'topic', ...from }) }) })
}

/** How the messages of a topic are moved back together, if no others are between them. */
const chooseMode = async (
  chat: Chat,
  place: TopicPlace,
  messageIds: readonly number[],
): Promise<MoveParameters['propagate_mode']> => {
  const [firstId, lastId] = [messageIds[0] as number, messageIds.at(-1) as number]
  const moved = new Set(messageIds)
  const { messages } = await chat.client.call('GET /messages', {
    narrow: [
      { operator: 'channel', operand: place.channelId },
      { operator: 'topic', operand: place.topic },
    ],
    anchor: String(firstId),
    num_before: 1,
    num_after: 1_000,
    allow_empty_topic_name: true,
  })
  const others = messages.map(({ id }) => id).filter((id) => !moved.has(id))
  if (others.some((id) => id > firstId && id < lastId)) return 'change_one'
  return others.some((id) => id < firstId) ? 'change_later' : 'change_all'
}
