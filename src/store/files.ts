/**
 * Where uploaded bytes are kept, under keys that the server makes: `avatars/1/7-2`.
 *
 * A key is written once: what replaces a file has another key, and a row of Postgres says which one counts. So a
 * reader never sees half a file, and a write whose change was refused leaves a file that nobody asks for.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Files {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** undefined: there is none */
  get(key: string): Promise<Buffer | undefined>
  remove(key: string): Promise<void>
}

/** A folder that every gateway of the fleet sees. */
export const diskFiles = (folder: string): Files => {
  const pathOf = (key: string) => join(folder, checkedKey(key))
  return {
    async put(key, bytes) {
      const path = pathOf(key)
      const unfinished = `${path}.${randomBytes(6).toString('hex')}`
      await mkdir(dirname(path), { recursive: true })
      await writeFile(unfinished, bytes)
      await rename(unfinished, path)
    },
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

/** Keys are made here, never by a client: this is the second lock on the door. */
const checkedKey = (key: string): string => {
  if (/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) return key
  throw new Error(`bad key of a file: ${key}`)
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
