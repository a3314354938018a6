import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'

/** One file of an archive. */
interface ArchivedFile {
  /** a relative path */
  name: string
  bytes: Uint8Array
}

/**
 * Writes files into a gzip-compressed tar archive, one after the other.
 *
 * Memory holds one file at a time: the next one is read when the stream has accepted the one before. When reading or
 * writing fails, the archive's file is left incomplete.
 * @param path  where the archive is written
 * @param mtime UNIX seconds, the modification time of all files
 */
export const writeArchive = async (path: string, files: AsyncIterable<ArchivedFile>, mtime: number): Promise<void> => {
  const archive = pack()
  const written = pipeline(archive, createGzip(), createWriteStream(path))
  await Promise.all([written, addFiles(archive, files, new Date(mtime * 1000))])
}

const addFiles = async (archive: Pack, files: AsyncIterable<ArchivedFile>, mtime: Date): Promise<void> => {
  try {
    for await (const { name, bytes } of files) await addFile(archive, name, bytes, mtime)
    archive.finalize()
  } catch (error) {
    archive.destroy(error as Error)
    throw error
  }
}

const addFile = (archive: Pack, name: string, bytes: Uint8Array, mtime: Date): Promise<void> =>
  new Promise((resolve, reject) => {
    const entry = archive.entry({ name, size: bytes.length, mtime }, (error) => (error ? reject(error) : resolve()))
    // Without a listener, a full disk would end the process: the entry also emits the error of the archive.
    entry.on('error', reject)
    entry.end(bytes)
  })
