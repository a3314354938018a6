/**
 * Who may see, read, join, post to and administer a channel.
 *
 * 1. Metadata access: its name, settings and subscribers, and its events. Without it a channel does not exist for the
 *    user: every endpoint answers as for an unknown one.
 * 2. Content access: its messages. An administrator has no content access by role.
 * 3. The audience of `metadataAudience` is exactly the users who have metadata access.
 *
 * Source: permissions.md sections 5.2 and 6.
 */
import { type Audience, Everyone } from '../log/entry.js'
import { type ChannelRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { SystemGroup } from '../settings/group-setting-values.js'
import { isAdministrator, isGuest, mayInChannel, mayInRealm, nonGuestHolders } from './permissions.js'

/** The settings whose holders have metadata access; holders of all but the first have content access, too. */
const metadataGroups = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly (keyof ChannelRow)[]

const isPublic = (channel: ChannelRow): boolean => !channel.invite_only

/** Whether the user may read or join a private channel without a subscription. */
const isGrantedContent = (state: RealmState, user: UserRow, channel: ChannelRow): boolean =>
  mayInChannel(state, user, channel, 'can_subscribe_group') ||
  mayInChannel(state, user, channel, 'can_add_subscribers_group')

/** Whether callers without an account may read the channel: a web-public one, unless it is archived. */
export const isOpenToSpectators = (channel: ChannelRow | undefined): boolean =>
  channel?.is_web_public === true && !channel.is_archived

/** Whether the channel exists for this user (1). */
export const hasMetadataAccess = (state: RealmState, user: UserRow, channel: ChannelRow): boolean =>
  state.isSubscribed(user.id, channel.id) || isSeenFromOutside(state, user, channel)

/** Whether the channel exists for this user without a subscription. */
export const isSeenFromOutside = (state: RealmState, user: UserRow, channel: ChannelRow): boolean => {
  if (channel.is_web_public) return true
  if (isGuest(user)) return false
  return isPublic(channel) || isChannelAdministrator(state, user, channel) || isGrantedContent(state, user, channel)
}

/** Whether the user may read the channel; with protected history only messages that they received (2). */
export const hasContentAccess = (state: RealmState, user: UserRow, channel: ChannelRow): boolean => {
  if (channel.is_web_public || state.isSubscribed(user.id, channel.id)) return true
  if (isGuest(user)) return false
  return isPublic(channel) || isGrantedContent(state, user, channel)
}

/** An administrator of the organization, or a non-guest in `can_administer_channel_group`. */
export const isChannelAdministrator = (state: RealmState, user: UserRow, channel: ChannelRow): boolean =>
  isAdministrator(user) || mayInChannel(state, user, channel, 'can_administer_channel_group')

/** The channel of this id, if it exists for the user (1). */
export const findVisibleChannel = (state: RealmState, user: UserRow, channel_id: number): ChannelRow | undefined => {
  const channel = state.channels.get(channel_id)
  return channel !== undefined && hasMetadataAccess(state, user, channel) ? channel : undefined
}

/** The channel with this name, compared without case, if it exists for the user (1). */
export const findVisibleChannelByName = (state: RealmState, user: UserRow, name: string): ChannelRow | undefined => {
  const channel = state.channelByName(name)
  return channel !== undefined && hasMetadataAccess(state, user, channel) ? channel : undefined
}

/** Whether the user may subscribe themselves. Guests are subscribed by others. */
export const maySubscribe = (state: RealmState, user: UserRow, channel: ChannelRow): boolean =>
  !isGuest(user) && hasContentAccess(state, user, channel)

/** Whether the user may subscribe others. */
export const mayAddSubscribers = (state: RealmState, user: UserRow, channel: ChannelRow): boolean =>
  maySubscribe(state, user, channel) &&
  (isChannelAdministrator(state, user, channel) ||
    mayInRealm(state, user, 'can_add_subscribers_group') ||
    mayInChannel(state, user, channel, 'can_add_subscribers_group'))

/**
 * Whether the user may unsubscribe others from each of these channels, as its administrator or by its setting, which
 * may name guests too.
 */
export const mayRemoveSubscribers = (state: RealmState, user: UserRow, channels: readonly ChannelRow[]): boolean =>
  channels.every((channel) => isChannelAdministrator(state, user, channel)) ||
  channels.every(
    (channel) =>
      hasMetadataAccess(state, user, channel) && mayInChannel(state, user, channel, 'can_remove_subscribers_group'),
  )

/** Why a message is refused: the channel's setting excludes the sender, or the sender has no access to the channel. */
export type PostingRefusal = 'not-permitted' | 'not-reached'

/** The account, and the owner of a bot, which may do in a channel what its owner may. */
const listActors = (state: RealmState, sender: UserRow): UserRow[] => {
  const owner = sender.bot_owner_id === null ? undefined : state.users.get(sender.bot_owner_id)
  return sender.is_bot && owner !== undefined ? [sender, owner] : [sender]
}

/** Whether the account may begin topics in the channel. System bots may in every channel. */
export const mayCreateTopic = (state: RealmState, sender: UserRow, channel: ChannelRow): boolean =>
  channel.can_create_topic_group === SystemGroup.everyone ||
  sender.is_system_bot ||
  listActors(state, sender).some((account) => mayInChannel(state, account, channel, 'can_create_topic_group'))

/** Why the account must not post in the channel; undefined: it may (permissions.md 6.3 and 8.1, items 3 to 6). */
export const postingRefusal = (state: RealmState, sender: UserRow, channel: ChannelRow): PostingRefusal | undefined => {
  const accounts = listActors(state, sender)
  if (!accounts.some((account) => mayInChannel(state, account, channel, 'can_send_message_group'))) {
    return 'not-permitted'
  }
  if (channel.is_archived) return 'not-reached'
  if (accounts.some((account) => account.is_active && state.isSubscribed(account.id, channel.id))) return undefined
  if (channel.is_web_public) return undefined
  if (isGuest(sender)) return 'not-reached'
  if (isPublic(channel)) return undefined
  const reads = channel.history_public_to_subscribers && isGrantedContent(state, sender, channel)
  return reads ? undefined : 'not-reached'
}

/** The kinds of channels that have a creation permission of their own. */
export type ChannelKind = 'public' | 'private' | 'web-public'

/** Whether the user may create a channel of this kind. Web access is checked elsewhere (permissions.md 6.6). */
export const mayCreateChannel = (state: RealmState, user: UserRow, kind: ChannelKind): boolean => {
  if (kind === 'private') return mayInRealm(state, user, 'can_create_private_channel_group')
  if (!mayInRealm(state, user, 'can_create_public_channel_group')) return false
  return kind === 'public' || mayInRealm(state, user, 'can_create_web_public_channel_group')
}

/**
 * Everyone who has metadata access (3); `META(c)` of events.md 2.6, and guests too where the channel is web-public:
 * guests get the event of its creation, so they need the later ones, too.
 */
export const metadataAudience = (state: RealmState, channel: ChannelRow): Audience => {
  if (channel.is_web_public) return Everyone
  if (isPublic(channel)) {
    const nonGuests: Audience = { roles: [Role.owner, Role.member] }
    return hasGuests(state, channel.id) ? { channel: channel.id, ...nonGuests } : nonGuests
  }
  return { channel: channel.id, ...groupViewers(state, channel) }
}

/** The users with metadata access to a private channel without a subscription. */
export const groupViewers = (state: RealmState, channel: ChannelRow): Audience => {
  const { weakest, users } = nonGuestHolders(
    state,
    metadataGroups.map((setting) => channel[setting]),
  )
  const to = Math.max(weakest, Role.administrator)
  const others = [...users].filter((id) => (state.users.get(id)?.role ?? 0) > to)
  return { roles: [Role.owner, to], ...(others.length > 0 ? { users: others.sort((a, b) => a - b) } : {}) }
}

const hasGuests = (state: RealmState, channel_id: number): boolean => {
  for (const id of state.subscribers(channel_id)) if (state.users.get(id)?.role === Role.guest) return true
  return false
}
