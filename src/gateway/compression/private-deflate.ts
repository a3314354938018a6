/**
 * Compresses the private texts of answers off the event loop. A deflate stream serves one text after the other: opening
 * one allocates and clears 256 kB, which takes longer than compressing a page of messages.
 */
import type { TransformOptions } from 'node:stream'
import { constants, createDeflateRaw, type DeflateRaw, type ZlibOptions } from 'node:zlib'
import { oneOwner } from '../../store/fairness/fair-queue.js'
import { openFairQueue } from '../../store/fairness/fair-queues.js'

const options: ZlibOptions & Pick<TransformOptions, 'readableHighWaterMark'> = {
  // As JSON of equal keys, a private text is small already at the lowest level. A page of 100 generated messages took a
  // third of the time of level 6, and got a tenth longer.
  level: 1,
  flush: constants.Z_FULL_FLUSH,
  // The stream goes to a thread once for each chunk of compressed bytes.
  chunkSize: 65_536,
  // All compressed bytes of a text wait in the stream until it is done.
  readableHighWaterMark: Number.MAX_SAFE_INTEGER,
}

const streams = openFairQueue('deflate_streams')
const idle: DeflateRaw[] = []

/**
 * Compresses bytes into whole blocks of a deflate stream. The blocks end at a byte and refer to nothing before them.
 */
export const deflatePrivate = (bytes: Uint8Array): Promise<Uint8Array> =>
  streams.run(oneOwner, async () => {
    const stream = idle.pop() ?? createDeflateRaw(options)
    const blocks = await compress(stream, bytes)
    // Nothing of this text can be found in the next one, which may be another user's.
    stream.reset()
    idle.push(stream)
    return blocks
  })

/** Rejects when memory is short. The stream is not used again then. */
const compress = (stream: DeflateRaw, bytes: Uint8Array): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.write(bytes, () => {
      stream.off('error', reject)
      resolve(stream.read() as Uint8Array)
    })
  })
