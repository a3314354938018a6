/** The types of all endpoints and events. Written by `npm run docs` from the OpenAPI document: do not edit. */
/** An object without properties. */
export type Nothing = Record<string, never>

export type Ack = {
  /** a queue that was registered with queue_name */ queue_id: string
  /** the event that a bot answers with the call */ event_id: number
}

export type AddedSubscribers = { type: 'subscription'; op: 'peer_add'; stream_ids: number[]; user_ids: number[] }

export type AddedSubscriptions = { type: 'subscription'; op: 'add'; subscriptions: NewSubscription[] }

export type Attachment = {
  id: number
  name: string
  path_id: string
  size: number
  /** UNIX milliseconds */ create_time: number
  messages: { id: number; /** UNIX milliseconds */ date_sent: number }[]
}

export type AuditChange = {
  table: string
  key: Record<string, unknown>
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export type AuthenticationMethod = { enabled: boolean; available: boolean; unavailable_reason?: string }

export type BegunEnrolment = {
  /** in Base32, to be typed into an app */ secret: string
  /** the same with the names of the account, for a code that a camera reads */ uri: string
  /** goes back with the first code of the app, within half an hour */ enrolment: string
}

export type Bot = {
  user_id: number
  email: string
  full_name: string
  bot_type: number
  is_active: boolean
  api_key: string
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: boolean
  avatar_url: string
  owner_id: number | null
  services: BotService[]
}

export type BotService = { base_url: string; interface: number; token: string }

export type ChangedRealmSetting =
  | 'updated'
  | boolean
  | number
  | null
  | GroupSettingValue
  | Record<string, boolean | AuthenticationMethod>

export type Channel = {
  stream_id: number
  name: string
  is_archived: boolean
  description: string
  rendered_description: string
  date_created: number
  creator_id: number | null
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  message_retention_days: number | null
  first_message_id: number | null
  is_recently_active: boolean
  folder_id: number | null
  /** empty_topic_only: Of feature level 404: later than the level that the server announces. */
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
  stream_post_policy: number
  is_announcement_only: boolean
  can_add_subscribers_group: GroupSettingValue
  can_administer_channel_group: GroupSettingValue
  /** Of feature level 441: later than the level that the server announces. */ can_create_topic_group: GroupSettingValue
  /** Of feature level 407: later than the level that the server announces. */
  can_delete_any_message_group: GroupSettingValue
  /** Of feature level 407: later than the level that the server announces. */
  can_delete_own_message_group: GroupSettingValue
  can_move_messages_out_of_channel_group: GroupSettingValue
  can_move_messages_within_channel_group: GroupSettingValue
  can_remove_subscribers_group: GroupSettingValue
  /** Of feature level 402: later than the level that the server announces. */
  can_resolve_topics_group: GroupSettingValue
  can_send_message_group: GroupSettingValue
  can_subscribe_group: GroupSettingValue
  subscriber_count: number
  stream_weekly_traffic: number | null
}

export type ChannelFolder = {
  id: number
  name: string
  description: string
  rendered_description: string
  date_created: number
  creator_id: number | null
  is_archived: boolean
  /** Of feature level 414: later than the level that the server announces. */ order: number
}

export type ClientCapabilities = Partial<Record<
  | 'notification_settings_null' | 'bulk_message_deletion' | 'user_avatar_url_field_optional'
  | 'stream_typing_notifications' | 'user_settings_object' | 'linkifier_url_template' | 'user_list_incomplete'
  | 'include_deactivated_groups' | 'archived_channels' | 'empty_topic_name' | 'simplified_presence_events',
  boolean
>>

export type CreateEventSubscriptionParams = UpdateEventSubscriptionParams & {
  name: string
  /** default: "http" */ sink?: 'http' | 'nats' | 'kafka'
  /** http: the URL; nats: the subject; kafka: the topic */ address: string
  /** a bot that the caller administers; the caller when absent */ user_id?: number
  /** the first delivery is a snapshot: the answer of a registration, to which the events apply; default: false */
  snapshot_first?: boolean
}

export type CreateInviteLinkParams = {
  /** default: [] */ stream_ids?: number[]
  /** null: never; default: 14400 */ invite_expires_in_minutes?: number | null
  /** default: 400 */ invite_as?: 100 | 200 | 300 | 400 | 600
  /** groups to which the new user is added; default: [] */ group_ids?: number[]
  /** default: false */ include_realm_default_subscriptions?: boolean
  /**
   * what the Notification Bot writes to users who join; default: the text of the organization. Of feature level 416:
   * later than the level that the server announces.
   */
  welcome_message_custom_text?: string
  ack?: Ack
}

export type CreateScheduledMessageParams = {
  type: 'stream' | 'channel' | 'private' | 'direct'
  /** the id of a channel, or a list of user ids */ to: number | number[]
  content: string
  /** also accepted as `subject` */ topic?: string
  /** UNIX seconds */ scheduled_delivery_timestamp: number
  read_by_sender?: boolean
  ack?: Ack
}

export type CreatedChannels = { type: 'stream'; op: 'create'; streams: Channel[] }

export type CreatedGroup = { type: 'user_group'; op: 'add'; group: UserGroup }

export type Credentials = { api_key: string; /** the real address */ email: string; user_id: number }

export type CurrentPresence = { status: 'active' | 'idle' | 'offline'; timestamp: number }

export type CurrentSession = {
  user_id: number
  /** the real address */ email: string
  /** for the header X-CSRF-Token of each call of this session that is not a GET */ csrf_token: string
}

export type CustomEmoji = {
  id: string
  name: string
  source_url: string
  still_url: string | null
  deactivated: boolean
  author_id: number | null
}

export type CustomProfileField = {
  id: number
  name: string
  type: number
  hint: string
  field_data: string
  order: number
  required: boolean
  editable_by_user: boolean
  display_in_profile_summary?: true
}

export type DefaultChannelGroup = { id: number; name: string; description: string; streams: number[] }

export type DeletedChannels = { type: 'stream'; op: 'delete'; streams: { stream_id: number }[]; stream_ids: number[] }

export type DevelopmentAccount = { email: string; realm_url: string; realm_uri: string }

export type Draft = {
  id: number
  type: '' | 'stream' | 'private'
  to: number[]
  topic: string
  content: string
  timestamp: number
}

export type EmojisetChoice = { key: string; text: string }

export type EventSubscription = {
  subscription_id: string
  /** whose events */ user_id: number
  name: string
  sink: 'http' | 'nats' | 'kafka'
  /** the URL, subject or topic; empty for administrators who do not control it */ address: string
  /** null: all */ event_types: string[] | null
  narrow: [string, string][]
  all_public_streams: boolean
  apply_markdown: boolean
  client_gravatar: boolean
  client_capabilities: Record<string, boolean>
  /** the sections of a snapshot; null: all */ fetch_event_types: string[] | null
  on_gap: 'snapshot' | 'stop'
  state: 'active' | 'paused' | 'broken'
  /** why it is broken */ reason: 'failing' | 'gone' | 'position_lost' | 'credentials_changed' | null
  /** event id: everything up to it was delivered, or is not for this subscription */ position: number
  /** a snapshot is delivered next */ wants_snapshot: boolean
  /** entries of the log after the position, those of no interest included */ lag_entries: number
  /** UNIX seconds of the first of them; null: there is none */ waiting_since: number | null
  /** failed attempts in a row */ failures: number
  /** UNIX seconds */ failing_since: number | null
  /** UNIX seconds */ next_attempt_at: number | null
  /** the last failed attempts, the newest first */
  errors: { at: number; event_id: number | null; error: string }[]
  /** deliveries that the receiver has confirmed, tests not included */ delivered: number
  /** UNIX seconds */ delivered_at: number | null
  /** until when a replaced secret signs too */ former_secret_until: number | null
  /** the last test; error null: the receiver has it */
  test: { is_pending: boolean; /** UNIX seconds */ at: number | null; error: string | null } | null
  created_at: number
}

export type FoundFile = { name: string; url: string }

export type GroupSettingUpdate = { new: GroupSettingValue; old?: GroupSettingValue }

export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] }

export type LegacyPresence = { aggregated: PresenceEntry; website: WebsitePresence }

export type Linkifier = { id: number; pattern: string; url_template: string }

export type Message = {
  id: number
  type: 'stream' | 'private'
  stream_id?: number
  subject: string
  topic_links: TopicLink[]
  display_recipient: string | Participant[]
  recipient_id: number
  sender_id: number
  sender_email: string
  sender_full_name: string
  sender_realm_str: string
  avatar_url: string | null
  client: string
  content: string
  content_type: 'text/html' | 'text/x-markdown'
  is_me_message: boolean
  timestamp: number
  last_edit_timestamp?: number
  last_moved_timestamp?: number
  edit_history?: MessageEdit[]
  reactions: Reaction[]
  submessages: Submessage[]
  flags?: string[]
  match_content?: string
  match_subject?: string
  /** the linked files that have all searched words; absent without such a file */ match_files?: FoundFile[]
}

export type MessageEdit = {
  user_id: number | null
  timestamp: number
  prev_content?: string
  prev_rendered_content?: string
  prev_stream?: number
  stream?: number
  prev_topic?: string
  topic?: string
}

export type MutedUser = { id: number; timestamp: number }

export type NarrowTerm =
  | { operator: string; operand: string | number | number[]; negated?: boolean; [name: string]: unknown }
  | [string, string]

export type NavigationView = { fragment: string; is_pinned: boolean; name: string | null }

export type NewDraft = {
  type: '' | 'stream' | 'private'
  to: number[]
  topic: string
  content: string
  timestamp?: number
}

export type NewSubscription = Channel & {
  color: string
  is_muted: boolean
  in_home_view: boolean
  pin_to_top: boolean
  desktop_notifications: boolean | null
  audible_notifications: boolean | null
  push_notifications: boolean | null
  email_notifications: boolean | null
  wildcard_mentions_notify: boolean | null
  subscribers: number[]
}

export type OnboardingStep = { type: 'one_time_notice'; name: string }

export type Participant = { id: number; email: string; full_name: string; is_mirror_dummy: boolean }

export type PermissionRule = {
  require_system_group: boolean
  allow_internet_group: boolean
  allow_nobody_group: boolean
  allow_everyone_group: boolean
  default_group_name: string
  default_for_system_groups: string | null
  allowed_system_groups: string[]
}

export type Playground = { id: number; name: string; pygments_language: string; url_template: string }

export type Presence = { active_timestamp: number; idle_timestamp: number }

export type PresenceEntry = { client: 'website'; status: 'active' | 'idle' | 'offline'; timestamp: number }

export type ProfileData = Record<string, { value: string; rendered_value?: string }>

export type ProfileFieldValue = {
  id: number
  /** a list of user ids for a field of users */ value: string | number[] | null
}

export type Reaction = {
  emoji_name: string
  emoji_code: string
  reaction_type: string
  user_id: number
  /** deprecated: the reactor, for clients that have older names */ user?: Participant
}

export type RealmDomain = { domain: string; allow_subdomains: boolean }

export type RealmExport = {
  id: number
  acting_user_id: number
  /** UNIX seconds */ export_time: number
  deleted_timestamp: number | null
  failed_timestamp: number | null
  export_url: string | null
  pending: boolean
  /** 1 what is public, 2 with what people consented to */ export_type: number
}

export type RealmSettingValue =
  | boolean
  | number
  | string
  | null
  | GroupSettingValue
  | Record<string, AuthenticationMethod>

export type RegisteredUser = {
  user_id: number
  delivery_email: string | null
  email: string
  full_name: string
  date_joined: string
  is_owner: boolean
  is_admin: boolean
  is_guest: boolean
  is_bot: boolean
  bot_type: number | null
  bot_owner_id?: number | null
  role: number
  timezone?: string
  avatar_url: string | null
  avatar_version: number
  profile_data?: ProfileData
  is_system_bot?: true
}

export type Reminder = {
  reminder_id: number
  type: 'private'
  to: number[]
  content: string
  rendered_content: string
  scheduled_delivery_timestamp: number
  failed: false
  reminder_target_message_id: number
  /** what the user wrote about the message; absent without a note */ note?: string
}

export type RequestedChannel = { name: string; description?: string; color?: string }

export type SavedSnippet = { id: number; title: string; content: string; date_created: number }

export type ScheduledMessage = {
  scheduled_message_id: number
  type: 'stream' | 'private'
  to: number | number[]
  topic?: string
  content: string
  rendered_content: string
  scheduled_delivery_timestamp: number
  failed: boolean
}

export type SessionWithCodes = {
  user_id: number
  /** the real address */ email: string
  /** for the header X-CSRF-Token of each call of this session that is not a GET */ csrf_token: string
  /** shown once; each logs in once instead of a code of the app */ recovery_codes: string[]
}

export type Submessage = { id: number; message_id: number; sender_id: number; msg_type: string; content: string }

export type SubscribeParams = {
  subscriptions: RequestedChannel[]
  principals?: number[] | string[]
  /**
   * false: channels for which the caller lacks a permission are listed in `unauthorized`, and are no error; default:
   * true
   */
  authorization_errors_fatal?: boolean
  /** default: false */ announce?: boolean
  /** default: true */ send_new_subscription_messages?: boolean
  /** default: false */ invite_only?: boolean
  /** default: false */ is_web_public?: boolean
  /** default: false */ is_default_stream?: boolean
  history_public_to_subscribers?: boolean
  /** days, or `realm_default`, or `unlimited`; default: "realm_default" */ message_retention_days?: string | number
  /** empty_topic_only: Of feature level 404: later than the level that the server announces; default: "inherit" */
  topics_policy?: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
  can_add_subscribers_group?: GroupSettingValue
  can_administer_channel_group?: GroupSettingValue
  /** Of feature level 441: later than the level that the server announces. */
  can_create_topic_group?: GroupSettingValue
  /** Of feature level 407: later than the level that the server announces. */
  can_delete_any_message_group?: GroupSettingValue
  /** Of feature level 407: later than the level that the server announces. */
  can_delete_own_message_group?: GroupSettingValue
  can_move_messages_out_of_channel_group?: GroupSettingValue
  can_move_messages_within_channel_group?: GroupSettingValue
  can_remove_subscribers_group?: GroupSettingValue
  /** Of feature level 402: later than the level that the server announces. */
  can_resolve_topics_group?: GroupSettingValue
  can_send_message_group?: GroupSettingValue
  can_subscribe_group?: GroupSettingValue
  folder_id?: number
  ack?: Ack
}

export type Subscription = Omit<NewSubscription, 'subscribers'> & {
  subscribers?: number[]
  /** deprecated: for clients that have older names */ email_address?: string
}

export type TopicLink = { text: string; url: string }

export type TypingUser = { user_id: number; email: string }

export type UpdateEventSubscriptionParams = {
  name?: string
  /** http: the URL; nats: the subject; kafka: the topic */ address?: string
  /** types of events; null, and absent in a new subscription: all */ event_types?: string[] | null
  /** message events that match, as in a registration */ narrow?: [string, string][]
  /** message events of every public channel */ all_public_streams?: boolean
  /** message events carry HTML, not Markdown */ apply_markdown?: boolean
  client_gravatar?: boolean
  client_capabilities?: ClientCapabilities
  /** the sections of a snapshot, as in a registration; as event_types when absent */ fetch_event_types?: string[]
  /** what follows when the log does not have the next event any more (default: stop) */ on_gap?: 'snapshot' | 'stop'
  ack?: Ack
}

export type UpdateSettingDefaultsParams = {
  twenty_four_hour_time?: boolean
  starred_message_counts?: boolean
  receives_typing_notifications?: boolean
  send_private_typing_notifications?: boolean
  send_stream_typing_notifications?: boolean
  send_read_receipts?: boolean
  presence_enabled?: boolean
  fluid_layout_width?: boolean
  high_contrast_mode?: boolean
  translate_emoticons?: boolean
  left_side_userlist?: boolean
  enter_sends?: boolean
  display_emoji_reaction_users?: boolean
  color_scheme?: 1 | 2 | 3
  web_font_size_px?: number
  web_line_height_percent?: number
  web_home_view?: 'inbox' | 'recent_topics' | 'all_messages'
  web_escape_navigates_to_home_view?: boolean
  /** 4: Of feature level 401: later than the level that the server announces. */
  web_channel_default_view?: 1 | 2 | 3 | 4
  web_mark_read_on_scroll_policy?: 1 | 2 | 3
  web_navigate_to_sent_message?: boolean
  web_suggest_update_timezone?: boolean
  web_animate_image_previews?: 'always' | 'on_hover' | 'never'
  web_stream_unreads_count_display_policy?: 1 | 2 | 3
  web_left_sidebar_unreads_count_summary?: boolean
  /** Of feature level 411: later than the level that the server announces. */
  web_left_sidebar_show_channel_folders?: boolean
  /** Of feature level 431: later than the level that the server announces. */ web_inbox_show_channel_folders?: boolean
  /** only stored, for other clients: it has no effect here */ hide_ai_features?: boolean
  resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never'
  emojiset?: 'set_a' | 'set_b' | 'set_c' | 'text' | 'google' | 'google-blob' | 'twitter'
  user_list_style?: 1 | 2 | 3
  demote_inactive_streams?: 1 | 2 | 3
  enable_drafts_synchronization?: boolean
  email_address_visibility?: 1 | 2 | 3 | 4 | 5
  enable_stream_desktop_notifications?: boolean
  enable_stream_email_notifications?: boolean
  /** only stored, for other clients: it has no effect here */ enable_stream_push_notifications?: boolean
  enable_stream_audible_notifications?: boolean
  wildcard_mentions_notify?: boolean
  enable_followed_topic_desktop_notifications?: boolean
  enable_followed_topic_email_notifications?: boolean
  /** only stored, for other clients: it has no effect here */ enable_followed_topic_push_notifications?: boolean
  enable_followed_topic_audible_notifications?: boolean
  enable_followed_topic_wildcard_mentions_notify?: boolean
  enable_desktop_notifications?: boolean
  enable_sounds?: boolean
  enable_offline_email_notifications?: boolean
  /** only stored, for other clients: it has no effect here */ enable_offline_push_notifications?: boolean
  /** only stored, for other clients: it has no effect here */ enable_online_push_notifications?: boolean
  pm_content_in_desktop_notifications?: boolean
  message_content_in_email_notifications?: boolean
  notification_sound?: string
  quiet_hours_enabled?: boolean
  /** minutes after midnight, in the time zone of the account */ quiet_hours_start?: number
  /** minutes after midnight; not after the start: on the next day */ quiet_hours_end?: number
  /** the days on which they begin, as bits: 1 is Monday, 64 is Sunday */ quiet_hours_days?: number
  desktop_icon_count_display?: 1 | 2 | 3 | 4
  email_notifications_batching_period_seconds?: number
  /** only stored, for other clients: it has no effect here */ enable_digest_emails?: boolean
  realm_name_in_email_notifications_policy?: 1 | 2 | 3
  automatically_follow_topics_policy?: 1 | 2 | 3 | 4
  automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4
  automatically_follow_topics_where_mentioned?: boolean
  ack?: Ack
}

export type UpdateSettingsParams = UpdateSettingDefaultsParams & {
  full_name?: string
  /** the user must confirm it by mail; default: "" */ email?: string
  /** default: "" */ old_password?: string
  /** requires old_password; the API key changes too, and the new one is at POST /fetch_api_key; default: "" */
  new_password?: string
  default_language?: string
  allow_private_data_export?: boolean
  enable_login_emails?: boolean
  /** only stored, for other clients: it has no effect here */ enable_marketing_emails?: boolean
  /** of the IANA data, like `Europe/Berlin` */ timezone?: string
}

export type UpdateStatusOfUserParams = {
  status_text?: string
  /** empty: no emoji */ emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  /** when the status ends by itself; without it, it ends when the user clears it */ scheduled_end_time?: number | null
  ack?: Ack
}

export type UpdateStatusParams = UpdateStatusOfUserParams & {
  /** legacy: the opposite of presence_enabled */ away?: boolean
}

export type UpdateSubscriptionsParams = Omit<SubscribeParams, 'subscriptions'> & {
  add?: RequestedChannel[]
  delete?: string[]
}

export type UpdateUserParams = {
  full_name?: string
  role?: 100 | 200 | 300 | 400 | 600
  new_email?: string
  profile_data?: ProfileFieldValue[]
  ack?: Ack
}

export type UpdatedChannel = {
  type: 'stream'
  op: 'update'
  stream_id: number
  name: string
  property: string
  value: string | boolean | number | GroupSettingValue | null
  rendered_description?: string
  history_public_to_subscribers?: boolean
  is_web_public?: boolean
}

export type UpdatedGroup = {
  type: 'user_group'
  op: 'update'
  group_id: number
  data: {
    name?: string
    description?: string
    deactivated?: boolean
    can_add_members_group?: GroupSettingValue
    can_join_group?: GroupSettingValue
    can_leave_group?: GroupSettingValue
    can_manage_group?: GroupSettingValue
    can_mention_group?: GroupSettingValue
    can_remove_members_group?: GroupSettingValue
  }
}

export type User = RegisteredUser & { is_active: boolean; timezone: string }

export type UserGroup = {
  id: number
  name: string
  description: string
  members: number[]
  direct_subgroup_ids: number[]
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

export type UserSettings = UserSettingsDefaults & { allow_private_data_export: boolean; timezone: string }

export type UserSettingsDefaults = {
  twenty_four_hour_time: boolean
  starred_message_counts: boolean
  receives_typing_notifications: boolean
  send_private_typing_notifications: boolean
  send_stream_typing_notifications: boolean
  send_read_receipts: boolean
  presence_enabled: boolean
  fluid_layout_width: boolean
  high_contrast_mode: boolean
  translate_emoticons: boolean
  left_side_userlist: boolean
  enter_sends: boolean
  display_emoji_reaction_users: boolean
  color_scheme: 1 | 2 | 3
  web_font_size_px: number
  web_line_height_percent: number
  default_language: string
  web_home_view: 'inbox' | 'recent_topics' | 'all_messages'
  web_escape_navigates_to_home_view: boolean
  /** 4: Of feature level 401: later than the level that the server announces. */
  web_channel_default_view: 1 | 2 | 3 | 4
  web_mark_read_on_scroll_policy: 1 | 2 | 3
  web_navigate_to_sent_message: boolean
  web_suggest_update_timezone: boolean
  web_animate_image_previews: 'always' | 'on_hover' | 'never'
  web_stream_unreads_count_display_policy: 1 | 2 | 3
  web_left_sidebar_unreads_count_summary: boolean
  /** Of feature level 411: later than the level that the server announces. */
  web_left_sidebar_show_channel_folders: boolean
  /** Of feature level 431: later than the level that the server announces. */ web_inbox_show_channel_folders: boolean
  hide_ai_features: boolean
  resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never'
  emojiset: string
  user_list_style: 1 | 2 | 3
  demote_inactive_streams: 1 | 2 | 3
  enable_drafts_synchronization: boolean
  email_address_visibility: 1 | 2 | 3 | 4 | 5
  enable_stream_desktop_notifications: boolean
  enable_stream_email_notifications: boolean
  enable_stream_push_notifications: boolean
  enable_stream_audible_notifications: boolean
  wildcard_mentions_notify: boolean
  enable_followed_topic_desktop_notifications: boolean
  enable_followed_topic_email_notifications: boolean
  enable_followed_topic_push_notifications: boolean
  enable_followed_topic_audible_notifications: boolean
  enable_followed_topic_wildcard_mentions_notify: boolean
  enable_desktop_notifications: boolean
  enable_sounds: boolean
  enable_offline_email_notifications: boolean
  enable_offline_push_notifications: boolean
  enable_online_push_notifications: boolean
  pm_content_in_desktop_notifications: boolean
  message_content_in_email_notifications: boolean
  notification_sound: string
  quiet_hours_enabled: boolean
  /** minutes after midnight, in the time zone of the account */ quiet_hours_start: number
  /** minutes after midnight; not after the start: on the next day */ quiet_hours_end: number
  /** the days on which they begin, as bits: 1 is Monday, 64 is Sunday */ quiet_hours_days: number
  desktop_icon_count_display: 1 | 2 | 3 | 4
  email_notifications_batching_period_seconds: number
  enable_digest_emails: boolean
  enable_login_emails: boolean
  enable_marketing_emails: boolean
  realm_name_in_email_notifications_policy: 1 | 2 | 3
  automatically_follow_topics_policy: 1 | 2 | 3 | 4
  automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4
  automatically_follow_topics_where_mentioned: boolean
  emojiset_choices: EmojisetChoice[]
  available_notification_sounds: string[]
}

export type UserStatus = {
  away?: true
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  /** when it ends by itself, in UNIX seconds */ scheduled_end_time?: number
}

export type WebsitePresence = {
  client: 'website'
  status: 'active' | 'idle' | 'offline'
  timestamp: number
  pushable: false
}

/** The calls: their parameters, and the answer of a call that succeeded. */
export interface Operations {
  /** Lists the files that the caller uploaded, newest first. */
  'GET /attachments': { params: Nothing; result: { attachments: Attachment[]; upload_space_used: number } }
  /** Deletes a file that the caller uploaded. */
  'DELETE /attachments/{attachment_id}': { params: { attachment_id: number; ack?: Ack }; result: Nothing }
  /** Reads the caller's storage. */
  'GET /bot_storage': {
    params: { /** default: all keys */ keys?: string[] }
    result: { storage: Record<string, string> }
  }
  /** Stores texts by key in the caller's storage. */
  'PUT /bot_storage': { params: { storage: Record<string, string> }; result: Nothing }
  /** Deletes texts from the caller's storage. */
  'DELETE /bot_storage': { params: { /** default: all keys */ keys?: string[] }; result: Nothing }
  /** Lists the caller's own active bots, with their keys. */
  'GET /bots': {
    params: Nothing
    result: {
      bots: {
        default_sending_stream: string | null
        default_events_register_stream: string | null
        default_all_public_streams: boolean
        username: string
        full_name: string
        api_key: string
        avatar_url: string
      }[]
    }
  }
  /** Creates a bot of the caller. */
  'POST /bots': {
    params: {
      full_name: string
      /** the first part of the address */ short_name: string
      /** default: 1 */ bot_type?: number
      /** default: "" */ service_name?: string
      /** the URL to which an outgoing webhook is sent */ payload_url?: string
      /** default: 1 */ interface_type?: number
      /** default: {} */ config_data?: Record<string, string>
      /** a channel by name; empty for none */ default_sending_stream?: string
      /** a channel by name; empty for none */ default_events_register_stream?: string
      default_all_public_streams?: boolean
      ack?: Ack
    }
    result: {
      default_sending_stream: string | null
      default_events_register_stream: string | null
      default_all_public_streams: boolean
      user_id: number
      /** the address with which the bot logs in */ email: string
      api_key: string
      avatar_url: string
    }
  }
  /** Changes a bot. */
  'PATCH /bots/{bot_id}': {
    params: {
      bot_id: number
      full_name?: string
      role?: 100 | 200 | 300 | 400 | 600
      bot_owner_id?: number
      service_payload_url?: string
      /** default: 1 */ service_interface?: number
      config_data?: Record<string, string>
      /** a channel by name; empty for none */ default_sending_stream?: string
      /** a channel by name; empty for none */ default_events_register_stream?: string
      default_all_public_streams?: boolean
      ack?: Ack
    }
    result: {
      default_sending_stream: string | null
      default_events_register_stream: string | null
      default_all_public_streams: boolean
      full_name: string
      avatar_url: string
      service_interface: number
      service_payload_url: string | null
      config_data: Record<string, string>
      /** the owner's API address */ bot_owner?: string
    }
  }
  /** Deactivates a bot. */
  'DELETE /bots/{bot_id}': {
    params: {
      bot_id: number
      /**
       * true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones;
       * default: false
       */
      end_credentials?: boolean
      ack?: Ack
    }
    result: Nothing
  }
  /** Gets the API key of a bot. */
  'GET /bots/{bot_id}/api_key': { params: { bot_id: number }; result: { api_key: string } }
  /** Replaces the API key of a bot. */
  'POST /bots/{bot_id}/api_key/regenerate': { params: { bot_id: number; ack?: Ack }; result: { api_key: string } }
  /** Creates a BigBlueButton video call. Always refused, because this server does not support it. */
  'GET /calls/bigbluebutton/create': {
    params: { meeting_name: string; /** default: false */ voice_only?: boolean }
    result: { url: string }
  }
  /** Creates a Zoom video call. Always refused, because this server does not support it. */
  'POST /calls/zoom/create': {
    params: { /** default: true */ is_video_call?: boolean; ack?: Ack }
    result: { url: string }
  }
  /** Lists the folders of channels in their order. */
  'GET /channel_folders': {
    params: { /** default: false */ include_archived?: boolean }
    result: { channel_folders: ChannelFolder[] }
  }
  /** Changes the order in which clients show the folders. */
  'PATCH /channel_folders': {
    params: { /** the IDs of all folders, also of archived ones */ order: number[]; ack?: Ack }
    result: Nothing
  }
  /** Creates a folder of channels. */
  'POST /channel_folders/create': {
    params: { name: string; /** default: "" */ description?: string; ack?: Ack }
    result: { channel_folder_id: number }
  }
  /** Changes the name or the description of a folder, archives it, or takes it out of the archive. */
  'PATCH /channel_folders/{channel_folder_id}': {
    params: { channel_folder_id: number; name?: string; description?: string; is_archived?: boolean; ack?: Ack }
    result: Nothing
  }
  /** Creates a channel, and subscribes users to it. */
  'POST /channels/create': {
    params: Omit<SubscribeParams, 'subscriptions' | 'principals' | 'authorization_errors_fatal'> & {
      name: string
      /** default: "" */ description?: string
      /** the IDs of the first subscribers */ subscribers: number[]
    }
    result: { id: number }
  }
  /** Creates a group of default channels. */
  'POST /default_stream_groups/create': {
    params: { group_name: string; description: string; stream_names: string[]; ack?: Ack }
    result: Nothing
  }
  /** Changes the name or the description of a group of default channels. */
  'PATCH /default_stream_groups/{group_id}': {
    params: { group_id: number; new_group_name?: string; new_description?: string; ack?: Ack }
    result: Nothing
  }
  /** Removes a group of default channels. The channels themselves do not change. */
  'DELETE /default_stream_groups/{group_id}': { params: { group_id: number; ack?: Ack }; result: Nothing }
  /** Adds channels to a group of default channels, or removes them from it. */
  'PATCH /default_stream_groups/{group_id}/streams': {
    params: { group_id: number; /** `add` or `remove` */ op: string; stream_names: string[]; ack?: Ack }
    result: Nothing
  }
  /** Makes a channel a default channel: new accounts are subscribed to it. */
  'POST /default_streams': { params: { stream_id: number; ack?: Ack }; result: Nothing }
  /** Makes a channel no default channel any more: new accounts are not subscribed to it. */
  'DELETE /default_streams': { params: { stream_id: number; ack?: Ack }; result: Nothing }
  /** Lists messages that were deleted within 30 days, those that were deleted last first. */
  'GET /deleted_messages': {
    params: {
      /** the `next` of the former page */ before?: string
      /** default: 50 */ limit?: number
      stream_id?: number
      /** compared without case; may be empty */ topic?: string
      sender_id?: number
      /** a part of the text, compared without case */ text?: string
      /** only messages that the same request deleted */ deletion_id?: string
    }
    result: {
      deleted_messages: {
        id: number
        sender_id: number
        stream_id: number
        topic: string
        /** as it was typed */ content: string
        /** when it was sent, in UNIX seconds */ timestamp: number
        /** UNIX seconds */ deleted_at: number
        /** null: the server, such as after the retention time */ deleted_by: number | null
        /** the same for all messages that one request deleted */ deletion_id: string | null
      }[]
      /** the `before` of the next page, which can exist although this one is not full */ next: string | null
    }
  }
  /**
   * Restores deleted messages with their ids, reactions, flags and files; `complete` false: call again for the rest.
   */
  'POST /deleted_messages/restore': {
    params: { message_ids?: number[]; /** all messages that one request deleted */ deletion_id?: string }
    result: { /** those that were restored, ascending */ message_ids: number[]; complete: boolean }
  }
  /** Returns the API key of an account for its email address alone; on development servers only. */
  'POST /dev_fetch_api_key': { params: { username: string }; result: Credentials }
  /** Lists the accounts for logging in on a development server, administrators first. */
  'GET /dev_list_users': {
    params: Nothing
    result: { direct_admins: DevelopmentAccount[]; direct_users: DevelopmentAccount[] }
  }
  /** Lists the caller’s drafts, the oldest edit first. */
  'GET /drafts': { params: Nothing; result: { count: number; drafts: Draft[] } }
  /** Creates drafts. */
  'POST /drafts': {
    params: { /** default: [] */ drafts?: NewDraft[]; ack?: Ack }
    result: { /** in the order submitted */ ids: number[] }
  }
  /** Replaces a draft. */
  'PATCH /drafts/{draft_id}': { params: { draft_id: number; draft: NewDraft; ack?: Ack }; result: Nothing }
  /** Deletes a draft. */
  'DELETE /drafts/{draft_id}': { params: { draft_id: number; ack?: Ack }; result: Nothing }
  /** Lists the event subscriptions that the caller may see, with their position, lag and last errors. */
  'GET /event_subscriptions': {
    params: Nothing
    result: {
      event_subscriptions: EventSubscription[]
      /** the kinds to which this server delivers */ sinks: ('http' | 'nats' | 'kafka')[]
      /** what addresses of nats and kafka begin with */ topic_prefix: string
    }
  }
  /** Creates an event subscription. Its events are those of the log from now on. */
  'POST /event_subscriptions': {
    params: CreateEventSubscriptionParams
    result: {
      subscription_id: string
      /** with which deliveries over HTTP are signed, in the form of Standard Webhooks */ secret: string
    }
  }
  /** Returns one event subscription. */
  'GET /event_subscriptions/{subscription_id}': {
    params: { subscription_id: string }
    result: { event_subscription: EventSubscription }
  }
  /** Changes the name, the receiver or the filter of an event subscription. Its position stays. */
  'PATCH /event_subscriptions/{subscription_id}': {
    params: UpdateEventSubscriptionParams & { subscription_id: string }
    result: Nothing
  }
  /** Deletes an event subscription. A delivery that is under way is the last one. */
  'DELETE /event_subscriptions/{subscription_id}': { params: { subscription_id: string; ack?: Ack }; result: Nothing }
  /** Pauses an event subscription. Its events wait as long as the log is kept. */
  'POST /event_subscriptions/{subscription_id}/pause': {
    params: { subscription_id: string; ack?: Ack }
    result: Nothing
  }
  /** Lets an event subscription continue after another event of the log, or with a snapshot. Resumes it. */
  'POST /event_subscriptions/{subscription_id}/replay': {
    params: {
      subscription_id: string
      /** the id of the last event that the receiver has; 0: the oldest */ position?: number
      /** continues with a snapshot, and after it; default: false */ snapshot?: boolean
      ack?: Ack
    }
    result: { position: number }
  }
  /** Resumes a paused or broken event subscription at its position, and tries a failed delivery at once. */
  'POST /event_subscriptions/{subscription_id}/resume': {
    params: { subscription_id: string; ack?: Ack }
    result: Nothing
  }
  /** Replaces the secret of an event subscription. For a while, both secrets sign. */
  'POST /event_subscriptions/{subscription_id}/secret': {
    params: {
      subscription_id: string
      /** for how many seconds the former secret signs too; default: 86400 */ overlap_secs?: number
      ack?: Ack
    }
    result: { secret: string }
  }
  /** Sends a test to the receiver, also of a paused subscription. The subscription shows how it ended. */
  'POST /event_subscriptions/{subscription_id}/test': {
    params: { subscription_id: string; ack?: Ack }
    result: Nothing
  }
  /** Reads the events of a queue after a cursor: waits for one, or streams them (Accept: text/event-stream). */
  'GET /events': {
    params: {
      queue_id?: string
      /** id of the last event that the client processed; the header Last-Event-ID overrides it */
      last_event_id?: number
      /** default: false */ dont_block?: boolean
      /** the answer begins when this gateway has every event up to this id, which the client saw elsewhere */
      seen_event_id?: number
      /** after how many seconds a long poll without an event is answered; from 10 on, up to 9 more are added */
      heartbeat_seconds?: number
      /** of POST /events/ticket, for a stream without an Authorization header */ ticket?: string
    }
    result: { events: { id: number; type: string; [name: string]: unknown }[]; queue_id: string }
  }
  /** Deletes an event queue, and ends the poll that waits on it. */
  'DELETE /events': { params: { queue_id: string }; result: Nothing }
  /** Acknowledges an event that needs no answer, and with it every event before it. */
  'POST /events/ack': {
    params: { /** a queue that was registered with queue_name */ queue_id: string; event_id: number }
    result: Nothing
  }
  /** Lists the named positions of the caller. */
  'GET /events/positions': {
    params: Nothing
    result: {
      positions: {
        queue_name: string
        /** the last event that was acknowledged */ event_id: number
        /** UNIX seconds of the last registration or acknowledgement */ last_used: number
      }[]
    }
  }
  /** Deletes a named position: the next registration with the name begins at the end of the log. */
  'DELETE /events/positions': { params: { queue_name: string }; result: Nothing }
  /** Issues a ticket with which EventSource of a browser opens a stream of one queue, within a minute. */
  'POST /events/ticket': { params: { queue_id: string }; result: { ticket: string; expires_in: number } }
  /**
   * Lists the exports of the organization's data; those with an audit log to owners only, and the URL of an archive
   * only to its requester.
   */
  'GET /export/realm': { params: Nothing; result: { exports: RealmExport[] } }
  /** Requests an archive of the organization's data. A realm_export event reports when it is complete. */
  'POST /export/realm': {
    params: {
      /** 1: public data; 2: also private data of users who consented; default: 1 */ export_type?: number
      ack?: Ack
    }
    result: { id: number }
  }
  /** Lists for each user whether the user consented to the export of their private data. */
  'GET /export/realm/consents': {
    params: Nothing
    result: {
      export_consents: {
        user_id: number
        consented: boolean
        /** Of feature level 430: later than the level that the server announces. */ email_address_visibility: number
      }[]
    }
  }
  /** Deletes the archive of an export. */
  'DELETE /export/realm/{export_id}': { params: { export_id: number; ack?: Ack }; result: Nothing }
  /** Returns the API key of an account for its email address and password. */
  'POST /fetch_api_key': {
    params: { /** the real address, or the name in a directory */ username: string; password: string }
    result: Credentials
  }
  /** Gets the id of a channel by its name, compared without case. */
  'GET /get_stream_id': { params: { stream: string }; result: { stream_id: number } }
  /** Lists the open invitations: all of them for administrators, their own for other users. */
  'GET /invites': {
    params: Nothing
    result: {
      invites: {
        id: number
        invited_by_user_id: number
        /** UNIX seconds */ invited: number
        expiry_date: number | null
        invited_as: number
        is_multiuse: boolean
        email?: string
        notify_referrer_on_join?: boolean
        /** of a reusable invitation; only owners see that of one for owners */ link_url?: string
      }[]
    }
  }
  /** Invites users by mail. */
  'POST /invites': {
    params: Omit<CreateInviteLinkParams, 'stream_ids'> & {
      /** separated by commas or lines */ invitee_emails: string
      /** channels to which the new user is subscribed; the caller may subscribe others to each of them */
      stream_ids: number[]
      /** default: true */ notify_referrer_on_join?: boolean
    }
    result: Nothing
  }
  /** Creates a link by which anyone can join. */
  'POST /invites/multiuse': { params: CreateInviteLinkParams; result: { invite_link: string } }
  /** Revokes an invitation link. */
  'DELETE /invites/multiuse/{invite_id}': { params: { invite_id: number; ack?: Ack }; result: Nothing }
  /** Revokes an invitation by mail. */
  'DELETE /invites/{invite_id}': { params: { invite_id: number; ack?: Ack }; result: Nothing }
  /** Mails an invitation again. Its expiry date does not change. */
  'POST /invites/{invite_id}/resend': { params: { invite_id: number; ack?: Ack }; result: Nothing }
  /** Returns the API key of an account for a JSON web token from a site that the organization trusts. */
  'POST /jwt/fetch_api_key': {
    params: {
      /**
       * a JSON web token with the claims `email` and `exp`, at most 10 minutes from now; it logs in once; default: ""
       */
      token?: string
      /** default: false */ include_profile?: boolean
    }
    result: { api_key: string; /** the real address */ email: string; user?: User }
  }
  /** Marks all messages as read. */
  'POST /mark_all_as_read': { params: Nothing; result: { complete: boolean } }
  /** Marks all messages of a channel as read; `complete` false: jobs mark the rest, call again to wait for them. */
  'POST /mark_stream_as_read': { params: { stream_id: number }; result: { complete: boolean } }
  /** Marks all messages of a topic as read; `complete` false: jobs mark the rest, call again to wait for them. */
  'POST /mark_topic_as_read': { params: { stream_id: number; topic_name: string }; result: { complete: boolean } }
  /** Tells the recipients that the caller started or stopped editing a message. */
  'POST /message_edit_typing': { params: { message_id: number; /** start or stop */ op: string }; result: Nothing }
  /** Fetches messages of a narrow: a page around an anchor, or those with the given ids. */
  'GET /messages': {
    params: {
      /**
       * an id, or oldest, newest, first_unread, date. The value date: Of feature level 445: later than the level that
       * the server announces.
       */
      anchor?: string
      /**
       * with the anchor `date`: a date or a time (ISO 8601); the anchor is the first message from then on. Of feature
       * level 445: later than the level that the server announces.
       */
      anchor_date?: string
      /** default: true */ include_anchor?: boolean
      /** default: 0 */ num_before?: number
      /** default: 0 */ num_after?: number
      /**
       * the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the
       * server announces; default: []
       */
      narrow?: NarrowTerm[]
      /** default: true */ client_gravatar?: boolean
      /** content as HTML; false: as the Markdown that was sent; default: true */ apply_markdown?: boolean
      /** false: an empty topic is replaced by its display name; default: false */ allow_empty_topic_name?: boolean
      /** legacy: anchor is first_unread; default: false */ use_first_unread_anchor?: boolean
      message_ids?: number[]
    }
    result: {
      anchor?: number
      found_anchor: boolean
      found_oldest: boolean
      found_newest: boolean
      history_limited: boolean
      messages: Message[]
    }
  }
  /** Sends a message to a channel or to users. */
  'POST /messages': {
    params: {
      type: 'stream' | 'channel' | 'private' | 'direct'
      /**
       * a channel by name or id (default: the bot's default channel), or users by addresses or ids; plain text or JSON
       */
      to?: string
      /** also accepted as `subject` */ topic?: string
      content: string
      /** the queue whose event contains local_id */ queue_id?: string
      /** with queue_id: a send that is repeated gets the answer of the first one */ local_id?: string
      read_by_sender?: boolean
      /** JSON text: the widget of the message */ widget_content?: string
      /** yes or true: send as another user, which is always refused */ forged?: string
      ack?: Ack
    }
    result: { id: number; automatic_new_visibility_policy?: number }
  }
  /** Adds a flag to messages, or removes it. */
  'POST /messages/flags': {
    params: { messages: number[]; /** add or remove */ op: string; /** read, starred or collapsed */ flag: string }
    result: { messages: number[]; ignored_because_not_subscribed_channels: number[] }
  }
  /** Adds a flag to the messages of a narrow around an anchor, or removes it. */
  'POST /messages/flags/narrow': {
    params: {
      /** an id, or oldest, newest, first_unread */ anchor: string
      /** default: true */ include_anchor?: boolean
      num_before: number
      num_after: number
      /**
       * the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the
       * server announces.
       */
      narrow: NarrowTerm[] | null
      /** add or remove */ op: string
      /** read, starred or collapsed */ flag: string
      ack?: Ack
    }
    result: {
      processed_count: number
      updated_count: number
      first_processed_id: number | null
      last_processed_id: number | null
      found_oldest: boolean
      found_newest: boolean
      ignored_because_not_subscribed_channels: number[]
    }
  }
  /** Tells which of the given messages, if the caller received them, match a narrow. */
  'GET /messages/matches_narrow': {
    params: {
      msg_ids: number[]
      /**
       * the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the
       * server announces.
       */
      narrow: NarrowTerm[]
    }
    result: {
      messages: Record<string, {
        match_content: string
        match_subject: string
        /** the linked files that have all searched words; absent without such a file */ match_files?: FoundFile[]
      }>
    }
  }
  /** Lists at most ten topics whose names begin with a text, the latest first: to propose while a user types. */
  'GET /messages/matching_topics': {
    params: {
      /** compared without case */ begin: string
      /** without it: topics of the channels to which the caller is subscribed */ stream_id?: number
    }
    result: { topics: { stream_id: number; name: string; max_id: number }[] }
  }
  /** Renders a text as a message of the caller. */
  'POST /messages/render': { params: { content: string }; result: { rendered: string } }
  /** Suggests searches with similar words in the place of mistyped ones, for a search that finds no or few messages. */
  'GET /messages/search_corrections': {
    params: {
      /**
       * the terms that all messages match. The operator mentions: Of feature level 446: later than the level that the
       * server announces.
       */
      narrow: NarrowTerm[]
    }
    result: {
      /** at most three, the most likely first; words of messages that the caller cannot read are not suggested */
      corrections: {
        /** the words that were replaced, in lower case */
        words: { typed: string; meant: string }[]
        /** the given terms with these words; the caller finds at least one message with them */
        narrow: { operator: string; operand: unknown; negated: boolean }[]
      }[]
    }
  }
  /** Fetches a single message. */
  'GET /messages/{message_id}': {
    params: {
      message_id: number
      /** content as HTML; false: as the Markdown that was sent; default: true */ apply_markdown?: boolean
      /** false: an empty topic is replaced by its display name; default: false */ allow_empty_topic_name?: boolean
    }
    result: { message: Message; raw_content: string }
  }
  /** Changes the text of a message, or moves it, alone or with other messages of its topic. */
  'PATCH /messages/{message_id}': {
    params: {
      message_id: number
      content?: string
      /** also accepted as `subject` */ topic?: string
      stream_id?: number
      /** default: "change_one" */ propagate_mode?: 'change_one' | 'change_later' | 'change_all'
      /** default: false */ send_notification_to_old_thread?: boolean
      /** default: true */ send_notification_to_new_thread?: boolean
      /** SHA-256 of the text that the edit replaces, in lower-case hex */ prev_content_sha256?: string
      ack?: Ack
    }
    result: { /** the caller's files to which no message links any more */ detached_uploads: Attachment[] }
  }
  /** Deletes a message. */
  'DELETE /messages/{message_id}': { params: { message_id: number; ack?: Ack }; result: Nothing }
  /** Lists the versions of a message, the original first. */
  'GET /messages/{message_id}/history': {
    params: {
      message_id: number
      /** false: an empty topic is replaced by its display name; default: false */ allow_empty_topic_name?: boolean
    }
    result: {
      message_history: (MessageEdit & {
        topic: string
        content: string
        rendered_content: string
        content_html_diff?: string
      })[]
    }
  }
  /** Adds an emoji reaction to a message. */
  'POST /messages/{message_id}/reactions': {
    params: {
      message_id: number
      emoji_name: string
      /** the code of the emoji, in the form of its reaction_type */ emoji_code?: string
      /** unicode_emoji, realm_emoji or service_extra_emoji (zulip_extra_emoji) */ reaction_type?: string
      ack?: Ack
    }
    result: Nothing
  }
  /** Removes an emoji reaction of the caller from a message. */
  'DELETE /messages/{message_id}/reactions': {
    params: {
      message_id: number
      emoji_name?: string
      emoji_code?: string
      /** unicode_emoji, realm_emoji or service_extra_emoji (zulip_extra_emoji); default: "unicode_emoji" */
      reaction_type?: string
      ack?: Ack
    }
    result: Nothing
  }
  /** Lists the users who have read a message, without its sender and users who do not send read receipts. */
  'GET /messages/{message_id}/read_receipts': { params: { message_id: number }; result: { user_ids: number[] } }
  /** Reports a message to the moderators, in the channel that the organization set for reports. */
  'POST /messages/{message_id}/report': {
    params: {
      message_id: number
      /** spam, harassment, inappropriate, norms, other; a registration has their names */ report_type: string
      /** required for other */ description?: string
      ack?: Ack
    }
    result: Nothing
  }
  /** Tells the recipients that the caller started or stopped editing a message; the path that existing clients use. */
  'POST /messages/{message_id}/typing': {
    params: { message_id: number; /** start or stop */ op: string }
    result: Nothing
  }
  /** Refuses to register a device for encrypted push notifications, because this server has no push service. */
  'POST /mobile_push/register': { params: { ack?: Ack }; result: Nothing }
  /** Refuses to send a test notification, because this server has no push service. */
  'POST /mobile_push/test_notification': {
    params: { /** the token of one device; default: all devices */ token?: string; ack?: Ack }
    result: Nothing
  }
  /** Lists the caller's views. */
  'GET /navigation_views': { params: Nothing; result: { navigation_views: NavigationView[] } }
  /** Adds a view, or sets where a built-in view is shown. */
  'POST /navigation_views': {
    params: {
      /** the URL fragment of the view */ fragment: string
      /** true: in the sidebar; false: in the menu of more views */ is_pinned: boolean
      /** absent for built-in views */ name?: string | null
      ack?: Ack
    }
    result: Nothing
  }
  /** Changes a view. */
  'PATCH /navigation_views/{fragment}': {
    params: {
      fragment: string
      /** true: in the sidebar; false: in the menu of more views */ is_pinned?: boolean
      name?: string | null
      ack?: Ack
    }
    result: Nothing
  }
  /** Removes a view. */
  'DELETE /navigation_views/{fragment}': { params: { fragment: string; ack?: Ack }; result: Nothing }
  /** Changes settings of the organization. */
  'PATCH /realm': {
    params: {
      name?: string
      description?: string
      string_id?: string
      allow_message_editing?: boolean
      invite_required?: boolean
      sign_up_approval_required?: boolean
      emails_restricted_to_domains?: boolean
      disallow_disposable_email_addresses?: boolean
      name_changes_disabled?: boolean
      email_changes_disabled?: boolean
      avatar_changes_disabled?: boolean
      require_unique_names?: boolean
      enable_read_receipts?: boolean
      enable_spectator_access?: boolean
      enable_guest_user_indicator?: boolean
      enable_guest_user_dm_warning?: boolean
      inline_image_preview?: boolean
      inline_url_embed_preview?: boolean
      /** only stored, for other clients: it has no effect here */ digest_emails_enabled?: boolean
      send_welcome_emails?: boolean
      /** Of feature level 434: later than the level that the server announces. */
      send_channel_events_messages?: boolean
      message_content_allowed_in_email_notifications?: boolean
      /** only stored, for other clients: it has no effect here */ want_advertise_in_communities_directory?: boolean
      /** a positive number, or `unlimited` */ message_content_edit_limit_seconds?: string | number
      /** a positive number, or `unlimited` */ message_content_delete_limit_seconds?: string | number
      /** a positive number, or `unlimited` */ move_messages_within_stream_limit_seconds?: string | number
      /** a positive number, or `unlimited` */ move_messages_between_streams_limit_seconds?: string | number
      /** a positive number, or `unlimited` */ message_retention_days?: string | number
      default_language?: string
      /** domains, with commas or spaces between them */ refused_email_domains?: string
      authentication_methods?: Record<string, boolean>
      /** a channel, or -1 */ new_stream_announcements_stream_id?: number
      /** a channel, or -1 */ signup_announcements_stream_id?: number
      /** a channel, or -1; only stored, for other clients: it has no effect here */
      zulip_update_announcements_stream_id?: number
      /** a channel, or -1 */ moderation_request_channel_id?: number
      /** or `default` */ jitsi_server_url?: string
      default_code_block_language?: string
      message_edit_history_visibility_policy?: 'all' | 'moves' | 'none'
      topics_policy?: 'allow_empty_topic' | 'disable_empty_topic'
      /** days */ waiting_period_threshold?: number
      second_factor_required_for?: 'nobody' | 'administrators' | 'members' | 'everyone'
      /** Of feature level 456: later than the level that the server announces. */ default_avatar_source?: 'G' | 'J'
      /** only stored, for other clients: it has no effect here. 0 is Monday */
      digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6
      /** Of feature level 416: later than the level that the server announces. */ welcome_message_custom_text?: string
      /** only stored, for other clients: it has no effect here */ giphy_rating?: number
      video_chat_provider?: number
      /** only stored, for other clients: it has no effect here */
      org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000
      create_multiuse_invite_group?: GroupSettingUpdate
      can_access_all_users_group?: GroupSettingUpdate
      can_add_custom_emoji_group?: GroupSettingUpdate
      can_add_subscribers_group?: GroupSettingUpdate
      can_create_bots_group?: GroupSettingUpdate
      can_create_write_only_bots_group?: GroupSettingUpdate
      can_create_groups?: GroupSettingUpdate
      can_create_public_channel_group?: GroupSettingUpdate
      can_create_private_channel_group?: GroupSettingUpdate
      can_create_web_public_channel_group?: GroupSettingUpdate
      can_delete_any_message_group?: GroupSettingUpdate
      can_delete_own_message_group?: GroupSettingUpdate
      can_invite_users_group?: GroupSettingUpdate
      can_manage_all_groups?: GroupSettingUpdate
      /** only stored, for other clients: it has no effect here */ can_manage_billing_group?: GroupSettingUpdate
      can_mention_many_users_group?: GroupSettingUpdate
      can_move_messages_between_channels_group?: GroupSettingUpdate
      can_move_messages_between_topics_group?: GroupSettingUpdate
      can_resolve_topics_group?: GroupSettingUpdate
      /** Of feature level 407: later than the level that the server announces. */
      can_set_delete_message_policy_group?: GroupSettingUpdate
      can_set_topics_policy_group?: GroupSettingUpdate
      /** only stored, for other clients: it has no effect here */ can_summarize_topics_group?: GroupSettingUpdate
      direct_message_initiator_group?: GroupSettingUpdate
      direct_message_permission_group?: GroupSettingUpdate
      ack?: Ack
    }
    result: Partial<Record<
      | 'name' | 'description' | 'create_multiuse_invite_group' | 'can_access_all_users_group'
      | 'can_add_custom_emoji_group' | 'can_add_subscribers_group' | 'can_create_bots_group'
      | 'can_create_write_only_bots_group' | 'can_create_groups' | 'can_create_public_channel_group'
      | 'can_create_private_channel_group' | 'can_create_web_public_channel_group' | 'can_delete_any_message_group'
      | 'can_delete_own_message_group' | 'can_invite_users_group' | 'can_manage_all_groups' | 'can_manage_billing_group'
      | 'can_mention_many_users_group' | 'can_move_messages_between_channels_group'
      | 'can_move_messages_between_topics_group' | 'can_resolve_topics_group' | 'can_set_delete_message_policy_group'
      | 'can_set_topics_policy_group' | 'can_summarize_topics_group' | 'direct_message_initiator_group'
      | 'direct_message_permission_group' | 'default_language' | 'default_code_block_language' | 'allow_message_editing'
      | 'message_content_edit_limit_seconds' | 'message_content_delete_limit_seconds'
      | 'move_messages_within_stream_limit_seconds' | 'move_messages_between_streams_limit_seconds'
      | 'message_edit_history_visibility_policy' | 'topics_policy' | 'message_retention_days'
      | 'waiting_period_threshold' | 'invite_required' | 'sign_up_approval_required' | 'second_factor_required_for'
      | 'emails_restricted_to_domains' | 'disallow_disposable_email_addresses' | 'refused_email_domains'
      | 'name_changes_disabled' | 'email_changes_disabled' | 'avatar_changes_disabled' | 'default_avatar_source'
      | 'require_unique_names' | 'enable_read_receipts' | 'enable_spectator_access' | 'enable_guest_user_indicator'
      | 'enable_guest_user_dm_warning' | 'inline_image_preview' | 'inline_url_embed_preview' | 'digest_emails_enabled'
      | 'digest_weekday' | 'send_welcome_emails' | 'send_channel_events_messages' | 'welcome_message_custom_text'
      | 'message_content_allowed_in_email_notifications' | 'want_advertise_in_communities_directory' | 'giphy_rating'
      | 'video_chat_provider' | 'jitsi_server_url' | 'authentication_methods' | 'org_type'
      | 'new_stream_announcements_stream_id' | 'signup_announcements_stream_id' | 'zulip_update_announcements_stream_id'
      | 'moderation_request_channel_id',
      ChangedRealmSetting
    >>
  }
  /** Lists the API keys with a name of all accounts, in the order of their ids. */
  'GET /realm/api_keys': {
    params: {
      /** the id after which the list begins; default: 0 */ after?: number
      /** default: 1000 */ limit?: number
    }
    result: {
      api_keys: {
        id: number
        name: string
        /** what it permits: each scope includes the ones before it */ scope: 'read' | 'write' | 'administer'
        /** UNIX seconds */ created_at: number
        /** UNIX seconds; null: it does not expire */ expires_at: number | null
        /** UNIX seconds, up to a minute late; null: it was not used */ last_used_at: number | null
        user_id: number
      }[]
      has_more: boolean
    }
  }
  /** Ends an API key of any account, and closes its connections. */
  'DELETE /realm/api_keys/{key_id}': { params: { key_id: number; ack?: Ack }; result: Nothing }
  /**
   * Lists administrative acts, newest first: who did what, when, from which address, with the rows before and after.
   */
  'GET /realm/audit_log': {
    params: {
      /** lists acts with a lower id; default: 9007199254740991 */ before?: number
      /** default: 100 */ limit?: number
      /** lists acts of this account */ user_id?: number
      /** lists acts about this */
      subject?:
        | 'users'
        | 'channels'
        | 'groups'
        | 'organization'
        | 'log_ins'
        | 'second_factors'
        | 'invitations'
        | 'event_subscriptions'
        | 'exports'
      /** UNIX seconds: lists acts of this time and later */ since?: number
      /** UNIX seconds: lists acts before this time */ until?: number
    }
    result: {
      acts: {
        id: number
        /** UNIX seconds */ timestamp: number
        /** null: a caller without an account, or the command line */ user_id: number | null
        /** the IP address of the caller */ address: string
        /** the method and path of the endpoint */ action: string
        /** it has an inverse, is of the last 30 days, and was not undone */ can_undo: boolean
        /** the act that it undid */ undoes: number | null
        /** the act that undid it */ undone_by: number | null
        changes: AuditChange[]
      }[]
    }
  }
  /** Tells what undoing an administrative act would do, what changed since, and what would stay. */
  'GET /realm/audit_log/{act_id}/undo': {
    params: { act_id: number }
    result: {
      /** the acts of the call that made the act, the newest first */ act_ids: number[]
      can_undo: boolean
      /** the refusal that the undo would meet */ obstacle: string | null
      /** `before` is now, `after` is before the act */ changes: AuditChange[]
      changed_since: {
        table: string
        key: Record<string, unknown>
        /** null: the row itself was added or removed */ column: string | null
        /** as the act left it; null for callers who are no owners */ left: unknown
        now: unknown
      }[]
      /**
       * what is not taken back: mails, push notifications and calls of webhooks (`delivered`), notices, what was marked
       * as read, credentials and sessions that ended, the history of moved messages
       */
      remains: ('delivered' | 'notices' | 'read_state' | 'credentials' | 'history')[]
    }
  }
  /** Undoes an administrative act of the last 30 days, if everything still is as the act left it. */
  'POST /realm/audit_log/{act_id}/undo': {
    params: { act_id: number }
    result: { /** the acts that were undone, the newest first */ act_ids: number[] }
  }
  /** Deactivates the organization. Its data is kept, or deleted after the given number of days. */
  'POST /realm/deactivate': {
    params: { /** null: the data is never deleted; default: null */ deletion_delay_days?: number | null; ack?: Ack }
    result: Nothing
  }
  /** Lists the domains of the organization. */
  'GET /realm/domains': { params: Nothing; result: { domains: RealmDomain[] } }
  /** Adds a domain. */
  'POST /realm/domains': {
    params: { domain: string; allow_subdomains: boolean; ack?: Ack }
    result: { /** its id and its name */ new_domain: [number, string] }
  }
  /** Sets whether addresses of subdomains are accepted. */
  'PATCH /realm/domains/{domain}': { params: { domain: string; allow_subdomains: boolean; ack?: Ack }; result: Nothing }
  /** Removes a domain. Removing the last one also removes the restriction. */
  'DELETE /realm/domains/{domain}': { params: { domain: string; ack?: Ack }; result: Nothing }
  /** Lists the custom emoji by id, deactivated ones included. */
  'GET /realm/emoji': { params: Nothing; result: { emoji: Record<string, CustomEmoji> } }
  /** Adds a custom emoji. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
  'POST /realm/emoji/{emoji_name}': { params: { emoji_name: string; ack?: Ack }; result: Nothing }
  /** Deactivates a custom emoji. Messages that contain it keep it. */
  'DELETE /realm/emoji/{emoji_name}': { params: { emoji_name: string; ack?: Ack }; result: Nothing }
  /** Lists the linkifiers in the older format, without those that it cannot express. */
  'GET /realm/filters': { params: Nothing; result: { filters: [string, string, number][] } }
  /** Adds a linkifier. */
  'POST /realm/filters': {
    params: {
      /** a regular expression of RE2, with named groups; at most 2600 bytes */ pattern: string
      /** RFC 6570, with the named groups as variables */ url_template: string
      ack?: Ack
    }
    result: { id: number }
  }
  /** Changes a linkifier. */
  'PATCH /realm/filters/{filter_id}': {
    params: {
      filter_id: number
      /** a regular expression of RE2, with named groups; at most 2600 bytes */ pattern: string
      /** RFC 6570, with the named groups as variables */ url_template: string
      ack?: Ack
    }
    result: Nothing
  }
  /** Removes a linkifier. */
  'DELETE /realm/filters/{filter_id}': { params: { filter_id: number; ack?: Ack }; result: Nothing }
  /** Redirects to the organization's icon. */
  'GET /realm/icon': { params: Nothing; result: Nothing }
  /** Sets the organization's icon. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
  'POST /realm/icon': { params: { ack?: Ack }; result: { icon_url: string } }
  /** Removes the organization's icon. */
  'DELETE /realm/icon': { params: { ack?: Ack }; result: { icon_url: string } }
  /** Lists the linkifiers in the order in which they are applied. */
  'GET /realm/linkifiers': { params: Nothing; result: { linkifiers: Linkifier[] } }
  /** Changes the order of the linkifiers. */
  'PATCH /realm/linkifiers': { params: { ordered_linkifier_ids: number[]; ack?: Ack }; result: Nothing }
  /** Lists the providers with whose accounts users log in. */
  'GET /realm/log_in_methods': {
    params: Nothing
    result: {
      log_in_methods: {
        id: number
        kind: string
        name: string
        is_enabled: boolean
        has_secret: boolean
        /** as they were set */ options: Record<string, unknown>
        /** where the provider sends the browser back */ callback_url: string
        /** where the provider itself ends sessions */ backchannel_logout_url: string
        /** what the provider opens in the browser to end a session */ frontchannel_logout_url: string
        /** what describes this server to a SAML provider; '' for others */ metadata_url: string
      }[]
      /** what a form starts with for a well-known provider; parts of the issuer in braces are to be replaced */
      presets: { name: string; issuer: string; verified_claim: string; dialect: 'openid' | 'github' }[]
      methods_of_operator: { key: string; name: string; callback_url: string }[]
    }
  }
  /** Adds a provider with whose accounts users log in. */
  'POST /realm/log_in_methods': {
    params: {
      /** default: "oidc" */ kind?: 'oidc' | 'saml'
      /** what users read on the button */ name: string
      /** default: true */ is_enabled?: boolean
      /**
       * the secret that the provider gave, with SAML the private key of this server and its certificate in PEM; it is
       * never shown again; default: ""
       */
      client_secret?: string
      /**
       * `issuer` and `client_id`, and what of these differs from the defaults: `dialect`, `scopes`, `verified_claim`,
       * `creates_accounts`, `domains`, `second_factor_amr`, `ends_provider_session`, `mapping`. With SAML
       * `metadata_url`, or `metadata` with the XML, and of these: `issuer`, `sso_url`, `slo_url`, `certificates`,
       * `wants_signed_response`, `starts_at_provider`, `subject_attribute`, `email_attribute`, `name_attribute`,
       * `trusts_addresses`, `verified_claim`, `creates_accounts`, `domains`, `second_factor_amr`,
       * `ends_provider_session`, `mapping`
       */
      options: Record<string, unknown>
      ack?: Ack
    }
    result: { id: number }
  }
  /** Changes a provider. Options that are given replace all options that were set. */
  'PATCH /realm/log_in_methods/{method_id}': {
    params: {
      method_id: number
      name?: string
      is_enabled?: boolean
      /**
       * the secret that the provider gave, with SAML the private key of this server and its certificate in PEM; it is
       * never shown again
       */
      client_secret?: string
      /**
       * `issuer` and `client_id`, and what of these differs from the defaults: `dialect`, `scopes`, `verified_claim`,
       * `creates_accounts`, `domains`, `second_factor_amr`, `ends_provider_session`, `mapping`. With SAML
       * `metadata_url`, or `metadata` with the XML, and of these: `issuer`, `sso_url`, `slo_url`, `certificates`,
       * `wants_signed_response`, `starts_at_provider`, `subject_attribute`, `email_attribute`, `name_attribute`,
       * `trusts_addresses`, `verified_claim`, `creates_accounts`, `domains`, `second_factor_amr`,
       * `ends_provider_session`, `mapping`
       */
      options?: Record<string, unknown>
      ack?: Ack
    }
    result: Nothing
  }
  /** Removes a provider. Accounts that have no other way in need a new password. */
  'DELETE /realm/log_in_methods/{method_id}': { params: { method_id: number; ack?: Ack }; result: Nothing }
  /** Redirects to a logo of the organization. */
  'GET /realm/logo': { params: { /** true: the logo of the dark theme */ night: boolean }; result: Nothing }
  /** Sets a logo of the organization. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
  'POST /realm/logo': { params: { /** true: the logo of the dark theme */ night: boolean; ack?: Ack }; result: Nothing }
  /** Removes a logo of the organization. */
  'DELETE /realm/logo': {
    params: { /** true: the logo of the dark theme */ night: boolean; ack?: Ack }
    result: Nothing
  }
  /** Adds a code playground. */
  'POST /realm/playgrounds': {
    params: {
      /** the name that clients show; at most 600 characters */ name: string
      /** the language of the code blocks; at most 40 characters */ pygments_language: string
      /** RFC 6570, with `code` as the only variable */ url_template: string
      ack?: Ack
    }
    result: { id: number }
  }
  /** Removes a code playground. */
  'DELETE /realm/playgrounds/{playground_id}': { params: { playground_id: number; ack?: Ack }; result: Nothing }
  /** Lists the users who were recently active, with their presence. */
  'GET /realm/presence': {
    params: Nothing
    result: { server_timestamp: number; presences: Record<string, LegacyPresence> }
  }
  /** Lists the profile fields in their order. */
  'GET /realm/profile_fields': { params: Nothing; result: { custom_fields: CustomProfileField[] } }
  /** Creates a profile field. */
  'POST /realm/profile_fields': {
    params: {
      name?: string
      /** default: "" */ hint?: string
      /**
       * of type 3 the choices: by key, `text` and `order`; of type 7 `subtype`, with `custom` also `url_pattern`;
       * default: {}
       */
      field_data?: Record<string, unknown>
      /** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns */
      field_type: number
      /** default: false */ display_in_profile_summary?: boolean
      /** default: false */ required?: boolean
      /** default: true */ editable_by_user?: boolean
      ack?: Ack
    }
    result: { id: number }
  }
  /** Changes the order of the profile fields. */
  'PATCH /realm/profile_fields': { params: { /** ids of all fields */ order: number[]; ack?: Ack }; result: Nothing }
  /** Changes a profile field. Choices that are left out are removed from all profiles. */
  'PATCH /realm/profile_fields/{field_id}': {
    params: {
      field_id: number
      name?: string
      hint?: string
      /** of type 3 the choices: by key, `text` and `order`; of type 7 `subtype`, with `custom` also `url_pattern` */
      field_data?: Record<string, unknown>
      display_in_profile_summary?: boolean
      required?: boolean
      editable_by_user?: boolean
      ack?: Ack
    }
    result: Nothing
  }
  /** Deletes a profile field and all its values. */
  'DELETE /realm/profile_fields/{field_id}': { params: { field_id: number; ack?: Ack }; result: Nothing }
  /** Counts the messages of each of the last days, and the users who were active. */
  'GET /realm/statistics': {
    params: { /** how many days of UTC, today included; default: 30 */ days?: number }
    result: {
      /** the days with messages, oldest first */
      days: {
        /** UNIX seconds: when the day began in UTC */ timestamp: number
        channel_messages: number
        direct_messages: number
        /** how many people sent one of them */ senders: number
      }[]
      /** people who were active within the last day, 7 days and 30 days */
      active_users: { day: number; week: number; month: number }
      /** the size of all uploaded files */ upload_bytes: number
    }
  }
  /** Sends a welcome message to the caller, as a trial. */
  'POST /realm/test_welcome_bot_custom_message': {
    params: { welcome_message_custom_text: string; ack?: Ack }
    result: { message_id: number }
  }
  /** Changes the default settings of new accounts. */
  'PATCH /realm/user_settings_defaults': { params: UpdateSettingDefaultsParams; result: Nothing }
  /** Creates an event queue and returns the state to which its events apply. */
  'POST /register': {
    params: {
      /** message events carry HTML, not Markdown; default: false */ apply_markdown?: boolean
      /** true unless called without credentials */ client_gravatar?: boolean
      /**
       * `partial` is the same as true. Of feature level 412: later than the level that the server announces; default:
       * false
       */
      include_subscribers?: boolean | 'partial'
      /** default: false */ slim_presence?: boolean
      /** initial `presences` of users who were connected within so many days; 14 when absent */
      presence_history_limit_days?: number
      /** events of the queue; all when absent. The answer lists names that it does not know in `unknown_event_types` */
      event_types?: string[]
      /** initial data; as event_types when absent */ fetch_event_types?: string[]
      /** message events of every public channel */ all_public_streams?: boolean
      /** what the client can read; each is false when it is absent */ client_capabilities?: ClientCapabilities
      /** default: [] */ narrow?: [string, string][]
      /** seconds without use after which the queue may be deleted; 600 when 0; default: 0 */
      queue_lifespan_secs?: number
      /** the same, for newer clients; `"mobile"`: the longest lifespan of a queue */
      idle_queue_timeout?: number | 'mobile'
      /**
       * the name of a position: the events begin after the last one that was acknowledged under this name. No initial
       * data is fetched, because it would be newer than the events
       */
      queue_name?: string
    }
    result: {
      alert_words?: string[]
      channel_folders?: ChannelFolder[]
      custom_profile_fields?: CustomProfileField[]
      custom_profile_field_types?: Record<string, { id: number; name: string }>
      realm_default_stream_groups?: DefaultChannelGroup[]
      realm_default_streams?: number[]
      drafts?: Draft[]
      giphy_api_key?: string
      max_message_id?: number
      unread_msgs?: {
        count: number
        pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
        streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
        huddles: { user_ids_string: string; unread_message_ids: number[] }[]
        mentions: number[]
        old_unreads_missing: boolean
      }
      muted_topics?: [string, string, number][]
      muted_users?: MutedUser[]
      navigation_views?: NavigationView[]
      onboarding_steps?: OnboardingStep[]
      navigation_tour_video_url?: string | null
      presences?: Record<string, Presence> | Record<string, LegacyPresence>
      presence_last_update_id?: number
      server_timestamp?: number
      realm_create_multiuse_invite_group?: GroupSettingValue
      realm_can_access_all_users_group?: GroupSettingValue
      realm_can_add_custom_emoji_group?: GroupSettingValue
      realm_can_add_subscribers_group?: GroupSettingValue
      realm_can_create_bots_group?: GroupSettingValue
      realm_can_create_write_only_bots_group?: GroupSettingValue
      realm_can_create_groups?: GroupSettingValue
      realm_can_create_public_channel_group?: GroupSettingValue
      realm_can_create_private_channel_group?: GroupSettingValue
      realm_can_create_web_public_channel_group?: GroupSettingValue
      realm_can_delete_any_message_group?: GroupSettingValue
      realm_can_delete_own_message_group?: GroupSettingValue
      realm_can_invite_users_group?: GroupSettingValue
      realm_can_manage_all_groups?: GroupSettingValue
      realm_can_manage_billing_group?: GroupSettingValue
      realm_can_mention_many_users_group?: GroupSettingValue
      realm_can_move_messages_between_channels_group?: GroupSettingValue
      realm_can_move_messages_between_topics_group?: GroupSettingValue
      realm_can_resolve_topics_group?: GroupSettingValue
      /** Of feature level 407: later than the level that the server announces. */
      realm_can_set_delete_message_policy_group?: GroupSettingValue
      realm_can_set_topics_policy_group?: GroupSettingValue
      realm_can_summarize_topics_group?: GroupSettingValue
      realm_direct_message_initiator_group?: GroupSettingValue
      realm_direct_message_permission_group?: GroupSettingValue
      realm_default_language?: string
      realm_default_code_block_language?: string
      realm_allow_message_editing?: boolean
      realm_message_content_edit_limit_seconds?: number | null
      realm_message_content_delete_limit_seconds?: number | null
      realm_move_messages_within_stream_limit_seconds?: number | null
      realm_move_messages_between_streams_limit_seconds?: number | null
      realm_message_edit_history_visibility_policy?: 'all' | 'moves' | 'none'
      realm_topics_policy?: 'allow_empty_topic' | 'disable_empty_topic'
      realm_message_retention_days?: number
      /** days */ realm_waiting_period_threshold?: number
      realm_invite_required?: boolean
      realm_sign_up_approval_required?: boolean
      realm_second_factor_required_for?: 'nobody' | 'administrators' | 'members' | 'everyone'
      realm_emails_restricted_to_domains?: boolean
      realm_disallow_disposable_email_addresses?: boolean
      realm_refused_email_domains?: string
      realm_name_changes_disabled?: boolean
      realm_email_changes_disabled?: boolean
      realm_avatar_changes_disabled?: boolean
      /** Of feature level 456: later than the level that the server announces. */
      realm_default_avatar_source?: 'G' | 'J'
      realm_require_unique_names?: boolean
      realm_enable_read_receipts?: boolean
      realm_enable_spectator_access?: boolean
      realm_enable_guest_user_indicator?: boolean
      realm_enable_guest_user_dm_warning?: boolean
      realm_inline_image_preview?: boolean
      realm_inline_url_embed_preview?: boolean
      realm_digest_emails_enabled?: boolean
      /** 0 is Monday */ realm_digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6
      realm_send_welcome_emails?: boolean
      /** Of feature level 434: later than the level that the server announces. */
      realm_send_channel_events_messages?: boolean
      /** Of feature level 416: later than the level that the server announces. */
      realm_welcome_message_custom_text?: string
      realm_message_content_allowed_in_email_notifications?: boolean
      realm_want_advertise_in_communities_directory?: boolean
      realm_giphy_rating?: number
      realm_video_chat_provider?: number
      realm_jitsi_server_url?: string | null
      realm_authentication_methods?: Record<string, AuthenticationMethod>
      realm_org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000
      realm_new_stream_announcements_stream_id?: number
      realm_signup_announcements_stream_id?: number
      realm_zulip_update_announcements_stream_id?: number
      realm_moderation_request_channel_id?: number
      realm_name?: string
      realm_description?: string
      realm_url?: string
      realm_uri?: string
      realm_bot_domain?: string
      realm_date_created?: number
      realm_icon_url?: string
      realm_icon_source?: 'G' | 'U'
      realm_logo_url?: string
      realm_logo_source?: 'D' | 'U'
      realm_night_logo_url?: string
      realm_night_logo_source?: 'D' | 'U'
      realm_plan_type?: number
      zulip_plan_is_not_limited?: boolean
      realm_upload_quota_mib?: number | null
      upgrade_text_for_wide_organization_logo?: string
      realm_push_notifications_enabled?: boolean
      realm_push_notifications_enabled_end_timestamp?: number | null
      realm_is_zephyr_mirror_realm?: boolean
      /** Of feature level 438: later than the level that the server announces. */
      realm_owner_full_content_access?: boolean
      realm_allow_edit_history?: boolean
      realm_mandatory_topics?: boolean
      realm_empty_topic_display_name?: string
      realm_presence_disabled?: boolean
      realm_email_auth_enabled?: boolean
      realm_password_auth_enabled?: boolean
      realm_available_video_chat_providers?: Record<string, { name: string; id: number }>
      realm_default_external_accounts?: Record<string, {
        name: string
        text: string
        hint: string
        url_pattern: string
      }>
      realm_create_public_stream_policy?: number
      realm_create_private_stream_policy?: number
      realm_create_web_public_stream_policy?: number
      realm_wildcard_mention_policy?: number
      max_stream_name_length?: number
      max_stream_description_length?: number
      max_topic_length?: number
      max_message_length?: number
      max_bulk_new_subscription_messages?: number
      password_min_length?: number
      password_max_length?: number
      password_min_guesses?: number
      max_avatar_file_size_mib?: number
      max_icon_file_size_mib?: number
      max_logo_file_size_mib?: number
      event_queue_longpoll_timeout_seconds?: number
      server_presence_ping_interval_seconds?: number
      server_presence_offline_threshold_seconds?: number
      server_typing_started_expiry_period_milliseconds?: number
      server_typing_stopped_wait_period_milliseconds?: number
      server_typing_started_wait_period_milliseconds?: number
      server_min_deactivated_realm_deletion_days?: number
      /** Of feature level 410: later than the level that the server announces. */
      max_channel_folder_name_length?: number
      /** Of feature level 410: later than the level that the server announces. */
      max_channel_folder_description_length?: number
      /** Of feature level 415: later than the level that the server announces. */ max_reminder_note_length?: number
      max_file_upload_size_mib?: number
      server_max_deactivated_realm_deletion_days?: number | null
      server_generation?: number
      server_gateway_paths?: string[]
      server_inline_image_preview?: boolean
      server_inline_url_embed_preview?: boolean
      server_thumbnail_formats?: {
        name: string
        max_width: number
        max_height: number
        format: string
        animated: boolean
      }[]
      server_avatar_changes_disabled?: boolean
      server_name_changes_disabled?: boolean
      server_web_public_streams_enabled?: boolean
      server_needs_upgrade?: boolean
      server_emoji_data_url?: string
      server_jitsi_server_url?: string | null
      jitsi_server_url?: string | null
      server_can_summarize_topics?: boolean
      giphy_rating_options?: Record<string, { id: number; name: string }>
      /** Of feature level 435: later than the level that the server announces. */
      server_report_message_types?: { key: string; name: string }[]
      settings_send_digest_emails?: boolean
      development_environment?: boolean
      server_supported_permission_settings?: {
        realm: Record<string, PermissionRule>
        stream: Record<string, PermissionRule>
        group: Record<string, PermissionRule>
      }
      realm_billing?: { has_pending_sponsorship_request: boolean }
      realm_bots?: Bot[]
      realm_domains?: RealmDomain[]
      realm_embedded_bots?: Record<string, unknown>[]
      realm_emoji?: Record<string, CustomEmoji>
      realm_filters?: Record<string, unknown>[]
      realm_incoming_webhook_bots?: Record<string, unknown>[]
      realm_linkifiers?: Linkifier[]
      realm_playgrounds?: Playground[]
      realm_users?: RegisteredUser[]
      realm_non_active_users?: RegisteredUser[]
      cross_realm_bots?: (User & { is_system_bot: true })[]
      user_id?: number
      email?: string
      delivery_email?: string
      full_name?: string
      avatar_source?: 'G' | 'U'
      avatar_url?: string
      avatar_url_medium?: string
      is_owner?: boolean
      is_admin?: boolean
      is_moderator?: boolean
      is_guest?: boolean
      can_create_streams?: boolean
      can_create_public_streams?: boolean
      can_create_private_streams?: boolean
      can_create_web_public_streams?: boolean
      can_invite_others_to_realm?: boolean
      realm_user_groups?: UserGroup[]
      realm_user_settings_defaults?: UserSettingsDefaults
      recent_private_conversations?: { max_message_id: number; user_ids: number[] }[]
      saved_snippets?: SavedSnippet[]
      scheduled_messages?: ScheduledMessage[]
      starred_messages?: number[]
      stop_words?: string[]
      streams?: Channel[]
      subscriptions?: Subscription[]
      unsubscribed?: Subscription[]
      never_subscribed?: (Channel & {
        subscribers?: number[]
        /** deprecated: for clients that have older names */ email_address?: string
      })[]
      twenty_four_hour_time?: boolean
      starred_message_counts?: boolean
      fluid_layout_width?: boolean
      high_contrast_mode?: boolean
      translate_emoticons?: boolean
      left_side_userlist?: boolean
      enter_sends?: boolean
      color_scheme?: 1 | 2 | 3
      default_language?: string
      web_home_view?: 'inbox' | 'recent_topics' | 'all_messages'
      emojiset?: string
      demote_inactive_streams?: 1 | 2 | 3
      enable_drafts_synchronization?: boolean
      emojiset_choices?: EmojisetChoice[]
      timezone?: string
      presence_enabled?: boolean
      enable_stream_desktop_notifications?: boolean
      enable_stream_email_notifications?: boolean
      enable_stream_push_notifications?: boolean
      enable_stream_audible_notifications?: boolean
      wildcard_mentions_notify?: boolean
      enable_desktop_notifications?: boolean
      enable_sounds?: boolean
      enable_offline_email_notifications?: boolean
      enable_offline_push_notifications?: boolean
      enable_online_push_notifications?: boolean
      pm_content_in_desktop_notifications?: boolean
      message_content_in_email_notifications?: boolean
      notification_sound?: string
      desktop_icon_count_display?: 1 | 2 | 3 | 4
      email_notifications_batching_period_seconds?: number
      enable_digest_emails?: boolean
      enable_login_emails?: boolean
      enable_marketing_emails?: boolean
      realm_name_in_email_notifications_policy?: 1 | 2 | 3
      available_notification_sounds?: string[]
      user_settings?: UserSettings
      user_status?: Record<string, UserStatus>
      user_topics?: { stream_id: number; topic_name: string; last_updated: number; visibility_policy: number }[]
      has_zoom_token?: boolean
      queue_id: string | null
      last_event_id?: number
      unknown_event_types?: string[]
      /** with queue_name; lost: events after the position are not stored any more, and it begins anew */
      queue_position?: 'new' | 'continued' | 'lost'
      api_feature_level: number
      zulip_feature_level: number
      zulip_version: string
      zulip_merge_base: string
    }
  }
  /** Lists the caller's reminders that were not sent yet. */
  'GET /reminders': { params: Nothing; result: { reminders: Reminder[] } }
  /** Schedules a direct message that reminds the caller of a message. */
  'POST /reminders': {
    params: {
      message_id: number
      /** UNIX seconds */ scheduled_delivery_timestamp: number
      /**
       * a text that the reminder repeats. Of feature level 415: later than the level that the server announces;
       * default: ""
       */
      note?: string
      ack?: Ack
    }
    result: { reminder_id: number }
  }
  /** Deletes a reminder that was not sent yet. */
  'DELETE /reminders/{reminder_id}': { params: { reminder_id: number; ack?: Ack }; result: Nothing }
  /** Lists the caller’s saved snippets. */
  'GET /saved_snippets': { params: Nothing; result: { saved_snippets: SavedSnippet[] } }
  /** Saves a snippet. */
  'POST /saved_snippets': {
    params: { title: string; content: string; ack?: Ack }
    result: { saved_snippet_id: number }
  }
  /** Changes a saved snippet. */
  'PATCH /saved_snippets/{saved_snippet_id}': {
    params: { saved_snippet_id: number; title?: string; content?: string; ack?: Ack }
    result: Nothing
  }
  /** Deletes a saved snippet. */
  'DELETE /saved_snippets/{saved_snippet_id}': { params: { saved_snippet_id: number; ack?: Ack }; result: Nothing }
  /** Lists the messages that the caller has scheduled, by the time of delivery. */
  'GET /scheduled_messages': { params: Nothing; result: { scheduled_messages: ScheduledMessage[] } }
  /** Schedules a message to be sent later. */
  'POST /scheduled_messages': { params: CreateScheduledMessageParams; result: { scheduled_message_id: number } }
  /** Changes a scheduled message. */
  'PATCH /scheduled_messages/{scheduled_message_id}': {
    params: Partial<CreateScheduledMessageParams> & { scheduled_message_id: number }
    result: Nothing
  }
  /** Cancels a scheduled message. */
  'DELETE /scheduled_messages/{scheduled_message_id}': {
    params: { scheduled_message_id: number; ack?: Ack }
    result: Nothing
  }
  /** Gets the version of the server, the organization at this address, and its login methods. */
  'GET /server_settings': {
    params: Nothing
    result: {
      api_feature_level: number
      zulip_feature_level: number
      zulip_version: string
      zulip_merge_base: string
      push_notifications_enabled: boolean
      is_incompatible: boolean
      email_auth_enabled: boolean
      require_email_format_usernames: boolean
      authentication_methods: Record<
        | 'password' | 'dev' | 'email' | 'ldap' | 'remoteuser' | 'github' | 'azuread' | 'gitlab' | 'google' | 'apple'
        | 'saml' | 'openid connect',
        boolean
      >
      realm_url?: string
      realm_uri?: string
      realm_name?: string
      realm_icon?: string
      /** HTML */ realm_description?: string
      realm_web_public_access_enabled?: boolean
      /** false: users can sign up at `/accounts/sign_up` */ realm_invite_required?: boolean
      external_authentication_methods?: {
        name: string
        display_name: string
        display_icon: string | null
        login_url: string
        signup_url: string
      }[]
    }
  }
  /** Lists the sessions of the account, in which browsers are logged in. */
  'GET /sessions': {
    params: Nothing
    result: {
      sessions: {
        id: number
        /** UNIX seconds */ created_at: number
        /** UNIX seconds; up to a minute late */ last_used_at: number
        /** the address from which the session began */ ip: string
        /** the program that began the session */ user_agent: string
        is_current: boolean
      }[]
    }
  }
  /** Logs a browser in with an email address and a password: sets the cookie of a new session. */
  'POST /sessions': {
    params: { /** the real address, or the name in a directory */ username: string; password: string }
    result: CurrentSession
  }
  /** Tells with which account the browser's session acts. */
  'GET /sessions/current': { params: Nothing; result: CurrentSession }
  /** Logs the browser out: ends its session, and closes the session's connections. */
  'DELETE /sessions/current': {
    params: Nothing
    result: { /** what the browser opens next: it ends the session at the provider */ log_out_url?: string }
  }
  /** Lists accounts with which a browser logs in without a password; on development servers only. */
  'GET /sessions/demo': {
    params: Nothing
    result: { users: { user_id: number; full_name: string; email: string; role: number; avatar_url: string | null }[] }
  }
  /** Logs a browser in without a password; on development servers only. */
  'POST /sessions/demo': { params: { user_id: number }; result: CurrentSession }
  /** Logs a desktop app in with the token that its user carried to it from the browser. */
  'POST /sessions/external': {
    params: { /** valid for two minutes, and once */ token: string }
    result: CurrentSession
  }
  /** Ends a log-in with the second factor: sets the cookie of a new session. */
  'POST /sessions/second_factor': {
    params: { /** what the app shows, or a recovery code; default: "" */ code?: string }
    result: CurrentSession
  }
  /** Sets a second factor up, and ends the log-in: sets the cookie of a new session. */
  'POST /sessions/second_factor/confirm': {
    params: { enrolment: string; /** what the app shows */ code: string }
    result: SessionWithCodes
  }
  /** Begins to set a second factor up in a log-in to an account that must have one. */
  'POST /sessions/second_factor/enrolment': { params: Nothing; result: BegunEnrolment }
  /** Tells whether the browser has a session, also where it has none: a page asks this before it shows a log-in. */
  'GET /sessions/state': {
    params: Nothing
    result: {
      /** whether GET /sessions/current would name an account */ is_logged_in: boolean
      /** what a log-in that this browser has begun needs besides; null: it has begun none */
      second_factor: 'code' | 'enrolment' | null
      /** whether GET /sessions/demo lists accounts */ has_demo_accounts: boolean
      /** false: the organization is deactivated, and nobody can log in */ is_realm_active: boolean
    }
  }
  /** Ends a session of the account, and closes its connections. */
  'DELETE /sessions/{session_id}': { params: { session_id: number; ack?: Ack }; result: Nothing }
  /** Changes the caller's own settings. */
  'PATCH /settings': { params: UpdateSettingsParams; result: Nothing }
  /** Lists the users who signed up and wait for approval, the first one first. */
  'GET /sign_ups': {
    params: Nothing
    result: {
      sign_ups: {
        id: number
        email: string
        /** the domain of the address in ASCII: letters that look like others show as `xn--` */ mail_domain: string
        full_name: string
        /** UNIX seconds */ confirmed_at: number
      }[]
    }
  }
  /** Refuses a user who waits for approval, and mails the user. */
  'DELETE /sign_ups/{sign_up_id}': { params: { sign_up_id: number; ack?: Ack }; result: Nothing }
  /** Creates the account of a user who waits for approval, and mails the user. */
  'POST /sign_ups/{sign_up_id}/approve': { params: { sign_up_id: number; ack?: Ack }; result: Nothing }
  /** Lists channels by name: the union of what the parameters include. */
  'GET /streams': {
    params: {
      /** default: true */ include_public?: boolean
      /** default: false */ include_web_public?: boolean
      /** default: true */ include_subscribed?: boolean
      /** default: true */ exclude_archived?: boolean
      /** every channel whose metadata the caller has access to; default: false */ include_all?: boolean
      /** adds the default channels, and to each channel whether it is one; default: false */ include_default?: boolean
      /** default: false */ include_owner_subscribed?: boolean
      /** default: false */ include_can_access_content?: boolean
      /** an older name of include_all, for administrators; default: false */ include_all_active?: boolean
    }
    result: { streams: (Channel & { is_default?: boolean })[] }
  }
  /** Gets a channel. */
  'GET /streams/{stream_id}': { params: { stream_id: number }; result: { stream: Channel } }
  /** Changes properties of a channel, or takes it out of the archive. */
  'PATCH /streams/{stream_id}': {
    params: {
      stream_id: number
      description?: string
      new_name?: string
      is_private?: boolean
      is_web_public?: boolean
      history_public_to_subscribers?: boolean
      is_default_stream?: boolean
      /** days, or `realm_default`, or `unlimited` */ message_retention_days?: string | number
      /** true takes an archived channel out of the archive, and so does false; true changes no other channel */
      is_archived?: boolean
      /** null takes the channel out of its folder */ folder_id?: number | null
      /** empty_topic_only: Of feature level 404: later than the level that the server announces. */
      topics_policy?: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
      can_add_subscribers_group?: GroupSettingUpdate
      can_administer_channel_group?: GroupSettingUpdate
      /** Of feature level 441: later than the level that the server announces. */
      can_create_topic_group?: GroupSettingUpdate
      /** Of feature level 407: later than the level that the server announces. */
      can_delete_any_message_group?: GroupSettingUpdate
      /** Of feature level 407: later than the level that the server announces. */
      can_delete_own_message_group?: GroupSettingUpdate
      can_move_messages_out_of_channel_group?: GroupSettingUpdate
      can_move_messages_within_channel_group?: GroupSettingUpdate
      can_remove_subscribers_group?: GroupSettingUpdate
      /** Of feature level 402: later than the level that the server announces. */
      can_resolve_topics_group?: GroupSettingUpdate
      can_send_message_group?: GroupSettingUpdate
      can_subscribe_group?: GroupSettingUpdate
      ack?: Ack
    }
    result: Nothing
  }
  /** Archives a channel: users can read it, and cannot send messages to it. */
  'DELETE /streams/{stream_id}': { params: { stream_id: number; ack?: Ack }; result: Nothing }
  /** Deletes the messages of a topic, newest first; `complete` false: some remain, call again to wait for the rest. */
  'POST /streams/{stream_id}/delete_topic': {
    params: { stream_id: number; /** may be empty */ topic_name: string }
    result: { complete: boolean }
  }
  /** Gets the email address of a channel. It is empty, because this server does not receive mail. */
  'GET /streams/{stream_id}/email_address': {
    params: {
      stream_id: number
      /** the id of the sender of such a mail: the caller, or one of the bots that the caller owns */ sender_id?: number
    }
    result: { email: string }
  }
  /** Lists the ids of the active users who are subscribed to a channel. */
  'GET /streams/{stream_id}/members': { params: { stream_id: number }; result: { subscribers: number[] } }
  /** Adds an action to the widget of a message, such as a vote in a poll. */
  'POST /submessage': {
    params: {
      message_id: number
      msg_type: 'widget'
      /**
       * JSON text: the action. The first one on a message without a widget describes the widget, as `widget_content`
       * does
       */
      content: string
      ack?: Ack
    }
    result: Nothing
  }
  /** Creates a resumable upload (tus 1.0). The size and name of the file are sent in headers. */
  'POST /tus/': { params: Nothing; result: Nothing }
  /** Returns, with HEAD, how many bytes of an upload were received (tus 1.0). */
  'GET /tus/{upload_id}': { params: { upload_id: string }; result: Nothing }
  /** Appends a part to an upload (tus 1.0). The answer to the last part has the URL of the file. */
  'PATCH /tus/{upload_id}': { params: { upload_id: string }; result: Nothing }
  /** Deletes an unfinished upload (tus 1.0). */
  'DELETE /tus/{upload_id}': { params: { upload_id: string }; result: Nothing }
  /** Tells the recipients that the caller started or stopped typing a message. */
  'POST /typing': {
    params: {
      /** start or stop */ op: string
      /** direct, or stream or channel; default: "direct" */ type?: string
      /** direct: the user ids of the recipients */ to?: number[]
      stream_id?: number
      /** also accepted as `subject` */ topic?: string
    }
    result: Nothing
  }
  /** Lists the user groups by id, system groups included. */
  'GET /user_groups': {
    params: { /** default: false */ include_deactivated_groups?: boolean }
    result: { user_groups: UserGroup[] }
  }
  /** Creates a user group. */
  'POST /user_groups/create': {
    params: {
      name: string
      description: string
      members: number[]
      /** default: [] */ subgroups?: number[]
      can_add_members_group?: GroupSettingValue
      can_join_group?: GroupSettingValue
      can_leave_group?: GroupSettingValue
      can_manage_group?: GroupSettingValue
      can_mention_group?: GroupSettingValue
      can_remove_members_group?: GroupSettingValue
      ack?: Ack
    }
    result: { group_id: number }
  }
  /** Changes the name, the description and the settings of a user group, or reactivates it. */
  'PATCH /user_groups/{user_group_id}': {
    params: {
      user_group_id: number
      name?: string
      description?: string
      /** false reactivates a deactivated group; true does nothing */ deactivated?: boolean
      can_add_members_group?: GroupSettingUpdate
      can_join_group?: GroupSettingUpdate
      can_leave_group?: GroupSettingUpdate
      can_manage_group?: GroupSettingUpdate
      can_mention_group?: GroupSettingUpdate
      can_remove_members_group?: GroupSettingUpdate
      ack?: Ack
    }
    result: Nothing
  }
  /** Deactivates a user group; the name of the endpoint in older clients. */
  'DELETE /user_groups/{user_group_id}': { params: { user_group_id: number; ack?: Ack }; result: Nothing }
  /** Deactivates a user group, unless a setting or another group uses it. */
  'POST /user_groups/{user_group_id}/deactivate': { params: { user_group_id: number; ack?: Ack }; result: Nothing }
  /** Lists the active accounts in a user group, those of its subgroups included. */
  'GET /user_groups/{user_group_id}/members': {
    params: { user_group_id: number; /** default: false */ direct_member_only?: boolean }
    result: { members: number[] }
  }
  /** Adds accounts and groups to a user group, and removes others. */
  'POST /user_groups/{user_group_id}/members': {
    params: {
      user_group_id: number
      /** default: [] */ add?: number[]
      /** default: [] */ delete?: number[]
      /** default: [] */ add_subgroups?: number[]
      /** default: [] */ delete_subgroups?: number[]
      ack?: Ack
    }
    result: Nothing
  }
  /** Tells whether an account is in a user group. */
  'GET /user_groups/{user_group_id}/members/{user_id}': {
    params: { user_group_id: number; user_id: number; /** default: false */ direct_member_only?: boolean }
    result: { is_user_group_member: boolean }
  }
  /** Lists the subgroups of a user group, at any depth. */
  'GET /user_groups/{user_group_id}/subgroups': {
    params: { user_group_id: number; /** default: false */ direct_subgroup_only?: boolean }
    result: { subgroups: number[] }
  }
  /** Adds groups to a user group, and removes others. */
  'POST /user_groups/{user_group_id}/subgroups': {
    params: {
      user_group_id: number
      /** default: [] */ add?: number[]
      /** default: [] */ delete?: number[]
      ack?: Ack
    }
    result: Nothing
  }
  /** Mutes, unmutes or follows a topic, or removes the policy for it. */
  'POST /user_topics': {
    params: {
      stream_id: number
      /** a topic, with or without messages */ topic: string
      /** 0 inherits from the channel, 1 muted, 2 unmuted, 3 followed */ visibility_policy: 0 | 1 | 2 | 3
      ack?: Ack
    }
    result: Nothing
  }
  /** Uploads a file: the only part of the form, under any field name. */
  'POST /user_uploads': { params: { ack?: Ack }; result: { url: string; uri: string; filename: string } }
  /** Returns a URL of an uploaded file that needs no credentials and is valid for a minute. */
  'GET /user_uploads/{realm_id}/{path}': { params: { realm_id: number; path: string }; result: { url: string } }
  /** Lists accounts, deactivated ones and bots included. */
  'GET /users': {
    params: {
      /** omits the URL of avatars that the client can compute; default: true */ client_gravatar?: boolean
      /** default: false */ include_custom_profile_fields?: boolean
      /** default: all accounts */ user_ids?: number[]
    }
    result: { members: (User | Omit<User, 'profile_data'>)[] }
  }
  /** Creates an account. */
  'POST /users': {
    params: { email: string; full_name: string; password: string; ack?: Ack }
    result: { user_id: number }
  }
  /** Gets the caller's own account. */
  'GET /users/me': {
    params: Nothing
    result: Omit<User, 'avatar_url'> & { avatar_url: string; max_message_id: number }
  }
  /** Deactivates the caller's own account and its bots. */
  'DELETE /users/me': {
    params: {
      /**
       * true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones;
       * default: false
       */
      end_credentials?: boolean
      ack?: Ack
    }
    result: Nothing
  }
  /** Lists the caller’s alert words. */
  'GET /users/me/alert_words': { params: Nothing; result: { alert_words: string[] } }
  /** Adds alert words. A word that the caller has in another case is not added. */
  'POST /users/me/alert_words': { params: { alert_words: string[]; ack?: Ack }; result: { alert_words: string[] } }
  /** Removes alert words, compared without case. */
  'DELETE /users/me/alert_words': { params: { alert_words: string[]; ack?: Ack }; result: { alert_words: string[] } }
  /** Registers a device with an FCM token. */
  'POST /users/me/android_gcm_reg_id': { params: { /** 1 to 4096 characters */ token: string }; result: Nothing }
  /** Unregisters a device with an FCM token. */
  'DELETE /users/me/android_gcm_reg_id': { params: { /** 1 to 4096 characters */ token: string }; result: Nothing }
  /** Returns the caller's API key, after the password or the second factor was asked for again. */
  'POST /users/me/api_key': {
    params: {
      /** needed where the account has a password and no second factor; default: "" */ password?: string
      /** a code of the app, or a recovery code; needed with a second factor; default: "" */ code?: string
    }
    result: { api_key: string }
  }
  /** Replaces the caller's API key. */
  'POST /users/me/api_key/regenerate': { params: { ack?: Ack }; result: { api_key: string } }
  /** Lists the API keys of the account that have a name, the newest first. */
  'GET /users/me/api_keys': {
    params: Nothing
    result: {
      api_keys: {
        id: number
        name: string
        /** what it permits: each scope includes the ones before it */ scope: 'read' | 'write' | 'administer'
        /** UNIX seconds */ created_at: number
        /** UNIX seconds; null: it does not expire */ expires_at: number | null
        /** UNIX seconds, up to a minute late; null: it was not used */ last_used_at: number | null
      }[]
    }
  }
  /** Makes a further API key of the account. The answer is the only one that shows it. */
  'POST /users/me/api_keys': {
    params: {
      /** how the user recognizes the key; one key has each name */ name: string
      /** `read`, `write`, which also sends and changes, or `administer`, which does all */
      scope: 'read' | 'write' | 'administer'
      /** UNIX seconds; absent: the key does not expire */ expires_at?: number
      ack?: Ack
    }
    result: { id: number; api_key: string }
  }
  /** Ends an API key of the account, and closes its connections. */
  'DELETE /users/me/api_keys/{key_id}': { params: { key_id: number; ack?: Ack }; result: Nothing }
  /** Registers a device with an APNs token. */
  'POST /users/me/apns_device_token': {
    params: { /** 1 to 4096 characters */ token: string; appid: string }
    result: Nothing
  }
  /** Unregisters a device with an APNs token. */
  'DELETE /users/me/apns_device_token': { params: { /** 1 to 4096 characters */ token: string }; result: Nothing }
  /** Sets the caller's avatar. The form has one file with any field name: a PNG, GIF, JPEG or WebP image. */
  'POST /users/me/avatar': { params: { ack?: Ack }; result: { avatar_url: string } }
  /** Removes the caller's uploaded avatar: the account shows a drawn one, or its Gravatar where those are used. */
  'DELETE /users/me/avatar': { params: { ack?: Ack }; result: { avatar_url: string } }
  /** Lists the accounts of providers with which the user logs in, and the providers that can be linked. */
  'GET /users/me/identities': {
    params: Nothing
    result: {
      identities: {
        /** the key of the method */ method: string
        /** what users read; the issuer, if the organization has the method no more */ name: string
        issuer: string
        /** the address at the provider at the last log-in */ email: string
        /** UNIX seconds */ linked_at: number
        /** UNIX seconds */ last_used_at: number
      }[]
      methods: { key: string; name: string }[]
      /** whether the user can log in with a password */ has_password: boolean
    }
  }
  /** Begins to link an account of a provider: the browser opens the address of the answer. */
  'POST /users/me/identities': { params: { /** the key of the method */ provider: string }; result: { url: string } }
  /** Unlinks an account of a provider, unless it is the only way in. */
  'DELETE /users/me/identities/{method}': {
    params: { /** the key of the method */ method: string; ack?: Ack }
    result: Nothing
  }
  /** Mutes a user, and marks the messages of that user as read. */
  'POST /users/me/muted_users/{muted_user_id}': { params: { muted_user_id: number; ack?: Ack }; result: Nothing }
  /** Unmutes a user. */
  'DELETE /users/me/muted_users/{muted_user_id}': { params: { muted_user_id: number; ack?: Ack }; result: Nothing }
  /** Records that the caller has seen an onboarding step. */
  'POST /users/me/onboarding_steps': {
    params: {
      onboarding_step: string
      /** has no effect: this server has no video of a navigation tour */
      schedule_navigation_tour_video_reminder_delay?: number
      ack?: Ack
    }
    result: Nothing
  }
  /** Records that a client of the caller is connected, and lists the presence of users. */
  'POST /users/me/presence': {
    params: {
      /** active or idle */ status: string
      /** lists only later changes, in the slim form; -1 lists all */ last_update_id?: number
      /** default: 14 */ history_limit_days?: number
      /** default: false */ new_user_input?: boolean
      /** default: false */ ping_only?: boolean
      /** default: false */ slim_presence?: boolean
    }
    result: {
      presence_last_update_id?: number
      server_timestamp?: number
      presences?: Record<string, Presence> | Record<string, LegacyPresence>
    }
  }
  /** Sets fields of the caller's own profile. */
  'PATCH /users/me/profile_data': { params: { data: ProfileFieldValue[]; ack?: Ack }; result: Nothing }
  /** Clears fields of the caller's own profile. */
  'DELETE /users/me/profile_data': { params: { /** ids of fields */ data: number[]; ack?: Ack }; result: Nothing }
  /** Tells which second factor the account has, and what its changes ask for. */
  'GET /users/me/second_factor': {
    params: Nothing
    result: {
      /** UNIX seconds; null: the account has no second factor */ added_at: number | null
      /** how many are left */ recovery_codes: number
      /** whether the organization asks for one: it cannot be removed then */ is_required: boolean
      /** whether the user can log in with a password */ has_password: boolean
    }
  }
  /** Sets a second factor up: all sessions and the API key of the account end, and this browser gets a new one. */
  'POST /users/me/second_factor': {
    params: { enrolment: string; /** what the app shows */ code: string }
    result: SessionWithCodes
  }
  /** Removes the second factor: a password is enough again. */
  'DELETE /users/me/second_factor': {
    params: { /** a code of the app, or a recovery code; needed with a second factor; default: "" */ code?: string }
    result: Nothing
  }
  /** Begins to set a second factor up: an app for one-time codes gets the secret. */
  'POST /users/me/second_factor/enrolment': {
    params: { /** needed where the account has a password and no second factor; default: "" */ password?: string }
    result: BegunEnrolment
  }
  /** Replaces the recovery codes. */
  'POST /users/me/second_factor/recovery_codes': {
    params: { /** a code of the app, or a recovery code; needed with a second factor; default: "" */ code?: string }
    result: { /** shown once; each logs in once instead of a code of the app */ recovery_codes: string[] }
  }
  /** Changes the caller's status. */
  'POST /users/me/status': { params: UpdateStatusParams; result: Nothing }
  /** Lists the channels that the caller is subscribed to, by name. */
  'GET /users/me/subscriptions': {
    params: {
      /**
       * `partial` is the same as true. Of feature level 412: later than the level that the server announces; default:
       * false
       */
      include_subscribers?: boolean | 'partial'
    }
    result: { subscriptions: Omit<Subscription, 'email_address'>[] }
  }
  /** Subscribes users to channels by name; channels that do not exist are created. Guests may not do this. */
  'POST /users/me/subscriptions': {
    params: SubscribeParams
    result: {
      /** channel names by user id */ subscribed: Record<string, string[]>
      /** channel names by user id */ already_subscribed: Record<string, string[]>
      unauthorized?: string[]
      new_subscription_messages_sent?: boolean
    }
  }
  /** Subscribes users to channels and unsubscribes them from others, in one change. */
  'PATCH /users/me/subscriptions': {
    params: UpdateSubscriptionsParams
    result: {
      /** channel names by user id */ subscribed?: Record<string, string[]>
      /** channel names by user id */ already_subscribed?: Record<string, string[]>
      unauthorized?: string[]
      new_subscription_messages_sent?: boolean
      removed?: string[]
      not_removed?: string[]
    }
  }
  /** Unsubscribes users from channels by name. */
  'DELETE /users/me/subscriptions': {
    params: { subscriptions: string[]; principals?: number[] | string[]; ack?: Ack }
    result: { removed: string[]; not_removed: string[] }
  }
  /** Mutes a topic, or unmutes it: the older form of /user_topics. */
  'PATCH /users/me/subscriptions/muted_topics': {
    params: {
      stream_id?: number
      stream?: string
      /** a topic, with or without messages */ topic: string
      op: 'add' | 'remove'
      ack?: Ack
    }
    result: Nothing
  }
  /** Sets personal settings of the caller for channels that the caller is subscribed to. */
  'POST /users/me/subscriptions/properties': {
    params: { subscription_data: { stream_id: number; property: string; value: boolean | string }[]; ack?: Ack }
    result: Nothing
  }
  /** Sets one personal setting of the caller for a channel that the caller is subscribed to. */
  'PATCH /users/me/subscriptions/{stream_id}': {
    params: {
      stream_id: number
      property: string
      /** a boolean; for `color` text */ value: boolean | string
      ack?: Ack
    }
    result: Nothing
  }
  /** Lists the topics of a channel, the latest first. */
  'GET /users/me/{stream_id}/topics': {
    params: {
      stream_id: number
      /** false: an empty topic is replaced by its display name; default: false */ allow_empty_topic_name?: boolean
    }
    result: { topics: { name: string; max_id: number }[] }
  }
  /** Gets an account by its API address, or by the real one if the caller may see it. */
  'GET /users/{email}': {
    params: {
      email: string
      /** omits the URL of avatars that the client can compute; default: true */ client_gravatar?: boolean
      /** default: false */ include_custom_profile_fields?: boolean
    }
    result: { user: User }
  }
  /** Changes an account, by its API address, or by the real one if the caller may see it. */
  'PATCH /users/{email}': { params: UpdateUserParams & { email: string }; result: Nothing }
  /** Gets the presence of a user. */
  'GET /users/{user_id_or_email}/presence': {
    params: { user_id_or_email: string }
    result: { presence: { aggregated: CurrentPresence; website: CurrentPresence } }
  }
  /** Gets an account by its id. */
  'GET /users/{user_id}': {
    params: {
      user_id: number
      /** omits the URL of avatars that the client can compute; default: true */ client_gravatar?: boolean
      /** default: false */ include_custom_profile_fields?: boolean
    }
    result: { user: User }
  }
  /** Changes an account. */
  'PATCH /users/{user_id}': { params: UpdateUserParams & { user_id: number }; result: Nothing }
  /** Deactivates an account and its bots. */
  'DELETE /users/{user_id}': {
    params: {
      user_id: number
      /** mailed to the user; without this parameter no mail is sent */ deactivation_notification_comment?: string
      /**
       * true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones;
       * default: false
       */
      end_credentials?: boolean
      ack?: Ack
    }
    result: Nothing
  }
  /** Lists the channels to which a user is subscribed, as far as they exist for the caller. */
  'GET /users/{user_id}/channels': {
    params: { user_id: number }
    result: { /** ascending, also archived channels */ subscribed_channel_ids: number[] }
  }
  /** Reactivates a deactivated account or bot. */
  'POST /users/{user_id}/reactivate': {
    params: {
      user_id: number
      /**
       * true ends the API key, the links that were mailed, and the password: a reactivated account needs new ones;
       * default: false
       */
      end_credentials?: boolean
      ack?: Ack
    }
    result: Nothing
  }
  /** Ends the second factor of an account whose user has lost it, with all its sessions and its API key. */
  'DELETE /users/{user_id}/second_factor': { params: { user_id: number; ack?: Ack }; result: Nothing }
  /** Gets the status of a user. */
  'GET /users/{user_id}/status': { params: { user_id: number }; result: { status: UserStatus } }
  /** Changes the status of another user. */
  'POST /users/{user_id}/status': { params: UpdateStatusOfUserParams & { user_id: number }; result: Nothing }
  /** Tells whether a user is subscribed to a channel. */
  'GET /users/{user_id}/subscriptions/{stream_id}': {
    params: { user_id: number; stream_id: number }
    result: { is_subscribed: boolean }
  }
  /** Runs a command such as `/night`. */
  'POST /zcommand': {
    params: {
      /** `/ping`, `/day`, `/light`, `/night`, `/dark`, `/fluid-width`, `/fixed-width` */ command: string
      ack?: Ack
    }
    result: Nothing
  }
}

/** The events by their kind. */
export interface Events {
  /** Channels became visible to the user: new ones, or ones that the user may see from now on. */
  'stream.create': { id: number } & CreatedChannels
  /** Channels are gone for the user: they may not see them any more. */
  'stream.delete': { id: number } & DeletedChannels
  /** One property of a channel changed. `property` names it and `value` is the new value. */
  'stream.update': { id: number } & UpdatedChannel
  /** A channel was archived: nobody can post in it. Clients move it out of the list of channels. */
  'stream.archive': { id: number } & (UpdatedChannel | DeletedChannels)
  /** An archived channel is in use again. */
  'stream.unarchive': { id: number } & (UpdatedChannel | CreatedChannels)
  /** The list of channels to which new users are subscribed changed. It replaces the former list. */
  default_streams: { id: number; type: 'default_streams'; default_streams: number[] }
  /** A folder of channels was created. */
  'channel_folder.add': { id: number; type: 'channel_folder'; op: 'add'; channel_folder: ChannelFolder }
  /** The order of the folders changed. It replaces the former order. */
  'channel_folder.reorder': { id: number; type: 'channel_folder'; op: 'reorder'; order: number[] }
  /** Some properties of a folder changed; `data` has those. */
  'channel_folder.update': {
    id: number
    type: 'channel_folder'
    op: 'update'
    channel_folder_id: number
    data: { name?: string; description?: string; rendered_description?: string; is_archived?: boolean }
  }
  /** The groups of default channels changed. The list replaces the former one. */
  default_stream_groups: { id: number; type: 'default_stream_groups'; default_stream_groups: DefaultChannelGroup[] }
  /** The user was subscribed to channels. Each object has the whole subscription. */
  'subscription.add': { id: number } & AddedSubscriptions
  /**
   * Channels of the user were unarchived. Clients with the capability `archived_channels` do not receive it: they kept
   * the subscriptions.
   */
  'subscription.return': { id: number } & AddedSubscriptions
  /** The user was unsubscribed from channels. */
  'subscription.remove': {
    id: number
    type: 'subscription'
    op: 'remove'
    subscriptions: { stream_id: number; name: string }[]
  }
  /** One property of the user's subscription changed, such as its color or whether it is muted. */
  'subscription.update': {
    id: number
    type: 'subscription'
    op: 'update'
    stream_id: number
    property: string
    value: boolean | string
  }
  /** Other users were subscribed to channels that the user can see. */
  'subscription.peer_add': { id: number } & AddedSubscribers
  /** The subscribers of channels that were unarchived, for clients without the capability `archived_channels`. */
  'subscription.peer_return': { id: number } & AddedSubscribers
  /** Other users were unsubscribed from channels that the user can see. */
  'subscription.peer_remove': {
    id: number
    type: 'subscription'
    op: 'peer_remove'
    stream_ids: number[]
    user_ids: number[]
  }
  /** The user uploaded a file. */
  'attachment.add': { id: number; type: 'attachment'; op: 'add'; attachment: Attachment; upload_space_used: number }
  /** A message began or ceased to link to a file of the user. */
  'attachment.update': {
    id: number
    type: 'attachment'
    op: 'update'
    attachment: Attachment
    upload_space_used: number
  }
  /** A file of the user was deleted. */
  'attachment.remove': {
    id: number
    type: 'attachment'
    op: 'remove'
    attachment: { id: number }
    upload_space_used: number
  }
  /** A group was created. */
  'user_group.add': { id: number } & CreatedGroup
  /** Some properties of a group changed; `data` has those. */
  'user_group.update': { id: number } & UpdatedGroup
  /** A group was deactivated. Clients treat it as an update of `deactivated`. */
  'user_group.deactivate': { id: number } & (UpdatedGroup | { type: 'user_group'; op: 'remove'; group_id: number })
  /** A deactivated group is in use again. */
  'user_group.reactivate': { id: number } & (UpdatedGroup | CreatedGroup)
  /** Users became direct members of a group. */
  'user_group.add_members': { id: number; type: 'user_group'; op: 'add_members'; group_id: number; user_ids: number[] }
  /** Users are no direct members of a group any more. */
  'user_group.remove_members': {
    id: number
    type: 'user_group'
    op: 'remove_members'
    group_id: number
    user_ids: number[]
  }
  /** Groups became direct subgroups of a group. */
  'user_group.add_subgroups': {
    id: number
    type: 'user_group'
    op: 'add_subgroups'
    group_id: number
    direct_subgroup_ids: number[]
  }
  /** Groups are no direct subgroups of a group any more. */
  'user_group.remove_subgroups': {
    id: number
    type: 'user_group'
    op: 'remove_subgroups'
    group_id: number
    direct_subgroup_ids: number[]
  }
  /** The user saved drafts, on this or another device. */
  'drafts.add': { id: number; type: 'drafts'; op: 'add'; drafts: Draft[] }
  /** A draft of the user changed. */
  'drafts.update': { id: number; type: 'drafts'; op: 'update'; draft: Draft }
  /** A draft of the user was deleted. */
  'drafts.remove': { id: number; type: 'drafts'; op: 'remove'; draft_id: number }
  /** A saved snippet of the user was created or changed: `op` says which. */
  'saved_snippets.put': { id: number; type: 'saved_snippets'; op: 'add' | 'update'; saved_snippet: SavedSnippet }
  /** A saved snippet of the user was deleted. */
  'saved_snippets.remove': { id: number; type: 'saved_snippets'; op: 'remove'; saved_snippet_id: number }
  /** Messages that the user received were deleted. Clients remove them from every view. */
  delete_message: {
    id: number
    type: 'delete_message'
    message_ids?: number[]
    message_id?: number
    message_type: 'stream' | 'private'
    stream_id?: number
    topic?: string
  }
  /**
   * Deleted messages were restored, with their former ids. Clients that show the topic or the conversation fetch it
   * again.
   */
  restore_message: {
    id: number
    type: 'restore_message'
    message_ids: number[]
    message_type: 'stream' | 'private'
    stream_id?: number
    topic?: string
  }
  /**
   * A message was edited, or messages were moved to another topic or channel. `message_ids` lists those that moved.
   * With `rendering_only`, only the HTML changed, for example because a preview was added.
   */
  update_message: {
    id: number
    type: 'update_message'
    user_id: number | null
    rendering_only: boolean
    message_id: number
    message_ids: number[]
    flags: string[]
    edit_timestamp: number
    stream_name?: string
    stream_id?: number
    new_stream_id?: number
    orig_subject?: string
    subject?: string
    topic_links?: TopicLink[]
    propagate_mode?: 'change_one' | 'change_later' | 'change_all'
    orig_content?: string
    orig_rendered_content?: string
    content?: string
    rendered_content?: string
    is_me_message?: boolean
  }
  /**
   * Flags of messages were added or removed for this user: read, starred, collapsed. `all` is true if all messages were
   * marked.
   */
  update_message_flags: {
    id: number
    type: 'update_message_flags'
    op: 'add' | 'remove'
    operation: 'add' | 'remove'
    flag: string
    messages: number[]
    all: boolean
    message_details?: Record<string, {
      type: 'stream' | 'private'
      mentioned?: true
      user_ids?: number[]
      stream_id?: number
      topic?: string
      unmuted_stream_msg?: boolean
    }>
  }
  /** A user added or removed an emoji reaction of a message: `op` says which. */
  reaction: {
    id: number
    type: 'reaction'
    op: 'add' | 'remove'
    message_id: number
    emoji_name: string
    emoji_code: string
    reaction_type: string
    user_id: number
    user: { user_id: number; email: string; full_name: string }
  }
  /** The user set a reminder of a message. */
  'reminders.add': { id: number; type: 'reminders'; op: 'add'; reminders: Reminder[] }
  /** A reminder of the user was sent or deleted. */
  'reminders.remove': { id: number; type: 'reminders'; op: 'remove'; reminder_id: number }
  /** The user scheduled messages. */
  'scheduled_messages.add': {
    id: number
    type: 'scheduled_messages'
    op: 'add'
    scheduled_messages: ScheduledMessage[]
  }
  /** A scheduled message changed, or could not be sent: `failed` says so. */
  'scheduled_messages.update': {
    id: number
    type: 'scheduled_messages'
    op: 'update'
    scheduled_message: ScheduledMessage
  }
  /** A scheduled message was sent or deleted. */
  'scheduled_messages.remove': { id: number; type: 'scheduled_messages'; op: 'remove'; scheduled_message_id: number }
  /**
   * The user received a message. `flags` has its flags for this user, and `local_message_id` is that of the sender, in
   * the queue that the sender named.
   */
  message: {
    id: number
    type: 'message'
    message: Omit<Message,
      | 'last_edit_timestamp' | 'last_moved_timestamp' | 'edit_history' | 'flags' | 'match_content' | 'match_subject'
    >
    flags: string[]
    local_message_id?: string
  }
  /** A part of a widget (a poll, a to-do list) was added to a message. */
  submessage: {
    id: number
    type: 'submessage'
    message_id: number
    submessage_id: number
    sender_id: number
    msg_type: string
    content: string
  }
  /**
   * A user began or stopped typing a message to the user, or in a channel. Clients show it for 45 seconds unless it is
   * repeated. It is never stored: a client that was away for longer does not receive it.
   */
  typing: {
    id: number
    type: 'typing'
    op: 'start' | 'stop'
    message_type: 'direct' | 'stream'
    sender: TypingUser
    recipients?: TypingUser[]
    stream_id?: number
    topic?: string
  }
  /** A user began or stopped editing a message. It is never stored. */
  typing_edit_message: {
    id: number
    type: 'typing_edit_message'
    op: 'start' | 'stop'
    sender_id: number
    message_id: number
    recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] }
  }
  /** The user's policy for a topic (muted, unmuted, followed) changed. */
  user_topic: {
    id: number
    type: 'user_topic'
    stream_id: number
    topic_name: string
    last_updated: number
    visibility_policy: number
  }
  /** The older form of `user_topic`: the whole list of muted topics. */
  muted_topics: { id: number; type: 'muted_topics'; muted_topics: [string, string, number][] }
  /** The custom emoji of the organization changed. The list replaces the former one. */
  'realm_emoji.update': { id: number; type: 'realm_emoji'; op: 'update'; realm_emoji: Record<string, CustomEmoji> }
  /** The linkifiers of the organization changed. The list replaces the former one. */
  realm_linkifiers: { id: number; type: 'realm_linkifiers'; realm_linkifiers: Linkifier[] }
  /** The code playgrounds of the organization changed. The list replaces the former one. */
  realm_playgrounds: { id: number; type: 'realm_playgrounds'; realm_playgrounds: Playground[] }
  /** A domain from which users may join was added. */
  'realm_domains.add': { id: number; type: 'realm_domains'; op: 'add'; realm_domain: RealmDomain }
  /** Whether subdomains of a domain are accepted changed. */
  'realm_domains.change': { id: number; type: 'realm_domains'; op: 'change'; realm_domain: RealmDomain }
  /** A domain was removed. */
  'realm_domains.remove': { id: number; type: 'realm_domains'; op: 'remove'; domain: string }
  /** A user allowed or forbade that exports contain their private data. Only administrators receive it. */
  realm_export_consent: { id: number; type: 'realm_export_consent'; user_id: number; consented: boolean }
  /** The organization was deactivated. It is the last event: connections close afterwards. */
  'realm.deactivated': { id: number; type: 'realm'; op: 'deactivated'; realm_id: number }
  /** The server runs a new release. Clients may reload; nothing is lost. */
  restart: {
    id: number
    type: 'restart'
    server_generation: number
    api_feature_level: number
    zulip_feature_level: number
    zulip_version: string
    zulip_merge_base: string
  }
  /** One setting of the organization changed. */
  'realm.update': { id: number; type: 'realm'; op: 'update'; property: string; value: RealmSettingValue }
  /** Some settings of the organization changed together; `data` has those. */
  'realm.update_dict': {
    id: number
    type: 'realm'
    op: 'update_dict'
    property: 'default' | 'icon' | 'logo' | 'night_logo'
    data: Record<string, RealmSettingValue>
  }
  /** The list of exports of the organization changed. Only administrators receive it. */
  realm_export: { id: number; type: 'realm_export'; exports: RealmExport[] }
  /** A default of the settings of new users changed. */
  'realm_user_settings_defaults.update': {
    id: number
    type: 'realm_user_settings_defaults'
    op: 'update'
    property: string
    value: boolean | number | string
  }
  /** A bot was created that the user may administer. */
  'realm_bot.add': { id: number; type: 'realm_bot'; op: 'add'; bot: Bot }
  /** A bot that the user may administer changed; `bot` has the properties that did. */
  'realm_bot.update': { id: number; type: 'realm_bot'; op: 'update'; bot: Partial<Bot> & { user_id: number } }
  /** The user may not administer a bot any more. */
  'realm_bot.delete': { id: number; type: 'realm_bot'; op: 'delete'; bot: { user_id: number } }
  /** Invitations changed. Clients that show them fetch the list again. */
  invites_changed: { id: number; type: 'invites_changed' }
  /** The users who wait for approval changed. Clients that show them fetch the list again. */
  sign_ups_changed: { id: number; type: 'sign_ups_changed' }
  /** The user saved a view of the navigation. */
  'navigation_view.add': { id: number; type: 'navigation_view'; op: 'add'; navigation_view: NavigationView }
  /** A saved view changed. */
  'navigation_view.update': {
    id: number
    type: 'navigation_view'
    op: 'update'
    fragment: string
    data: { is_pinned?: boolean; name?: string | null }
  }
  /** A saved view was deleted. */
  'navigation_view.remove': { id: number; type: 'navigation_view'; op: 'remove'; fragment: string }
  /** The onboarding steps that the user has not seen changed. The list replaces the former one. */
  onboarding_steps: { id: number; type: 'onboarding_steps'; onboarding_steps: OnboardingStep[] }
  /** The user's alert words changed. The list replaces the former one. */
  alert_words: { id: number; type: 'alert_words'; alert_words: string[] }
  /** The user's list of muted users changed. It replaces the former one. */
  muted_users: { id: number; type: 'muted_users'; muted_users: MutedUser[] }
  /** A user was active or went idle. It is never stored: a client that was away fetches presence again. */
  presence: { id: number } & (
    | {
        type: 'presence'
        user_id: number
        email?: string
        server_timestamp: number
        presence: { website: WebsitePresence }
      }
    | { type: 'presence'; presences: Record<string, { active_timestamp?: number; idle_timestamp?: number }> })
  /** The profile fields of the organization changed. The list replaces the former one. */
  custom_profile_fields: { id: number; type: 'custom_profile_fields'; fields: CustomProfileField[] }
  /** A setting of the user changed. */
  'user_settings.update': {
    id: number
    type: 'user_settings'
    op: 'update'
    property: string
    value: boolean | number | string
    language_name?: string
  }
  /** The older form of `user_settings` for display settings. */
  update_display_settings: {
    id: number
    type: 'update_display_settings'
    user: string
    setting_name: string
    setting: boolean | number | string
    language_name?: string
  }
  /** The older form of `user_settings` for settings of notifications. */
  update_global_notifications: {
    id: number
    type: 'update_global_notifications'
    user: string
    notification_name: string
    setting: boolean | number | string
  }
  /** A user's status text or emoji changed; absent properties did not. */
  user_status: {
    id: number
    type: 'user_status'
    user_id: number
    away?: boolean
    status_text?: string
    emoji_name?: string
    emoji_code?: string
    reaction_type?: string
    /** null: it ends when the user clears it */ scheduled_end_time?: number | null
  }
  /** An account became visible to the user: a new one, or one that a restricted guest may see from now on. */
  'realm_user.add': { id: number; type: 'realm_user'; op: 'add'; person: User }
  /** Some properties of an account changed; `person` has those. `is_active` tells a deactivation. */
  'realm_user.update': {
    id: number
    type: 'realm_user'
    op: 'update'
    person:
      | { user_id: number; full_name: string }
      | {
          user_id: number
          avatar_url: string | null
          avatar_url_medium: string | null
          avatar_source: 'G' | 'U'
          avatar_version: number
        }
      | { user_id: number; timezone: string; email: string }
      | { user_id: number; bot_owner_id: number }
      | { user_id: number; role: number }
      | { user_id: number; delivery_email: string | null }
      | { user_id: number; new_email: string }
      | { user_id: number; is_active: boolean }
      | { user_id: number; custom_profile_field: { id: number; value: string | null; rendered_value?: string } }
  }
  /** An account is not visible to the user any more. */
  'realm_user.remove': { id: number; type: 'realm_user'; op: 'remove'; person: { user_id: number; full_name: string } }
}
