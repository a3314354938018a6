import { randomBytes } from 'node:crypto'
import type { FileStorage } from './file-storage.js'

/** Stores, reads and deletes a file. @returns why one of these failed; undefined: none did */
export const findWriteProblem = async (files: FileStorage): Promise<string | undefined> => {
  const key = `check/${randomBytes(8).toString('hex')}`
  try {
    await files.put(key, Buffer.from(key))
    const found = await files.get(key)
    await files.remove(key)
    return found?.toString() === key ? undefined : 'a file that was stored could not be read again.'
  } catch (error) {
    return (error as Error).message
  }
}
