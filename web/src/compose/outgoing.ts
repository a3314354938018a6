/** A message on its way to the server, as the outbox and the storage of the browser hold it. */
import type { SendableConversation } from '../routing/views.js'

/** A message on its way. */
export interface Outgoing {
  /** begins with the time at which the message was written */
  readonly localId: string
  readonly conversation: SendableConversation
  readonly content: string
  /** `waiting`: it had no answer, and will be sent again; `failed`: only the user can send it again */
  readonly state: 'sending' | 'sent' | 'waiting' | 'failed'
  /** why it failed, or what it waits for */
  readonly failure?: string | undefined
  /** the id in the answer, which can arrive before the event */
  readonly id?: number
  /** the event queue at the first attempt; undefined before it */
  readonly queueId?: string | undefined
  /** the newest message that was known before the first attempt; undefined before it */
  readonly afterId?: number
  /** an attempt was made whose answer is not known: the server may have the message */
  readonly isUnclear?: boolean
  /** how often the server could not take the message in a row */
  readonly faults?: number
}

/** Whether a message needs the user's attention. It needs it when it is not sent, and not being sent. */
export const isUnsent = ({ state }: Outgoing): boolean => state === 'waiting' || state === 'failed'
