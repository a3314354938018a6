/** The texts in the language of their reader, and lists and waiting times in these texts. */
import { sourceLanguage } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { textsIn } from '../languages/texts.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { getSetting } from '../settings/user-settings.js'

/** The texts for the user of an account. */
export const accountTexts = (user: UserRow): Texts => textsIn(getSetting(user, 'default_language'))

/** The texts for all users of an organization, and for people without an account. */
export const organizationTexts = (state: RealmState): Texts => textsIn(state.settings.default_language)

/** Names as a list. English has no "and" in it, so that it also reads well in front of a comma. */
export const joinNames = ({ language }: Pick<Texts, 'language'>, names: readonly string[]): string =>
  new Intl.ListFormat(language, { type: language.startsWith(sourceLanguage) ? 'unit' : 'conjunction' }).format(names)

/** An amount of time, such as `5 minutes`, in the unit that shows it best. @param seconds is rounded up */
export const formatDuration = ({ language }: Pick<Texts, 'language'>, seconds: number): string => {
  const format = (amount: number, unit: 'second' | 'minute' | 'hour') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.max(1, Math.ceil(amount)))
  if (seconds < 90) return format(seconds, 'second')
  return seconds < 5_400 ? format(seconds / 60, 'minute') : format(seconds / 3_600, 'hour')
}
