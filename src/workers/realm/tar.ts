/**
 * A compressed archive, written document by document into a file of this machine.
 *
 * The format is POSIX ustar: a header of 512 bytes, the bytes, and zeros up to the next 512. Names of up to 100 bytes
 * stand in one field; longer ones are split at a slash. Source: IEEE 1003.1, pax, "ustar Interchange Format".
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const BLOCK = 512
const FILE_MODE = 0o644

/** Writes the documents. @param now UNIX seconds, the time of all of them */
export const writeArchive = (
  path: string,
  documents: AsyncIterable<{ name: string; bytes: Uint8Array }>,
  now: number,
): Promise<void> => pipeline(Readable.from(blocks(documents, now)), createGzip(), createWriteStream(path))

async function* blocks(documents: AsyncIterable<{ name: string; bytes: Uint8Array }>, now: number) {
  for await (const { name, bytes } of documents) {
    yield header(name, bytes.length, now)
    if (bytes.length > 0) yield bytes
    const rest = bytes.length % BLOCK
    if (rest > 0) yield Buffer.alloc(BLOCK - rest)
  }
  yield Buffer.alloc(2 * BLOCK)
}

const header = (name: string, size: number, now: number): Buffer => {
  const block = Buffer.alloc(BLOCK)
  const [prefix, last] = split(name)
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
  block.write(last, 0, 'utf8')
  octal(FILE_MODE, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(now, 136, 12)
  block.write('0ustar\0', 156, 'latin1')
  block.write('00', 263, 'latin1')
  block.write(prefix, 345, 'utf8')
  // The sum is made with its own field full of blanks.
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** @returns what goes into the field of 155 bytes, and what into that of 100 */
const split = (name: string): [prefix: string, last: string] => {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, last] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(last) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, last]
  }
  throw new Error(`too long a name for an archive: ${name}`)
}
