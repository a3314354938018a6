/** The messages that the load sends: requests that are formatted beforehand, except for the number of the message. */
import { formatRequest, type Identity } from './http.js'

/** The placeholder of the number in a text. A number has the same length, in a form as in JSON. */
export const PLACEHOLDER = 'NNNNNNNN'

/** The content of a message, with some Markdown. */
export const content = `Message ${PLACEHOLDER}: the kettle is on again, and **whoever** wants tea should come before the call at three.`

const messageFields = (channel_id: number) => ({ type: 'stream', to: String(channel_id), topic: 'tea', content })

/** Formats the HTTP request that sends a message. @param more further fields, and further headers */
export const formatSendRequest = (
  identity: Identity,
  channel_id: number,
  more: { fields?: Record<string, string>; headers?: readonly string[] } = {},
): string =>
  formatRequest('POST', '/messages', identity, { ...messageFields(channel_id), ...more.fields }, more.headers)

/** Formats the call over a socket that sends a message. */
export const formatSendCall = (channel_id: number): string =>
  JSON.stringify({
    req: 1,
    method: 'POST',
    path: '/messages',
    params: { ...messageFields(channel_id), to: channel_id },
  })

/** Compiles a text into a function that inserts the number of a message. The text has placeholders for the number. */
export const compileTemplate = (text: string): ((number: number) => string) => {
  const parts = text.split(PLACEHOLDER)
  return (number) => parts.join(String(number).padStart(PLACEHOLDER.length, '0'))
}

const prefix = Buffer.from('Message ')

/**
 * Finds the number of the message in the JSON of an event. Returns undefined when the event contains no such message.
 */
export const findMessageNumber = (bytes: Buffer, start: number, end: number): number | undefined => {
  const at = bytes.indexOf(prefix, start)
  if (at === -1 || at + prefix.length + PLACEHOLDER.length > end) return undefined
  return Number(bytes.toString('latin1', at + prefix.length, at + prefix.length + PLACEHOLDER.length))
}
