/**
 * The messages that loads send: an ordinary sentence or two with a number in it, made beforehand but for the number.
 */
import { request, type Who } from './http.js'

/** Stands in a text for the number of the message: as long as the number, and the same in a form and in JSON. */
const NUMBER = 'NNNNNNNN'

/** A message with a little Markdown in it. */
export const content = `Message ${NUMBER}: the kettle is on again, and **whoever** wants tea should come before the call at three.`

const fields = (channel_id: number) => ({ type: 'stream', to: String(channel_id), topic: 'tea', content })

/** A whole HTTP request that sends a message. */
export const httpSend = (who: Who, channel_id: number): string => request('POST', '/messages', who, fields(channel_id))

/** The same as a call over a socket. */
export const socketSend = (channel_id: number): string =>
  JSON.stringify({ req: 1, method: 'POST', path: '/messages', params: { ...fields(channel_id), to: channel_id } })

/** Puts a number into the text of a send. */
export const numbering = (text: string): ((n: number) => string) => {
  const [before = '', after = ''] = text.split(NUMBER)
  return (n) => before + String(n).padStart(NUMBER.length, '0') + after
}

const mark = Buffer.from('Message ')

/** The number in the event whose JSON stands here; undefined when it is no message of ours. */
export const numberIn = (bytes: Buffer, start: number, end: number): number | undefined => {
  const at = bytes.indexOf(mark, start)
  if (at === -1 || at + mark.length + NUMBER.length > end) return undefined
  return Number(bytes.toString('latin1', at + mark.length, at + mark.length + NUMBER.length))
}
