/**
 * The structural rows of a realm: what every replica holds in memory.
 *
 * One name from column to wire: a row has the columns of its table (store/migrations) and, where the protocol shows
 * it, the names of the protocol. Rows are never mutated: a change replaces the row, so a row object may be used as
 * a cache key.
 */
import type { GroupSettingValue } from '../settings/group-setting-values.js'
import type { RealmSettings } from '../settings/realm-settings.js'
import type { UserSettings } from '../settings/user-settings.js'

export { Role } from '#rules/roles.js'

/** Bot types of the user object; null: not a bot. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** An organization. */
export interface RealmRow {
  id: number
  /** the label in the host name, unique within the deployment */
  string_id: string
  name: string
  description: string
  date_created: number
  is_active: boolean
  /** only what differs from the defaults of settings/realm-settings.ts */
  settings: Partial<RealmSettings>
  /** the default settings of new accounts, as far as they differ from user-settings.ts */
  user_settings_defaults: Partial<UserSettings>
  /** uploaded pictures; one that was never changed is missing */
  pictures: { readonly [P in RealmPicture]?: { version: number; is_uploaded: boolean } }
  /** the limit of the size of its uploaded files; null: no limit */
  upload_quota_mib: number | null
  /** the most active accounts of humans, stored messages, and calls in a minute; null: no limit */
  user_quota: number | null
  message_quota: number | null
  call_quota: number | null
  /** it is being moved to another cell, or was moved: its calls are refused here */
  is_moving: boolean
}

/** The pictures of an organization. */
export type RealmPicture = 'icon' | 'logo' | 'night_logo'

/** An account. */
export interface UserRow {
  id: number
  /** the API address: the real one if all users may see it, else `user{id}@host` (protocol/permissions.md 14) */
  email: string
  delivery_email: string
  full_name: string
  role: number
  is_active: boolean
  is_bot: boolean
  bot_type: number | null
  bot_owner_id: number | null
  is_system_bot: boolean
  /** UNIX seconds */
  date_joined: number
  timezone: string
  /** `G` no picture is uploaded, `U` one is */
  avatar_source: 'G' | 'U'
  /** without an uploaded picture, it shows the Gravatar of its address, as its organization chose */
  uses_gravatar: boolean
  avatar_version: number
  /** increased to invalidate every earlier API key */
  key_version: number
  /** rights that the server's operator gives: an administrator may create accounts, or change the address of others */
  can_create_users: boolean
  can_change_user_emails: boolean
  /** only what differs from the defaults of user-settings.ts */
  settings: Partial<UserSettings>
  profile_data: ProfileData
}

/** A session of a browser (domain/users/accounts/sessions.ts). */
export interface SessionRow {
  id: number
  user_id: number
  /** SHA-256 of the token in the cookie, as hexadecimal digits */
  token_hash: string
  /** the account's `key_version` when the session began: the session ends when it changes */
  key_version: number
  /** UNIX seconds */
  created_at: number
  /** UNIX seconds; later while the session is in use */
  expires_at: number
}

/** What an API key with a name permits: each scope includes the ones before it. */
export type KeyScope = 'read' | 'write' | 'administer'

/** An API key with a name (domain/api-keys/api-keys.ts). The first key of an account has no row. */
export interface ApiKeyRow {
  id: number
  user_id: number
  name: string
  /** SHA-256 of the key, as hexadecimal digits */
  token_hash: string
  scope: KeyScope
  /** the account's `key_version` when the key was made: the key ends when it changes */
  key_version: number
  /** UNIX seconds */
  created_at: number
  /** UNIX seconds; null: it does not expire */
  expires_at: number | null
}

/** The settings of a bot beside its account. Without such a row they are `defaultBotRow` (users/bots/bots.ts). */
export interface BotRow {
  user_id: number
  default_sending_channel_id: number | null
  default_events_register_channel_id: number | null
  default_all_public_streams: boolean
  /** of an outgoing webhook: the URL that is called, and the format of the call */
  service_name: string
  service_url: string
  service_interface: number
  config_data: Record<string, string>
}

/** A channel. */
export interface ChannelRow {
  id: number
  name: string
  description: string
  rendered_description: string
  date_created: number
  creator_id: number | null
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  /** null inherits, -1 keeps forever */
  message_retention_days: number | null
  is_archived: boolean
  is_recently_active: boolean
  /** messages per week, counted once a day; null: the channel is too new */
  stream_weekly_traffic: number | null
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
  folder_id: number | null
  can_add_subscribers_group: GroupSettingValue
  can_administer_channel_group: GroupSettingValue
  can_create_topic_group: GroupSettingValue
  can_delete_any_message_group: GroupSettingValue
  can_delete_own_message_group: GroupSettingValue
  can_move_messages_out_of_channel_group: GroupSettingValue
  can_move_messages_within_channel_group: GroupSettingValue
  can_remove_subscribers_group: GroupSettingValue
  can_resolve_topics_group: GroupSettingValue
  can_send_message_group: GroupSettingValue
  can_subscribe_group: GroupSettingValue
}

/** A subscription. It remains with its personal settings after the user unsubscribed (`active` false). */
export interface SubscriptionRow {
  user_id: number
  channel_id: number
  active: boolean
  color: string
  is_muted: boolean
  pin_to_top: boolean
  desktop_notifications: boolean | null
  audible_notifications: boolean | null
  push_notifications: boolean | null
  email_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
}

/** A user group. */
export interface GroupRow {
  id: number
  name: string
  description: string
  is_system_group: boolean
  creator_id: number | null
  date_created: number | null
  deactivated: boolean
  can_add_members_group: GroupSettingValue
  can_join_group: GroupSettingValue
  can_leave_group: GroupSettingValue
  can_manage_group: GroupSettingValue
  can_mention_group: GroupSettingValue
  can_remove_members_group: GroupSettingValue
}

/** Direct membership in a custom group. Membership in system groups follows from the role and has no rows. */
export interface GroupMemberRow {
  group_id: number
  user_id: number
}

/** A direct subgroup of a custom group. */
export interface GroupSubgroupRow {
  group_id: number
  subgroup_id: number
}

/** A channel to which new accounts are subscribed. */
export interface DefaultChannelRow {
  channel_id: number
}

/** A named set of channels that a new user may choose to subscribe to. */
export interface DefaultChannelGroupRow {
  id: number
  name: string
  description: string
  /** ascending */
  channel_ids: number[]
}

/** A named group of channels. */
export interface FolderRow {
  id: number
  name: string
  description: string
  rendered_description: string
  date_created: number
  creator_id: number | null
  is_archived: boolean
  /** the folders are shown in this order, and those with equal positions by id */
  position: number
}

/** A custom emoji. */
export interface EmojiRow {
  id: number
  name: string
  author_id: number
  deactivated: boolean
  file_name: string
  /** the first frame of an animated emoji; missing in rows that were logged before this column existed */
  still_file_name?: string | null
}

/** Types of profile fields. */
export const FieldType = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

/** A custom profile field. */
export interface ProfileFieldRow {
  id: number
  name: string
  field_type: number
  hint: string
  /** JSON text of the type's own form; empty for most types */
  field_data: string
  position: number
  required: boolean
  editable_by_user: boolean
  display_in_profile_summary: boolean
}

/** The value of a profile field; `rendered_value` is HTML, of fields that are rendered as Markdown. */
export interface ProfileValue {
  value: string
  rendered_value?: string
}

/** By the id of the field. */
export type ProfileData = Record<string, ProfileValue>

/** A code playground: the site that runs code of a language. */
export interface PlaygroundRow {
  id: number
  name: string
  pygments_language: string
  url_template: string
}

/** A way to log in that owners set up: a provider that users have accounts at. */
export interface LogInMethodRow {
  id: number
  /** the protocol that it speaks: a key of `logInKinds` (log-in/methods.ts) */
  kind: string
  /** what users read on the button */
  name: string
  is_enabled: boolean
  /** what `logInKinds` declares for the kind */
  options: Readonly<Record<string, unknown>>
  /** encrypted; '' if there is none */
  sealed_secret: string
}

/** A domain that email addresses of accounts may have. */
export interface RealmDomainRow {
  id: number
  domain: string
  allow_subdomains: boolean
}

/** A pattern whose matches become links. */
export interface LinkifierRow {
  id: number
  pattern: string
  url_template: string
  position: number
}

/** The alert words of a user, compared without case. */
export interface AlertWordsRow {
  user_id: number
  words: string[]
}

/** The users that a user muted, and when (UNIX seconds). */
export interface UserMutesRow {
  user_id: number
  muted_users: { id: number; timestamp: number }[]
}

/** The status of a user; empty texts: none. */
export interface UserStatusRow {
  user_id: number
  status_text: string
  emoji_name: string
  emoji_code: string
  reaction_type: string
  /** when it ends by itself, in UNIX seconds; null: when the user clears it */
  ends_at: number | null
}

/** The last id given in a table, so that the id of a deleted row never names another one. */
export interface CounterRow {
  name: string
  value: number
}
