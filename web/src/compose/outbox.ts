/**
 * Messages on their way to the server.
 *
 * 1. A message is in the outbox from the moment the user sends it until its event arrives.
 * 2. Messages are sent one after another, so they arrive in the order in which they were written.
 * 3. A message that failed stays until the user sends it again, edits it or discards it, also when the page is loaded
 *    again (kept-messages.ts). If its event arrives nevertheless, because only the answer was lost, it leaves the outbox.
 * 4. No message is sent twice: where an attempt had no answer, the server is asked for the message before another attempt
 *    (find-arrived.ts).
 */
import { ApiError, createStore } from '@parley/client'
import { isSameTopic, type TopicPlace } from '@parley/client/realm'
import type { ReadonlySignal } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import { followStore } from '../realm/store-signals.js'
import type { Conversation } from '../routing/views.js'
import { findArrived } from './find-arrived.js'
import { keepMessages, readKeptMessages } from './kept-messages.js'

export type SendableConversation = Exclude<Conversation, { kind: 'channel' }>

/** A message on its way. */
export interface Outgoing {
  readonly localId: string
  readonly conversation: SendableConversation
  readonly content: string
  readonly state: 'sending' | 'sent' | 'failed'
  readonly failure?: string
  /** the id in the answer, which can arrive before the event */
  readonly id?: number
  /** the newest message that was known before the first attempt; undefined before it */
  readonly afterId?: number
  /** an attempt was made whose answer is not known: the server may have the message */
  readonly isUnclear?: boolean
}

export interface Outbox {
  readonly messages: ReadonlySignal<readonly Outgoing[]>
  send(conversation: SendableConversation, content: string): void
  retry(localId: string): void
  /** Takes a message that failed out of the outbox. @returns its text; undefined if the server has the message already */
  takeBack(localId: string): Promise<string | undefined>
  discard(localId: string): void
  /** Leads the messages that have not been sent to another topic, because theirs was moved there. */
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

const createOutbox = (chat: Chat): Outbox => {
  const { ownUserId = 0 } = chat
  const store = createStore<readonly Outgoing[]>(restore(readKeptMessages(ownUserId)))
  store.subscribe(() => keepMessages(ownUserId, store.get()))
  // The signal changes in the same frame as those of the realm: a message leaves the outbox when it is in the list.
  const { signal: messages } = followStore(store)
  /** the ids of the messages that were sent from here */
  const sentIds = new Set<number>()
  let previous: Promise<void> = Promise.resolve()
  let count = 0

  const find = (localId: string) => store.get().find((each) => each.localId === localId)
  const patch = (localId: string, fields: Partial<Outgoing>) =>
    store.set(store.get().map((message) => (message.localId === localId ? { ...message, ...fields } : message)))
  const remove = (isDone: (message: Outgoing) => boolean) => {
    if (store.get().some(isDone)) store.set(store.get().filter((message) => !isDone(message)))
  }

  chat.realm.onEvent((event) => {
    // A new registration has all messages that were sent before it.
    if (event.type === 'reset') remove(({ state }) => state === 'sent')
    if (event.type !== 'message') return
    const { local_message_id: localId, message } = event
    if (localId !== undefined) sentIds.add(message.id)
    remove((each) => each.localId === localId || each.id === message.id)
  })

  /** Removes a message that the server has. @returns whether it has it. Throws if it cannot be asked. */
  const removeArrived = async (localId: string): Promise<boolean> => {
    const message = find(localId)
    if (message?.isUnclear !== true) return false
    const id = await findArrived(chat, message, sentIds)
    if (id === undefined) return false
    sentIds.add(id)
    remove((each) => each.localId === localId)
    return true
  }

  const post = async ({ conversation, content, localId }: Outgoing) => {
    const { id } = await chat.client.call('POST /messages', {
      ...(conversation.kind === 'direct'
        ? { type: 'direct', to: JSON.stringify(conversation.userIds) }
        : { type: 'channel', to: String(conversation.channelId), topic: conversation.topic }),
      content,
      local_id: localId,
      queue_id: chat.realm.connection.queueId,
      read_by_sender: true,
    })
    sentIds.add(id)
    patch(localId, { state: 'sent', id })
  }
  const attempt = async (localId: string) => {
    let isPosted = false
    try {
      if (await removeArrived(localId)) return
      const message = find(localId)
      if (message === undefined) return
      patch(localId, { afterId: message.afterId ?? chat.realm.newestMessageId, isUnclear: true })
      isPosted = true
      await post(message)
    } catch (error) {
      // A refusal says that the message was not stored.
      const isRefused = isPosted && error instanceof ApiError && error.status < 500
      patch(localId, { state: 'failed', failure: (error as Error).message, ...(isRefused && { isUnclear: false }) })
    }
  }
  const enqueue = (localId: string) => {
    previous = previous.then(() => attempt(localId))
  }
  for (const { localId } of store.get()) {
    // While offline, the user's next attempt asks again.
    previous = previous.then(async () => void (await removeArrived(localId).catch(() => undefined)))
  }

  return {
    messages,
    send(conversation, content) {
      count += 1
      const message: Outgoing = { localId: `${Date.now()}.${count}`, conversation, content, state: 'sending' }
      store.set([...store.get(), message])
      enqueue(message.localId)
    },
    retry(localId) {
      if (find(localId)?.state !== 'failed') return
      patch(localId, { state: 'sending', failure: undefined })
      enqueue(localId)
    },
    async takeBack(localId) {
      const message = find(localId)
      if (message?.state !== 'failed' || (await removeArrived(localId))) return undefined
      remove((each) => each.localId === localId)
      return message.content
    },
    discard: (localId) => remove((message) => message.localId === localId && message.state === 'failed'),
    moveTo(from, to) {
      const isMoved = ({ state, conversation }: Outgoing) =>
        state !== 'sent' && conversation.kind === 'topic' && isSameTopic(conversation, from)
      if (!store.get().some(isMoved)) return
      const conversation = { kind: 'topic', ...to } as const
      store.set(store.get().map((message) => (isMoved(message) ? { ...message, conversation } : message)))
    },
  }
}

/** The kept messages after the page was loaded again. One that waited for its answer failed; the server is asked for it. */
const restore = (kept: readonly Outgoing[]): Outgoing[] =>
  kept
    .filter(({ state }) => state !== 'sent')
    .map((message) =>
      message.state === 'failed'
        ? message
        : { ...message, state: 'failed', failure: 'The page was closed before the answer of the server came.' },
    )
