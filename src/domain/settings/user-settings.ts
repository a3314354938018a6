/**
 * The personal settings of an account: name, type and value in a new one.
 *
 * A user's row keeps only what differs from here. `timezone` is a column of its own, because profiles show it.
 * Source: register.md 5.8 and endpoints.md 1.4; where their defaults differ, endpoints.md (the newer servers).
 */
import { z } from 'zod'

/** Image sets under the names of the API document; existing clients know them by others (aliases.ts). */
export const emojisets = ['set_a', 'set_b', 'set_c', 'text'] as const

/** Names of sounds that an account may choose, beside `none`. */
export const notificationSounds = ['ding', 'zulip'] as const

const oneOf = (...values: number[]) => z.int().refine((value) => values.includes(value))
const participation = oneOf(1, 2, 3, 4)

export const userSettings = z.object({
  twenty_four_hour_time: z.boolean(),
  starred_message_counts: z.boolean(),
  receives_typing_notifications: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  send_read_receipts: z.boolean(),
  presence_enabled: z.boolean(),
  fluid_layout_width: z.boolean(),
  high_contrast_mode: z.boolean(),
  translate_emoticons: z.boolean(),
  left_side_userlist: z.boolean(),
  enter_sends: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
  color_scheme: oneOf(1, 2, 3),
  web_font_size_px: z.int(),
  web_line_height_percent: z.int(),
  default_language: z.string(),
  web_home_view: z.enum(['inbox', 'recent_topics', 'all_messages']),
  web_escape_navigates_to_home_view: z.boolean(),
  web_channel_default_view: oneOf(1, 2, 3),
  web_mark_read_on_scroll_policy: oneOf(1, 2, 3),
  web_navigate_to_sent_message: z.boolean(),
  web_suggest_update_timezone: z.boolean(),
  web_animate_image_previews: z.enum(['always', 'on_hover', 'never']),
  web_stream_unreads_count_display_policy: oneOf(1, 2, 3),
  web_left_sidebar_unreads_count_summary: z.boolean(),
  hide_ai_features: z.boolean(),
  resolved_topic_notice_auto_read_policy: z.enum(['always', 'except_followed', 'never']),
  emojiset: z.enum(emojisets),
  user_list_style: oneOf(1, 2, 3),
  demote_inactive_streams: oneOf(1, 2, 3),
  enable_drafts_synchronization: z.boolean(),
  email_address_visibility: oneOf(1, 2, 3, 4, 5),
  allow_private_data_export: z.boolean(),
  enable_stream_desktop_notifications: z.boolean(),
  enable_stream_email_notifications: z.boolean(),
  enable_stream_push_notifications: z.boolean(),
  enable_stream_audible_notifications: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
  enable_followed_topic_desktop_notifications: z.boolean(),
  enable_followed_topic_email_notifications: z.boolean(),
  enable_followed_topic_push_notifications: z.boolean(),
  enable_followed_topic_audible_notifications: z.boolean(),
  enable_followed_topic_wildcard_mentions_notify: z.boolean(),
  enable_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  enable_offline_email_notifications: z.boolean(),
  enable_offline_push_notifications: z.boolean(),
  enable_online_push_notifications: z.boolean(),
  pm_content_in_desktop_notifications: z.boolean(),
  message_content_in_email_notifications: z.boolean(),
  notification_sound: z.string(),
  desktop_icon_count_display: oneOf(1, 2, 3, 4),
  email_notifications_batching_period_seconds: z.int().min(1).max(604_800),
  enable_digest_emails: z.boolean(),
  enable_login_emails: z.boolean(),
  enable_marketing_emails: z.boolean(),
  realm_name_in_email_notifications_policy: oneOf(1, 2, 3),
  automatically_follow_topics_policy: participation,
  automatically_unmute_topics_in_muted_streams_policy: participation,
  automatically_follow_topics_where_mentioned: z.boolean(),
})

export type UserSettings = z.infer<typeof userSettings>

export const defaultUserSettings: UserSettings = {
  twenty_four_hour_time: false,
  starred_message_counts: true,
  receives_typing_notifications: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
  presence_enabled: true,
  fluid_layout_width: false,
  high_contrast_mode: false,
  translate_emoticons: false,
  left_side_userlist: false,
  enter_sends: false,
  display_emoji_reaction_users: true,
  color_scheme: 1,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  default_language: 'en',
  web_home_view: 'inbox',
  web_escape_navigates_to_home_view: true,
  web_channel_default_view: 1,
  web_mark_read_on_scroll_policy: 1,
  web_navigate_to_sent_message: true,
  web_suggest_update_timezone: true,
  web_animate_image_previews: 'on_hover',
  web_stream_unreads_count_display_policy: 2,
  web_left_sidebar_unreads_count_summary: true,
  hide_ai_features: false,
  resolved_topic_notice_auto_read_policy: 'except_followed',
  emojiset: 'set_a',
  user_list_style: 3,
  demote_inactive_streams: 1,
  enable_drafts_synchronization: true,
  email_address_visibility: 1,
  allow_private_data_export: false,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  wildcard_mentions_notify: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  pm_content_in_desktop_notifications: true,
  message_content_in_email_notifications: true,
  notification_sound: 'zulip',
  desktop_icon_count_display: 1,
  email_notifications_batching_period_seconds: 120,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  realm_name_in_email_notifications_policy: 1,
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  automatically_follow_topics_where_mentioned: true,
}

/** One setting of an account: as it has set it up, or the default. All of them at once: `settingsOf` of the state. */
export const settingOf = <N extends keyof UserSettings>(
  { settings }: { readonly settings: Partial<UserSettings> },
  name: N,
): UserSettings[N] => settings[name] ?? defaultUserSettings[name]

/** What a row keeps of the settings: those that differ from a new account's. */
export const kept = (settings: UserSettings): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== defaultUserSettings[name as keyof UserSettings]),
  )

/** Settings that older clients know as display settings, each under its own name. */
export const displaySettings = [
  'color_scheme',
  'default_language',
  'web_home_view',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
] as const satisfies readonly (keyof UserSettings)[]

/** Settings that older clients know as notification settings. */
export const notificationSettings = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof UserSettings)[]
