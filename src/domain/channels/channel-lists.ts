/**
 * Lists of channels, as the answers of requests contain them: those that a request includes, those to which a user is
 * subscribed.
 *
 * Source: the API document, endpoints 2 and 18; protocol/endpoints.md 1.18 and 3.5.
 */
import { hasContentAccess, hasMetadataAccess } from '#rules/channel-access.js'
import { isAdministrator, isGuest } from '#rules/roles.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { addMembers, type Fragment, RawJson, rawMember, separateFragments } from '../protocol/raw-json.js'
import { type ChannelText, findChannelText, listChannelTexts } from './channel-texts.js'
import { compareByName } from './channels.js'
import { settingsText, subscriberList } from './subscription-texts.js'

/** Which channels a list has: the union of what is included. */
export interface ChannelListRequest {
  include_public: boolean
  include_web_public: boolean
  include_subscribed: boolean
  exclude_archived: boolean
  /** every channel whose metadata the user has access to */
  include_all: boolean
  /** adds the default channels, and to each channel whether it is one */
  include_default: boolean
  include_owner_subscribed: boolean
  include_can_access_content: boolean
  /** an older name of include_all, for administrators */
  include_all_active: boolean
}

/** The list of channels that a request includes, by name. Throws BAD_REQUEST. */
export const listIncludedChannels = (state: RealmState, user: UserRow, request: ChannelListRequest): RawJson => {
  const isIncluded = resolveChannelFilter(state, user, request)
  const compose = (text: ChannelText): string => {
    if (!request.include_default) return text.json
    return addMembers(text.json, rawMember('is_default', state.defaultChannels.has(text.channel.id)))
  }
  const canShare = !request.include_default && !isGuest(user)
  const items: Fragment[][] = []
  for (const { items: channels, common } of listChannelTexts(state, !request.exclude_archived)) {
    const included = channels.filter(({ channel }) => isIncluded(channel))
    if (canShare && common !== undefined && included.length === channels.length) items.push([common.text])
    else for (const text of included) items.push([compose(text)])
  }
  return new RawJson('[]', separateFragments(items))
}

/** Whether the request includes a channel. Throws BAD_REQUEST for what only administrators may include. */
const resolveChannelFilter = (
  state: RealmState,
  user: UserRow,
  request: ChannelListRequest,
): ((channel: ChannelRow) => boolean) => {
  if (request.include_all_active && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators of the organization may use include_all_active.')
  }
  const all = request.include_all || request.include_all_active
  const owner_id = request.include_owner_subscribed && user.is_bot ? user.bot_owner_id : null
  return (channel) => {
    const { id } = channel
    if (request.include_subscribed && state.isSubscribed(user.id, id)) return true
    if (all && hasMetadataAccess(state, user, channel)) return true
    if (request.include_can_access_content && hasContentAccess(state, user, channel)) return true
    if (request.include_web_public && channel.is_web_public) return true
    if (owner_id !== null && state.isSubscribed(owner_id, id)) return true
    if (request.include_default && state.defaultChannels.has(id)) return hasMetadataAccess(state, user, channel)
    return request.include_public && !channel.invite_only && !isGuest(user)
  }
}

/** The texts of a user's subscriptions, by name. Archived channels are left out. */
export const listSubscriptionTexts = (state: RealmState, user_id: number, includeSubscribers: boolean): string[] => {
  const own = [...state.userSubscriptions(user_id)].flatMap(([channel_id, settings]) => {
    const channel = state.channels.get(channel_id)
    return channel === undefined || channel.is_archived || !settings.active ? [] : [{ channel, settings }]
  })
  return own
    .sort((a, b) => compareByName(a.channel, b.channel))
    .map(({ channel, settings }) => {
      const text = findChannelText(state, channel).json
      const subscribers = includeSubscribers ? `,"subscribers":[${subscriberList(state, channel.id)}]` : ''
      return addMembers(text, `${settingsText(settings)}${subscribers}`)
    })
}

/** The ids of the channels to which a user is subscribed. Ascending, and only those that exist for the viewer. */
export const listSubscribedChannels = (state: RealmState, viewer: UserRow, user: UserRow): number[] => {
  const subscribed = user.is_active ? [...state.userSubscriptions(user.id)] : []
  return subscribed
    .filter(([channel_id, { active }]) => {
      const channel = state.channels.get(channel_id)
      return active && channel !== undefined && hasMetadataAccess(state, viewer, channel)
    })
    .map(([channel_id]) => channel_id)
    .sort((a, b) => a - b)
}
