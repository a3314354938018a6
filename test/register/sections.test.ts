/**
 * The sections of a registration: which keys the answer contains, in which shape and from which state. Rules only, no
 * server.
 */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { Role, type UserRow } from '../../src/domain/log/rows.js'
import { rawMembersOfFragments } from '../../src/domain/protocol/raw-json.js'
import {
  createChannelPolicy,
  createWebPublicChannelPolicy,
  policyInteger,
  wildcardMentionPolicy,
} from '../../src/domain/register/policies.js'
import { sections } from '../../src/domain/register/sections.js'
import { fetchSet, takeSnapshot } from '../../src/domain/register/snapshot.js'
import type { Content, Field, SnapshotRequest } from '../../src/domain/register/snapshot-request.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const nothing: Content = {
  last_message_id: 0,
  unread_topics: { conversations: [], examined: 0, is_cut: false },
  unread_direct: { conversations: [], examined: 0, is_cut: false },
  recent_direct: [],
  starred: [],
  navigation_views: [],
  partners: [],
  user_topics: [],
  drafts: [],
  saved_snippets: [],
  scheduled_messages: [],
  onboarding_seen: [],
  presence: [],
}

interface Ask extends Partial<Omit<SnapshotRequest, 'profile'>> {
  profile?: Partial<SnapshotRequest['profile']>
  fetch?: readonly string[] | undefined
  events?: readonly string[]
  content?: Partial<Content>
}

/** The parsed answer to a registration of `viewer`. */
const answer = ({ state }: StateBuilder, viewer: UserRow | null, ask: Ask = {}): Record<string, unknown> => {
  const { fetch, events, content, profile, ...rest } = ask
  const snapshot = takeSnapshot({
    state,
    viewer,
    profile: { ...plainProfile, ...profile },
    client: 'Test',
    include_subscribers: false,
    server: {
      realm_url: 'http://acme.test',
      host: 'acme.test',
      releaseId: 1,
      development: false,
      max_file_upload_size_mib: 25,
      gateway_paths: ['/gateways/one'],
      ways: { JWT: false, 'OpenID Connect': false, SAML: false, LDAP: false },
    },
    now: 1_700_000_000_000,
    ...fetchSet(fetch, events),
    ...rest,
  })
  return JSON.parse(rawMembersOfFragments(snapshot.finish({ ...nothing, ...content })).text)
}

const people = () => {
  const build = new StateBuilder()
  const bot = build.user({ full_name: 'Notification Bot', is_bot: true, bot_type: 1, is_system_bot: true })
  const owner = build.user({ full_name: 'Olga', role: Role.owner })
  const ada = build.user({ full_name: 'Ada' })
  const guest = build.user({ full_name: 'Gus', role: Role.guest })
  return { build, bot, owner, ada, guest }
}

describe('Sections of the answer', () => {
  test('No key belongs to two sections.', () => {
    const keys = Object.values(sections).flatMap((section) => Object.keys(section))
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  })

  const wholeAnswer = z.object(
    Object.fromEntries(
      Object.values<Record<string, Field>>(sections).flatMap((section) =>
        Object.entries(section).map(([key, { schema }]) => [key, schema]),
      ),
    ),
  )

  test('The answer has the declared shape for every role, with and without user_settings_object.', () => {
    const { build, owner, ada, guest } = people()
    const general = build.channel()
    build.channel({ invite_only: true, can_administer_channel_group: { direct_members: [3], direct_subgroups: [] } })
    build.subscribe(ada, general)
    build.group({}, [ada, guest])
    for (const viewer of [owner, ada, guest, null]) {
      for (const user_settings_object of [true, false]) {
        wholeAnswer.parse(answer(build, viewer, { profile: { user_settings_object } }))
      }
    }
  })

  test('The answer holds the sections of fetch_event_types, otherwise those of event_types, otherwise all.', () => {
    const { build, ada } = people()
    expect(Object.keys(answer(build, ada, { fetch: ['alert_words', 'no such name'] }))).toEqual(['alert_words'])
    expect(Object.keys(answer(build, ada, { fetch: ['alert_words'], events: ['drafts'] }))).toEqual(['alert_words'])
    expect(Object.keys(answer(build, ada, { events: ['drafts'] }))).toEqual(['drafts'])
    expect(answer(build, ada, { fetch: [], events: ['drafts'] })).toEqual({})
    expect(answer(build, ada)).toMatchObject({ drafts: [], alert_words: [], user_topics: [], muted_topics: [] })
  })

  test('The answer counts unread messages only if both event types that change the count are requested.', () => {
    const { build, ada } = people()
    expect(Object.keys(answer(build, ada, { events: ['message'] }))).toEqual(['max_message_id'])
    expect(answer(build, ada, { events: ['update_message_flags'] })).toEqual({})
    const both = answer(build, ada, { events: ['message', 'update_message_flags'] })
    expect(Object.keys(both).sort()).toEqual(['max_message_id', 'unread_msgs'])
  })

  test('The answer has muted_topics unless user_topic is requested.', () => {
    const { build, ada } = people()
    expect(answer(build, ada, { fetch: ['muted_topics'] })).toEqual({ muted_topics: [] })
    expect(answer(build, ada, { fetch: ['muted_topics', 'user_topic'] })).toEqual({ user_topics: [] })
  })

  test('The answer has the flat settings only for clients without user_settings_object.', () => {
    const { build, ada } = people()
    const fetch = ['user_settings', 'update_display_settings', 'update_global_notifications']
    const old = answer(build, ada, { fetch })
    expect(old).toMatchObject({ timezone: '', twenty_four_hour_time: false, enable_sounds: true })
    expect(Object.keys(answer(build, ada, { fetch, profile: { user_settings_object: true } }))).toEqual([
      'user_settings',
    ])
  })
})

describe('Users', () => {
  test('Active, deactivated and system accounts are in separate lists.', () => {
    const { build, bot, owner, ada, guest } = people()
    const gone = build.user({ is_active: false })
    const { realm_users, realm_non_active_users, cross_realm_bots } = answer(build, ada, { fetch: ['realm_user'] })
    const ids = (list: unknown) => (list as { user_id: number }[]).map(({ user_id }) => user_id)
    expect(ids(realm_users)).toEqual([owner.id, ada.id, guest.id])
    expect(ids(realm_non_active_users)).toEqual([gone.id])
    expect(ids(cross_realm_bots)).toEqual([bot.id])
    expect(cross_realm_bots).toMatchObject([{ is_active: true, is_system_bot: true, bot_owner_id: null }])
    expect((realm_users as object[])[0]).not.toHaveProperty('is_active')
  })

  test("The cached user list follows a change of a user's name and a deactivation.", () => {
    const { build, ada, guest } = people()
    const names = () =>
      (answer(build, ada, { fetch: ['realm_user'] }).realm_users as { full_name: string }[]).map((u) => u.full_name)
    expect(names()).toEqual(['Olga', 'Ada', 'Gus'])
    build.state.apply({
      table: 'users',
      key: { id: guest.id },
      before: { full_name: 'Gus' },
      after: { full_name: 'Augustus' },
    })
    expect(names()).toEqual(['Olga', 'Ada', 'Augustus'])
    build.state.apply({
      table: 'users',
      key: { id: guest.id },
      before: { is_active: true },
      after: { is_active: false },
    })
    expect(names()).toEqual(['Olga', 'Ada'])
  })

  test('A hidden email address is shown to its owner and to permitted users, and not to other users with the same role.', () => {
    const build = new StateBuilder()
    const hidden = build.user({ settings: { email_address_visibility: 3 } })
    const other = build.user()
    const owner = build.user({ role: Role.owner })
    const seen = (viewer: UserRow) =>
      (answer(build, viewer, { fetch: ['realm_user'] }).realm_users as { delivery_email: string | null }[])[0]
        ?.delivery_email
    expect([seen(other), seen(hidden), seen(other), seen(owner)]).toEqual([
      null,
      hidden.delivery_email,
      null,
      hidden.delivery_email,
    ])
  })

  test('Inaccessible users are placeholders for a guest, or absent if the client supports user_list_incomplete.', () => {
    const build = new StateBuilder({ can_access_all_users_group: SystemGroup.members })
    const [ada, grace, mary] = [build.user(), build.user(), build.user()] as const
    const bot = build.user({ is_bot: true, bot_type: 1 })
    const guest = build.user({ role: Role.guest })
    const shared = build.channel()
    build.subscribe(ada, shared)
    build.subscribe(guest, shared)
    const ask = { fetch: ['realm_user'], content: { partners: [grace.id] } }
    const seen = (list: unknown) =>
      (list as { user_id: number; full_name: string }[]).map(({ user_id, full_name }) => [
        user_id,
        full_name !== 'Unknown user',
      ])
    expect(seen(answer(build, guest, ask).realm_users)).toEqual([
      [ada.id, true],
      [grace.id, true],
      [mary.id, false],
      [bot.id, true],
      [guest.id, true],
    ])
    const incompleteListAnswer = answer(build, guest, { ...ask, profile: { user_list_incomplete: true } })
    expect(seen(incompleteListAnswer.realm_users).map(([id]) => id)).toEqual([ada.id, grace.id, bot.id, guest.id])
    expect(seen(answer(build, mary, ask).realm_users)).toHaveLength(5)
  })

  test('The answer says which role the user has and what the user may create.', () => {
    const { build, owner, ada, guest } = people()
    const own = (viewer: UserRow) => answer(build, viewer, { fetch: ['realm_user'] })
    expect(own(owner)).toMatchObject({ user_id: owner.id, is_owner: true, is_admin: true, is_moderator: true })
    expect(own(ada)).toMatchObject({ is_admin: false, can_create_streams: true, can_create_web_public_streams: false })
    expect(own(guest)).toMatchObject({ is_guest: true, can_create_streams: false, can_invite_others_to_realm: false })
  })
})

describe('Channels', () => {
  const fetch = ['subscription', 'stream', 'default_streams']
  const ids = (list: unknown) => (list as { stream_id: number }[]).map(({ stream_id }) => stream_id)
  const lists = (build: StateBuilder, viewer: UserRow | null, ask: Ask = {}) => {
    const { subscriptions, unsubscribed, never_subscribed, streams } = answer(build, viewer, { fetch, ...ask })
    return [ids(subscriptions), ids(unsubscribed), ids(never_subscribed), streams && ids(streams)]
  }
  const createChannels = () => {
    const { build, owner, ada, guest } = people()
    const b = build.channel({ name: 'b' })
    const a = build.channel({ name: 'a' })
    const secret = build.channel({ name: 'secret', invite_only: true })
    const web = build.channel({ name: 'web', is_web_public: true })
    const old = build.channel({ name: 'old', is_archived: true })
    build.subscribe(ada, a, old)
    build.put('subscriptions', { ...composeSubscription(ada.id, b.id, '#c2c2c2'), active: false })
    build.put('default_channels', { channel_id: b.id })
    return { build, owner, ada, guest, a, b, secret, web, old }
  }

  test('Channels are sorted by name into subscribed, unsubscribed and never-subscribed lists.', () => {
    const { build, owner, ada, guest, a, b, secret, web } = createChannels()
    expect(lists(build, ada)).toEqual([[a.id], [b.id], [web.id], [a.id, b.id, web.id]])
    expect(lists(build, owner)).toEqual([[], [], [a.id, b.id, secret.id, web.id], [a.id, b.id, secret.id, web.id]])
    expect(lists(build, guest)).toEqual([[], [], [web.id], [web.id]])
  })

  test('Archived channels are listed only for clients with archived_channels.', () => {
    const { build, ada, a, old } = createChannels()
    expect(lists(build, ada, { profile: { archived_channels: true } })[0]).toEqual([a.id, old.id])
  })

  test('A spectator gets the web-public channels, all as never subscribed.', () => {
    const { build, web } = createChannels()
    expect(lists(build, null)).toEqual([[], [], [web.id], undefined])
  })

  test('Channels list their current subscribers if include_subscribers is set.', () => {
    const { build, ada, guest, a } = createChannels()
    const subscribers = () =>
      (
        answer(build, ada, { fetch, include_subscribers: true }).subscriptions as {
          stream_id: number
          subscribers: number[]
          subscriber_count: number
        }[]
      )[0]
    expect(subscribers()).toMatchObject({ subscribers: [ada.id], subscriber_count: 1 })
    build.subscribe(guest, a)
    expect(subscribers()).toMatchObject({ subscribers: [ada.id, guest.id], subscriber_count: 2 })
    build.state.apply({ table: 'users', key: { id: ada.id }, before: { is_active: true }, after: { is_active: false } })
    const other = build.user()
    build.subscribe(other, a)
    expect(subscribers()).toMatchObject({ subscribers: [guest.id, other.id], subscriber_count: 2 })
    expect(answer(build, ada, { fetch }).subscriptions).not.toHaveProperty('0.subscribers')
  })

  test('A deactivated user is removed from cached group settings of channels, and a renamed channel has its new name.', () => {
    const { build, ada, owner } = people()
    const channel = build.channel({
      can_administer_channel_group: { direct_members: [owner.id, ada.id], direct_subgroups: [] },
    })
    const administrators = () =>
      (answer(build, ada, { fetch: ['stream'] }).streams as { can_administer_channel_group: unknown }[])[0]
        ?.can_administer_channel_group
    expect(administrators()).toEqual({ direct_members: [owner.id, ada.id], direct_subgroups: [] })
    build.state.apply({
      table: 'users',
      key: { id: owner.id },
      before: { is_active: true },
      after: { is_active: false },
    })
    expect(administrators()).toEqual({ direct_members: [ada.id], direct_subgroups: [] })
    build.state.apply({ table: 'channels', key: { id: channel.id }, before: {}, after: { name: 'renamed' } })
    expect(answer(build, ada, { fetch: ['stream'] }).streams).toMatchObject([{ name: 'renamed' }])
  })

  test('Notification settings contain no null for clients without notification_settings_null.', () => {
    const { build, ada, a } = createChannels()
    build.state.apply({
      table: 'users',
      key: { id: ada.id },
      before: {},
      after: { settings: { enable_stream_push_notifications: true } },
    })
    const first = (profile: Ask['profile']) =>
      (answer(build, build.state.users.get(ada.id) as UserRow, { fetch, profile }).subscriptions as object[])[0]
    expect(first({})).toMatchObject({
      stream_id: a.id,
      push_notifications: true,
      email_notifications: false,
      wildcard_mentions_notify: null,
    })
    expect(first({ notification_settings_null: true })).toMatchObject({ push_notifications: null })
  })

  test('Default channels are listed for members and not for guests.', () => {
    const { build, ada, guest, b } = createChannels()
    expect(answer(build, ada, { fetch }).realm_default_streams).toEqual([b.id])
    expect(answer(build, guest, { fetch }).realm_default_streams).toEqual([])
  })
})

describe('User groups', () => {
  test('Groups list their direct members; deactivated groups are listed only with include_deactivated_groups.', () => {
    const { build, owner, ada, guest } = people()
    const design = build.group({ name: 'design' }, [ada, guest])
    const old = build.group({ name: 'old', deactivated: true })
    const groups = (profile: Ask['profile'] = {}) =>
      answer(build, ada, { fetch: ['realm_user_groups'], profile }).realm_user_groups as {
        id: number
        name: string
        members: number[]
        direct_subgroup_ids: number[]
      }[]
    const byName = Object.fromEntries(groups().map((group) => [group.name, group]))
    expect(byName['role:owners']).toMatchObject({ members: [owner.id], direct_subgroup_ids: [] })
    expect(byName['role:members']).toMatchObject({
      members: [ada.id],
      direct_subgroup_ids: [SystemGroup.fullmembers],
    })
    expect(byName['role:everyone']?.members).toEqual([guest.id])
    expect(byName.design).toMatchObject({ members: [ada.id, guest.id] })
    expect(groups().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, design.id])
    expect(groups({ include_deactivated_groups: true }).at(-1)?.id).toBe(old.id)
  })
})

describe('Unread messages', () => {
  const { build, ada } = people()
  const complete = <T>(conversations: T[]) => ({ conversations, examined: 0, is_cut: false })
  const unread = (content: Partial<Content>, profile: Ask['profile'] = {}) =>
    answer(build, ada, { fetch: ['message', 'update_message_flags'], content, profile }).unread_msgs

  test('Unread messages are grouped by conversation and sorted.', () => {
    const topic = { is_muted: false, mentions: [], wildcards: [] }
    expect(
      unread({
        unread_topics: complete([
          { ...topic, channel_id: 2, topic: '', ids: [9], wildcards: [9] },
          { ...topic, channel_id: 9, topic: 'plans', ids: [4, 6], mentions: [6] },
          { ...topic, channel_id: 9, topic: 'logo', ids: [5] },
        ]),
        unread_direct: complete([
          { user_ids: [ada.id, 31, 40], ids: [3], mentions: [] },
          { user_ids: [ada.id, 12], ids: [1, 2], mentions: [2] },
          { user_ids: [ada.id], ids: [8], mentions: [] },
        ]),
      }),
    ).toEqual({
      count: 8,
      pms: [
        { other_user_id: ada.id, sender_id: ada.id, unread_message_ids: [8] },
        { other_user_id: 12, sender_id: 12, unread_message_ids: [1, 2] },
      ],
      streams: [
        { stream_id: 2, topic: 'general chat', unread_message_ids: [9] },
        { stream_id: 9, topic: 'logo', unread_message_ids: [5] },
        { stream_id: 9, topic: 'plans', unread_message_ids: [4, 6] },
      ],
      huddles: [{ user_ids_string: `${ada.id},31,40`, unread_message_ids: [3] }],
      mentions: [2, 6, 9],
      old_unreads_missing: false,
    })
  })

  test('Unread messages and wildcard mentions of muted channels are not counted; the messages are listed.', () => {
    const content = {
      unread_topics: complete([
        { channel_id: 1, topic: '', is_muted: true, ids: [1, 2, 3], mentions: [2], wildcards: [3] },
      ]),
    }
    expect(unread(content, { empty_topic_name: true })).toMatchObject({
      count: 0,
      streams: [{ stream_id: 1, topic: '', unread_message_ids: [1, 2, 3] }],
      mentions: [2],
    })
  })

  test('old_unreads_missing is true if the list of unread messages was cut.', () => {
    const cut = { unread_direct: { conversations: [], examined: 0, is_cut: true } }
    expect(unread(cut)).toMatchObject({ count: 0, old_unreads_missing: true })
  })
})

describe('Deprecated policy integers', () => {
  test.each([
    ['owners', SystemGroup.owners, 2, 7, 5],
    ['administrators', SystemGroup.administrators, 2, 2, 5],
    ['moderators', SystemGroup.moderators, 4, 4, 7],
    ['full members', SystemGroup.fullmembers, 3, 4, 3],
    ['members', SystemGroup.members, 1, 4, 2],
    ['everyone', SystemGroup.everyone, 1, 4, 1],
    ['nobody', SystemGroup.nobody, 2, 6, 6],
  ])('A permission for %s maps to the smallest older policy that includes them.', (_, group, create, web, wildcard) => {
    const { state } = new StateBuilder()
    expect(policyInteger(state, group, createChannelPolicy, 0)).toBe(create)
    expect(policyInteger(state, group, createWebPublicChannelPolicy, 0)).toBe(web)
    expect(policyInteger(state, group, wildcardMentionPolicy, 0)).toBe(wildcard)
  })

  test('A permission for a custom group maps to the policy of its least privileged member.', () => {
    const build = new StateBuilder({ waiting_period_threshold: 10 })
    const [owner, moderator] = [build.user({ role: Role.owner }), build.user({ role: Role.moderator })]
    const newcomer = build.user({ date_joined: 0 })
    const custom = build.group({ id: 20 }, [moderator])
    const policy = (direct_members: UserRow[], direct_subgroups: number[], now = 1) =>
      policyInteger(
        build.state,
        { direct_members: direct_members.map(({ id }) => id), direct_subgroups },
        wildcardMentionPolicy,
        now,
      )
    expect(policy([owner], [])).toBe(5)
    expect(policy([owner], [custom.id])).toBe(7)
    expect(policy([owner, newcomer], [])).toBe(2)
    expect(policy([newcomer], [], 10 * 86_400)).toBe(3)
  })
})

test('server_supported_permission_settings describes each group setting with the names of the protocol.', () => {
  const { build, ada } = people()
  const supported = answer(build, ada, { fetch: ['realm'] }).server_supported_permission_settings as Record<
    string,
    Record<string, unknown>
  >
  const setting = {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'role:members',
    default_for_system_groups: null,
    allowed_system_groups: [],
  }
  expect(supported.realm?.can_add_custom_emoji_group).toEqual(setting)
  expect(supported.realm?.can_access_all_users_group).toEqual({
    ...setting,
    require_system_group: true,
    allow_nobody_group: false,
    allow_everyone_group: true,
    default_group_name: 'role:everyone',
    allowed_system_groups: ['role:everyone', 'role:members'],
  })
  expect(supported.stream?.can_administer_channel_group).toMatchObject({
    default_group_name: 'stream_creator_or_nobody',
  })
  expect(supported.stream?.can_remove_subscribers_group).toMatchObject({ default_group_name: 'role:administrators' })
  expect(supported.group?.can_manage_group).toMatchObject({
    default_group_name: 'group_creator',
    default_for_system_groups: 'role:nobody',
  })
  expect([supported.realm, supported.stream, supported.group].map((map) => Object.keys(map ?? {}).length)).toEqual([
    24, 11, 6,
  ])
})

test('The realm section has exactly the keys of protocol/register.md 5.1.', () => {
  const expected = z.object(
    Object.fromEntries(realmKeys.map((key) => [key, z.unknown().refine((value) => value !== undefined)])),
  )
  const { build, ada } = people()
  const realm = answer(build, ada, { fetch: ['realm'] })
  expected.parse(realm)
  expect(Object.keys(realm).filter((key) => !realmKeys.includes(key))).toEqual([])
})

/** protocol/register.md 5.1, copied by hand from the page and not from the code. */
const realmKeys = `
  realm_name realm_description realm_icon_url realm_icon_source realm_logo_url realm_logo_source realm_night_logo_url
  realm_night_logo_source realm_url realm_uri realm_bot_domain realm_date_created realm_org_type realm_plan_type
  zulip_plan_is_not_limited upgrade_text_for_wide_organization_logo realm_default_language
  realm_default_code_block_language realm_allow_message_editing realm_message_content_edit_limit_seconds
  realm_message_content_delete_limit_seconds realm_move_messages_within_stream_limit_seconds
  realm_move_messages_between_streams_limit_seconds realm_message_edit_history_visibility_policy
  realm_allow_edit_history realm_topics_policy realm_mandatory_topics realm_empty_topic_display_name
  realm_message_retention_days realm_waiting_period_threshold realm_invite_required
  realm_second_factor_required_for
  realm_sign_up_approval_required realm_refused_email_domains
  realm_emails_restricted_to_domains realm_disallow_disposable_email_addresses realm_name_changes_disabled
  realm_email_changes_disabled realm_avatar_changes_disabled realm_default_avatar_source realm_require_unique_names
  realm_enable_read_receipts
  realm_enable_spectator_access realm_enable_guest_user_indicator realm_enable_guest_user_dm_warning
  realm_presence_disabled realm_inline_image_preview realm_inline_url_embed_preview realm_digest_emails_enabled
  realm_digest_weekday realm_send_welcome_emails realm_message_content_allowed_in_email_notifications
  realm_want_advertise_in_communities_directory realm_giphy_rating realm_video_chat_provider realm_jitsi_server_url
  realm_push_notifications_enabled realm_push_notifications_enabled_end_timestamp
  realm_new_stream_announcements_stream_id realm_signup_announcements_stream_id
  realm_zulip_update_announcements_stream_id realm_moderation_request_channel_id realm_authentication_methods
  realm_email_auth_enabled realm_password_auth_enabled realm_upload_quota_mib realm_available_video_chat_providers
  realm_default_external_accounts realm_is_zephyr_mirror_realm
  realm_create_public_stream_policy realm_create_private_stream_policy realm_create_web_public_stream_policy
  realm_wildcard_mention_policy
  realm_create_multiuse_invite_group realm_can_access_all_users_group realm_can_add_custom_emoji_group
  realm_can_add_subscribers_group realm_can_create_bots_group realm_can_create_write_only_bots_group
  realm_can_create_groups realm_can_create_public_channel_group realm_can_create_private_channel_group
  realm_can_create_web_public_channel_group realm_can_delete_any_message_group realm_can_delete_own_message_group
  realm_can_invite_users_group realm_can_manage_all_groups realm_can_manage_billing_group
  realm_can_mention_many_users_group realm_can_move_messages_between_channels_group
  realm_can_move_messages_between_topics_group realm_can_resolve_topics_group realm_can_set_topics_policy_group
  realm_can_set_delete_message_policy_group realm_send_channel_events_messages realm_welcome_message_custom_text
  realm_owner_full_content_access
  max_channel_folder_name_length max_channel_folder_description_length max_reminder_note_length
  server_report_message_types
  realm_can_summarize_topics_group realm_direct_message_initiator_group realm_direct_message_permission_group
  max_stream_name_length max_stream_description_length max_topic_length max_message_length
  max_bulk_new_subscription_messages password_min_length password_max_length password_min_guesses
  max_avatar_file_size_mib max_icon_file_size_mib max_logo_file_size_mib max_file_upload_size_mib
  event_queue_longpoll_timeout_seconds server_presence_ping_interval_seconds
  server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds
  server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
  server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days server_generation
  server_gateway_paths
  server_inline_image_preview server_inline_url_embed_preview server_thumbnail_formats server_avatar_changes_disabled
  server_name_changes_disabled server_web_public_streams_enabled server_needs_upgrade server_emoji_data_url
  server_jitsi_server_url jitsi_server_url server_can_summarize_topics giphy_rating_options
  settings_send_digest_emails development_environment server_supported_permission_settings
`
  .trim()
  .split(/\s+/)
