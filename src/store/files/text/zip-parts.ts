/**
 * Reads the parts of a ZIP file. Only this file imports yauzl.
 *
 * A few kilobytes can unpack to gigabytes, and a file can contain the same bytes under thousands of names. So all parts
 * of a file together are unpacked up to a number of bytes, whatever sizes the file declares. Nothing is written to a
 * disk, so the names of parts are only compared.
 */
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** The parts of a file that are looked at, and the bytes that are unpacked. */
const MAX_PARTS = 5_000
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

export interface ZipParts {
  names: readonly string[]
  /**
   * Unpacks a part, piece by piece, until `receive` returns false. A part that is encrypted or damaged ends where it
   * cannot be read.
   */
  read(name: string, receive: (piece: Uint8Array) => boolean): Promise<void>
}

/** Opens a ZIP file; undefined: it is not one, or its list of parts is damaged. */
export const openZip = async (bytes: Uint8Array): Promise<ZipParts | undefined> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let file: ZipFile
  try {
    file = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false })
  } catch {
    return undefined
  }
  const entries = await listEntries(file)
  let left = MAX_UNPACKED_BYTES
  return {
    names: [...entries.keys()],
    async read(name, receive) {
      const entry = entries.get(name)
      if (entry === undefined || left <= 0) return
      try {
        for await (const piece of await file.openReadStreamPromise(entry)) {
          left -= piece.length
          if (!receive(piece) || left <= 0) return
        }
      } catch {
        // What was unpacked before the fault is text of the document.
      }
    },
  }
}

/** The entries by name, as far as they can be read; of several with one name the first. */
const listEntries = async (file: ZipFile): Promise<ReadonlyMap<string, Entry>> => {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of file.eachEntry()) {
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
      if (file.entriesRead >= MAX_PARTS) break
    }
  } catch {
    // A name that leads out of a folder, or a damaged list: the parts before it can be read.
  }
  return entries
}
