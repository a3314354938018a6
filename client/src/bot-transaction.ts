/** The calls with which a bot answers one event. */
import type { Client } from './client.js'
import type { Event, Message, Operation, Params, Result } from './kernel/api.js'
import { ApiError } from './kernel/errors.js'

/** The calls of one run of a handler. */
export interface BotTransaction {
  /**
   * Makes a call before the answer. It happens once for the event, for 24 hours: another run of the handler gets the
   * answer of the first if it makes the same calls in the same order, else ApiError `IDEMPOTENCY_KEY_REUSED`.
   */
  call<O extends Operation>(operation: O, params: Params<O>): Promise<Result<O>>
  /**
   * Makes the call that answers the event, the last one. It happens only if no other run of the handler has answered
   * the event; otherwise it throws, which ends this run.
   */
  answer<O extends Operation>(operation: O, params: Params<O>): Promise<Result<O>>
  /** Answers a message with a message in its conversation. Throws TypeError for another event. */
  reply(content: string): Promise<Result<'POST /messages'>>
  /** Whether the event was answered. */
  readonly hasAnswered: boolean
}

/** Whether another run has answered the event. The error has the position in its field `event_id`. */
export const isAcknowledged = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'EVENT_ALREADY_ACKED'

/** Opens the transaction of one event. @param queueId the queue of the bot at the time of the answer */
export const openTransaction = (
  client: Client,
  name: string,
  queueId: () => string,
  event: Event,
  event_id: number,
): BotTransaction => {
  let hasAnswered = false
  let calls = 0
  const requireOpen = () => {
    if (hasAnswered) throw new Error('The event was answered: the answer is the last call of its handler.')
  }
  const tx: BotTransaction = {
    get hasAnswered() {
      return hasAnswered
    },
    async call(operation, params) {
      requireOpen()
      calls += 1
      return client.call(operation, params, { key: `${name} ${event_id} ${calls}` })
    },
    async answer(operation, params) {
      requireOpen()
      const result = await client.call(operation, { ...params, ack: { queue_id: queueId(), event_id } })
      hasAnswered = true
      return result
    },
    async reply(content) {
      if (event.type !== 'message') throw new TypeError('Only a message has a conversation in which it is answered.')
      return tx.answer('POST /messages', { ...findConversation(event.message), content })
    },
  }
  return tx
}

/** Where the answer to a message is sent: to its topic, or to all participants of the conversation. */
const findConversation = ({ type, stream_id, subject, display_recipient }: Message) =>
  type === 'stream'
    ? ({ type: 'channel', to: String(stream_id), topic: subject } as const)
    : ({ type: 'direct', to: JSON.stringify((display_recipient as { id: number }[]).map(({ id }) => id)) } as const)
