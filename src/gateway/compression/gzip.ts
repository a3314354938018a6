/**
 * Compresses answers in fragments, of which most are the same in many answers. Each shared fragment is compressed once.
 *
 * 1. A fragment becomes whole blocks of a deflate stream, which end at a byte and refer to nothing before them. So
 *    fragments that were compressed at different times make one stream, one after the other, and its gzip is one
 *    member: every decoder reads it. (Gzip of several members would be simpler, but browsers may stop after the first
 *    one.)
 * 2. The checksum of the whole follows from those of the fragments (crc32.ts).
 * 3. Private fragments, which only one answer has, are compressed together, fast and off the event loop
 *    (private-deflate.ts).
 * 4. A secret (the API keys of bots) is never compressed: text of others in the same block would make an answer
 *    shorter where it matches the secret (BREACH). An attack would also need many answers, and a page of another site
 *    cannot make a browser ask for one: a registration is a POST, which needs the token of the session
 *    (session-auth.ts). So the rest of the private text, such as drafts beside names of channels, is compressed.
 *
 * Brotli has no such blocks in the interface of Node, so it would compress megabytes for each answer.
 *
 * Sources: RFC 1951 (deflate), RFC 1952 (gzip).
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { SharedText } from '../../domain/protocol/raw-json.js'
import { type AppendedText, appendCrc, findShift } from './crc32.js'
import type { EncodedPart } from './encoded-parts.js'
import { deflatePrivate } from './private-deflate.js'

/** Blocks of a deflate stream, and what they decode to. */
interface Deflated extends AppendedText {
  blocks: readonly Uint8Array[]
  length: number
}

/** Returns the gzip of the parts together. */
export const compressParts = async (parts: readonly EncodedPart[]): Promise<Uint8Array> => {
  const deflated = await Promise.all(parts.map(deflatePart))
  let crc = 0
  let length = 0
  for (const part of deflated) {
    crc = appendCrc(crc, part)
    length += part.length
  }
  const trailer = Buffer.allocUnsafe(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([header, ...deflated.flatMap(({ blocks }) => blocks), lastBlock, trailer])
}

/** No name and no time, from an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block with fixed codes: the stream ends. */
const lastBlock = Buffer.from([3, 0])

const deflateBlocks = promisify<Uint8Array, { finishFlush: number }, Buffer>(deflateRaw)

/** Shared text is compressed once, so it may take long. Whole blocks, as those of deflatePrivate. */
const deflateShared = (bytes: Uint8Array): Promise<Uint8Array> =>
  deflateBlocks(bytes, { finishFlush: constants.Z_FULL_FLUSH })

/** Shorter texts are not compressed: it would cost more than it saves. */
const MIN_COMPRESSED_LENGTH = 512

const sharedTexts = new WeakMap<SharedText, Promise<Deflated>>()

const deflatePart = ({ bytes, source }: EncodedPart): Promise<Deflated> | Deflated => {
  if (source === 'secret') return store(bytes)
  if (source === 'private') return deflate(bytes, deflatePrivate)
  let known = sharedTexts.get(source)
  if (known === undefined) {
    known = Promise.resolve(deflate(bytes, deflateShared))
    sharedTexts.set(source, known)
    known.catch(() => sharedTexts.delete(source))
  }
  return known
}

const deflate = (bytes: Uint8Array, compress: typeof deflatePrivate): Promise<Deflated> | Deflated => {
  if (bytes.length < MIN_COMPRESSED_LENGTH) return store(bytes)
  const known = describe(bytes)
  return compress(bytes).then((block) => ({ blocks: [block], ...known }))
}

const describe = (bytes: Uint8Array): Omit<Deflated, 'blocks'> => ({
  crc: crc32(bytes),
  shift: findShift(bytes.length),
  length: bytes.length,
})

/** The greatest length of a block without compression. */
const MAX_STORED_LENGTH = 0xffff

/** The bytes in blocks without compression. */
const store = (bytes: Uint8Array): Deflated => {
  const blocks: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += MAX_STORED_LENGTH) {
    const part = bytes.subarray(from, from + MAX_STORED_LENGTH)
    const start = Buffer.allocUnsafe(5)
    start.writeUInt8(0, 0)
    start.writeUInt16LE(part.length, 1)
    start.writeUInt16LE(part.length ^ 0xffff, 3)
    blocks.push(start, part)
  }
  return { blocks, ...describe(bytes) }
}
