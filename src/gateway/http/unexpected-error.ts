/** The answer to an error that no code of this program expected. */
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { isUnavailable } from '../../store/sql.js'

/** Seconds after which a client may try again while Postgres is away. The pool connects again within half a second. */
const RETRY_SECONDS = 1

/** Whether an operator must see this error: the loss of Postgres is logged once (monitoring/outages.ts). */
export const isSurprise = (error: unknown): boolean => !isUnavailable(error)

/** DATABASE_UNAVAILABLE while Postgres cannot be used; else INTERNAL_SERVER_ERROR, which says nothing of the cause. */
export const composeUnexpectedError = (error: unknown): ApiError =>
  isUnavailable(error) ? errors.databaseUnavailable({ 'retry-after': RETRY_SECONDS }) : errors.internal()
