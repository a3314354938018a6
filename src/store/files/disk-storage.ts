/** The file storage in a folder that all gateways and workers share. */
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { readDiskSpace } from '../disk-space.js'
import { checkKey, checkSize, type FileStorage, isKey, type StoredFile } from './file-storage.js'

/** The size of one read. A download has at most two of these in memory. */
const CHUNK_BYTES = 128 * 1024

/** Opens the file storage in a folder. The folder is created with the first file. */
export const openDiskStorage = (folder: string): FileStorage => {
  const toPath = (key: string) => join(folder, checkKey(key))
  /** Writes to a temporary file and renames it, so a concurrent reader sees the old file or none. */
  const writeAtomically = async (key: string, write: (path: string) => Promise<void>) => {
    const path = toPath(key)
    const unfinished = `${path}.${randomBytes(6).toString('hex')}`
    await mkdir(dirname(path), { recursive: true })
    try {
      await write(unfinished)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
  return {
    put: (key, bytes) => writeAtomically(key, (path) => writeFile(path, bytes)),
    putFile: (key, from) => writeAtomically(key, (path) => copyFile(from, path)),
    putChunks: (key, size, chunks) => writeAtomically(key, (path) => writeFile(path, checkSize(chunks, size))),
    get: (key) => undefinedIfMissing(() => readFile(toPath(key))),
    size: (key) => undefinedIfMissing(async () => (await stat(toPath(key))).size),
    open: (key, part) =>
      undefinedIfMissing(async () => {
        const handle = await open(toPath(key))
        try {
          const { from, to } = part ?? { from: 0, to: (await handle.stat()).size - 1 }
          const length = to - from + 1
          if (length === 0) await handle.close()
          const bytes =
            length === 0
              ? Readable.from([])
              : handle.createReadStream({ start: from, end: to, highWaterMark: CHUNK_BYTES })
          return { length, bytes }
        } catch (error) {
          await handle.close()
          throw error
        }
      }),
    list: () => listFiles(folder, ''),
    remove: (key) => rm(toPath(key), { force: true }),
    readSpace: () => readDiskSpace(folder),
    async findProblem() {
      const probe = join(folder, `.probe.${randomBytes(6).toString('hex')}`)
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(probe, '')
        return undefined
      } catch (error) {
        return (error as Error).message
      } finally {
        await rm(probe, { force: true }).catch(() => {})
      }
    },
  }
}

/** The name of a file that is being written (`writeAtomically`), or of a probe. */
const UNFINISHED = /\.[0-9a-f]{12}$/

async function* listFiles(folder: string, path: string): AsyncIterable<StoredFile> {
  const entries = (await undefinedIfMissing(() => readdir(join(folder, path), { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    const key = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) yield* listFiles(folder, key)
    else if (entry.isFile() && !UNFINISHED.test(key) && isKey(key)) {
      const found = await undefinedIfMissing(() => stat(join(folder, key)))
      if (found !== undefined) yield { key, size: found.size }
    }
  }
}

const undefinedIfMissing = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined
    }
    throw error
  }
}
