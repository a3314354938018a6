/**
 * What the user of the page may do.
 *
 * The server decides; this only hides what it would refuse. So when something is unknown here, it counts as permitted
 * to nobody.
 */
import type { Channel, User, UserGroup } from '@parley/client/realm'
import type { Chat } from './chat.js'

/** Who has a permission: a group, or users and groups. */
export type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] }

/** The account of the user; undefined for a visitor. */
export const ownUser = (chat: Chat): User | undefined =>
  chat.ownUserId === undefined ? undefined : chat.users.value.get(chat.ownUserId)

/** Whether the user is an owner or an administrator. */
export const isAdministrator = (chat: Chat): boolean => (ownUser(chat)?.role ?? Number.POSITIVE_INFINITY) <= 200

/** Whether the user is an owner. */
export const isOwner = (chat: Chat): boolean => ownUser(chat)?.role === 100

/** Whether the user is a guest. */
export const isGuest = (chat: Chat): boolean => (ownUser(chat)?.role ?? 600) === 600

/** Whether a user is in the value, directly or through groups in groups. */
export const includesUser = (
  groups: ReadonlyMap<number, UserGroup>,
  value: GroupValue | undefined,
  userId: number,
): boolean => {
  if (value === undefined) return false
  if (typeof value !== 'number' && value.direct_members.includes(userId)) return true
  const pending = typeof value === 'number' ? [value] : [...value.direct_subgroups]
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const group = groups.get(id)
    if (group?.members.includes(userId) === true) return true
    pending.push(...(group?.direct_subgroup_ids ?? []))
  }
  return false
}

/** The permissions of the organization that the page asks for. */
type OrganizationPermission =
  | 'realm_can_create_public_channel_group'
  | 'realm_can_create_private_channel_group'
  | 'realm_can_create_web_public_channel_group'
  | 'realm_can_add_subscribers_group'
  | 'realm_can_create_bots_group'
  | 'realm_can_create_write_only_bots_group'
  | 'realm_can_set_delete_message_policy_group'
  | 'realm_can_set_topics_policy_group'
  | 'realm_can_invite_users_group'
  | 'realm_create_multiuse_invite_group'
  | 'realm_can_create_groups'
  | 'realm_can_add_custom_emoji_group'

/** Whether the user has a permission of the organization. Guests have none of these. */
export const mayInOrganization = (chat: Chat, permission: OrganizationPermission): boolean =>
  chat.ownUserId !== undefined &&
  !isGuest(chat) &&
  includesUser(chat.groups.value, chat.organization.value[permission], chat.ownUserId)

const mayInChannel = (chat: Chat, value: GroupValue): boolean =>
  chat.ownUserId !== undefined && !isGuest(chat) && includesUser(chat.groups.value, value, chat.ownUserId)

/** Whether the user may change the channel for everyone. */
export const mayAdministerChannel = (chat: Chat, channel: Channel): boolean =>
  isAdministrator(chat) || mayInChannel(chat, channel.can_administer_channel_group)

/**
 * Whether the user may read the channel's messages. Guests read the channels to which they are subscribed, and
 * web-public ones.
 */
export const mayReadChannel = (chat: Chat, channel: Channel): boolean =>
  chat.subscriptions.value.has(channel.stream_id) || mayReadWithoutSubscription(chat, channel)

const mayReadWithoutSubscription = (chat: Chat, channel: Channel): boolean =>
  channel.is_web_public ||
  (chat.ownUserId !== undefined &&
    !isGuest(chat) &&
    (!channel.invite_only ||
      mayInChannel(chat, channel.can_subscribe_group) ||
      mayInChannel(chat, channel.can_add_subscribers_group)))

/** Whether the user could subscribe again after leaving the channel. */
export const mayReturnToChannel = (chat: Chat, channel: Channel): boolean =>
  chat.ownUserId !== undefined && !isGuest(chat) && !channel.is_archived && mayReadWithoutSubscription(chat, channel)

/** Whether the user may subscribe to the channel. */
export const mayJoinChannel = (chat: Chat, channel: Channel): boolean =>
  chat.ownUserId !== undefined && !isGuest(chat) && !channel.is_archived && mayReadChannel(chat, channel)

/** Whether the user may subscribe others to the channel. */
export const mayAddSubscribers = (chat: Chat, channel: Channel): boolean =>
  mayJoinChannel(chat, channel) &&
  (mayAdministerChannel(chat, channel) ||
    mayInOrganization(chat, 'realm_can_add_subscribers_group') ||
    mayInChannel(chat, channel.can_add_subscribers_group))

/** Whether the user may unsubscribe others from the channel. The setting of the channel may name guests too. */
export const mayRemoveSubscribers = (chat: Chat, channel: Channel): boolean =>
  mayAdministerChannel(chat, channel) ||
  (chat.ownUserId !== undefined &&
    includesUser(chat.groups.value, channel.can_remove_subscribers_group, chat.ownUserId))

/** Whether the user is in one of the values. Nobody changes the groups of roles. */
const mayInGroup = (chat: Chat, group: UserGroup, ...values: GroupValue[]): boolean =>
  !group.is_system_group &&
  !group.deactivated &&
  chat.ownUserId !== undefined &&
  !isGuest(chat) &&
  [chat.organization.value.realm_can_manage_all_groups, group.can_manage_group, ...values].some((value) =>
    includesUser(chat.groups.value, value, chat.ownUserId as number),
  )

/** Whether the user may change the group's name, description, permissions and subgroups. Also a deactivated group's. */
export const mayManageGroup = (chat: Chat, group: UserGroup): boolean =>
  mayInGroup(chat, { ...group, deactivated: false })

/** Whether the user may add members to a group. */
export const mayAddGroupMembers = (chat: Chat, group: UserGroup): boolean =>
  mayInGroup(chat, group, group.can_add_members_group)

/** Whether the user may remove members from a group. */
export const mayRemoveGroupMembers = (chat: Chat, group: UserGroup): boolean =>
  mayInGroup(chat, group, group.can_remove_members_group)

/** Whether the user may join the group. */
export const mayJoinGroup = (chat: Chat, group: UserGroup): boolean =>
  mayInGroup(chat, group, group.can_add_members_group, group.can_join_group)

/** Whether the user may leave the group. */
export const mayLeaveGroup = (chat: Chat, group: UserGroup): boolean =>
  mayInGroup(chat, group, group.can_remove_members_group, group.can_leave_group)
