/** The files of a process whose database is a copy: they may be those of the original, so it changes none. */
import type { FileStorage } from '../files/file-storage.js'
import type { Membership } from './membership.js'

/** Refuses changes as a folder does that is read-only. */
class CopyChangesNoFilesError extends Error {
  readonly code = 'EROFS'
  readonly path = ''
}

/** The storage. Throws CopyChangesNoFilesError for each change while the database is a copy. */
export const keepFilesInCopies = (files: FileStorage, membership: Pick<Membership, 'isCopy'>): FileStorage => {
  const guard =
    <Args extends unknown[]>(change: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      if (membership.isCopy()) throw new CopyChangesNoFilesError('The database is a copy, so files are not changed.')
      await change(...args)
    }
  return {
    ...files,
    put: guard(files.put),
    putFile: guard(files.putFile),
    putChunks: guard(files.putChunks),
    remove: guard(files.remove),
  }
}
