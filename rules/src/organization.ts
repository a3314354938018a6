/**
 * What the rules read: an organization, its accounts, channels and groups.
 *
 * The state of a realm on the server is an `Organization`. The web client reads its stores as one
 * (`web/src/realm/rules.ts`). Names are those of the protocol, without `realm_` before a setting.
 */
import type { ChannelPermission, GroupSettingValue, RealmPermission, UserGroupPermission } from './group-settings.js'

/** An account. */
export interface Account {
  readonly id: number
  readonly role: number
  readonly is_active: boolean
  readonly is_bot: boolean
  readonly is_system_bot: boolean
  readonly bot_owner_id: number | null
  /** UNIX seconds; decides when the account becomes a full member */
  readonly date_joined: number
}

/** What a channel decides about messages without a topic; `inherit`: what the organization decides. */
export type TopicsPolicy = 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'

/** A channel. */
export interface Channel extends Readonly<Record<ChannelPermission, GroupSettingValue>> {
  readonly id: number
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly is_archived: boolean
  readonly history_public_to_subscribers: boolean
  readonly topics_policy: TopicsPolicy
}

/** A user group. */
export interface UserGroup extends Readonly<Record<UserGroupPermission, GroupSettingValue>> {
  readonly id: number
  readonly is_system_group: boolean
  readonly deactivated: boolean
}

/** The settings of an organization on which rules depend. Limits are in seconds; null: no limit. */
export interface Settings extends Readonly<Record<RealmPermission, GroupSettingValue>> {
  /** days */
  readonly waiting_period_threshold: number
  readonly allow_message_editing: boolean
  readonly message_content_edit_limit_seconds: number | null
  readonly message_content_delete_limit_seconds: number | null
  readonly move_messages_within_stream_limit_seconds: number | null
  readonly move_messages_between_streams_limit_seconds: number | null
  readonly topics_policy: Exclude<TopicsPolicy, 'inherit' | 'empty_topic_only'>
}

/** An organization. */
export interface Organization {
  readonly settings: Settings
  readonly users: { get(id: number): Account | undefined }
  /** The direct members of a custom group. Membership in a system group follows from the role. */
  directMembers(group_id: number): { has(user_id: number): boolean }
  /** The direct subgroups of a custom group, deactivated ones included. */
  directSubgroups(group_id: number): Iterable<number>
  isSubscribed(user_id: number, channel_id: number): boolean
}
