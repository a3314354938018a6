/**
 * The older mobile app, which many phones still have, imitated: decoders for its registration and its events, written
 * from the description of the app (protocol/clients.md 7).
 *
 * It declares fewer capabilities than the current app, so the server sends it older forms: presence by email address,
 * removal of deactivated groups and archived channels, and no empty topics.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, type Person } from '../setup/realm/realm.js'
import { channel, emoji, profileField, subscription, user } from './flutter.js'
import { causeEveryEvent, type FullOrganization, newFullOrganization, password } from './full-organization.js'
import { openPhone } from './phone.js'

const userAgent = 'ZulipMobile/27.237 (Android 13)'

const ids = z.array(z.int())
const byText = <T extends z.ZodType>(value: T) => z.record(z.string(), value)
const legacyPresence = z.object({
  status: z.enum(['active', 'idle', 'offline']),
  timestamp: z.int(),
  client: z.string(),
})
const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']),
  user_id: z.int(),
})
const sender = z.object({ user_id: z.int(), email: z.string() })
const group = z.object({ id: z.int(), name: z.string(), description: z.string(), members: ids })
/** The app computes a picture from the email address if this is null. */
const picture = z.string().nullable()

const messageBase = {
  id: z.int(),
  avatar_url: picture,
  client: z.string(),
  content: z.string(),
  content_type: z.literal('text/html'),
  flags: z.array(z.string()),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_id: z.int(),
  submessages: z.array(z.object({ id: z.int(), message_id: z.int(), sender_id: z.int(), content: z.string() })),
  timestamp: z.int(),
  last_edit_timestamp: z.int().optional(),
}

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stream'),
    display_recipient: z.string(),
    stream_id: z.int(),
    subject: z.string().min(1),
    ...messageBase,
  }),
  z.object({
    type: z.literal('private'),
    display_recipient: z.array(z.object({ id: z.int(), email: z.string(), full_name: z.string() })).min(1),
    ...messageBase,
  }),
])

const linkifier = z.object({ id: z.int(), pattern: z.string() })

const settings = z.looseObject({
  twenty_four_hour_time: z.boolean(),
  emojiset: z.enum(['google', 'google-blob', 'twitter', 'text']),
  enable_offline_push_notifications: z.boolean(),
  enable_online_push_notifications: z.boolean(),
  enable_stream_push_notifications: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
})

const snapshot = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  zulip_version: z.string().regex(/^\d+\.\d+/),
  zulip_feature_level: z.int(),
  alert_words: z.array(z.string()),
  custom_profile_fields: z.array(profileField),
  max_message_id: z.int(),
  muted_users: z.array(z.object({ id: z.int(), timestamp: z.int() })),
  presences: byText(z.looseObject({ aggregated: legacyPresence })),
  max_file_upload_size_mib: z.number(),
  realm_allow_edit_history: z.boolean(),
  realm_allow_message_editing: z.boolean(),
  realm_available_video_chat_providers: byText(z.object({ name: z.string(), id: z.int() })),
  realm_default_external_accounts: byText(z.object({ name: z.string(), text: z.string(), url_pattern: z.string() })),
  realm_description: z.string(),
  realm_email_auth_enabled: z.boolean(),
  realm_enable_read_receipts: z.boolean(),
  realm_icon_url: z.string().min(1),
  realm_mandatory_topics: z.boolean(),
  realm_message_content_delete_limit_seconds: z.int().nullable(),
  realm_message_content_edit_limit_seconds: z.int().nullable(),
  realm_name: z.string(),
  realm_presence_disabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.int().nullable(),
  realm_uri: z.url(),
  realm_video_chat_provider: z.int(),
  realm_waiting_period_threshold: z.int(),
  realm_wildcard_mention_policy: z.int(),
  realm_create_private_stream_policy: z.int(),
  realm_create_public_stream_policy: z.int(),
  realm_create_web_public_stream_policy: z.int(),
  server_emoji_data_url: z.url(),
  server_presence_offline_threshold_seconds: z.int(),
  server_presence_ping_interval_seconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_web_public_streams_enabled: z.boolean(),
  realm_emoji: byText(emoji),
  realm_filters: z.array(z.unknown()),
  realm_linkifiers: z.array(linkifier),
  realm_users: z.array(user.extend({ avatar_url: picture.optional() })),
  realm_non_active_users: z.array(user),
  cross_realm_bots: z.array(user),
  can_create_streams: z.boolean(),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  is_admin: z.boolean(),
  is_owner: z.boolean(),
  is_guest: z.boolean(),
  is_moderator: z.boolean(),
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  realm_user_groups: z.array(group),
  recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: ids })),
  streams: z.array(channel),
  subscriptions: z.array(subscription),
  unsubscribed: z.array(z.unknown()),
  never_subscribed: z.array(z.unknown()),
  unread_msgs: z.object({
    count: z.int(),
    mentions: ids,
    pms: z.array(z.object({ sender_id: z.int(), unread_message_ids: ids })),
    streams: z.array(z.object({ stream_id: z.int(), topic: z.string().min(1), unread_message_ids: ids })),
    huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  }),
  user_settings: settings,
  user_status: byText(z.object({ status_text: z.string().optional(), emoji_name: z.string().optional() })),
  user_topics: z.array(z.object({ stream_id: z.int(), topic_name: z.string(), visibility_policy: z.int() })),
})

const registration = {
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

const people = z.object({ group_id: z.int(), user_ids: ids })
const peers = z.object({ stream_ids: ids, user_ids: ids })
const typing = z.object({
  message_type: z.enum(['direct', 'private']),
  sender,
  recipients: z.array(sender),
})

/** The fields that the app reads, by type and operation of the event. The app logs other events and ignores them. */
const events: Readonly<Record<string, z.ZodType>> = {
  alert_words: z.object({ alert_words: z.array(z.string()) }),
  message: z
    .object({ message: z.looseObject({}), flags: z.array(z.string()) })
    .transform((event) => message.parse({ ...event.message, flags: event.flags })),
  update_message: z
    .object({
      message_id: z.int(),
      message_ids: ids.min(1),
      flags: z.array(z.string()),
      edit_timestamp: z.int(),
      user_id: z.int().nullable(),
      stream_id: z.int().optional(),
      new_stream_id: z.int().optional(),
      orig_subject: z.string().min(1).optional(),
      subject: z.string().min(1).optional(),
      propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
      rendered_content: z.string().optional(),
      orig_rendered_content: z.string().optional(),
    })
    .refine(
      ({ propagate_mode, stream_id, orig_subject }) =>
        propagate_mode === undefined || (stream_id !== undefined && orig_subject !== undefined),
    ),
  delete_message: z.object({ message_ids: ids }),
  'reaction/add': reaction.extend({ message_id: z.int() }),
  'reaction/remove': reaction.extend({ message_id: z.int() }),
  'update_message_flags/add': z.object({ flag: z.string(), messages: ids, all: z.boolean() }),
  'update_message_flags/remove': z.object({
    flag: z.string(),
    messages: ids,
    message_details: byText(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('stream'), stream_id: z.int(), topic: z.string().min(1) }),
        z.object({ type: z.literal('private'), user_ids: ids }),
      ]),
    ).optional(),
  }),
  'typing/start': typing,
  'typing/stop': typing,
  'subscription/add': z.object({ subscriptions: z.array(subscription) }),
  'subscription/remove': z.object({ subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })) }),
  'subscription/update': z.object({ stream_id: z.int(), property: z.string(), value: z.unknown() }),
  'subscription/peer_add': peers,
  'subscription/peer_remove': peers,
  'stream/create': z.object({ streams: z.array(channel) }),
  'stream/update': z.object({ stream_id: z.int(), name: z.string(), property: z.string(), value: z.unknown() }),
  'stream/delete': z.object({ streams: z.array(z.object({ stream_id: z.int() })).min(1) }),
  presence: z.object({ email: z.string(), presence: byText(legacyPresence), server_timestamp: z.number() }),
  'realm/update': z.object({ property: z.string(), value: z.unknown() }),
  'realm/update_dict': z.object({ property: z.string(), data: z.looseObject({}) }),
  'realm_user/add': z.object({ person: user.extend({ avatar_url: picture }) }),
  'realm_user/remove': z.object({}),
  'realm_user/update': z.object({ person: z.looseObject({ user_id: z.int() }) }),
  'user_group/add': z.object({ group }),
  'user_group/remove': z.object({ group_id: z.int() }),
  'user_group/update': z.object({ group_id: z.int(), data: z.looseObject({}) }),
  'user_group/add_members': people,
  'user_group/remove_members': people,
  'realm_emoji/update': z.object({ realm_emoji: byText(emoji) }),
  custom_profile_fields: z.object({ fields: z.array(profileField) }),
  muted_topics: z.object({ muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
  user_topic: z.object({ stream_id: z.int(), topic_name: z.string().min(1), visibility_policy: z.int() }),
  muted_users: z.object({ muted_users: z.array(z.object({ id: z.int(), timestamp: z.int() })) }),
  'user_settings/update': z.object({ property: z.string(), value: z.unknown() }),
  user_status: z.object({
    user_id: z.int(),
    status_text: z.string().optional(),
    emoji_name: z.string().optional(),
    emoji_code: z.string().optional(),
    reaction_type: z.string().optional(),
  }),
  submessage: z.object({
    message_id: z.int(),
    submessage_id: z.int(),
    sender_id: z.int(),
    msg_type: z.string(),
    content: z.string(),
  }),
}

const decode = (event: WireEvent): string | undefined => {
  const name = event.type in events ? event.type : `${event.type}/${event.op}`
  const parsed = events[name]?.safeParse(event)
  if (parsed?.success === false) throw new Error(`${z.prettifyError(parsed.error)}\nof ${JSON.stringify(event)}`)
  return parsed === undefined ? undefined : name
}

let made: FullOrganization

beforeAll(async () => {
  made = await newFullOrganization()
  return () => made.realm[Symbol.asyncDispose]()
})

const start = async (person: Person) => {
  const url = anyGateway()
  const app = openPhone(userAgent, made.realm.host, person, url)
  const initial = snapshot.parse(await app.call('POST', 'register', registration))
  let { last_event_id } = initial
  const events = async (): Promise<WireEvent[]> => {
    await app.call('GET', 'users/me')
    const given = { queue_id: initial.queue_id, last_event_id, dont_block: true }
    const received = (await app.call('GET', 'events', given)).events as WireEvent[]
    last_event_id = received.at(-1)?.id ?? last_event_id
    return received
  }
  return { app, initial, events }
}

describe('The older mobile app', () => {
  test('The app logs in with a password and decodes the registration of every role.', async () => {
    const stranger = openPhone(userAgent, made.realm.host, undefined)
    const settings = await stranger.call('GET', 'server_settings')
    expect(settings).toMatchObject({
      authentication_methods: { password: true, dev: false, ldap: false, remoteuser: false },
      external_authentication_methods: [{ name: 'browser', login_url: '/accounts/login/app' }],
      is_incompatible: false,
      require_email_format_usernames: true,
    })
    expect(settings.realm_uri).toBe(settings.realm_url)
    const key = await stranger.call('POST', 'fetch_api_key', { username: made.ada.email, password })
    expect(key).toMatchObject({ email: made.ada.email, api_key: made.ada.api_key })
    for (const name of ['owner', 'ada', 'grace', 'guest'] as const) {
      const { initial } = await start(made[name])
      expect(initial.user_id).toBe(made[name].user_id)
      expect(initial.realm_users.map(({ user_id }) => user_id)).toContain(made[name].user_id)
    }
  })

  test('The app reads and writes messages with the older parameters.', async () => {
    const { app, initial } = await start(made.ada)
    // Grace hides her email address, so the app has only the one that the API generates.
    const emailOf = ({ user_id }: Person) => initial.realm_users.find((one) => one.user_id === user_id)?.email
    const page = { num_before: 50, num_after: 50, apply_markdown: true, client_gravatar: true }
    const narrows = [
      [],
      [{ operator: 'stream', operand: 'design' }],
      [
        { operator: 'stream', operand: 'design' },
        { operator: 'topic', operand: 'logos' },
      ],
      [{ operator: 'pm-with', operand: emailOf(made.grace) }],
      [{ operator: 'is', operand: 'private' }],
      [{ operator: 'is', operand: 'starred' }],
      [{ operator: 'is', operand: 'mentioned' }],
      [{ operator: 'search', operand: 'draft' }],
    ]
    const fetched = z.object({ messages: z.array(message), found_newest: z.boolean(), found_oldest: z.boolean() })
    for (const narrow of narrows) {
      const newest = { narrow, anchor: '10000000000000000', use_first_unread_anchor: false, ...page }
      const unread = { narrow, anchor: '0', use_first_unread_anchor: true, ...page }
      for (const given of [newest, unread]) {
        const { messages } = fetched.parse(await app.call('GET', 'messages', given))
        expect(messages.length, JSON.stringify(narrow)).toBeGreaterThan(0)
      }
    }
    const { queue_id } = initial
    const sent = { type: 'stream', to: ['design'], subject: 'old phone', content: 'x', local_id: '1.5', queue_id }
    const { id } = await app.call('POST', 'messages', sent)
    const direct = { type: 'private', to: `${emailOf(made.grace)},${emailOf(made.owner)}`, content: 'y' }
    await app.call('POST', 'messages', { ...direct, local_id: '1.6', queue_id })
    await app.call('PATCH', `messages/${id}`, { content: 'z', subject: 'older phone', propagate_mode: 'change_one' })
    await app.call('POST', 'typing', { to: [made.grace.user_id], op: 'start' })
    const here = await app.call('POST', 'users/me/presence', { status: 'active', new_user_input: true })
    byText(z.looseObject({ aggregated: legacyPresence })).parse(here.presences)
    const muted = { stream: 'design', topic: 'older phone', op: 'add' }
    await app.call('PATCH', 'users/me/subscriptions/muted_topics', muted)
    await app.call('POST', 'mark_stream_as_read', { stream_id: made.channels.design })
    await app.call('POST', 'mark_all_as_read')
  })

  test('The app decodes every kind of event.', { timeout: 60_000 }, async () => {
    const { events: readOfAda } = await start(made.ada)
    const { events: readOfGuest } = await start(made.guest)
    const seen = new Set<string>()
    await causeEveryEvent(made, async () => {
      for (const reader of [readOfAda, readOfGuest]) {
        for (const event of await reader()) {
          const name = decode(event)
          if (name !== undefined) seen.add(name)
        }
      }
    })
    expect(Object.keys(events).filter((name) => !seen.has(name))).toEqual([])
  })

  test('The server refuses a poll on an unknown queue.', async () => {
    const { app } = await start(made.ada)
    const gone = await app.refused('GET', 'events', { queue_id: 'none', last_event_id: 0 })
    expect(gone).toEqual({ status: 400, code: 'BAD_EVENT_QUEUE_ID' })
  })
})
