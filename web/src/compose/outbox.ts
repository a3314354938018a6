/**
 * Messages on their way to the server.
 *
 * 1. A message is in the outbox from the moment the user sends it until its event arrives.
 * 2. Messages are sent one after another, so they arrive in the order in which they were written.
 * 3. A message that failed stays until the user sends it again or discards it. If its event arrives nevertheless, because
 *    only the answer was lost, it leaves the outbox.
 */
import { createStore } from '@parley/client'
import type { ReadonlySignal } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import { followStore } from '../realm/store-signals.js'
import type { Conversation } from '../routing/views.js'

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
}

export interface Outbox {
  readonly messages: ReadonlySignal<readonly Outgoing[]>
  send(conversation: SendableConversation, content: string): void
  retry(localId: string): void
  discard(localId: string): void
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
  const store = createStore<readonly Outgoing[]>([])
  // The signal changes in the same frame as those of the realm: a message leaves the outbox when it is in the list.
  const { signal: messages } = followStore(store)
  let previous: Promise<void> = Promise.resolve()
  let count = 0

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
    remove((each) => each.localId === localId || each.id === message.id)
  })

  const post = async ({ localId, conversation, content }: Outgoing) => {
    try {
      const { id } = await chat.client.call('POST /messages', {
        ...(conversation.kind === 'direct'
          ? { type: 'direct', to: JSON.stringify(conversation.userIds) }
          : { type: 'channel', to: String(conversation.channelId), topic: conversation.topic }),
        content,
        local_id: localId,
        queue_id: chat.realm.connection.queueId,
        read_by_sender: true,
      })
      patch(localId, { state: 'sent', id })
    } catch (error) {
      patch(localId, { state: 'failed', failure: (error as Error).message })
    }
  }
  const enqueue = (message: Outgoing) => {
    previous = previous.then(() => post(message))
  }

  return {
    messages,
    send(conversation, content) {
      count += 1
      const message: Outgoing = { localId: `${Date.now()}.${count}`, conversation, content, state: 'sending' }
      store.set([...store.get(), message])
      enqueue(message)
    },
    retry(localId) {
      const message = store.get().find((each) => each.localId === localId)
      if (message?.state !== 'failed') return
      patch(localId, { state: 'sending', failure: undefined })
      enqueue(message)
    },
    discard: (localId) => remove((message) => message.localId === localId && message.state === 'failed'),
  }
}
