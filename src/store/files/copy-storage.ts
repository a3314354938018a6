/**
 * Copies all files from one storage to another: from a folder into a bucket or back, and into a backup.
 *
 * A key is written once (file-storage.ts), so a file that the target has with the same size is not copied again: a
 * second copy takes what was stored since the first one. Only the claims of deployments change under their keys.
 */
import pLimit from 'p-limit'
import type { FileStorage, StoredFile } from './file-storage.js'

export interface CopiedFiles {
  /** files that were copied, and their bytes */
  copied: number
  bytes: number
  /** files that the target had already */
  present: number
}

/** Files that are copied at a time: a bucket takes some time for each. */
const AT_A_TIME = 8
/** Copies of pictures of other sites, which workers load again. */
const EXTERNAL = /^external\//
/** Files that are written again: claims (store/deployment/files-claim.ts). */
const CHANGING = /^deployment/

/**
 * Copies what the target lacks.
 * @param isBackup leaves out what a restored deployment makes again: its claim, and pictures of other sites
 */
export const copyStorage = async (from: FileStorage, to: FileStorage, isBackup: boolean): Promise<CopiedFiles> => {
  const total: CopiedFiles = { copied: 0, bytes: 0, present: 0 }
  await forEachFile(from, async ({ key, size }) => {
    const isChanging = CHANGING.test(key)
    if (isBackup && (isChanging || EXTERNAL.test(key))) return
    if (!isChanging && (await to.size(key)) === size) {
      total.present += 1
      return
    }
    const file = await from.open(key)
    // It was deleted since it was listed.
    if (file === undefined) return
    await to.putChunks(key, file.length, file.bytes)
    total.copied += 1
    total.bytes += file.length
  })
  return total
}

/** Deletes the files that the target has. @returns how many */
export const removeCopied = async (from: FileStorage, to: FileStorage): Promise<number> => {
  let removed = 0
  await forEachFile(from, async ({ key, size }) => {
    if ((await to.size(key)) !== size) return
    await from.remove(key)
    removed += 1
  })
  return removed
}

/** Works on some files at a time, and waits for them before the next ones are listed. The first error ends it. */
const forEachFile = async (from: FileStorage, work: (file: StoredFile) => Promise<void>): Promise<void> => {
  const limit = pLimit(AT_A_TIME)
  let batch: StoredFile[] = []
  const finish = async () => {
    await Promise.all(batch.map((file) => limit(work, file)))
    batch = []
  }
  for await (const file of from.list()) {
    batch.push(file)
    if (batch.length === 1_000) await finish()
  }
  await finish()
}
