/**
 * What the current mobile app reads of answers and events, as strictly as it does. Source: protocol/clients.md 8 and
 * the known requests of the app, not our own schemas.
 *
 * 1. A key that it reads without a fallback is required here, and null only where it takes null.
 * 2. A value of a list that the app contains is an enum if the app fails for an unknown value, otherwise a string.
 * 3. A key that it does not read is not named, so it may be anything.
 */
import { z } from 'zod'

const url = z.string().min(1)
const date = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
const ids = z.array(z.int())
/** Lists that the app merges and does not sort. */
const ascending = ids.refine((list) => list.every((id, i) => i === 0 || id > (list[i - 1] as number)), 'not ascending')
const byId = <T extends z.ZodType>(value: T) => z.record(z.string().regex(/^\d+$/), value)
/** The app asserts this form of a colour. */
const color = z.string().regex(/^#[0-9a-f]{6}$/)
/** The app fails if it does not know the type of an emoji. */
const reactionType = z.enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'])
const flags = ['read', 'starred', 'collapsed', 'mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned']
const flag = z
  .string()
  .refine((name) => [...flags, 'wildcard_mentioned', 'has_alert_word', 'historical'].includes(name))
const visibilityPolicy = z.literal([0, 1, 2, 3])

export const groupSetting = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
])

export const profileField = z.object({
  id: z.int(),
  type: z.literal([1, 2, 3, 4, 5, 6, 7, 8]),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
  display_in_profile_summary: z.boolean().optional(),
})

/**
 * The schemas of the `field_data` of profile fields. They are for a list of choices and an external account, which the
 * app decodes when it shows a profile.
 */
export const fieldData = {
  choices: z.record(z.string(), z.object({ text: z.string() })),
  externalAccount: z.object({ subtype: z.string(), url_pattern: z.string().optional() }),
}

export const emoji = z.object({
  id: z.string(),
  name: z.string(),
  source_url: url,
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
})

export const user = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable(),
  email: z.string(),
  full_name: z.string(),
  date_joined: date,
  is_active: z.boolean().optional(),
  is_bot: z.boolean(),
  bot_type: z.int().nullish(),
  bot_owner_id: z.int().nullish(),
  role: z.literal([100, 200, 300, 400, 600]),
  timezone: z.string(),
  avatar_url: z.string().nullish(),
  avatar_version: z.int(),
  profile_data: byId(z.object({ value: z.string(), rendered_value: z.string().optional() })).optional(),
  is_system_bot: z.boolean().optional(),
})

export const group = z.object({
  id: z.int(),
  members: ids,
  direct_subgroup_ids: ids,
  name: z.string(),
  description: z.string(),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
})

const snippet = z.object({ id: z.int(), title: z.string(), content: z.string(), date_created: z.int() })

const folder = z.object({
  id: z.int(),
  name: z.string(),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  description: z.string(),
  rendered_description: z.string(),
  is_archived: z.boolean(),
})

export const channel = z.object({
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable(),
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
  stream_post_policy: z.literal([1, 2, 3, 4]),
  can_add_subscribers_group: groupSetting,
  can_send_message_group: groupSetting,
  can_subscribe_group: groupSetting,
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
})

export const subscription = channel.extend({
  desktop_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  color,
})

/** Text and emoji of a status. Each is optional in an update, and an empty text clears it. */
const statusChange = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.union([reactionType, z.literal('')]).optional(),
})

const presence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })

const userTopic = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int(),
  visibility_policy: visibilityPolicy,
})

const widget = z.object({ widget_type: z.string(), extra_data: z.unknown() })
const jsonOf = <T extends z.ZodType>(schema: T) => z.string().transform((text) => schema.parse(JSON.parse(text)))
const pollData = z.object({ question: z.string().optional(), options: z.array(z.string()).optional() })
const pollEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('new_option'), option: z.string(), idx: z.int() }),
  z.object({ type: z.literal('question'), question: z.string() }),
  z.object({ type: z.literal('vote'), key: z.string().regex(/^(canned|\d+),\d+$/), vote: z.literal([1, -1]) }),
])

const said = z.object({ sender_id: z.int(), msg_type: z.string(), content: z.string() })

/** The first submessage declares the widget and is the sender's. The others are actions of a poll. */
const submessages = z.array(said).superRefine((list) => {
  const [first, ...rest] = list
  if (first === undefined) return
  const { widget_type, extra_data } = jsonOf(widget).parse(first.content)
  if (widget_type !== 'poll') return
  pollData.parse(extra_data)
  for (const { content } of rest) jsonOf(pollEvent).parse(content)
})

const historyItem = z
  .object({
    prev_content: z.string().optional(),
    prev_stream: z.int().optional(),
    prev_topic: z.string().optional(),
    topic: z.string().optional(),
  })
  .refine(({ prev_topic, topic }) => prev_topic === undefined || topic !== undefined, 'prev_topic without topic')

const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: reactionType,
  user_id: z.int(),
})

const messageBase = {
  id: z.int(),
  client: z.string(),
  content: z.string(),
  content_type: z.string(),
  is_me_message: z.boolean(),
  last_edit_timestamp: z.int().optional(),
  edit_history: z.array(historyItem).min(1).optional(),
  reactions: z.array(reaction),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_id: z.int(),
  sender_realm_str: z.string(),
  submessages,
  timestamp: z.int(),
  flags: z.array(z.string()),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
}

const participants = z
  .array(z.object({ id: z.int() }))
  .refine((people) => new Set(people.map(({ id }) => id)).size === people.length, 'somebody twice')

export const message = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('stream'),
      stream_id: z.int(),
      subject: z.string(),
      display_recipient: z.string(),
      ...messageBase,
    }),
    z.object({ type: z.literal('private'), display_recipient: participants, ...messageBase }),
  ])
  .refine(({ submessages: [first], sender_id }) => first === undefined || first.sender_id === sender_id)

const unread = z.object({
  count: z.int(),
  pms: z.array(z.object({ other_user_id: z.int(), unread_message_ids: ascending })),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ascending })),
  huddles: z.array(z.object({ user_ids_string: z.string().regex(/^\d+(,\d+){2,}$/), unread_message_ids: ascending })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
})

const thumbnail = z.object({
  name: z.string(),
  max_width: z.int(),
  max_height: z.int(),
  animated: z.boolean(),
  format: z.string(),
})

const settings = {
  twenty_four_hour_time: z.boolean().nullable(),
  starred_message_counts: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
  emojiset: z.enum(['google', 'google-blob', 'twitter', 'text']),
  presence_enabled: z.boolean(),
}

/** The registration. The app decodes all of it at once, and refuses the server after one error. */
export const snapshot = z
  .object({
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
    presences: byId(presence),
    realm_emoji: z.record(z.string(), emoji),
    realm_user_groups: z.array(group),
    recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: ids })),
    saved_snippets: z.array(snippet),
    subscriptions: z.array(subscription),
    channel_folders: z.array(folder),
    unread_msgs: unread,
    starred_messages: ids,
    streams: z.array(channel),
    user_status: byId(statusChange),
    user_settings: z.object(settings),
    user_topics: z.array(userTopic),
    realm_can_delete_any_message_group: groupSetting,
    realm_can_delete_own_message_group: groupSetting,
    realm_wildcard_mention_policy: z.literal([1, 2, 3, 5, 6, 7]),
    realm_topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
    realm_mandatory_topics: z.boolean(),
    realm_name: z.string(),
    realm_waiting_period_threshold: z.int(),
    realm_message_content_delete_limit_seconds: z.int().nullable(),
    realm_allow_message_editing: z.boolean(),
    realm_message_content_edit_limit_seconds: z.int().nullable(),
    realm_enable_read_receipts: z.boolean(),
    realm_icon_url: url,
    realm_presence_disabled: z.boolean(),
    realm_default_external_accounts: z.record(
      z.string(),
      z.object({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() }),
    ),
    max_file_upload_size_mib: z.int(),
    server_thumbnail_formats: z.array(thumbnail),
    server_emoji_data_url: url,
    event_queue_longpoll_timeout_seconds: z.int(),
    realm_moderation_request_channel_id: z.int(),
    realm_empty_topic_display_name: z.string(),
    realm_users: z.array(user),
    realm_non_active_users: z.array(user),
    cross_realm_bots: z.array(user),
  })
  .refine(({ subscriptions, streams }) => {
    const known = new Set(streams.map(({ stream_id }) => stream_id))
    return subscriptions.every(({ stream_id }) => known.has(stream_id))
  }, 'a subscription to a channel that is not in streams')

/** Other answers that the app decodes. */
export const answers = {
  serverSettings: z.object({
    authentication_methods: z.object({ ldap: z.boolean() }),
    external_authentication_methods: z.array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        display_icon: z.string().nullable(),
        login_url: z.string(),
        signup_url: z.string(),
      }),
    ),
    zulip_feature_level: z.int().min(277),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_uri: z.url(),
    realm_name: z.string(),
    realm_icon: url,
    realm_description: z.string(),
    realm_web_public_access_enabled: z.boolean(),
  }),
  fetchApiKey: z.object({ api_key: z.string().regex(/^[A-Za-z0-9]{32}$/), email: z.string(), user_id: z.int() }),
  ownUser: z.object({ user_id: z.int() }),
  emojiData: z.object({ code_to_names: z.record(z.string().regex(/^[0-9a-f-]+$/), z.array(z.string()).min(1)) }),
  events: z.object({ events: z.array(z.looseObject({ id: z.int(), type: z.string() })), queue_id: z.string() }),
  messages: z.object({
    anchor: z.number(),
    found_newest: z.boolean(),
    found_oldest: z.boolean(),
    found_anchor: z.boolean(),
    history_limited: z.boolean(),
    messages: z.array(message),
  }),
  message: z.object({ message }),
  sent: z.object({ id: z.int() }),
  flags: z.object({ messages: ids }),
  flagsForNarrow: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
  }),
  topics: z.object({ topics: z.array(z.object({ max_id: z.int(), name: z.string() })) }),
  presence: z.object({
    presence_last_update_id: z.int(),
    server_timestamp: z.number(),
    presences: byId(presence),
  }),
  receipts: z.object({ user_ids: ids }),
  upload: z.object({ uri: url }),
  temporaryUrl: z.object({ url }),
  snippet: z.object({ saved_snippet_id: z.int() }),
  nothing: z.object({}),
}

const groupMembers = z.object({ group_id: z.int(), user_ids: ids })
const subgroups = z.object({ group_id: z.int(), direct_subgroup_ids: ids })
const peers = z.object({ stream_ids: ids, user_ids: ids })

/** The value of a property that the app knows must have the right type. Other properties may have any value. */
const propertyOf = <T extends Record<string, z.ZodType>>(values: T) =>
  z.object({ property: z.string(), value: z.unknown() }).superRefine(({ property, value }, context) => {
    const parsed = values[property]?.safeParse(value)
    if (parsed?.success === false) context.addIssue(`${property}: ${z.prettifyError(parsed.error)}`)
  })

const channelProperties = propertyOf({
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  first_message_id: z.int().nullable(),
  invite_only: z.boolean(),
  message_retention_days: z.int().nullable(),
  topics_policy: z.string(),
  stream_post_policy: z.literal([1, 2, 3, 4]),
  folder_id: z.int().nullable(),
  can_add_subscribers_group: groupSetting,
  can_send_message_group: groupSetting,
  can_subscribe_group: groupSetting,
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
})

const subscriptionProperties = propertyOf({
  color,
  is_muted: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean(),
  audible_notifications: z.boolean(),
  push_notifications: z.boolean(),
  email_notifications: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
})

const person = z.object({
  user_id: z.int(),
  full_name: z.string().optional(),
  avatar_url: z.string().nullish(),
  avatar_version: z.int().optional(),
  timezone: z.string().optional(),
  bot_owner_id: z.int().optional(),
  role: z.literal([100, 200, 300, 400, 600]).optional(),
  delivery_email: z.string().nullish(),
  custom_profile_field: z
    .object({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() })
    .optional(),
  new_email: z.string().optional(),
  is_active: z.boolean().optional(),
})

/**
 * A move has the old place, the new place and the propagate mode; an edit has none of them. If an event has only some
 * of them, the app registers again.
 */
const update = z
  .object({
    user_id: z.int().nullable(),
    rendering_only: z.boolean(),
    message_id: z.int(),
    message_ids: ascending,
    flags: z.array(flag),
    edit_timestamp: z.int(),
    stream_id: z.int().optional(),
    new_stream_id: z.int().optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
  })
  .refine(({ stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject, propagate_mode }) =>
    new_stream_id === stream_id && subject === orig_subject
      ? propagate_mode === undefined
      : ![stream_id, new_stream_id, orig_subject, subject, propagate_mode].includes(undefined),
  )

const inChannel = { stream_id: z.int(), topic: z.string() }
const detail = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stream'), mentioned: z.boolean().optional(), ...inChannel }),
  z.object({ type: z.enum(['private', 'direct']), mentioned: z.boolean().optional(), user_ids: ids }),
])

const op = z.enum(['start', 'stop'])
const sender = z.object({ user_id: z.int() })
const recipients = z
  .array(z.object({ user_id: z.int() }))
  .refine((people) => new Set(people.map(({ user_id }) => user_id)).size === people.length, 'somebody twice')

/** Every event that the app knows, by type and operation. */
export const events: Readonly<Record<string, z.ZodType>> = {
  'realm_emoji/update': z.object({ realm_emoji: z.record(z.string(), emoji) }),
  alert_words: z.object({ alert_words: z.array(z.string()) }),
  'user_settings/update': propertyOf(settings),
  custom_profile_fields: z.object({ fields: z.array(profileField) }),
  'user_group/add': z.object({ group }),
  'user_group/update': z.object({
    group_id: z.int(),
    data: z.object({
      name: z.string().optional(),
      description: z.string().optional(),
      deactivated: z.boolean().optional(),
    }),
  }),
  'user_group/add_members': groupMembers,
  'user_group/remove_members': groupMembers,
  'user_group/add_subgroups': subgroups,
  'user_group/remove_subgroups': subgroups,
  'user_group/remove': z.object({ group_id: z.int() }),
  'realm_user/add': z.object({ person: user.extend({ is_active: z.boolean() }) }),
  'realm_user/remove': z.object({ person: z.object({ user_id: z.int() }) }),
  'realm_user/update': z.object({ person }),
  'saved_snippets/add': z.object({ saved_snippet: snippet }),
  'saved_snippets/update': z.object({ saved_snippet: snippet }),
  'saved_snippets/remove': z.object({ saved_snippet_id: z.int() }),
  'stream/create': z.object({ streams: z.array(channel) }),
  'stream/delete': z.object({ stream_ids: ids, streams: z.array(z.object({ stream_id: z.int() })) }),
  'stream/update': channelProperties.and(
    z.object({
      stream_id: z.int(),
      name: z.string(),
      rendered_description: z.string().optional(),
      history_public_to_subscribers: z.boolean().optional(),
      is_web_public: z.boolean().optional(),
    }),
  ),
  'subscription/add': z.object({ subscriptions: z.array(subscription) }),
  'subscription/remove': z.object({ subscriptions: z.array(z.object({ stream_id: z.int() })) }),
  'subscription/update': subscriptionProperties.and(z.object({ stream_id: z.int() })),
  'subscription/peer_add': peers,
  'subscription/peer_remove': peers,
  'channel_folder/add': z.object({ channel_folder: folder }),
  'channel_folder/update': z.object({
    channel_folder_id: z.int(),
    data: z.object({
      name: z.string().optional(),
      description: z.string().optional(),
      rendered_description: z.string().optional(),
      is_archived: z.boolean().optional(),
    }),
  }),
  user_status: statusChange.extend({ user_id: z.int() }),
  user_topic: userTopic,
  muted_users: z.object({ muted_users: z.array(z.object({ id: z.int() })) }),
  message: z
    .object({ message: z.looseObject({}), flags: z.array(z.string()), local_message_id: z.string().optional() })
    .transform((event) => message.parse({ ...event.message, flags: event.flags })),
  update_message: update,
  delete_message: z.discriminatedUnion('message_type', [
    z.object({ message_type: z.literal('stream'), message_ids: ids, ...inChannel }),
    z.object({ message_type: z.enum(['private', 'direct']), message_ids: ids }),
  ]),
  'update_message_flags/add': z.object({ flag: z.string(), messages: ids, all: z.boolean() }),
  'update_message_flags/remove': z
    .object({ flag: z.string(), messages: ids, message_details: byId(detail).optional() })
    .refine(({ flag, message_details }) => flag !== 'read' || message_details !== undefined),
  submessage: z.object({
    msg_type: z.string(),
    content: z.string(),
    message_id: z.int(),
    sender_id: z.int(),
    submessage_id: z.int(),
  }),
  'typing/start': z.discriminatedUnion('message_type', [
    z.object({ op, message_type: z.literal('stream'), sender, ...inChannel }),
    z.object({ op, message_type: z.enum(['private', 'direct']), sender, recipients }),
  ]),
  presence: z.object({
    user_id: z.int(),
    server_timestamp: z.number(),
    presence: z.record(
      z.string(),
      z.object({
        client: z.string(),
        status: z.enum(['active', 'idle']),
        timestamp: z.int(),
        pushable: z.boolean(),
      }),
    ),
  }),
  'reaction/add': reaction.extend({ message_id: z.int() }),
  'reaction/remove': reaction.extend({ message_id: z.int() }),
  heartbeat: z.object({}),
}

const known = { ...events, 'typing/stop': events['typing/start'] as z.ZodType }

/** Decodes an event as the app does. @returns its name here, or undefined if the app ignores its type */
export const decode = (event: { id: number; type: string; op?: unknown }): string | undefined => {
  const name = event.type in known ? event.type : `${event.type}/${event.op}`
  const schema = known[name as keyof typeof known]
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(event)
  if (!parsed.success) throw new Error(`${z.prettifyError(parsed.error)}\nof ${JSON.stringify(event)}`)
  return name
}

/** The names of all events that the app decodes. */
export const eventNames = Object.keys(known)

export const registration = {
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
}
