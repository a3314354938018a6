/**
 * Builds the context for rendering a message: the state of the realm, as the sender can see it.
 *
 * Names of users that the sender cannot see are not found, so a mention does not reveal whether they exist. The system
 * bots can see all users: what they write about a channel goes only to users who can see it.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { PagePreview, RenderContext } from '../markdown/context/render-context.js'
import { emojiUrl, findCustomEmoji } from '../realm/custom-emoji.js'
import { compiledLinkifiers } from '../realm/linkifiers.js'
import { getSetting } from '../settings/user-settings.js'

export interface RenderOptions {
  /** the address of the organization: links to it become relative; undefined: no link does */
  realm_url: string | undefined
  isKnown(user: UserRow): boolean
  /** the oldest message of a topic that the sender may read, as far as it was asked for beforehand */
  topicAnchor?(channel_id: number, topic: string): number | undefined
  /** what the pages that it links to say, as far as they were fetched beforehand */
  pagePreview?(url: string): PagePreview | undefined
}

/** Builds the context for a message by this sender. */
export const buildRenderContext = (state: RealmState, sender: UserRow, options: RenderOptions): RenderContext => {
  const { realm_url = noRealmUrl, isKnown, topicAnchor, pagePreview } = options
  const { settings } = state
  const { mediaProxy } = state.deployment
  return {
    realm_url,
    default_code_block_language: settings.default_code_block_language,
    translate_emoticons: getSetting(sender, 'translate_emoticons'),
    inline_image_preview: settings.inline_image_preview,
    linkifiers: compiledLinkifiers(state),
    customEmoji(name) {
      const emoji = findCustomEmoji(state, name)
      return emoji && { id: String(emoji.id), source_url: emojiUrl(state, emoji) }
    },
    userById(id) {
      const user = state.users.get(id)
      return user !== undefined && isKnown(user) ? user : undefined
    },
    usersByName: (name) => state.usersByName(name).filter(isKnown),
    groupByName(name) {
      const group = state.groupByName(name)
      return group === undefined ? undefined : { ...group, display_name: systemGroupNames.get(name) ?? name }
    },
    channelByName(name) {
      const channel = state.channelByName(name)
      if (channel?.name !== name) return undefined
      return sender.is_system_bot || hasContentAccess(state, sender, channel) ? channel : undefined
    },
    ...(topicAnchor === undefined ? {} : { topicAnchor }),
    ...(pagePreview === undefined ? {} : { pagePreview }),
    ...(mediaProxy === undefined
      ? {}
      : { proxyUrl: (url: string, kind: 'picture' | 'video') => mediaProxy[kind](url) }),
  }
}

/** No address begins with this text. */
const noRealmUrl = '\0'

/** The display names of the system groups. */
const systemGroupNames: ReadonlyMap<string, string> = new Map([
  ['role:nobody', 'Nobody'],
  ['role:owners', 'Owners'],
  ['role:administrators', 'Administrators'],
  ['role:moderators', 'Moderators'],
  ['role:fullmembers', 'Full members'],
  ['role:members', 'Members'],
  ['role:everyone', 'Everyone'],
  ['role:internet', 'Everyone on the internet'],
])
