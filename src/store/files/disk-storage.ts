/** The file storage in a folder that all gateways and workers share. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkKey, type FileStorage } from './file-storage.js'

/** Opens the file storage in a folder. The folder is created with the first file. */
export const openDiskStorage = (folder: string): FileStorage => {
  const toPath = (key: string) => join(folder, checkKey(key))
  /** Writes to a temporary file and renames it, so a concurrent reader sees the old file or none. */
  const writeAtomically = async (key: string, write: (path: string) => Promise<void>) => {
    const path = toPath(key)
    const unfinished = `${path}.${randomBytes(6).toString('hex')}`
    await mkdir(dirname(path), { recursive: true })
    await write(unfinished)
    await rename(unfinished, path)
  }
  return {
    put: (key, bytes) => writeAtomically(key, (path) => writeFile(path, bytes)),
    putFile: (key, from) => writeAtomically(key, (path) => copyFile(from, path)),
    get: (key) => undefinedIfMissing(() => readFile(toPath(key))),
    getPart: (key, from, length) =>
      undefinedIfMissing(async () => {
        const handle = await open(toPath(key))
        try {
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
          return buffer.subarray(0, bytesRead)
        } finally {
          await handle.close()
        }
      }),
    open: (key) =>
      undefinedIfMissing(async () => {
        const handle = await open(toPath(key))
        const { size } = await handle.stat()
        return { size, pieces: createReadStream(toPath(key), { fd: handle }) }
      }),
    remove: (key) => rm(toPath(key), { force: true }),
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
