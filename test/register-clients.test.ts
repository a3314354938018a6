/**
 * What strict existing clients decode out of a registration: their requests, and the fields that they need, typed off
 * their own code and not out of ours. One missing key and the client does not start.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Role } from '../src/domain/rows.js'
import { createChannel } from '../src/store/channels.js'
import { withWriter } from './setup/change.js'
import { newRealm, ok, type Person } from './setup/realm.js'

const url = z.string().min(1)
const ascending = z.array(z.int()).refine((ids) => ids.every((id, i) => i === 0 || id > (ids[i - 1] as number)))
const groupSetting = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])
const groupSettings = (...names: string[]) => Object.fromEntries(names.map((name) => [name, groupSetting]))

/** clients.md 8.3 */
const user = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  date_joined: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  is_bot: z.boolean(),
  role: z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]),
  timezone: z.string(),
  avatar_version: z.int(),
  delivery_email: z.string().nullable(),
  bot_type: z.int().nullable().optional(),
  bot_owner_id: z.int().nullable().optional(),
  avatar_url: z.string().nullable().optional(),
  profile_data: z.record(z.string(), z.object({ value: z.string() })).optional(),
  is_system_bot: z.boolean().optional(),
})

const stream = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  message_retention_days: z.int().nullable(),
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic']),
  stream_post_policy: z.int().min(1).max(4),
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  ...groupSettings(
    'can_add_subscribers_group',
    'can_administer_channel_group',
    'can_remove_subscribers_group',
    'can_send_message_group',
    'can_subscribe_group',
  ),
})

const subscription = stream.extend({
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  desktop_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
})

const unread = z.object({
  count: z.int(),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: ascending })),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ascending })),
  huddles: z.array(z.object({ user_ids_string: z.string().regex(/^\d+(,\d+){2,}$/), unread_message_ids: ascending })),
  mentions: z.array(z.int()),
  old_unreads_missing: z.boolean(),
})

const realmEmoji = z.record(
  z.string(),
  z.object({ id: z.string(), name: z.string(), source_url: url, deactivated: z.boolean() }),
)

const profileField = z.object({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
})

/** clients.md 8.2 */
const flutter = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  zulip_feature_level: z.int().min(277),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  alert_words: z.array(z.string()),
  custom_profile_fields: z.array(profileField),
  max_stream_name_length: z.int(),
  max_topic_length: z.int(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  muted_users: z.array(z.object({ id: z.int() })),
  presences: z.record(z.string().regex(/^\d+$/), z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })),
  realm_emoji: realmEmoji,
  realm_user_groups: z.array(
    z.object({
      id: z.int(),
      members: z.array(z.int()),
      direct_subgroup_ids: z.array(z.int()),
      name: z.string(),
      description: z.string(),
      is_system_group: z.boolean(),
      deactivated: z.boolean(),
    }),
  ),
  recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) })),
  saved_snippets: z.array(z.unknown()),
  channel_folders: z.array(z.unknown()),
  subscriptions: z.array(subscription),
  streams: z.array(stream),
  unread_msgs: unread,
  starred_messages: z.array(z.int()),
  user_status: z.record(z.string(), z.unknown()),
  user_settings: z.object({
    twenty_four_hour_time: z.boolean(),
    starred_message_counts: z.boolean(),
    display_emoji_reaction_users: z.boolean(),
    emojiset: z.enum(['google', 'google-blob', 'twitter', 'text']),
    presence_enabled: z.boolean(),
  }),
  user_topics: z.array(
    z.object({ stream_id: z.int(), topic_name: z.string(), last_updated: z.int(), visibility_policy: z.int() }),
  ),
  realm_wildcard_mention_policy: z.union([1, 2, 3, 5, 6, 7].map((value) => z.literal(value))),
  realm_name: z.string(),
  realm_icon_url: url,
  realm_waiting_period_threshold: z.int(),
  realm_allow_message_editing: z.boolean(),
  realm_enable_read_receipts: z.boolean(),
  realm_presence_disabled: z.boolean(),
  realm_message_content_edit_limit_seconds: z.int().nullable(),
  realm_message_content_delete_limit_seconds: z.int().nullable(),
  realm_can_delete_any_message_group: groupSetting,
  realm_can_delete_own_message_group: groupSetting,
  realm_topics_policy: z.string(),
  realm_mandatory_topics: z.boolean(),
  realm_moderation_request_channel_id: z.int(),
  realm_empty_topic_display_name: z.string(),
  realm_default_external_accounts: z.record(
    z.string(),
    z.object({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() }),
  ),
  max_file_upload_size_mib: z.int(),
  event_queue_longpoll_timeout_seconds: z.int(),
  server_emoji_data_url: url,
  realm_users: z.array(user),
  realm_non_active_users: z.array(user),
  cross_realm_bots: z.array(user),
})

const flutterRequest = {
  idle_queue_timeout: '"mobile"',
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
  // A client is told from others by its User-Agent; this parameter says the same.
  client: 'ZulipFlutter',
}

/** clients.md 6.2 */
const terminal = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  max_message_id: z.int(),
  zulip_version: z.string(),
  zulip_feature_level: z.int(),
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  realm_name: z.string(),
  realm_users: z.array(
    z.object({ user_id: z.int(), email: z.string(), full_name: z.string(), is_bot: z.boolean(), role: z.int() }),
  ),
  cross_realm_bots: z.array(z.object({ user_id: z.int(), email: z.string(), full_name: z.string() })),
  presences: z.record(z.string(), z.object({ aggregated: z.object({ status: z.string(), timestamp: z.int() }) })),
  subscriptions: z.array(
    z.object({
      stream_id: z.int(),
      name: z.string(),
      description: z.string(),
      rendered_description: z.string(),
      color: z.string(),
      pin_to_top: z.boolean(),
      is_muted: z.boolean(),
      in_home_view: z.boolean(),
      desktop_notifications: z.boolean(),
      invite_only: z.boolean(),
      message_retention_days: z.int().nullable(),
      subscribers: z.array(z.int()),
      stream_weekly_traffic: z.int().nullable(),
      history_public_to_subscribers: z.boolean(),
      stream_post_policy: z.int(),
      date_created: z.int(),
      is_web_public: z.boolean(),
    }),
  ),
  muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])),
  realm_user_groups: z.array(
    z.object({ id: z.int(), name: z.string(), description: z.string(), members: z.array(z.int()) }),
  ),
  unread_msgs: unread,
  realm_emoji: realmEmoji,
  user_settings: z.object({
    send_private_typing_notifications: z.boolean(),
    twenty_four_hour_time: z.boolean(),
    pm_content_in_desktop_notifications: z.boolean(),
  }),
  realm_message_retention_days: z.number().nullable(),
  custom_profile_fields: z.array(profileField),
  starred_messages: z.array(z.int()),
  realm_message_content_edit_limit_seconds: z.int().nullable(),
  realm_allow_edit_history: z.boolean(),
  realm_allow_message_editing: z.boolean(),
  max_message_length: z.int(),
})

const terminalRequest = {
  event_types: [
    ...['message', 'update_message', 'reaction', 'submessage', 'subscription', 'typing', 'update_message_flags'],
    ...['user_settings', 'realm_emoji', 'realm_user'],
  ],
  fetch_event_types: [
    ...['realm', 'presence', 'subscription', 'message', 'starred_messages', 'update_message_flags', 'muted_topics'],
    ...['realm_user', 'realm_user_groups', 'user_settings', 'realm_emoji', 'custom_profile_fields', 'zulip_version'],
  ],
  client_gravatar: true,
  apply_markdown: true,
  include_subscribers: true,
  narrow: [],
}

/** clients.md 7.2 */
const legacyMobile = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  zulip_version: z.string(),
  zulip_feature_level: z.int(),
  realm_users: z.array(user),
  realm_non_active_users: z.array(user),
  cross_realm_bots: z.array(user),
  can_create_streams: z.boolean(),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  realm_emoji: realmEmoji,
  realm_user_groups: z.array(z.object({ id: z.int() })),
  alert_words: z.array(z.string()),
  streams: z.array(stream),
  subscriptions: z.array(subscription),
  realm_linkifiers: z.array(z.unknown()),
  realm_filters: z.array(z.unknown()),
  realm_available_video_chat_providers: z.record(z.string(), z.object({ name: z.string(), id: z.int() })),
  user_settings: z.record(z.string(), z.unknown()),
  presences: z.record(z.string(), z.unknown()),
  unread_msgs: unread,
})

const legacyMobileRequest = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    user_settings_object: true,
  },
  fetch_event_types: [
    ...['alert_words', 'custom_profile_fields', 'message', 'muted_topics', 'muted_users', 'presence', 'realm'],
    ...['realm_emoji', 'realm_filters', 'realm_linkifiers', 'realm_user', 'realm_user_groups'],
    ...['recent_private_conversations', 'stream', 'subscription', 'update_display_settings'],
    ...['update_global_notifications', 'update_message_flags', 'user_settings', 'user_status', 'user_topic'],
    'zulip_version',
  ],
}

let callers: readonly Person[]

beforeAll(async () => {
  await using realm = await newRealm()
  const [owner, ada, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada', timezone: 'Europe/London' },
    { full_name: 'Guest', role: Role.guest, settings: { email_address_visibility: 4 } },
    { full_name: 'Robot', bot: { type: 1, owner_id: 2 } },
  )) as [Person, Person, Person]
  await withWriter(realm, async (writer) => {
    const members = [...realm.realm.state.users.values()].filter((user) => !user.is_system_bot)
    const creator = realm.realm.state.users.get(owner.user_id)
    await createChannel(writer, realm.realm, { name: 'general', members, ...(creator && { creator }) })
  })
  await ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic: '', content: 'hello' })
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [owner.user_id, guest.user_id], content: 'hello' })
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [guest.user_id], content: 'hello' })
  callers = [owner, ada, guest]
})

describe.each([
  ['the mobile client', flutterRequest, flutter],
  ['the terminal client', terminalRequest, terminal],
  ['the older mobile client', legacyMobileRequest, legacyMobile],
] as const)('%s', (_, request, needed) => {
  test('starts, for an owner, a member and a guest', async () => {
    for (const caller of callers) {
      const answer = needed.parse(await ok(caller, 'POST', '/register', request))
      // Clients look themselves up in the list.
      expect(answer.realm_users.map(({ user_id }) => user_id)).toContain(caller.user_id)
      expect(answer.subscriptions).toHaveLength(1)
    }
  })
})
