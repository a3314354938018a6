/**
 * The topics that the user deletes. The server deletes the messages in batches, also after the page was closed; the
 * page counts them by the events, and asks until nothing is left. Without a connection it waits, and asks again.
 */

import { ApiError, ConnectionError } from '@parley/client'
import { isSameTopic, type TopicPlace } from '@parley/client/realm'
import { signal } from '@preact/signals'
import { createAttemptTimer } from '../compose/next-attempt.js'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import { say } from '../ui/status-line.js'

/** A deletion that is not complete. */
export interface TopicDeletion {
  readonly place: TopicPlace
  /** how the topic was called when the deletion began */
  readonly name: string
  readonly deleted: number
  /** undefined: more than were counted */
  readonly total: number | undefined
  /** there is no connection */
  readonly isWaiting: boolean
}

/** The deletions that go on. */
export const topicDeletions = signal<readonly TopicDeletion[]>([])

/** So many messages are counted at most. */
export const MOST_COUNTED = 1_000

/** Counts the messages of a topic; undefined for more than are counted. */
export const countMessages = async (chat: Chat, { channelId, topic }: TopicPlace): Promise<number | undefined> => {
  const { messages, found_oldest } = await chat.client.call('GET /messages', {
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
    anchor: 'newest',
    num_before: MOST_COUNTED,
    num_after: 0,
    allow_empty_topic_name: true,
  })
  return found_oldest ? messages.length : undefined
}

/** Deletes a topic, unless the page does so already. It says how it ended. */
export const deleteTopic = async (chat: Chat, place: TopicPlace, total: number | undefined): Promise<void> => {
  if (topicDeletions.peek().some((each) => isSameTopic(each.place, place))) return
  const name = `#${channelName(chat, place.channelId)} › ${topicName(chat, place.topic)}`
  topicDeletions.value = [...topicDeletions.peek(), { place, name, deleted: 0, total, isWaiting: false }]
  const patch = (changes: (now: TopicDeletion) => Partial<TopicDeletion>) => {
    topicDeletions.value = topicDeletions
      .peek()
      .map((each) => (each.place === place ? { ...each, ...changes(each) } : each))
  }
  const stopCounting = chat.realm.onEvent((event) => {
    if (event.type !== 'delete_message' || event.stream_id === undefined) return
    if (!isSameTopic({ channelId: event.stream_id, topic: event.topic ?? '' }, place)) return
    const count = event.message_ids?.length ?? 1
    patch(({ deleted }) => ({ deleted: deleted + count }))
  })
  try {
    await askUntilComplete(chat, place, (isWaiting) => patch(() => ({ isWaiting })))
    say({ text: t('{name} was deleted.', { name }) })
  } catch (error) {
    say({
      text: t('{name} was not deleted completely: {reason}', { name, reason: errorText(error) }),
      isFailure: true,
    })
  } finally {
    stopCounting()
    topicDeletions.value = topicDeletions.peek().filter((each) => each.place !== place)
  }
}

/** Throws ApiError when the server refuses the deletion. */
const askUntilComplete = async (chat: Chat, place: TopicPlace, noteWaiting: (isWaiting: boolean) => void) => {
  const timer = createAttemptTimer(chat)
  const call = () =>
    chat.client.call('POST /streams/{stream_id}/delete_topic', {
      stream_id: place.channelId,
      topic_name: place.topic,
    })
  for (;;) {
    try {
      if ((await call()).complete) return
      timer.reset()
    } catch (error) {
      if (!isTemporary(error)) throw error
      noteWaiting(true)
      await timer.wait(error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0)
      noteWaiting(false)
    }
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
