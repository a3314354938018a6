/**
 * The language in which a failed call is answered: that of the account, where one was authenticated, otherwise the
 * first of Accept-Language that exists, otherwise English. It is chosen only when a call has failed.
 */
import { chooseLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { textsIn } from '../../domain/languages/texts.js'
import type { UserRow } from '../../domain/log/rows.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import { parseAcceptLanguage } from '../contract/accept-language.js'

/**
 * Returns the texts for a client without an account.
 * @param accepted the header Accept-Language; '' when it is absent
 */
export const acceptedTexts = (accepted: string): Texts => textsIn(chooseLanguage(parseAcceptLanguage(accepted)))

/** Returns the texts for the caller of a call. @param user undefined: the call has no account */
export const failureTexts = (user: UserRow | undefined, accepted: string): Texts =>
  user === undefined ? acceptedTexts(accepted) : accountTexts(user)
