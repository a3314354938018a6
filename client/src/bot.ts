/**
 * A bot that answers each event once, also if it dies anywhere and if several copies of it run.
 *
 * 1. Its position on the server moves together with an answer (docs/protocol/events.md 1.14). All copies with one name
 *    read all events, and the first answer to an event is the only one.
 * 2. It handles one event after the other. It acknowledges no event before it has handled all earlier ones, so each
 *    event up to the position was answered or needs no answer.
 * 3. A handler runs again for the same event after a failure that may pass, and in another copy or after a restart. Its
 *    calls before the answer have keys that follow from the event, so each of them happens once.
 * 4. Events without an answer are acknowledged together, after ACK_MS: a bot that is started again may read them again.
 */

import { type BotTransaction, isAcknowledged, openTransaction } from './bot-transaction.js'
import type { Client } from './client.js'
import { pause } from './events/activity.js'
import { backoff } from './events/backoff.js'
import type { EventStream } from './events/stream/event-stream.js'
import type { EventsOptions } from './events/stream/stream.js'
import type { Event, EventOf, Snapshot } from './kernel/api.js'
import { ApiError, ConnectionError } from './kernel/errors.js'

/** What a bot does with an event. It answers with the transaction, or not at all. */
export type BotHandler<T extends Event['type']> = (event: EventOf<T>, tx: BotTransaction) => unknown

/** How a bot is known to the server, and what it reads. */
export type BotOptions = Omit<EventsOptions, 'queue_name' | 'fetch_event_types' | 'isShared' | 'heartbeats'> & {
  /** the name of its position, which all copies of the bot share: 1 to 100 characters */
  name: string
  /**
   * Called when a handler throws what no other attempt would change, such as a refusal of its answer. The event is then
   * acknowledged without an answer, unless this throws too: that ends the bot, and the event stays for the next start.
   * By default the bot ends.
   */
  onError?(error: unknown, event: Event): unknown
  /**
   * Called after each registration. `lost`: the bot was away for longer than the server keeps events, and continues
   * with new ones.
   */
  onRegistered?(position: 'new' | 'continued' | 'lost'): unknown
}

export interface Bot {
  /** Handles the events of a type. Each type has one handler. */
  on<T extends Event['type']>(type: T, handler: BotHandler<T>): Bot
  /**
   * Reads and handles events until the bot is closed. Throws ApiError when the account is refused, and what handlers
   * throw (`onError`).
   */
  run(): Promise<void>
  /** Ends `run` after the current event. */
  close(): void
}

/** A handler of events of some type. */
type AnyHandler = (event: never, tx: BotTransaction) => unknown

/** What lasts while a bot runs. */
interface RunningBot {
  readonly client: Client
  readonly options: BotOptions
  readonly handlers: ReadonlyMap<string, AnyHandler>
  readonly stream: EventStream
  readonly closing: AbortController
  /** the last event that was handled, by this copy or another one */
  handled: number
  /** the last event that was acknowledged by this copy */
  acknowledged: number
  /** when events without an answer are acknowledged, as performance.now() */
  ackAt: number
  isHandling: boolean
}

const ACK_MS = 60_000

/** Creates a bot, which connects when it runs. */
export const createBot = (client: Client, options: BotOptions): Bot => {
  const handlers = new Map<string, AnyHandler>()
  const closing = new AbortController()
  const bot: Bot = {
    on(type, handler) {
      handlers.set(type, handler)
      return bot
    },
    async run() {
      const { name, onError: _, onRegistered: __, event_types = [...handlers.keys()], ...registration } = options
      const stream = client.events({
        ...registration,
        event_types,
        queue_name: name,
        fetch_event_types: [],
        heartbeats: true,
      })
      const at = { handled: 0, acknowledged: 0, ackAt: 0, isHandling: false }
      const running: RunningBot = { client, options, handlers, stream, closing, ...at }
      closing.signal.addEventListener('abort', () => running.isHandling || void end(running))
      if (closing.signal.aborted) return stream.close()
      await readEvents(running)
    },
    close: () => closing.abort(),
  }
  return bot
}

const readEvents = async (bot: RunningBot): Promise<void> => {
  const first = await bot.stream.snapshot.catch((error: unknown) => {
    if (!bot.closing.signal.aborted) throw error
  })
  if (first === undefined) return
  await checkPosition(bot, first)
  for await (const event of bot.stream) {
    if (bot.closing.signal.aborted) return
    if (event.type === 'reset') {
      await checkPosition(bot, event.snapshot)
      continue
    }
    const { id } = event as Event & { id: number }
    if (id <= bot.handled) continue
    const handler = bot.handlers.get(event.type)
    bot.isHandling = true
    const hasMoved = handler !== undefined && (await handle(bot, handler, event, id))
    bot.isHandling = false
    bot.handled = Math.max(bot.handled, id)
    if (hasMoved) bot.acknowledged = bot.handled
    if (bot.closing.signal.aborted) return end(bot)
    if (performance.now() >= bot.ackAt) await acknowledge(bot)
  }
}

/** Acknowledges what was handled, and leaves the queue. */
const end = async (bot: RunningBot): Promise<void> => {
  await acknowledge(bot).catch(() => {})
  bot.stream.close()
}

/** Throws an Error if the server has no named queues. */
const checkPosition = async ({ options }: RunningBot, { queue_position }: Snapshot): Promise<void> => {
  if (queue_position === undefined) throw new Error('The server has no named queues: a gateway is too old.')
  await options.onRegistered?.(queue_position)
}

/** Runs the handler until the event is handled. @returns whether the position has moved to the event or beyond */
const handle = async (bot: RunningBot, handler: AnyHandler, event: Event, id: number): Promise<boolean> => {
  const { client, options, stream, closing } = bot
  for (let failures = 1; ; failures++) {
    const tx = openTransaction(client, options.name, () => stream.queueId ?? '', event, id)
    try {
      await handler(event as never, tx)
      return tx.hasAnswered
    } catch (error) {
      if (isAcknowledged(error)) {
        bot.handled = Math.max(bot.handled, Number(error.body.event_id))
        return true
      }
      if (!mayPass(error)) {
        if (options.onError === undefined) throw error
        await options.onError(error, event)
        return false
      }
      if (closing.signal.aborted) throw error
      const waiting = pause(backoff(failures, error instanceof ApiError ? error.retryAfter : 0))
      closing.signal.addEventListener('abort', waiting.interrupt)
      await waiting.ended
      closing.signal.removeEventListener('abort', waiting.interrupt)
    }
  }
}

/** Acknowledges the last event that was handled. If this fails, it is tried again after a later event. */
const acknowledge = async (bot: RunningBot): Promise<void> => {
  bot.ackAt = performance.now() + ACK_MS
  const { client, stream, handled } = bot
  if (handled <= bot.acknowledged || stream.queueId === undefined) return
  try {
    await client.call('POST /events/ack', { queue_id: stream.queueId, event_id: handled })
    bot.acknowledged = handled
  } catch (error) {
    if (isAcknowledged(error)) bot.handled = Math.max(handled, Number(error.body.event_id))
    else if (!mayPass(error)) throw error
  }
}

/** Whether another attempt may succeed. The stream registers again by itself when its queue is gone. */
const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 429 || error.status >= 500 || error.code === 'BAD_EVENT_QUEUE_ID'))
