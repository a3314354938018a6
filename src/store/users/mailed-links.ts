/** Links that are mailed to users, and permit what their credentials would. */
import { type ApiError, errors } from '../../domain/protocol/errors.js'

/** The error for a link that permits nothing any more. */
export const mailedLinkExpired = (): ApiError =>
  errors.badRequest(
    'This link is no longer valid: it was used, it has expired, or the account was changed after it was requested.',
  )
