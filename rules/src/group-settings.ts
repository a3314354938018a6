/**
 * Permissions that are settings: their values, the system groups, and which groups may hold each of them.
 *
 * A rule serves the checks of a new value, the membership test (a setting that role:everyone may not hold is never
 * passed by a guest) and `server_supported_permission_settings`. Source: protocol/permissions.md 2 to 4.
 */

/** A permission held by a set of users (spec, "Group-setting value"): a group, or listed users and groups. */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] }

/** Ids of the system groups. They are the same in every realm, because a realm's first groups are these. */
export const SystemGroup = {
  nobody: 1,
  owners: 2,
  administrators: 3,
  moderators: 4,
  fullmembers: 5,
  members: 6,
  everyone: 7,
  internet: 8,
} as const

/** Which groups may hold a permission. */
export interface GroupSettingRule {
  /** role:everyone may hold it, and guests may pass it */
  everyone: boolean
  /** role:nobody may hold it */
  nobody: boolean
  /** a system group that may not hold it, beside those above; role:internet may hold nothing */
  not?: number
  /** only one of these system groups may hold it, no other group and no list of users */
  only?: readonly number[]
}

type Rules<Name extends string> = Readonly<Record<Name, GroupSettingRule>>

/** Any group but those with guests; role:nobody too. */
const nonGuests: GroupSettingRule = { everyone: false, nobody: true }
/** Any group, role:nobody too. */
const anyGroup: GroupSettingRule = { everyone: true, nobody: true }
/** Any group but those with guests; some account always holds it. */
const someNonGuests: GroupSettingRule = { everyone: false, nobody: false }

/** The permissions of an organization. */
export type RealmPermission =
  | 'create_multiuse_invite_group'
  | 'can_access_all_users_group'
  | 'can_add_custom_emoji_group'
  | 'can_add_subscribers_group'
  | 'can_create_bots_group'
  | 'can_create_write_only_bots_group'
  | 'can_create_groups'
  | 'can_create_public_channel_group'
  | 'can_create_private_channel_group'
  | 'can_create_web_public_channel_group'
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_invite_users_group'
  | 'can_manage_all_groups'
  | 'can_manage_billing_group'
  | 'can_mention_many_users_group'
  | 'can_move_messages_between_channels_group'
  | 'can_move_messages_between_topics_group'
  | 'can_resolve_topics_group'
  | 'can_set_delete_message_policy_group'
  | 'can_set_topics_policy_group'
  | 'can_summarize_topics_group'
  | 'direct_message_initiator_group'
  | 'direct_message_permission_group'

/** Which groups may hold each permission of an organization. */
export const realmGroupRules: Rules<RealmPermission> = {
  create_multiuse_invite_group: nonGuests,
  can_access_all_users_group: { everyone: true, nobody: false, only: [SystemGroup.everyone, SystemGroup.members] },
  can_add_custom_emoji_group: nonGuests,
  can_add_subscribers_group: nonGuests,
  can_create_bots_group: nonGuests,
  can_create_write_only_bots_group: nonGuests,
  can_create_groups: nonGuests,
  can_create_public_channel_group: nonGuests,
  can_create_private_channel_group: nonGuests,
  can_create_web_public_channel_group: {
    everyone: false,
    nobody: true,
    only: [SystemGroup.moderators, SystemGroup.administrators, SystemGroup.owners, SystemGroup.nobody],
  },
  can_delete_any_message_group: nonGuests,
  can_delete_own_message_group: anyGroup,
  can_invite_users_group: nonGuests,
  can_manage_all_groups: someNonGuests,
  can_manage_billing_group: someNonGuests,
  can_mention_many_users_group: anyGroup,
  can_move_messages_between_channels_group: nonGuests,
  can_move_messages_between_topics_group: anyGroup,
  can_resolve_topics_group: anyGroup,
  can_set_delete_message_policy_group: nonGuests,
  can_set_topics_policy_group: anyGroup,
  can_summarize_topics_group: anyGroup,
  direct_message_initiator_group: anyGroup,
  direct_message_permission_group: anyGroup,
}

/** The permissions of a channel. */
export type ChannelPermission =
  | 'can_add_subscribers_group'
  | 'can_administer_channel_group'
  | 'can_create_topic_group'
  | 'can_delete_any_message_group'
  | 'can_delete_own_message_group'
  | 'can_move_messages_out_of_channel_group'
  | 'can_move_messages_within_channel_group'
  | 'can_remove_subscribers_group'
  | 'can_resolve_topics_group'
  | 'can_send_message_group'
  | 'can_subscribe_group'

/** Settings of a channel, in the order in which objects and requests name them. */
export const channelGroupRules: Rules<ChannelPermission> = {
  can_add_subscribers_group: nonGuests,
  can_administer_channel_group: nonGuests,
  can_create_topic_group: anyGroup,
  can_delete_any_message_group: nonGuests,
  can_delete_own_message_group: anyGroup,
  can_move_messages_out_of_channel_group: anyGroup,
  can_move_messages_within_channel_group: anyGroup,
  can_remove_subscribers_group: anyGroup,
  can_resolve_topics_group: anyGroup,
  can_send_message_group: anyGroup,
  can_subscribe_group: nonGuests,
}

/** The permissions of a custom user group. */
export type UserGroupPermission =
  | 'can_add_members_group'
  | 'can_join_group'
  | 'can_leave_group'
  | 'can_manage_group'
  | 'can_mention_group'
  | 'can_remove_members_group'

/** Settings of a custom user group. */
export const userGroupRules: Rules<UserGroupPermission> = {
  can_add_members_group: nonGuests,
  can_join_group: nonGuests,
  can_leave_group: anyGroup,
  can_manage_group: nonGuests,
  can_mention_group: { ...anyGroup, not: SystemGroup.owners },
  can_remove_members_group: nonGuests,
}
