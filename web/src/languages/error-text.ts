/** What a user reads of an error. */
import { ConnectionError } from '@parley/client'
import { t } from './t.js'

/** The text of an error. That of the server is in the language of the account, that of the client library is not. */
export const errorText = (error: unknown): string =>
  error instanceof ConnectionError
    ? t('The server cannot be reached. Check your connection and try again.')
    : (error as Error).message
