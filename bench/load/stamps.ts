/**
 * The stamp of a message: the time at which it was due, in microseconds since 1970, written into its content. Receivers
 * compute the time of a delivery from the stamp alone, whatever protocol carries it.
 */
import { now } from '../harness/measure.js'

/** The placeholder of the stamp in a text. Stamps have the same length until the year 2286. */
const PLACEHOLDER = 'SSSSSSSSSSSSSSSS'

/** The content of a message, with some Markdown. */
export const stampedContent = `Stamp ${PLACEHOLDER}: the kettle is on again, and **guests** who want tea should come before three.`

/** An event as a chat server sends it to clients. It is for servers that deliver whatever bytes are published. */
export const stampedEvent = JSON.stringify({
  type: 'message',
  message: {
    id: 12_345_678,
    type: 'stream',
    stream_id: 1,
    sender_id: 7,
    sender_full_name: 'Member 7 of the Bench',
    sender_email: 'user7@bench.invalid',
    avatar_url: 'https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?d=identicon&version=1',
    subject: 'tea',
    content: `<p>${stampedContent.replaceAll('**', '')}</p>`,
    content_type: 'text/html',
    client: 'bench',
    timestamp: 1_700_000_000,
    is_me_message: false,
    reactions: [],
    submessages: [],
    topic_links: [],
    display_recipient: 'bench',
    recipient_id: 1,
  },
  flags: [],
})

/**
 * Compiles a text into a function that inserts a stamp. The text has placeholders for the stamp, and the function gets
 * a time in milliseconds.
 */
export const compileStamped = (text: string): ((time: number) => string) => {
  const parts = text.split(PLACEHOLDER)
  return (time) => parts.join(formatStamp(time))
}

const formatStamp = (time: number): string => String(Math.round(time * 1000)).padStart(PLACEHOLDER.length, '0')

const prefix = Buffer.from('Stamp ')

/**
 * Calls `onStamp` for each message in the bytes of an event or a response.
 * @param onStamp gets the milliseconds since the message was due, and a number that identifies it
 */
export const readStamps = (
  bytes: Buffer,
  start: number,
  end: number,
  onStamp: (elapsed: number, stamp: number) => void,
): void => {
  const time = now()
  for (let at = bytes.indexOf(prefix, start); at !== -1 && at < end; at = bytes.indexOf(prefix, at + 1)) {
    let stamp = 0
    for (let i = at + prefix.length; i < at + prefix.length + PLACEHOLDER.length; i++) {
      const digit = (bytes[i] ?? 0) - 48
      // Another character: this text is not a stamp.
      stamp = digit >= 0 && digit <= 9 ? stamp * 10 + digit : Number.NaN
    }
    if (stamp > 0) onStamp(time - stamp / 1000, stamp)
  }
}
