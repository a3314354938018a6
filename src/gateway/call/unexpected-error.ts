/** The answer to an error that no code of this program expected. */
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { noteExhaustion } from '../../store/disk-space.js'
import { isStorageFault, isStorageFull } from '../../store/files/file-storage.js'
import { isExhausted, isInterrupted, isUnavailable } from '../../store/sql.js'

/** Seconds after which a client may try again while Postgres is away. The pool connects again within half a second. */
const RETRY_SECONDS = 1

/** An operator has to repair the folder or the bucket of files. */
const STORAGE_RETRY_SECONDS = 60

/** Whether an operator must see this error. The loss of Postgres is logged once (monitoring/outages.ts). */
export const isUnexpected = (error: unknown): boolean => !isUnavailable(error) || isExhausted(error)

/**
 * Returns the error of the catalogue for a service that is away. Otherwise it is INTERNAL_SERVER_ERROR, which does not
 * tell the cause.
 */
export const composeUnexpectedError = (error: unknown): ApiError => {
  noteExhaustion(error)
  if (isUnavailable(error) || isInterrupted(error)) return errors.databaseUnavailable({ 'retry-after': RETRY_SECONDS })
  if (isStorageFull(error)) return errors.storageFull({ 'retry-after': STORAGE_RETRY_SECONDS })
  if (isStorageFault(error)) return errors.storageUnavailable({ 'retry-after': STORAGE_RETRY_SECONDS })
  return errors.internal()
}
