/** The frame in which a socket gets the answer to a call: `{"req":1,"status":200,"body":{…}}`. */

import type { Reply } from '../call/envelope.js'
import { encodeFragments } from '../compression/encoded-fragments.js'

/**
 * Composes the frame. An answer in fragments becomes bytes, of which most are copied: as text, the megabytes of a
 * registration would be decoded, joined and encoded again for each socket.
 * @param req of the call; null: it could not be read
 */
export const composeAnswerFrame = (req: number | null, reply: Reply): string | Uint8Array => {
  const start = `{"req":${req},"status":${reply.status},"body":`
  const { fragments } = reply
  if (fragments === undefined) return `${start}${reply.text.trimEnd()}}`
  const frame = Buffer.concat(encodeFragments([start, ...fragments, '}']).chunks)
  reply.release?.()
  return frame
}
