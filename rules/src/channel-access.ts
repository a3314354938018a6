/**
 * Who may see, read, join, post to and administer a channel.
 *
 * 1. Metadata access: its name, settings and subscribers, and its events. Without it a channel does not exist for the
 *    user: every endpoint answers as for an unknown one.
 * 2. Content access: its messages. An administrator has no content access by role.
 *
 * Source: protocol/permissions.md 5.2 and 6.
 */
import { SystemGroup } from './group-settings.js'
import type { Account, Channel, Organization } from './organization.js'
import { mayInChannel, mayInRealm } from './permissions.js'
import { isAdministrator, isGuest } from './roles.js'

/** Whether the user may read or join a private channel without a subscription. */
const isGrantedContent = (organization: Organization, user: Account, channel: Channel, now?: number): boolean =>
  mayInChannel(organization, user, channel, 'can_subscribe_group', now) ||
  mayInChannel(organization, user, channel, 'can_add_subscribers_group', now)

/**
 * Whether callers without an account may read the channel. They may read a web-public channel, unless it is archived.
 */
export const isOpenToSpectators = (channel: Pick<Channel, 'is_web_public' | 'is_archived'> | undefined): boolean =>
  channel?.is_web_public === true && !channel.is_archived

/** Whether the channel exists for this user (1). */
export const hasMetadataAccess = (organization: Organization, user: Account, channel: Channel): boolean =>
  organization.isSubscribed(user.id, channel.id) || isSeenFromOutside(organization, user, channel)

/** Whether the channel exists for this user without a subscription. */
export const isSeenFromOutside = (organization: Organization, user: Account, channel: Channel): boolean => {
  if (channel.is_web_public) return true
  if (isGuest(user)) return false
  return (
    !channel.invite_only ||
    isChannelAdministrator(organization, user, channel) ||
    isGrantedContent(organization, user, channel)
  )
}

/**
 * Whether the user may read the channel (2). With protected history, they may read only messages that they received.
 */
export const hasContentAccess = (organization: Organization, user: Account, channel: Channel, now?: number): boolean =>
  organization.isSubscribed(user.id, channel.id) || isReadFromOutside(organization, user, channel, now)

/** Whether the user may read the channel without a subscription. */
export const isReadFromOutside = (
  organization: Organization,
  user: Account,
  channel: Channel,
  now?: number,
): boolean => {
  if (channel.is_web_public) return true
  if (isGuest(user)) return false
  return !channel.invite_only || isGrantedContent(organization, user, channel, now)
}

/**
 * Whether the user is an administrator of the channel. An administrator of the organization is one, and so is a
 * non-guest in `can_administer_channel_group`.
 */
export const isChannelAdministrator = (
  organization: Organization,
  user: Account,
  channel: Channel,
  now?: number,
): boolean => isAdministrator(user) || mayInChannel(organization, user, channel, 'can_administer_channel_group', now)

/** Whether the user may subscribe themselves. Guests are subscribed by others. */
export const maySubscribe = (organization: Organization, user: Account, channel: Channel): boolean =>
  !isGuest(user) && hasContentAccess(organization, user, channel)

/** Whether the user may subscribe others. */
export const mayAddSubscribers = (organization: Organization, user: Account, channel: Channel): boolean =>
  maySubscribe(organization, user, channel) &&
  (isChannelAdministrator(organization, user, channel) ||
    mayInRealm(organization, user, 'can_add_subscribers_group') ||
    mayInChannel(organization, user, channel, 'can_add_subscribers_group'))

/**
 * Whether the user may unsubscribe others from each of these channels. The user may do so as the administrator of each
 * channel, or by the setting of each channel, which may name guests too.
 */
export const mayRemoveSubscribers = (
  organization: Organization,
  user: Account,
  channels: readonly Channel[],
): boolean =>
  channels.every((channel) => isChannelAdministrator(organization, user, channel)) ||
  channels.every(
    (channel) =>
      hasMetadataAccess(organization, user, channel) &&
      mayInChannel(organization, user, channel, 'can_remove_subscribers_group'),
  )

/** Why a message is refused: the channel's setting excludes the sender, or the sender has no access to the channel. */
export type PostingRefusal = 'not-permitted' | 'not-reached'

/** The account, and the owner of a bot, which may do in a channel what its owner may. */
const listActors = (organization: Organization, sender: Account): Account[] => {
  const owner = sender.bot_owner_id === null ? undefined : organization.users.get(sender.bot_owner_id)
  return sender.is_bot && owner !== undefined ? [sender, owner] : [sender]
}

/** Whether the account may begin topics in the channel. System bots may in every channel. */
export const mayCreateTopic = (organization: Organization, sender: Account, channel: Channel): boolean =>
  channel.can_create_topic_group === SystemGroup.everyone ||
  sender.is_system_bot ||
  listActors(organization, sender).some((account) =>
    mayInChannel(organization, account, channel, 'can_create_topic_group'),
  )

/**
 * Finds why the account must not post in the channel. Returns undefined if it may (protocol/permissions.md 6.3 and 8.1,
 * items 3 to 6).
 */
export const postingRefusal = (
  organization: Organization,
  sender: Account,
  channel: Channel,
): PostingRefusal | undefined => {
  const accounts = listActors(organization, sender)
  if (!accounts.some((account) => mayInChannel(organization, account, channel, 'can_send_message_group'))) {
    return 'not-permitted'
  }
  if (channel.is_archived) return 'not-reached'
  if (accounts.some((account) => account.is_active && organization.isSubscribed(account.id, channel.id))) {
    return undefined
  }
  if (channel.is_web_public) return undefined
  if (isGuest(sender)) return 'not-reached'
  if (!channel.invite_only) return undefined
  const reads = channel.history_public_to_subscribers && isGrantedContent(organization, sender, channel)
  return reads ? undefined : 'not-reached'
}

/** The kinds of channels that have a creation permission of their own. */
export type ChannelKind = 'public' | 'private' | 'web-public'

/**
 * Whether the user may create a channel of this kind. Web access is checked elsewhere (protocol/permissions.md 6.6).
 */
export const mayCreateChannel = (organization: Organization, user: Account, kind: ChannelKind): boolean => {
  if (kind === 'private') return mayInRealm(organization, user, 'can_create_private_channel_group')
  if (!mayInRealm(organization, user, 'can_create_public_channel_group')) return false
  return kind === 'public' || mayInRealm(organization, user, 'can_create_web_public_channel_group')
}
