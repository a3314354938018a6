/**
 * What the user of the page may do, by the rules that the server applies (rules/).
 *
 * The server decides; this only hides what it would refuse. So when something is unknown here, it counts as permitted
 * to nobody.
 */
import type { Channel, User, UserGroup } from '@parley/client/realm'
import {
  type ChannelKind,
  hasContentAccess,
  isChannelAdministrator,
  isReadFromOutside,
  mayAddSubscribers as mayAddSubscribersTo,
  mayCreateChannel as mayCreateChannelOf,
  mayRemoveSubscribers as mayRemoveSubscribersFrom,
  maySubscribe,
} from '#rules/channel-access.js'
import {
  canAddMembers,
  canAddToGroup,
  canManageGroup,
  canRemoveFromGroup,
  canRemoveMembers,
} from '#rules/group-access.js'
import type { GroupSettingValue, RealmPermission } from '#rules/group-settings.js'
import type { Account, Channel as ChannelOfRules, Organization } from '#rules/organization.js'
import { mayInRealm } from '#rules/permissions.js'
import {
  isAdministrator as isAdministratorAccount,
  isGuest as isGuestAccount,
  isOwner as isOwnerAccount,
} from '#rules/roles.js'
import type { Chat } from './chat.js'
import { readChannel, readOrganization, readOwnAccount } from './rules.js'

/** Who has a permission: a group, or users and groups. */
export type GroupValue = GroupSettingValue

/** The account of the user; undefined for a visitor. */
export const ownUser = (chat: Chat): User | undefined =>
  chat.ownUserId === undefined ? undefined : chat.users.value.get(chat.ownUserId)

const isOwnRole = (chat: Chat, test: (user: User) => boolean): boolean => {
  const user = ownUser(chat)
  return user !== undefined && test(user)
}

/** Whether the user is an owner or an administrator. */
export const isAdministrator = (chat: Chat): boolean => isOwnRole(chat, isAdministratorAccount)

/** Whether the user is an owner. */
export const isOwner = (chat: Chat): boolean => isOwnRole(chat, isOwnerAccount)

/** Whether the user is a guest, or a visitor. */
export const isGuest = (chat: Chat): boolean => !isOwnRole(chat, (user) => !isGuestAccount(user))

/** Whether the user has a permission of the organization. */
export const mayInOrganization = (chat: Chat, permission: RealmPermission): boolean => {
  const user = readOwnAccount(chat)
  return user !== undefined && mayInRealm(readOrganization(chat), user, permission)
}

/** Whether the user may create a channel of this kind. */
export const mayCreateChannel = (chat: Chat, kind: ChannelKind): boolean => {
  const user = readOwnAccount(chat)
  return user !== undefined && mayCreateChannelOf(readOrganization(chat), user, kind)
}

/** Whether a rule about a channel permits something to the user. */
const mayInChannel = (
  chat: Chat,
  channel: Channel,
  rule: (organization: Organization, user: Account, channel: ChannelOfRules) => boolean,
): boolean => {
  const user = readOwnAccount(chat)
  return user !== undefined && rule(readOrganization(chat), user, readChannel(channel))
}

/** Whether the user may change the channel for everyone. */
export const mayAdministerChannel = (chat: Chat, channel: Channel): boolean =>
  mayInChannel(chat, channel, isChannelAdministrator)

/** Whether the user may read the channel's messages. Visitors read web-public channels. */
export const mayReadChannel = (chat: Chat, channel: Channel): boolean =>
  channel.is_web_public || mayInChannel(chat, channel, hasContentAccess)

/** Whether the user could subscribe again after leaving the channel. */
export const mayReturnToChannel = (chat: Chat, channel: Channel): boolean =>
  !isGuest(chat) && !channel.is_archived && mayInChannel(chat, channel, isReadFromOutside)

/** Whether the user may subscribe to the channel. */
export const mayJoinChannel = (chat: Chat, channel: Channel): boolean =>
  !channel.is_archived && mayInChannel(chat, channel, maySubscribe)

/** Whether the user may subscribe others to the channel. */
export const mayAddSubscribers = (chat: Chat, channel: Channel): boolean =>
  !channel.is_archived && mayInChannel(chat, channel, mayAddSubscribersTo)

/** Whether the user may unsubscribe others from the channel. The setting of the channel may name guests too. */
export const mayRemoveSubscribers = (chat: Chat, channel: Channel): boolean =>
  mayInChannel(chat, channel, (organization, user, one) => mayRemoveSubscribersFrom(organization, user, [one]))

/** Whether a rule about a group permits something to the user. Guests can call nothing that changes a group. */
const mayInGroup = (
  chat: Chat,
  group: UserGroup,
  rule: (organization: Organization, user: Account, group: UserGroup) => boolean,
): boolean => {
  const user = readOwnAccount(chat)
  return user !== undefined && !isGuestAccount(user) && rule(readOrganization(chat), user, group)
}

/**
 * Whether the user may manage the group. That is: change its name, description, permissions and subgroups. The group
 * can be a deactivated one.
 */
export const mayManageGroup = (chat: Chat, group: UserGroup): boolean => mayInGroup(chat, group, canManageGroup)

/** Whether the user may add members to a group. */
export const mayAddGroupMembers = (chat: Chat, group: UserGroup): boolean =>
  !group.deactivated && mayInGroup(chat, group, canAddToGroup)

/** Whether the user may remove members from a group. */
export const mayRemoveGroupMembers = (chat: Chat, group: UserGroup): boolean =>
  !group.deactivated && mayInGroup(chat, group, canRemoveFromGroup)

/** Whether the user may join the group. */
export const mayJoinGroup = (chat: Chat, group: UserGroup): boolean =>
  !group.deactivated &&
  mayInGroup(chat, group, (organization, user, one) => canAddMembers(organization, user, one, [user.id]))

/** Whether the user may leave the group. */
export const mayLeaveGroup = (chat: Chat, group: UserGroup): boolean =>
  !group.deactivated &&
  mayInGroup(chat, group, (organization, user, one) => canRemoveMembers(organization, user, one, [user.id]))
