/**
 * The numbers a client may run into, in one place. Lengths count Unicode code points.
 *
 * Source: register.md sections 5.1.5 and 6; events.md section 1.
 */

export const limits = {
  max_stream_name_length: 60,
  max_stream_description_length: 1_024,
  max_channel_folder_name_length: 100,
  max_channel_folder_description_length: 1_024,
  max_topic_length: 60,
  max_message_length: 10_000,
  max_bulk_new_subscription_messages: 100,

  min_full_name_length: 2,
  max_full_name_length: 100,
  max_group_name_length: 100,
  max_navigation_view_fragment_length: 255,
  max_navigation_view_name_length: 100,
  max_playground_text_length: 40,
  max_profile_field_name_length: 40,
  max_profile_field_hint_length: 80,
  max_profile_summary_fields: 2,
  max_profile_text_length: 50,
  max_long_profile_text_length: 500,

  password_min_length: 6,
  password_max_length: 100,
  /** guesses that a password must withstand, as zxcvbn counts them */
  password_min_guesses: 10_000,

  max_avatar_file_size_mib: 5,
  max_emoji_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,

  /** how much of each a registration returns */
  max_registered_drafts: 1_000,
  max_starred_messages: 10_000,
  max_unread_messages: 50_000,
  recent_direct_messages_scanned: 1_000,

  /** clients give up a poll after this, so a heartbeat must come before */
  event_queue_longpoll_timeout_seconds: 90,
  default_queue_timeout_seconds: 600,
  max_queue_timeout_seconds: 604_800,

  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  /** presence goes out as events only to an audience of at most this many users */
  max_presence_event_audience: 100,
  presence_history_days: 14,

  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  /** typing in a channel goes out only when it has at most this many subscribers */
  max_typing_channel_subscribers: 100,

  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,

  invitation_default_minutes: 14_400,

  /** keys and values together */
  max_bot_storage_characters: 10_000_000,

  /** What lists return whole has a size that one answer can have: of each kind, what one person keeps, in bytes. */
  max_kept_bytes: 16_000_000,
  max_alert_words: 1_000,

  /** What one request may ask and change: everybody else waits while it is understood and its events are made. */
  max_new_channels_at_once: 1_000,
  max_narrow_terms: 100,
  max_search_length: 10_000,
  max_invitations_at_once: 1_000,
  /** people times channels */
  max_subscriptions_at_once: 200_000,

  /** texts of messages in one answer, in bytes; a page that would be larger ends earlier */
  max_page_bytes: 16_000_000,
  /** what a message keeps of its earlier texts, and of what was done with its widget, in bytes */
  max_edit_history_bytes: 4_000_000,
  max_widget_bytes: 4_000_000,
} as const

/** The feature level whose formats this server speaks, and the versions it shows to clients that ask for one. */
export const apiFeatureLevel = 398
export const shownVersion = '11.0'
