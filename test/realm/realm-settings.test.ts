/** Organization settings over the API: permissions, accepted and refused values, and events. */
import { describe, expect, test } from 'vitest'
import { DAY } from '../../rules/src/time.js'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { TOLD } from '../../src/domain/realm/waiting-period.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { defaultRealmSettings, ownersSettings, realmGroupSettings } from '../../src/domain/settings/realm-settings.js'
import { announceFullMembers, findRealmsWithNewFullMembers } from '../../src/store/groups/announce-promotions.js'
import { listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { commitRowChanges, withWriteContext } from '../setup/realm/row-changes.js'
import { changedSettingValues } from '../setup/realm/setting-values.js'

const setUp = () => newRealmWith('Owner', 'Admin', 'Ada', 'Guest')

const set = (person: Person, settings: Record<string, unknown>) => ok(person, 'PATCH', '/realm', settings)

const refusal = async (person: Person, settings: Record<string, unknown>, path = '/realm') => {
  const { status, body } = await call(person, 'PATCH', path, settings)
  return `${status} ${body.code}: ${body.msg}`
}

const seen = (person: Person) =>
  ok<Record<string, unknown>>(person, 'POST', '/register', { fetch_event_types: ['realm'] })

const withoutIds = (events: WireEvent[]) => events.map(({ id: _, type: __, ...event }) => event)

const values: Record<string, unknown> = changedSettingValues

const inDict = new Set(['allow_message_editing', 'message_content_edit_limit_seconds', 'topics_policy'])

describe('Changing organization settings as an owner', () => {
  test.each(Object.entries(values))(
    'An owner can change %s, and a guest receives one event for it.',
    async (name, value) => {
      await using s = await setUp()
      const listener = await listen(s.guest, { event_types: ['realm'] })
      expect(await set(s.owner, { [name]: value })).toMatchObject({
        [name]: typeof value === 'string' ? 'updated' : value,
      })
      expect(await seen(s.ada)).toMatchObject({ [`realm_${name}`]: value })
      const [event, ...more] = withoutIds(await listener.events())
      expect(more).toEqual([])
      expect(event).toMatchObject(
        inDict.has(name)
          ? { op: 'update_dict', property: 'default', data: { [name]: value } }
          : { op: 'update', property: name, value },
      )
      expect(await set(s.owner, { [name]: value })).not.toHaveProperty(name)
      expect(await listener.events()).toEqual([])
    },
  )

  test('An owner can set every permission to an anonymous group of users and groups.', async () => {
    await using s = await setUp()
    const names = Object.keys(realmGroupSettings) as (keyof typeof realmGroupSettings)[]
    const systemOnly = ['can_access_all_users_group', 'can_create_web_public_channel_group']
    const { group_id } = await ok(s.ada, 'POST', '/user_groups/create', {
      name: 'trusted',
      description: '',
      members: [s.ada.user_id],
    })
    const people = { direct_members: [s.admin.user_id], direct_subgroups: [group_id] }
    const wanted = Object.fromEntries(
      names
        .filter((name) => !systemOnly.includes(name))
        .map((name) => [name, { new: people, old: realmGroupSettings[name] }]),
    )
    const listener = await listen(s.guest, { event_types: ['realm'] })
    const answer = await set(s.owner, wanted)
    const snapshot = await seen(s.guest)
    const data: Record<string, unknown> = {}
    for (const event of await listener.events()) Object.assign(data, event.data)
    for (const name of Object.keys(wanted)) {
      expect([name, answer[name], data[name], snapshot[`realm_${name}`]]).toEqual([name, people, people, people])
    }
    await set(s.owner, { can_access_all_users_group: { new: SystemGroup.members } })
    await set(s.owner, { can_create_web_public_channel_group: { new: SystemGroup.nobody } })
  })

  test('An event of topics_policy also contains the older setting mandatory_topics.', async () => {
    await using s = await setUp()
    const listener = await listen(s.owner, { event_types: ['realm'] })
    await set(s.owner, { topics_policy: 'disable_empty_topic' })
    expect(await listener.events()).toMatchObject([
      { data: { topics_policy: 'disable_empty_topic', mandatory_topics: true } },
    ])
  })

  test('An owner can set a limit to unlimited, with and without JSON quotes.', async () => {
    await using s = await setUp()
    const answer = await set(s.owner, {
      message_content_edit_limit_seconds: 'unlimited',
      message_content_delete_limit_seconds: '"unlimited"',
      move_messages_within_stream_limit_seconds: 'unlimited',
    })
    expect(answer).toMatchObject({
      message_content_edit_limit_seconds: null,
      message_content_delete_limit_seconds: null,
    })
    await set(s.owner, { message_retention_days: 30 })
    expect(await set(s.owner, { message_retention_days: 'unlimited' })).toMatchObject({ message_retention_days: -1 })
    expect(await seen(s.ada)).toMatchObject({
      realm_message_content_edit_limit_seconds: null,
      realm_move_messages_within_stream_limit_seconds: null,
      realm_message_retention_days: -1,
    })
  })

  test('An owner can set and unset the channels for announcements and moderation.', async () => {
    await using s = await setUp()
    const join = (name: string, params = {}) =>
      ok(s.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
    await join('news')
    await join('moderation', { invite_only: true })
    await set(s.owner, { new_stream_announcements_stream_id: 1, moderation_request_channel_id: 2 })
    expect(await seen(s.ada)).toMatchObject({
      realm_new_stream_announcements_stream_id: 1,
      realm_moderation_request_channel_id: 2,
    })
    expect(await refusal(s.owner, { moderation_request_channel_id: 1 })).toContain(
      'The channel for reports to moderators must be private.',
    )
    expect(await refusal(s.owner, { signup_announcements_stream_id: 99 })).toContain(
      'There is no channel with this ID, or you may not see it.',
    )
    expect(await set(s.owner, { moderation_request_channel_id: -1 })).toMatchObject({
      moderation_request_channel_id: -1,
    })
  })

  test('A setting that returns to its default leaves no value in the realm row.', async () => {
    await using s = await setUp()
    await set(s.owner, { invite_required: false, jitsi_server_url: 'https://calls.example.com' })
    await set(s.owner, { invite_required: true, jitsi_server_url: 'default' })
    await s.realm.realm.barrier()
    expect(s.realm.realm.state.realm.settings).toEqual({})
  })
})

describe('Permission to change organization settings', () => {
  test('A member cannot change organization settings.', async () => {
    await using s = await setUp()
    const expected = '400 UNAUTHORIZED_PRINCIPAL: Only administrators of the organization may do this.'
    expect(await refusal(s.ada, { name: 'Mine' })).toBe(expected)
    expect(await refusal(s.ada, { enter_sends: true }, '/realm/user_settings_defaults')).toBe(expected)
  })

  test.each(ownersSettings)('An administrator cannot change %s.', async (name) => {
    await using s = await setUp()
    const value =
      name in realmGroupSettings ? { new: SystemGroup.owners } : name === 'authentication_methods' ? {} : values[name]
    expect(await refusal(s.admin, { [name]: value ?? 'x' })).toBe(
      '400 UNAUTHORIZED_PRINCIPAL: Only owners of the organization may do this.',
    )
  })

  test('An administrator can change all settings that are not reserved for owners.', async () => {
    await using s = await setUp()
    const others = Object.entries(values).filter(([name]) => !(ownersSettings as readonly string[]).includes(name))
    await set(s.admin, Object.fromEntries(others))
    await set(s.admin, { can_add_custom_emoji_group: { new: SystemGroup.owners } })
  })
})

describe('Refused organization settings', () => {
  const notListed = (name: string) => `BAD_REQUEST: ${name} must be one of the possible values.`
  const cannot = (setting: string, group: string) => `BAD_REQUEST: ${setting} cannot be the group ${group}.`
  test.each([
    [{ name: 'x'.repeat(41) }, 'BAD_REQUEST: name may have at most 40 characters.'],
    [{ description: 'x'.repeat(1001) }, 'BAD_REQUEST: description may have at most 1000 characters.'],
    [
      { message_content_edit_limit_seconds: 0 },
      'REQUEST_VARIABLE_INVALID: message_content_edit_limit_seconds cannot be 0: see the reference for its values.',
    ],
    [
      { message_retention_days: -1 },
      'REQUEST_VARIABLE_INVALID: message_retention_days cannot be -1: see the reference for its values.',
    ],
    [
      { message_retention_days: 'forever' },
      'REQUEST_VARIABLE_INVALID: message_retention_days cannot be forever: see the reference for its values.',
    ],
    [
      { message_edit_history_visibility_policy: 'some' },
      'BAD_REQUEST: message_edit_history_visibility_policy must be one of: all, moves, none.',
    ],
    [{ default_language: 'xx' }, 'BAD_REQUEST: There is no translation for the language “xx”.'],
    [{ waiting_period_threshold: -1 }, 'BAD_REQUEST: waiting_period_threshold is too small.'],
    [
      { authentication_methods: { Email: false } },
      'BAD_REQUEST: Users need at least one authentication method: leave one enabled.',
    ],
    [{ authentication_methods: { Magic: true } }, 'BAD_REQUEST: There is no authentication method Magic.'],
    [{ digest_weekday: 7 }, notListed('digest_weekday')],
    [{ org_type: 7 }, notListed('org_type')],
    [{ video_chat_provider: 2 }, 'BAD_REQUEST: There is no video chat provider 2.'],
    [{ giphy_rating: 9 }, 'BAD_REQUEST: There is no GIF rating 9.'],
    [{ jitsi_server_url: 'nowhere' }, 'BAD_REQUEST: jitsi_server_url must be an http or https address.'],
    [{ string_id: 'other' }, 'BAD_REQUEST: The address of this organization cannot be changed.'],
    [{ can_create_groups: { new: SystemGroup.everyone } }, cannot('can_create_groups', 'role:everyone')],
    [{ can_manage_all_groups: { new: SystemGroup.nobody } }, cannot('can_manage_all_groups', 'role:nobody')],
    [{ can_resolve_topics_group: { new: SystemGroup.internet } }, cannot('can_resolve_topics_group', 'role:internet')],
    [{ can_access_all_users_group: { new: SystemGroup.owners } }, cannot('can_access_all_users_group', 'role:owners')],
    [
      { can_create_web_public_channel_group: { new: SystemGroup.members } },
      cannot('can_create_web_public_channel_group', 'role:members'),
    ],
    [
      { can_access_all_users_group: { new: { direct_members: [2], direct_subgroups: [] } } },
      'SYSTEM_GROUP_REQUIRED: can_access_all_users_group must be a system group.',
    ],
    [
      { can_create_groups: { new: SystemGroup.owners, old: SystemGroup.owners } },
      'EXPECTATION_MISMATCH: The value is not the one in old: fetch it again before you change it.',
    ],
    [{ can_create_groups: { new: 99 } }, 'BAD_REQUEST: There is no such user group.'],
  ])('The server refuses %j: %s', async (params, expected) => {
    await using s = await setUp()
    expect(await refusal(s.owner, { ...params, invite_required: false })).toBe(`400 ${expected}`)
    expect(await seen(s.ada)).toMatchObject({ realm_invite_required: defaultRealmSettings.invite_required })
  })
})

describe('The waiting period', () => {
  test('A waiting period removes new members from role:fullmembers and from the channels which that group can access.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'old hands' }],
      invite_only: true,
      can_subscribe_group: SystemGroup.fullmembers,
    })
    const listener = await listen(s.ada, { event_types: ['user_group', 'stream', 'subscription'] })
    await set(s.owner, { waiting_period_threshold: 3 })
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'remove_members', group_id: SystemGroup.fullmembers, user_ids: [s.ada.user_id] },
      { op: 'delete', stream_ids: [1] },
    ])
    await set(s.owner, { waiting_period_threshold: 0 })
    expect(await listener.eventNames()).toEqual(['user_group/add_members', 'stream/create', 'subscription/peer_add'])
  })

  test('A member who has waited long enough becomes a full member and receives the events.', async () => {
    await using s = await setUp()
    await set(s.owner, { waiting_period_threshold: 3 })
    const now = Math.floor(Date.now() / 1000)
    const [late] = (await s.realm.people({ full_name: 'Late', date_joined: now - 3 * DAY - 30 })) as [Person]
    await ok(s.owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'old hands' }],
      invite_only: true,
      can_subscribe_group: SystemGroup.fullmembers,
    })
    const types = { event_types: ['user_group', 'stream', 'subscription'] }
    const [lateListener, adaListener] = [await listen(late, types), await listen(s.ada, types)]
    const notifyFullMembers = () =>
      withWriteContext(s.realm, (context) => announceFullMembers(context.dependencies, s.realm.realm, now))
    await notifyFullMembers()
    expect(await findRealmsWithNewFullMembers(s.realm.sql, now)).not.toContain(s.realm.realm_id)
    expect(await lateListener.events()).toEqual([])
    // Sets the time of the last run to before Late became a full member.
    const counter = { name: TOLD, value: s.realm.realm.state.counters.get(TOLD) as number }
    await commitRowChanges(s.realm, [composeUpdate('counters', counter, { value: now - 60 })])
    expect(await findRealmsWithNewFullMembers(s.realm.sql, now)).toContain(s.realm.realm_id)
    await notifyFullMembers()
    await notifyFullMembers()
    expect(withoutIds(await lateListener.events())).toMatchObject([
      { op: 'add_members', group_id: SystemGroup.fullmembers, user_ids: [late.user_id] },
      { op: 'create', streams: [{ name: 'old hands' }] },
      { op: 'peer_add', user_ids: [s.owner.user_id] },
    ])
    expect(await adaListener.eventNames()).toEqual(['user_group/add_members'])
  })
})

describe('Default settings of new users', () => {
  const setDefaults = (person: Person, settings: Record<string, unknown>) =>
    ok(person, 'PATCH', '/realm/user_settings_defaults', settings)

  test('An administrator can change the default settings of new users, and a guest receives the events.', async () => {
    await using s = await setUp()
    const listener = await listen(s.guest, { event_types: ['realm_user_settings_defaults'] })
    await setDefaults(s.admin, {
      color_scheme: 2,
      emojiset: 'twitter',
      email_address_visibility: 3,
      enable_sounds: true,
    })
    expect(withoutIds(await listener.events())).toEqual([
      { op: 'update', property: 'color_scheme', value: 2 },
      { op: 'update', property: 'email_address_visibility', value: 3 },
      { op: 'update', property: 'emojiset', value: 'set_c' },
    ])
    const [late] = (await s.realm.people({ full_name: 'Late' })) as [Person]
    const settings = async (person: Person) =>
      ok(person, 'POST', '/register', { fetch_event_types: ['user_settings', 'realm_user_settings_defaults'] })
    expect(await settings(late)).toMatchObject({
      user_settings: { color_scheme: 2, emojiset: 'set_c', email_address_visibility: 3 },
      realm_user_settings_defaults: { color_scheme: 2 },
    })
    expect(await settings(s.ada)).toMatchObject({ user_settings: { color_scheme: 1 } })
  })

  test('The defaults cannot contain strictly personal settings or invalid values.', async () => {
    await using s = await setUp()
    const personal = {
      default_language: 'de',
      timezone: 'UTC',
      allow_private_data_export: true,
      enable_login_emails: false,
    }
    expect(await setDefaults(s.admin, personal)).toMatchObject({
      ignored_parameters_unsupported: Object.keys(personal).sort(),
    })
    expect(await refusal(s.admin, { color_scheme: 9 }, '/realm/user_settings_defaults')).toContain(
      'one of the possible values',
    )
    expect(await refusal(s.admin, { notification_sound: 'gong' }, '/realm/user_settings_defaults')).toContain('gong')
  })
})
