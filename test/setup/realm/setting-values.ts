/** The settings of organizations and groups, for tests that try all of them. */
import { channelGroupRules, userGroupRules } from '../../../rules/src/group-settings.js'
import {
  type channelSettings,
  type RealmGroupSetting,
  type RealmSettings,
  realmGroupSettingNames,
} from '../../../src/domain/settings/realm-settings.js'

/**
 * Settings whose value is not stored as it is sent, or that name an object: they have tests of their own.
 */
type OtherSetting = RealmGroupSetting | (typeof channelSettings)[number] | 'authentication_methods'

type SettingValues = { [N in Exclude<keyof RealmSettings, OtherSetting>]: RealmSettings[N] }

/**
 * A changed value for each setting of an organization, and for its texts. It differs from the value in a new
 * organization.
 */
export const changedSettingValues: SettingValues & { name: string; description: string } = {
  name: 'Analytical Engines',
  description: 'We compute.',
  emails_restricted_to_domains: true,
  disallow_disposable_email_addresses: false,
  invite_required: false,
  second_factor_required_for: 'administrators',
  sign_up_approval_required: true,
  refused_email_domains: 'refused.example',
  require_unique_names: true,
  name_changes_disabled: true,
  email_changes_disabled: true,
  avatar_changes_disabled: true,
  default_avatar_source: 'G',
  inline_image_preview: false,
  inline_url_embed_preview: true,
  allow_message_editing: false,
  message_content_edit_limit_seconds: 60,
  message_content_delete_limit_seconds: 60,
  move_messages_within_stream_limit_seconds: 60,
  move_messages_between_streams_limit_seconds: 60,
  message_edit_history_visibility_policy: 'none',
  topics_policy: 'disable_empty_topic',
  default_language: 'de',
  default_code_block_language: 'python',
  waiting_period_threshold: 3,
  message_retention_days: 30,
  send_welcome_emails: false,
  send_channel_events_messages: false,
  welcome_message_custom_text: 'Welcome to **us**!',
  digest_emails_enabled: true,
  message_content_allowed_in_email_notifications: false,
  digest_weekday: 6,
  video_chat_provider: 0,
  jitsi_server_url: 'https://calls.example.com',
  giphy_rating: 0,
  org_type: 35,
  enable_spectator_access: true,
  want_advertise_in_communities_directory: true,
  enable_read_receipts: false,
  enable_guest_user_indicator: false,
  enable_guest_user_dm_warning: false,
}

/**
 * The names of the settings whose value is a group. They are settings of channels, of user groups and of the
 * organization.
 */
export const groupSettingNames: readonly string[] = [
  ...Object.keys(channelGroupRules).map((name) => `channel/${name}`),
  ...Object.keys(userGroupRules).map((name) => `group/${name}`),
  ...realmGroupSettingNames.map((name) => `realm/${name}`),
].sort()
