/** Long polls: a request is answered when there is an event. */
import { readAnswer, readBody, send } from '../kernel/http.js'
import { type Connect, type Cursor, eventsAddress, type WireEvent } from './connection.js'
import { runConnection } from './fetch-connection.js'

/** A poll that is not answered in this time, and a little more, has a dead connection. */
const HEARTBEAT_SECONDS = 9

/** Reads a queue by long polls. The first one is answered at once, so that it is known whether they work. */
export const connectPoll: Connect = (http, gateway, cursor, listener) =>
  runConnection(listener, async (signal, { onOpen, onEvents }) => {
    let { lastEventId } = cursor
    const poll = async (more: string): Promise<WireEvent[]> => {
      const at: Cursor = { queueId: cursor.queueId, lastEventId }
      const response = await send(http.fetch, eventsAddress(gateway, at, more), {
        headers: await http.headers(gateway, 'GET', signal),
        credentials: http.credentials === 'session' ? 'same-origin' : 'omit',
        signal,
      })
      const { events } = readAnswer(response.status, await readBody(response, signal)) as { events: WireEvent[] }
      lastEventId = Math.max(lastEventId, events.at(-1)?.id ?? lastEventId)
      return events
    }
    const first = await poll('&dont_block=true')
    onOpen()
    if (first.length > 0) onEvents(first)
    for (;;) {
      const before = lastEventId
      const events = await poll(`&heartbeat_seconds=${HEARTBEAT_SECONDS}`)
      // Another reader of this queue ended the poll, or the queue was deleted: the next request tells. Or something in
      // between repeats an answer that it keeps: the next poll must not follow without a pause.
      if (lastEventId === before) return { kind: 'again', reason: 'The poll ended without a new event.' }
      onEvents(events)
    }
  })
