/**
 * The settings of an organization: name, type and value in a new one.
 *
 * A realm's row keeps only what differs from here, so a new setting needs no migration.
 * Source: register.md 5.1.1 and 5.1.3, endpoints.md section 4, permissions.md section 4.3.
 */
import { z } from 'zod'
import { groupSettingValue, SystemGroup } from './group-setting-values.js'

const limit = z.int().positive().nullable()
const channelOrNone = z.int()

/** Organization permissions: the setting, and who holds it in a new organization. */
export const realmGroupSettings = {
  create_multiuse_invite_group: SystemGroup.administrators,
  can_access_all_users_group: SystemGroup.everyone,
  can_add_custom_emoji_group: SystemGroup.members,
  can_add_subscribers_group: SystemGroup.members,
  can_create_bots_group: SystemGroup.members,
  can_create_write_only_bots_group: SystemGroup.members,
  can_create_groups: SystemGroup.members,
  can_create_public_channel_group: SystemGroup.members,
  can_create_private_channel_group: SystemGroup.members,
  can_create_web_public_channel_group: SystemGroup.owners,
  can_delete_any_message_group: SystemGroup.administrators,
  can_delete_own_message_group: SystemGroup.everyone,
  can_invite_users_group: SystemGroup.members,
  can_manage_all_groups: SystemGroup.owners,
  can_manage_billing_group: SystemGroup.administrators,
  can_mention_many_users_group: SystemGroup.administrators,
  can_move_messages_between_channels_group: SystemGroup.members,
  can_move_messages_between_topics_group: SystemGroup.everyone,
  can_resolve_topics_group: SystemGroup.everyone,
  can_set_topics_policy_group: SystemGroup.members,
  can_summarize_topics_group: SystemGroup.everyone,
  direct_message_initiator_group: SystemGroup.everyone,
  direct_message_permission_group: SystemGroup.everyone,
} as const

export type RealmGroupSetting = keyof typeof realmGroupSettings

const groupSettings = Object.fromEntries(
  Object.keys(realmGroupSettings).map((name) => [name, groupSettingValue]),
) as Record<RealmGroupSetting, typeof groupSettingValue>

export const realmSettings = z.object({
  ...groupSettings,
  default_language: z.string(),
  default_code_block_language: z.string(),
  allow_message_editing: z.boolean(),
  message_content_edit_limit_seconds: limit,
  message_content_delete_limit_seconds: limit,
  move_messages_within_stream_limit_seconds: limit,
  move_messages_between_streams_limit_seconds: limit,
  message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']),
  topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
  message_retention_days: z.int(),
  waiting_period_threshold: z.int().min(0),
  invite_required: z.boolean(),
  emails_restricted_to_domains: z.boolean(),
  disallow_disposable_email_addresses: z.boolean(),
  name_changes_disabled: z.boolean(),
  email_changes_disabled: z.boolean(),
  avatar_changes_disabled: z.boolean(),
  require_unique_names: z.boolean(),
  enable_read_receipts: z.boolean(),
  enable_spectator_access: z.boolean(),
  enable_guest_user_indicator: z.boolean(),
  enable_guest_user_dm_warning: z.boolean(),
  inline_image_preview: z.boolean(),
  inline_url_embed_preview: z.boolean(),
  digest_emails_enabled: z.boolean(),
  digest_weekday: z.int().min(0).max(6),
  send_welcome_emails: z.boolean(),
  send_channel_events_messages: z.boolean(),
  message_content_allowed_in_email_notifications: z.boolean(),
  want_advertise_in_communities_directory: z.boolean(),
  giphy_rating: z.int(),
  video_chat_provider: z.int(),
  jitsi_server_url: z.string().nullable(),
  /** those that are turned off (authentication.ts) */
  authentication_methods: z.record(z.string(), z.boolean()),
  org_type: z.int(),
  new_stream_announcements_stream_id: channelOrNone,
  signup_announcements_stream_id: channelOrNone,
  zulip_update_announcements_stream_id: channelOrNone,
  moderation_request_channel_id: channelOrNone,
})

export type RealmSettings = z.infer<typeof realmSettings>

export const defaultRealmSettings: RealmSettings = {
  ...realmGroupSettings,
  default_language: 'en',
  default_code_block_language: '',
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_within_stream_limit_seconds: 604_800,
  move_messages_between_streams_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
  topics_policy: 'allow_empty_topic',
  message_retention_days: -1,
  waiting_period_threshold: 0,
  invite_required: true,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  require_unique_names: false,
  enable_read_receipts: true,
  enable_spectator_access: false,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  digest_emails_enabled: false,
  digest_weekday: 1,
  send_welcome_emails: true,
  send_channel_events_messages: true,
  message_content_allowed_in_email_notifications: true,
  want_advertise_in_communities_directory: false,
  giphy_rating: 2,
  video_chat_provider: 1,
  jitsi_server_url: null,
  authentication_methods: {},
  org_type: 0,
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  moderation_request_channel_id: -1,
}

/** What a row keeps of the settings: those that differ from a new organization's. */
export const keptRealmSettings = (settings: RealmSettings): Partial<RealmSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultRealmSettings[name as keyof RealmSettings]),
    ),
  )

export const isRealmGroupSetting = (name: string): name is RealmGroupSetting => Object.hasOwn(realmGroupSettings, name)

/** Settings that no client of this feature level knows: they can be set, and nobody is told. */
export const laterLevels = ['send_channel_events_messages'] as const satisfies readonly (keyof RealmSettings)[]

export type LaterLevels = (typeof laterLevels)[number]
