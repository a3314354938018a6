/** The texts of a page, in the language of the person that reads it. */
import { chooseLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { textsIn } from '../../domain/languages/texts.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import type { Realm } from '../../store/log/realm.js'
import { parseAcceptLanguage } from '../contract/accept-language.js'
import type { HttpExchange } from '../contract/transport.js'

interface PageReader {
  /** the header Accept-Language; '' when it is absent */
  accepted: string
  /** the organization of the page; undefined: it has none */
  state?: RealmState | undefined
  /** the account that the page is about; undefined: it is unknown */
  user?: UserRow | undefined
}

/** The texts of the page that answers a request. */
export const answerTexts = (
  exchange: Pick<HttpExchange, 'header'>,
  realm: Realm | undefined,
  user?: UserRow | undefined,
): Texts => pageTexts({ accepted: exchange.header('accept-language'), state: realm?.state, user })

/**
 * The texts in the language of the account, if it is known. Otherwise they are in one that the browser accepts,
 * otherwise in that of the organization.
 */
export const pageTexts = ({ accepted, state, user }: PageReader): Texts => {
  if (user !== undefined) return accountTexts(user)
  const own = state === undefined ? [] : [state.settings.default_language]
  return textsIn(chooseLanguage([...parseAcceptLanguage(accepted), ...own]))
}
