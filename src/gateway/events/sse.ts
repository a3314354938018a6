/**
 * Server-sent events: each event is one `data:` line, its id the `id:` line, which a browser sends back as
 * `Last-Event-ID` when it reconnects (HTML standard, section 9.2).
 */

import { catchUp, type Stream } from './catch-up.js'
import type { CloseReason } from './connected-client.js'

/** What a stream needs of the raw response (http/transport.ts). */
interface StreamResponse {
  onAborted(listener: () => void): void
  startStream(headers: Readonly<Record<string, string>>): void
  write(chunk: string): boolean
  onDrained(listener: () => void): void
  end(): void
}

/** A reader this far behind is let go; its Last-Event-ID brings it back where it was. */
const MOST_BUFFERED = 4_000_000

/** Serves a queue as a stream until the client leaves or the gateway ends it. Throws LogTrimmed before it starts. */
export const eventStream = async (
  reply: StreamResponse,
  stream: Omit<Stream, 'client' | 'isOpen' | 'ready'>,
): Promise<void> => {
  let open = true
  let buffered = 0
  let drained = Promise.resolve()

  const close = () => {
    if (!open) return
    open = false
    stream.hub.detach(client)
    reply.end()
  }
  const write = (text: string) => {
    if (!open || reply.write(text)) return
    if (buffered === 0) {
      drained = new Promise((resolve) => {
        reply.onDrained(() => {
          buffered = 0
          resolve()
        })
      })
    }
    buffered += text.length
    if (buffered > MOST_BUFFERED) close()
  }
  const client = {
    queue: stream.queue,
    lastId: stream.last_event_id,
    push: (id: number, text: string) => write(`id: ${id}\ndata: ${text}\n\n`),
    close: (_reason: CloseReason) => close(),
  }

  reply.onAborted(() => {
    open = false
    stream.hub.detach(client)
  })
  const begin = () => {
    reply.startStream({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    // Headers reach the client at once, however quiet the realm is; `retry` is the pause before it reconnects.
    write('retry: 1000\n\n')
  }
  await catchUp({ ...stream, client, begin, isOpen: () => open, ready: () => drained })
}
