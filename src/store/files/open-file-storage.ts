/** Opens the file storage that the configuration names: a folder or an S3 bucket. */
import { mkdir } from 'node:fs/promises'
import type { Config } from '../../config/config.js'
import { openDiskStorage } from './disk-storage.js'
import type { FileStorage } from './file-storage.js'

/** The variables that name the storage. */
export type StorageConfig = Pick<
  Config,
  'UPLOADS_DIR' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>

/**
 * Opens the file storage of the deployment. The S3 library is large, so it is loaded only if a bucket is configured.
 * Throws an Error when UPLOADS_DIR cannot be a folder.
 */
export const openFileStorage = async (config: StorageConfig): Promise<FileStorage> => {
  if (config.S3_BUCKET === undefined) {
    await requireFolder(config.UPLOADS_DIR)
    return openDiskStorage(config.UPLOADS_DIR)
  }
  const { openS3Storage: s3Files } = await import('./s3-storage.js')
  return s3Files({
    bucket: config.S3_BUCKET,
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    access_key_id: config.S3_ACCESS_KEY_ID,
    secret_access_key: config.S3_SECRET_ACCESS_KEY,
  })
}

/**
 * Throws an Error when the path can never become a folder, because it is or contains a file. A folder that is
 * read-only or away may be repaired while the process runs: monitoring/warnings.ts warns of it.
 */
const requireFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new Error(`UPLOADS_DIR (${path}) is not a folder: ${message}. Change the variable or remove the file.`)
    }
  }
}
