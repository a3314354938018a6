/**
 * What zulip-terminal (including its development version) decodes from a registration: its request, and the fields it
 * requires, written down from its source and not from ours. It does not start if one key is missing. The mobile apps
 * are tested in test/clients.
 */
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel } from '../setup/realm/create-channel.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { withWriteContext } from '../setup/realm/row-changes.js'

const ascending = z.array(z.int()).refine((ids) => ids.every((id, i) => i === 0 || id > (ids[i - 1] as number)))

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
  z.object({ id: z.string(), name: z.string(), source_url: z.string().min(1), deactivated: z.boolean() }),
)

const profileField = z.object({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
})

/** protocol/clients.md 6.2 */
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

let callers: readonly Person[]

beforeAll(async () => {
  await using realm = await newRealm()
  const [owner, ada, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada', timezone: 'Europe/London' },
    { full_name: 'Guest', role: Role.guest, settings: { email_address_visibility: 4 } },
    { full_name: 'Robot', bot: { type: 1, owner_id: 2 } },
  )) as [Person, Person, Person]
  await withWriteContext(realm, async (context) => {
    const members = [...realm.realm.state.users.values()].filter((user) => !user.is_system_bot)
    const creator = realm.realm.state.users.get(owner.user_id)
    await createChannel(context.dependencies, realm.realm, { name: 'general', members, ...(creator && { creator }) })
  })
  await ok(ada, 'POST', '/messages', { type: 'stream', to: 'general', topic: '', content: 'hello' })
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [owner.user_id, guest.user_id], content: 'hello' })
  await ok(ada, 'POST', '/messages', { type: 'direct', to: [guest.user_id], content: 'hello' })
  callers = [owner, ada, guest]
})

test('zulip-terminal can decode the registration of an owner, a member and a guest.', async () => {
  for (const caller of callers) {
    const answer = terminal.parse(await ok(caller, 'POST', '/register', terminalRequest))
    // Clients look up their own account in the list.
    expect(answer.realm_users.map(({ user_id }) => user_id)).toContain(caller.user_id)
    expect(answer.subscriptions).toHaveLength(1)
  }
})
