/** Server-sent events: one answer that does not end, with an event in each block of lines. */
import { parseObject, readAnswer, readBody, send } from '../kernel/http.js'
import { type Connect, eventsAddress, OPEN_TIMEOUT_MS, type WireEvent } from './connection.js'
import { runConnection } from './fetch-connection.js'

/**
 * Reads a queue as a stream. It uses `fetch` and not `EventSource`, which cannot send headers. The gateway writes a
 * line at once: a stream that does not begin is held back by something in between.
 */
export const connectSse: Connect = (http, gateway, cursor, listener) =>
  runConnection(listener, async (signal, { onOpen, onEvents }, block) => {
    const timer = setTimeout(block, OPEN_TIMEOUT_MS)
    try {
      const response = await send(http.fetch, eventsAddress(gateway, cursor), {
        headers: { ...(await http.headers(gateway, 'GET', signal)), Accept: 'text/event-stream' },
        credentials: http.credentials === 'session' ? 'same-origin' : 'omit',
        signal,
      })
      if (response.status !== 200) readAnswer(response.status, await readBody(response, signal))
      const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
      if (!isStream || response.body === null) return { kind: 'blocked', reason: 'The answer is not a stream.' }
      const reader = response.body.getReader()
      const parse = createParser()
      const decoder = new TextDecoder()
      let isOpen = false
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return { kind: 'again', reason: 'The stream ended.' }
        if (!isOpen) {
          isOpen = true
          clearTimeout(timer)
          onOpen()
        }
        const events = parse(decoder.decode(value, { stream: true }))
        if (events.length > 0) onEvents(events)
      }
    } finally {
      clearTimeout(timer)
    }
  })

/** Creates a function that takes the next part of a stream, and returns the events that it completes. */
const createParser = () => {
  let rest = ''
  return (part: string): WireEvent[] => {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const line = block.split('\n').find((one) => one.startsWith('data: '))
      const event = line === undefined ? undefined : parseObject(line.slice('data: '.length))
      return event === undefined ? [] : [event as unknown as WireEvent]
    })
  }
}
