/**
 * The limits that clients can reach. Lengths count Unicode code points.
 *
 * Source: protocol/register.md 5.1.5 and 6; protocol/events.md 1.
 */

/**
 * The limits that this server applies. `POST /register` reports some of them, under the same names; only the server
 * applies the others.
 */
export const limits = {
  max_stream_name_length: 60,
  max_stream_description_length: 1_024,
  max_channel_folder_name_length: 100,
  max_channel_folder_description_length: 1_024,
  max_reminder_note_length: 1_000,
  max_topic_length: 60,
  max_message_length: 10_000,
  max_bulk_new_subscription_messages: 100,

  min_full_name_length: 2,
  max_full_name_length: 100,
  max_group_name_length: 100,
  max_navigation_view_fragment_length: 255,
  max_navigation_view_name_length: 100,
  max_playground_language_length: 40,
  /** Existing servers have no limit. Together with a language it is less than `max_indexed_bytes`. */
  max_playground_name_length: 600,
  max_profile_field_name_length: 40,
  max_profile_field_hint_length: 80,
  max_profile_summary_fields: 2,
  max_profile_text_length: 50,
  max_long_profile_text_length: 500,

  password_min_length: 6,
  password_max_length: 100,
  /** guesses that a password must withstand, as zxcvbn counts them */
  password_min_guesses: 10_000,

  /** users of one organization who signed up and wait for approval */
  max_waiting_sign_ups: 1_000,

  max_avatar_file_size_mib: 5,
  max_emoji_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,

  /** how many of each a registration returns */
  max_registered_drafts: 1_000,
  max_starred_messages: 10_000,
  max_unread_messages: 50_000,
  recent_direct_messages_scanned: 1_000,

  /** clients end a long poll after this time, so the gateway must send a heartbeat before */
  event_queue_longpoll_timeout_seconds: 90,
  default_queue_timeout_seconds: 600,
  max_queue_timeout_seconds: 604_800,
  /**
   * A registration beyond it deletes the account's queue that was not used for the longest time. It
   * is above the number of calls that the rate limit allows in a minute: uses are written once a
   * minute, so a queue in use is never the oldest.
   */
  max_queues_per_user: 250,
  /** named positions of one account (store/register/queue-positions.ts) */
  max_queue_positions_per_user: 100,
  max_queue_name_length: 100,
  /** characters of a queue's event types and narrow, as JSON */
  max_queue_profile_length: 10_000,

  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  /** presence events are sent only if the audience has at most this many users */
  max_presence_event_audience: 100,
  presence_history_days: 14,

  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  /** typing events of a channel are sent only if it has at most this many subscribers */
  max_typing_channel_subscribers: 100,

  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,

  max_event_subscription_name_length: 60,
  max_event_subscription_address_length: 2_000,

  invitation_default_minutes: 14_400,

  /** keys and values together */
  max_bot_storage_characters: 10_000_000,

  /** Lists without pages must fit into one response: the bytes of each kind of object that one user can store. */
  max_kept_bytes: 16_000_000,

  /** Limits of one request: parsing it and building its events block all other requests of the process. */
  max_new_channels_at_once: 1_000,
  max_narrow_terms: 100,
  max_search_length: 10_000,
  max_invitations_at_once: 1_000,
  /** as many as a registration counts as unread (max_unread_messages) */
  max_flag_changes_at_once: 50_000,
  /** users times channels */
  max_subscriptions_at_once: 200_000,
  /**
   * Values and keys in the JSON of a parameter. It is above the users of `max_subscriptions_at_once`, and above every
   * list of different ids that fits into a body of 1 MiB.
   */
  max_json_values: 250_000,
  /** in one change; a request with more is several changes, and others get their turn between them */
  max_subscriptions_per_change: 250,

  /**
   * bytes of a text in an index: Postgres refuses entries of more than 2,704 after compression, with the ids in them.
   * https://www.postgresql.org/docs/current/btree.html
   */
  max_indexed_bytes: 2_600,

  /** bytes of message content in one response; a larger page is cut short */
  max_page_bytes: 16_000_000,
  /** bytes of a message's edit history, and of its widget's submessages */
  max_edit_history_bytes: 4_000_000,
  max_widget_bytes: 4_000_000,
} as const

/**
 * The feature level of this server, and the version that it reports to clients. The server implements the formats of
 * this level. The level is one between the releases 10.0 (371) and 11.0 (421), so the version is one on the way to
 * 11.0.
 */
export const apiFeatureLevel = 398
export const shownVersion = '11.0-dev'
