/**
 * Messages on their way to the server.
 *
 * 1. A message is in the outbox from the moment the user sends it until its event arrives, also when the page is closed
 *    meanwhile (outbox-storage.ts).
 * 2. Messages are sent one after another, so they arrive in the order in which they were written.
 * 3. A message without an answer waits, and is sent again by itself when the connection is back (next-attempt.ts). One
 *    that the server refused is not: the user edits it, deletes it or sends it again.
 * 4. No message is sent twice: where an attempt had no answer, the server is asked for the message before another
 *    attempt (find-arrived.ts). If its event arrives nevertheless, it leaves the outbox.
 * 5. Every attempt has the `local_id` and the `queue_id` of the first one, which name the message.
 */

import { ApiError, ConnectionError, createStore } from '@parley/client'
import { isSameTopic, type TopicPlace } from '@parley/client/realm'
import { type ReadonlySignal, signal } from '@preact/signals'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'
import { followStore, showNow } from '../realm/store-signals.js'
import type { SendableConversation } from '../routing/views.js'
import { formatDate } from '../ui/times.js'
import { findArrived } from './find-arrived.js'
import { createAttemptTimer } from './next-attempt.js'
import { openKeptMessages } from './outbox-storage.js'
import { isUnsent, type Outgoing } from './outgoing.js'

export interface Outbox {
  readonly messages: ReadonlySignal<readonly Outgoing[]>
  /**
   * Where the user sent a message last. It is a new object for each message, which may have left the outbox already.
   */
  readonly lastSent: ReadonlySignal<{ readonly conversation: SendableConversation } | undefined>
  send(conversation: SendableConversation, content: string): void
  /** Sends a message that failed again, or one that waits now. */
  retry(localId: string): void
  /**
   * Takes a message that failed or waits out of the outbox. Throws ApiError or ConnectionError if it is not known
   * whether the server has it.
   * @returns its text; undefined if the server has the message already
   */
  takeBack(localId: string): Promise<string | undefined>
  discard(localId: string): void
  /** Unsent messages of a topic follow it to its new place. */
  moveTo(from: TopicPlace, to: TopicPlace): void
}

const outboxes = new WeakMap<Chat, Outbox>()

/** The outbox of the page. */
export const outboxOf = (chat: Chat): Outbox => {
  let outbox = outboxes.get(chat)
  if (outbox === undefined) {
    outbox = createOutbox(chat)
    outboxes.set(chat, outbox)
  }
  return outbox
}

/** After so many faults of the server in a row, a message is not sent again by itself. */
const MAX_FAULTS = 6
/** An older message from a page that was closed is not sent without the user. */
const MAX_AGE_MS = 24 * 60 * 60_000
/** How long the event of a message may take. One to a channel without a subscription may have none. */
const EVENT_MS = 10_000

const createOutbox = (chat: Chat): Outbox => {
  const store = createStore<readonly Outgoing[]>([])
  // The signal changes in the same frame as those of the realm: a message leaves the outbox when it is in the list.
  const { signal: messages } = followStore(store)
  const lastSent = signal<{ readonly conversation: SendableConversation } | undefined>(undefined)
  const connection = chat.realm.connection.state
  const timer = createAttemptTimer(chat)
  /** the ids of the messages that were sent from here */
  const sentIds = new Set<number>()
  /** the ids of the user's messages whose events arrived */
  const arrivedIds = new Set<number>()
  let isRunning = false
  let isWaiting = false
  let isClosed = false

  const find = (localId: string) => store.get().find((each) => each.localId === localId)
  const patch = (localId: string, fields: Partial<Outgoing>) =>
    store.set(store.get().map((message) => (message.localId === localId ? { ...message, ...fields } : message)))
  const remove = (isDone: (message: Outgoing) => boolean) => {
    if (store.get().some(isDone)) store.set(store.get().filter((message) => !isDone(message)))
  }

  chat.realm.onEvent((event) => {
    // A new registration has all messages that were sent before it.
    if (event.type === 'reset') remove(({ state }) => state === 'sent')
    if (event.type !== 'message' || event.message.sender_id !== chat.ownUserId) return
    const { local_message_id: localId, message } = event
    if (localId !== undefined) sentIds.add(message.id)
    arrivedIds.add(message.id)
    remove((each) => each.localId === localId || each.id === message.id)
  })

  /** Removes a message that the server has. @returns whether it has it. Throws ApiError and ConnectionError. */
  const removeArrived = async (localId: string): Promise<boolean> => {
    const message = find(localId)
    if (message?.isUnclear !== true) return false
    const id = await findArrived(chat, message, sentIds)
    if (id === undefined) return false
    sentIds.add(id)
    remove((each) => each.localId === localId)
    return true
  }

  const post = async ({ conversation, content, localId, queueId }: Outgoing) => {
    const { id } = await chat.client.call('POST /messages', {
      ...(conversation.kind === 'direct'
        ? { type: 'direct', to: JSON.stringify(conversation.userIds) }
        : { type: 'channel', to: String(conversation.channelId), topic: conversation.topic }),
      content,
      local_id: localId,
      queue_id: queueId,
      read_by_sender: true,
    })
    sentIds.add(id)
    if (arrivedIds.has(id)) remove((each) => each.localId === localId)
    else patch(localId, { state: 'sent', id })
    setTimeout(() => remove((each) => each.localId === localId), EVENT_MS)
  }

  /** Sends a message. @returns undefined when it is settled; else it waits, at least so many milliseconds */
  const attempt = async (localId: string): Promise<number | undefined> => {
    let isPosted = false
    try {
      patch(localId, { state: 'sending', failure: undefined })
      if (await removeArrived(localId)) return undefined
      const message = find(localId)
      if (message === undefined) return undefined
      const first = {
        queueId: message.queueId ?? chat.realm.connection.queueId,
        afterId: message.afterId ?? chat.realm.newestMessageId,
      }
      patch(localId, { ...first, isUnclear: true })
      isPosted = true
      await post({ ...message, ...first })
      return undefined
    } catch (error) {
      return settle(localId, error as Error, isPosted)
    }
  }

  /** Notes why an attempt failed. @returns as `attempt` does */
  const settle = (localId: string, error: Error, isPosted: boolean): number | undefined => {
    if (error instanceof ConnectionError) {
      const hadNoEffect = isPosted && error.hadNoEffect
      patch(localId, { state: 'waiting', failure: undefined, ...(hadNoEffect && { isUnclear: false }) })
      return 0
    }
    const failure = errorText(error)
    if (!(error instanceof ApiError)) {
      patch(localId, { state: 'failed', failure })
      return undefined
    }
    // A refusal says that the message was not stored.
    const refused = isPosted && error.status < 500 ? { isUnclear: false } : {}
    const faults = (find(localId)?.faults ?? 0) + 1
    const isTemporary = error.status === 429 || error.status === 401 || (error.status >= 500 && faults < MAX_FAULTS)
    patch(localId, { ...refused, state: isTemporary ? 'waiting' : 'failed', failure, faults: isTemporary ? faults : 0 })
    return isTemporary ? (error.retryAfter ?? 0) * 1_000 : undefined
  }

  /** Sends what is to be sent, until nothing is left. */
  const run = async () => {
    if (isRunning) return
    isRunning = true
    for (;;) {
      const next = store.get().find(({ state }) => state === 'sending' || state === 'waiting')
      if (next === undefined || isClosed) break
      const pause = await attempt(next.localId)
      if (pause === undefined) {
        timer.reset()
        continue
      }
      isWaiting = true
      store.set(store.get().map((each) => (each.state === 'sending' ? { ...each, state: 'waiting' } : each)))
      await timer.wait(pause)
      isWaiting = false
    }
    isRunning = false
  }

  const kept = openKeptMessages(chat.ownUserId ?? 0, (taken) => {
    store.set([...taken.map(restore), ...store.get()])
    void run()
  })
  store.subscribe(() => kept.keep(store.get()))
  kept.takeOver()
  let { status } = connection.get()
  connection.subscribe(() => {
    const last = status
    status = connection.get().status
    if (last === status) return
    if (status === 'open') kept.takeOver()
    if (status !== 'closed') return
    isClosed = true
    kept.close()
    timer.end()
  })

  return {
    messages,
    lastSent,
    send(conversation, content) {
      const localId = `${Date.now()}.${Math.floor(Math.random() * 1_000_000)}`
      store.set([...store.get(), { localId, conversation, content, state: isWaiting ? 'waiting' : 'sending' }])
      // A message that is neither in the outbox nor in the list would count as sent.
      showNow()
      lastSent.value = { conversation }
      void run()
    },
    retry(localId) {
      if (find(localId)?.state === 'failed') patch(localId, { state: 'waiting', failure: undefined })
      timer.end()
      void run()
    },
    async takeBack(localId) {
      const message = find(localId)
      if (message === undefined || !isUnsent(message)) return undefined
      // Meanwhile it is not sent.
      patch(localId, { state: 'failed' })
      try {
        if (await removeArrived(localId)) return undefined
      } catch (error) {
        patch(localId, message)
        void run()
        throw error
      }
      remove((each) => each.localId === localId)
      return message.content
    },
    discard: (localId) => remove((message) => message.localId === localId && isUnsent(message)),
    moveTo(from, to) {
      const isMoved = ({ state, conversation }: Outgoing) =>
        state !== 'sent' && conversation.kind === 'topic' && isSameTopic(conversation, from)
      if (!store.get().some(isMoved)) return
      const conversation = { kind: 'topic', ...to } as const
      store.set(store.get().map((message) => (isMoved(message) ? { ...message, conversation } : message)))
    },
  }
}

/** A message of a page that was closed. It waits again, unless it is old: what it says may be out of date. */
const restore = (message: Outgoing): Outgoing => {
  if (message.state === 'failed') return message
  const writtenAt = new Date(Number.parseFloat(message.localId))
  if (Date.now() - writtenAt.getTime() < MAX_AGE_MS) return { ...message, state: 'waiting', failure: undefined }
  return {
    ...message,
    state: 'failed',
    failure: t('There was no connection since {date}.', { date: formatDate(writtenAt) }),
  }
}
