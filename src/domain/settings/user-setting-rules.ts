/**
 * The checks of personal settings that go beyond their types.
 *
 * Source: protocol/endpoints.md 1.4 and 3.11.
 */

import { emojisetByAlias } from '../protocol/aliases.js'
import { errors } from '../protocol/errors.js'
import { languages } from './languages.js'
import { notificationSounds, type UserSettings } from './user-settings.js'

/** Settings as clients send them: image sets by either name. */
export type GivenSettings = Partial<
  Omit<UserSettings, 'emojiset'> & {
    emojiset: keyof typeof emojisetByAlias
  }
>

const shortestBatch = 1
/** A week. */
const longestBatch = 604_800

/** The settings to store, only those that were given. Throws BAD_REQUEST. */
export const validateUserSettings = ({ emojiset, ...given }: GivenSettings): Partial<UserSettings> => {
  const { default_language, notification_sound, email_notifications_batching_period_seconds: seconds } = given
  const language = default_language === undefined ? undefined : unquote(default_language)
  if (language !== undefined && !languages.has(language))
    throw errors.badRequest('There is no translation for this language.')
  const sound = notification_sound === undefined ? undefined : unquote(notification_sound)
  if (sound !== undefined && !['none', ...notificationSounds].includes(sound)) {
    throw errors.badRequest('There is no sound “{sound}”.', { sound })
  }
  if (seconds !== undefined && (seconds < shortestBatch || seconds > longestBatch)) {
    throw errors.badRequest('An email batching period is 1 second to 7 days, not {seconds} seconds.', { seconds })
  }
  const settings: Partial<UserSettings> = {
    ...given,
    default_language: language,
    notification_sound: sound,
    emojiset: emojiset === undefined ? undefined : emojisetByAlias[emojiset],
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** Removes quotes around a word, which some old client libraries send. */
export const unquote = (word: string): string => word.replace(/^"(.*)"$/s, '$1')
