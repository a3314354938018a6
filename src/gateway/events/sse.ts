/**
 * Server-sent events (HTML standard, section 9.2): each event is one `data:` line. Its id is the `id:` line, which a
 * browser sends as the header `Last-Event-ID` when it reconnects.
 */

import { StaleStateError } from '../../store/log/log.js'
import { type CatchUp, catchUp } from './catch-up.js'
import type { Client, CloseReason } from './connected-client.js'
import { SendGroup } from './paced-sends.js'

/** The part of HttpExchange (contract/transport.ts) that a stream uses. */
interface StreamResponse {
  onAborted(listener: () => void): void
  startStream(headers: Readonly<Record<string, string>>): void
  write(chunk: string): boolean
  onDrained(listener: () => void): void
  end(): void
  closeConnection(): void
}

/** A connection with more unsent characters is closed. Its client reconnects with Last-Event-ID and misses nothing. */
const MAX_BUFFERED_CHARACTERS = 4_000_000

/**
 * Streams a queue until the client or the gateway closes the connection. Throws LogTrimmedError before the first byte,
 * and StaleStateError when the account lost its rights by then: the call runs again and is refused.
 */
export const streamEvents = async (
  reply: StreamResponse,
  stream: Omit<CatchUp, 'client' | 'isOpen' | 'ready'> & Pick<Client, 'key_version' | 'session_id' | 'api_key_id'>,
): Promise<void> => {
  let isOpen = true
  let hasBegun = false
  let buffered = 0
  let drained = Promise.resolve()
  let markDrained = () => {}

  const group = new SendGroup()
  /** what waits for the turn of this stream */
  let collected = ''

  let wasRefused = false
  const close = (reason: CloseReason) => {
    if (!isOpen) return
    if (reason !== 'slowConsumer') writeCollected()
    stream.hub.detach(client)
    markDrained()
    wasRefused = !hasBegun && reason === 'unauthorized'
    if (reason === 'slowConsumer') reply.closeConnection()
    else if (!wasRefused) {
      if (!hasBegun) begin()
      reply.end()
    }
    isOpen = false
  }
  const write = (text: string) => {
    if (!isOpen || reply.write(text)) return
    if (buffered === 0) {
      drained = new Promise((resolve) => {
        markDrained = () => {
          buffered = 0
          resolve()
        }
        reply.onDrained(markDrained)
      })
    }
    buffered += text.length
    if (buffered > MAX_BUFFERED_CHARACTERS) close('slowConsumer')
  }
  const writeCollected = () => {
    const text = collected
    collected = ''
    if (text !== '') write(text)
  }
  const push = (id: number, text: string) => {
    const isFirst = collected === ''
    collected += `id: ${id}\ndata: ${text}\n\n`
    if (isFirst) stream.hub.sends.run(group, 1, writeCollected)
  }
  const client = {
    queue: stream.queue,
    key_version: stream.key_version,
    session_id: stream.session_id,
    api_key_id: stream.api_key_id,
    lastId: stream.last_event_id,
    push,
    unsentBytes: () => buffered + collected.length,
    close,
  }

  reply.onAborted(() => {
    isOpen = false
    stream.hub.detach(client)
    markDrained()
  })
  const begin = () => {
    hasBegun = true
    reply.startStream({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    // The first write sends the headers, even if no event follows soon. `retry`: milliseconds before a reconnect.
    write('retry: 1000\n\n')
  }
  const ready = () => {
    writeCollected()
    return drained
  }
  await catchUp({ ...stream, client, begin, isOpen: () => isOpen, ready })
  if (wasRefused) throw new StaleStateError()
}
