/**
 * The checks of an organization's settings that go beyond their types. Who may set them: settings/realm-settings.ts.
 *
 * Source: protocol/endpoints.md 4, protocol/permissions.md 4.3 and 4.4.
 */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { findVisibleChannel } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import { gifRatings, videoChatProviders } from '../settings/external-services.js'
import { languages } from '../settings/languages.js'
import type { channelSettings } from '../settings/realm-settings.js'
import { unquote } from '../settings/user-setting-rules.js'

/** The largest value of an int4 column. */
const GREATEST = 2_147_483_647

/**
 * Reads a number or `unlimited`, plain or in quotes.
 * @returns null for `unlimited`. Throws REQUEST_VARIABLE_INVALID.
 */
export const parseLimit = (var_name: string, input: string | number): number | null => {
  const value = typeof input === 'string' ? unquote(input) : input
  if (value === 'unlimited') return null
  const number = /^\d+$/.test(String(value)) ? Number(value) : 0
  if (number < 1 || number > GREATEST) throw errors.badValue({ var_name, bad_value: value })
  return number
}

/** The channel for a purpose of the organization; -1 is none. Throws BAD_REQUEST. */
export const validateChannelSetting = (
  state: RealmState,
  user: UserRow,
  setting: (typeof channelSettings)[number],
  channel_id: number,
): number => {
  if (channel_id === -1) return -1
  const channel = findVisibleChannel(state, user, channel_id)
  if (channel === undefined || channel.is_archived) throw errors.invalidChannelId()
  if (setting === 'moderation_request_channel_id' && !channel.invite_only) {
    throw errors.badRequest('The channel for reports to moderators must be private.')
  }
  return channel_id
}

/** The language code, without the quotes of JSON. Throws BAD_REQUEST for a language without a translation. */
export const validateLanguage = (input: string): string => {
  const language = unquote(input)
  if (!languages.has(language))
    throw errors.badRequest('There is no translation for the language “{language}”.', { language })
  return language
}

/** Refuses an unknown video chat provider. Throws BAD_REQUEST. */
export const checkVideoChatProvider = (id: number): void => {
  if (!Object.values(videoChatProviders).some((provider) => provider.id === id)) {
    throw errors.badRequest('There is no video chat provider {id}.', { id })
  }
}

/** Refuses an unknown GIF rating. Throws BAD_REQUEST. */
export const checkGifRating = (id: number): void => {
  if (!Object.values(gifRatings).some((rating) => rating.id === id))
    throw errors.badRequest('There is no GIF rating {id}.', { id })
}

const LONGEST_URL = 200

/** The address of the Jitsi server; null: the server's default. Throws BAD_REQUEST. */
export const validateJitsiUrl = (input: string): string | null => {
  const url = unquote(input)
  if (url === 'default') return null
  if (url.length > LONGEST_URL) {
    throw errors.badRequest('{name} may have at most {max} characters.', { name: 'jitsi_server_url', max: LONGEST_URL })
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw errors.badRequest('{name} must be an http or https address.', { name: 'jitsi_server_url' })
  }
  return url
}
