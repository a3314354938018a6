/**
 * What the page does when messages are moved to another topic or channel.
 *
 * 1. The texts and unsent messages of a topic go along when the whole topic is moved, or when the open view goes along.
 * 2. The view of a topic goes along when what is read in it does, which its window decides. Where only other messages
 *    were taken away, a line says where they are. Users who may not read them there get no event that names the place.
 * 3. Who moved the messages is told by the action itself (actions/move-messages.ts).
 */

import type { Event, Reset } from '@parley/client'
import { isResolution, isSameTopic, type Move, readMove, type TopicPlace } from '@parley/client/realm'
import { moveWriting } from '../compose/move-writing.js'
import { t } from '../languages/t.js'
import type { Chat, OpenWindow } from '../realm/chat.js'
import { conversationName, userName } from '../realm/names.js'
import type { View } from '../routing/fragment.js'
import { linkTo, moveView, view } from '../routing/location.js'
import { conversationOf, topicView } from '../routing/views.js'
import { endStatus, type Status, say, statusLink } from '../ui/status-line.js'

/** for each topic, where the whole topic was moved since the page was opened */
const movedTopics = new WeakMap<Chat, Map<string, TopicPlace>>()

/** Leads the texts of moved topics to their new places. It does so until the returned function is called. */
export const followMoves = (chat: Chat): (() => void) => {
  const moved = new Map<string, TopicPlace>()
  movedTopics.set(chat, moved)
  return chat.realm.onEvent((event) => {
    const move = moveOf(event)
    if (move?.scope !== 'all') return
    moved.delete(topicKey(move.to))
    if (!isSameTopic(move.from, move.to)) moved.set(topicKey(move.from), move.to)
    moveWriting(chat, move.from, move.to)
  })
}

/** Finds where the topic of an address is now. Undefined unless the whole topic was moved since the page was opened. */
export const findMovedTopic = (chat: Chat, { channelId, topic }: TopicPlace): TopicPlace | undefined => {
  const moved = movedTopics.get(chat)
  const passed = new Set<string>()
  let place: TopicPlace | undefined
  for (let key = topicKey({ channelId, topic }); moved?.has(key) && !passed.has(key); key = topicKey(place)) {
    passed.add(key)
    place = moved.get(key) as TopicPlace
  }
  return place
}

/**
 * Leads the open view along when its window follows a move. It does so until the returned function is called.
 * @param findWindow returns the window that is shown; undefined while it is loaded
 * @param onFollow is called before the view changes
 */
export const leadView = (
  chat: Chat,
  findWindow: () => OpenWindow | undefined,
  onFollow: (next: View) => void,
): (() => void) =>
  chat.realm.onEvent((event) => {
    const move = moveOf(event)
    const shown = view.peek()
    if (move === undefined || shown.name !== 'messages') return
    const window = findWindow()
    const conversation = conversationOf(shown.terms)
    if (conversation?.kind === 'topic' && isSameTopic(conversation, move.from) && hasFollowed(window, move)) {
      moveWriting(chat, move.from, move.to)
      const near = shown.near !== undefined && move.messageIds.includes(shown.near) ? shown.near : undefined
      const next = topicView(move.to.channelId, move.to.topic, near)
      onFollow(next)
      moveView(next)
      if (!isResolution(move)) tell(chat, move)
    } else if (window !== undefined) {
      tell(chat, move, findTaken(window, move))
    }
  })

let line: Status | undefined

/** Removes the line about a move, because another view is opened. */
export const endMoveLine = (): void => {
  if (line !== undefined) endStatus(line)
  line = undefined
}

const moveOf = (event: Event | Reset): Move | undefined =>
  event.type === 'update_message' ? readMove(event) : undefined

const topicKey = ({ channelId, topic }: TopicPlace): string => `${channelId}:${topic.toLowerCase()}`

const hasFollowed = (window: OpenWindow | undefined, { to, scope }: Move): boolean =>
  window === undefined
    ? scope === 'all'
    : window.get().narrow.some(({ operator, operand }) => operator === 'topic' && operand === to.topic) &&
      window.get().narrow.some(({ operator, operand }) => operator === 'channel' && operand === to.channelId)

/** The messages that a move took out of a window. Its signal has those that were drawn last. */
const findTaken = (window: OpenWindow, { messageIds }: Move): number[] => {
  const left = new Set(window.get().messages.map(({ id }) => id))
  const drawn = new Set(window.view.peek().messages.map(({ id }) => id))
  return messageIds.filter((id) => drawn.has(id) && !left.has(id))
}

/**
 * Tells that another user moved messages.
 * @param taken their ids: a link leads to the first one. Without it, the open view followed its whole conversation.
 */
const tell = (chat: Chat, { userId, to }: Move, taken?: readonly number[]): void => {
  if (userId === chat.ownUserId || taken?.length === 0) return
  endMoveLine()
  const name = userId === undefined ? t('Someone') : userName(chat, userId)
  const place = conversationName(chat, { kind: 'topic', ...to })
  line =
    taken === undefined
      ? { text: t('{name} moved this conversation to {place}.', { name, place }) }
      : {
          text: t.rich(
            '{count, plural, one {{name} moved a message to <link>{place}</link>} other {{name} moved # messages to <link>{place}</link>}}',
            { link: statusLink(linkTo(topicView(to.channelId, to.topic, taken[0]))) },
            { count: taken.length, name, place },
          ),
        }
  say(line)
}
