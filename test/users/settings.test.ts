/** Personal settings over the API: accepted and refused values, and the events about changes. */
import { describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { defaultUserSettings, type UserSettings } from '../../src/domain/settings/user-settings.js'
import { listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const setUp = async () => {
  const realm = await newRealm()
  const [owner, ada, grace, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada', password: 'correct horse battery' },
    { full_name: 'Grace' },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person, Person, Person]
  return { realm, owner, ada, grace, guest, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const set = (person: Person, settings: Record<string, unknown>, path = '/settings') =>
  ok(person, 'PATCH', path, settings)

const refusal = async (person: Person, settings: Record<string, unknown>) => {
  const { status, body } = await call(person, 'PATCH', '/settings', settings)
  return `${status} ${body.code}: ${body.msg}`
}

const settingsOf = async (person: Person) =>
  (
    await ok(person, 'POST', '/register', {
      fetch_event_types: ['user_settings'],
    })
  ).user_settings

const withoutIds = (events: WireEvent[]) => events.map(({ id: _, ...event }) => event)

/** A valid value of a setting that is not its default. */
const another = (name: keyof UserSettings): unknown => {
  const special: Partial<Record<keyof UserSettings, unknown>> = {
    default_language: 'de',
    notification_sound: 'ding',
    web_home_view: 'all_messages',
    web_animate_image_previews: 'never',
    resolved_topic_notice_auto_read_policy: 'always',
    emojiset: 'text',
    web_font_size_px: 20,
    web_line_height_percent: 120,
  }
  const value = defaultUserSettings[name]
  if (name in special) return special[name]
  if (typeof value === 'boolean') return !value
  return value === 1 ? 2 : 1
}

const names = Object.keys(defaultUserSettings) as (keyof UserSettings)[]

describe('Changing personal settings', () => {
  test('A user can change every setting, alone or together with others, and an event reports each change.', async () => {
    await using s = await setUp()
    const listener = await listen(s.ada, { event_types: ['user_settings'] })
    const all = Object.fromEntries(names.map((name) => [name, another(name)]))
    const [first, ...others] = names
    await set(s.ada, { [first as string]: all[first as string] })
    await set(s.ada, Object.fromEntries(others.map((name) => [name, all[name]])))
    expect(await settingsOf(s.ada)).toMatchObject(all)
    expect(await settingsOf(s.grace)).toMatchObject({ ...defaultUserSettings })
    const received = Object.fromEntries((await listener.events()).map(({ property, value }) => [property, value]))
    expect(received).toEqual(all)
    // Settings that return to their defaults leave no values in the row.
    await set(s.ada, { ...defaultUserSettings })
    await s.realm.realm.barrier()
    expect(s.realm.realm.state.users.get(s.ada.user_id)?.settings).toEqual({})
  })

  test('A setting that has the requested value already causes no event.', async () => {
    await using s = await setUp()
    const listener = await listen(s.ada)
    await set(s.ada, { ...defaultUserSettings })
    expect(await listener.eventNames()).toEqual([])
  })

  test('The older endpoints change settings too, and the answer names unknown parameters.', async () => {
    await using s = await setUp()
    await set(s.ada, { high_contrast_mode: true }, '/settings/display')
    const answer = await set(s.ada, { enable_sounds: false, dense_mode: true }, '/settings/notifications')
    expect(answer).toMatchObject({ ignored_parameters_unsupported: ['dense_mode'] })
    expect(await settingsOf(s.ada)).toMatchObject({ high_contrast_mode: true, enable_sounds: false })
  })

  test('A bot cannot change personal settings.', async () => {
    await using s = await setUp()
    const [bot] = (await s.realm.people({ full_name: 'Bot', bot: { type: 1, owner_id: s.ada.user_id } })) as [Person]
    expect(await refusal(bot, { enter_sends: true })).toBe('400 BAD_REQUEST: Bots may not do this.')
  })
})

describe('Refused setting values', () => {
  const notListed = (name: string) => `${name} must be one of the possible values.`
  test.each([
    [{ color_scheme: 4 }, notListed('color_scheme')],
    [{ color_scheme: '"1"' }, 'color_scheme must be an integer.'],
    [{ web_home_view: 'nowhere' }, notListed('web_home_view')],
    [{ emojiset: 'apple' }, notListed('emojiset')],
    [{ web_animate_image_previews: 'sometimes' }, notListed('web_animate_image_previews')],
    [{ email_address_visibility: 6 }, notListed('email_address_visibility')],
    [{ twenty_four_hour_time: 'maybe' }, 'twenty_four_hour_time must be valid JSON.'],
    [{ twenty_four_hour_time: 1 }, 'twenty_four_hour_time must be true or false.'],
    [{ web_font_size_px: 7 }, 'web_font_size_px is too small.'],
    [{ web_font_size_px: 65 }, 'web_font_size_px is too large.'],
    [{ web_line_height_percent: 0 }, 'web_line_height_percent is too small.'],
    [{ web_line_height_percent: 301 }, 'web_line_height_percent is too large.'],
    [{ default_language: 'xx' }, 'There is no translation for this language.'],
    [{ default_language: 'pt' }, 'There is no translation for this language.'],
    [{ default_language: 'de-AT' }, 'There is no translation for this language.'],
    [{ timezone: 'Mars/Olympus' }, 'timezone must be a time zone.'],
    [{ notification_sound: 'gong' }, 'There is no sound “gong”.'],
    [
      { email_notifications_batching_period_seconds: 0 },
      'An email batching period is 1 second to 7 days, not 0 seconds.',
    ],
    [
      { email_notifications_batching_period_seconds: 604_801 },
      'An email batching period is 1 second to 7 days, not 604801 seconds.',
    ],
    [{ full_name: 'A' }, 'A name must have at least 2 characters.'],
    [{ full_name: 'Ada*' }, 'The name contains characters that are not allowed in names.'],
    [{ email: 'nowhere' }, 'This is not an email address.'],
    [{ email: 'ada@mailinator.com' }, 'The organization does not accept disposable email addresses.'],
  ])('The server refuses the settings %j: %s', async (params, msg) => {
    await using s = await setUp()
    expect(await refusal(s.ada, params)).toBe(`400 BAD_REQUEST: ${msg}`)
    // A refused request changes no setting.
    expect(await refusal(s.ada, { ...params, enter_sends: true })).toContain(msg)
    expect(await settingsOf(s.ada)).toMatchObject({ enter_sends: false })
  })

  test('The server accepts string settings as JSON strings with quotes.', async () => {
    await using s = await setUp()
    await set(s.ada, {
      emojiset: '"text"',
      default_language: '"de"',
      timezone: '"Europe/Berlin"',
      notification_sound: '"none"',
    })
    expect(await settingsOf(s.ada)).toMatchObject({
      emojiset: 'text',
      default_language: 'de',
      timezone: 'Europe/Berlin',
      notification_sound: 'none',
    })
  })
})

describe('Settings for older clients', () => {
  test('A client without user_settings_object receives display and notification settings in the older form too.', async () => {
    await using s = await setUp()
    const listener = await listen(s.ada)
    await set(s.ada, { default_language: 'de', enable_sounds: false, web_font_size_px: 20 })
    expect(withoutIds(await listener.events())).toEqual(
      [
        { type: 'user_settings', op: 'update', property: 'web_font_size_px', value: 20 },
        { type: 'user_settings', op: 'update', property: 'default_language', value: 'de', language_name: 'Deutsch' },
        {
          type: 'update_display_settings',
          user: 'ada@example.com',
          setting_name: 'default_language',
          setting: 'de',
          language_name: 'Deutsch',
        },
        { type: 'user_settings', op: 'update', property: 'enable_sounds', value: false },
        {
          type: 'update_global_notifications',
          user: 'ada@example.com',
          notification_name: 'enable_sounds',
          setting: false,
        },
      ].sort((a, b) => names.indexOf(nameIn(a)) - names.indexOf(nameIn(b))),
    )
    const newerListener = await listen(s.ada, {
      client_capabilities: { notification_settings_null: true, user_settings_object: true },
    })
    await set(s.ada, { default_language: 'en', enable_sounds: true })
    expect(await newerListener.eventNames()).toEqual(['user_settings/update', 'user_settings/update'])
  })

  const nameIn = (event: Record<string, unknown>) =>
    (event.property ?? event.setting_name ?? event.notification_name) as keyof UserSettings

  test('Both names of emoji sets are accepted, and existing clients alone read the older ones.', async () => {
    await using s = await setUp()
    const documentNames = [{}, { client: 'Parley' }, { client: 'Go-http-client' }, { client: 'python-requests' }]
    const olderNames = ['ZulipFlutter', 'ZulipPython', 'Zulip', 'go-zulip', 'Apache-HttpClient'].map((client) => ({
      client,
    }))
    const events = { event_types: ['user_settings'] }
    const newer = await Promise.all(documentNames.map((more) => listen(s.ada, { ...events, ...more })))
    const older = await Promise.all(olderNames.map((more) => listen(s.ada, { ...events, ...more })))
    await set(s.ada, { emojiset: 'google-blob' })
    await set(s.ada, { emojiset: 'set_c' })
    for (const listener of newer) {
      expect(await listener.events()).toMatchObject([{ value: 'set_b' }, { value: 'set_c' }])
    }
    for (const listener of older) {
      expect(await listener.events()).toMatchObject([{ value: 'google-blob' }, { value: 'twitter' }])
    }
    const fetch_event_types = ['user_settings', 'realm_user_settings_defaults', 'update_display_settings']
    const fetched = (more: object) => ok(s.ada, 'POST', '/register', { fetch_event_types, ...more })
    for (const more of documentNames) {
      expect(await fetched(more)).toMatchObject({
        emojiset: 'set_c',
        user_settings: {
          emojiset: 'set_c',
          emojiset_choices: [{ key: 'set_a' }, { key: 'set_b' }, { key: 'set_c' }, {}],
        },
        realm_user_settings_defaults: { emojiset: 'set_a' },
      })
    }
    for (const more of olderNames) {
      expect(await fetched(more)).toMatchObject({
        emojiset: 'twitter',
        user_settings: {
          emojiset: 'twitter',
          emojiset_choices: [{ key: 'google' }, { key: 'google-blob' }, { key: 'twitter' }, { key: 'text' }],
        },
        realm_user_settings_defaults: { emojiset: 'google' },
      })
    }
  })
})

describe('What other users see of personal settings', () => {
  test('Other users receive the new name and the time zone of a user.', async () => {
    await using s = await setUp()
    const [adaListener, guestListener] = [await listen(s.ada), await listen(s.guest)]
    await set(s.ada, { full_name: ' Ada Lovelace ', timezone: 'Europe/London' })
    const { user_id } = s.ada
    expect(await adaListener.eventNames()).toEqual([
      'realm_user/update',
      'realm_user/update',
      'user_settings/update',
      'update_display_settings',
      'realm_user/update',
    ])
    expect(withoutIds(await guestListener.events())).toEqual([
      { type: 'realm_user', op: 'update', person: { user_id, full_name: 'Ada Lovelace' } },
      {
        type: 'realm_user',
        op: 'update',
        person: {
          user_id,
          avatar_url: `/user_avatars/drawn/${user_id}.41.4c.png`,
          avatar_url_medium: `/user_avatars/drawn/${user_id}.41.4c-medium.png`,
          avatar_source: 'G',
          avatar_version: 2,
        },
      },
      { type: 'realm_user', op: 'update', person: { user_id, timezone: 'Europe/London', email: 'ada@example.com' } },
    ])
  })

  test('With name_changes_disabled, a member cannot change their name and an owner can.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { name_changes_disabled: true })
    await set(s.ada, { full_name: 'Countess' })
    await set(s.owner, { full_name: 'Head' })
    expect(await ok(s.ada, 'GET', '/users/me')).toMatchObject({ full_name: 'Ada' })
    expect(await ok(s.owner, 'GET', '/users/me')).toMatchObject({ full_name: 'Head' })
  })

  test('A user who hides their email address shows a generated one, and each viewer receives events only for what they may see.', async () => {
    await using s = await setUp()
    await ok(s.owner, 'PATCH', '/realm', { default_avatar_source: 'G' })
    const types = { event_types: ['realm_user'] }
    const [owner, grace, guest] = [
      await listen(s.owner, types),
      await listen(s.grace, types),
      await listen(s.guest, types),
    ]
    const { user_id } = s.ada
    const hidden = `user${user_id}@${s.realm.host}`
    await set(s.ada, { email_address_visibility: 2 })
    const persons = (events: WireEvent[]) => events.map(({ person }) => person)
    expect(persons(await owner.events())).toEqual([{ user_id, new_email: hidden }])
    expect(persons(await grace.events())).toEqual([{ user_id, new_email: hidden }])
    expect(persons(await guest.events())).toEqual([
      { user_id, new_email: hidden },
      { user_id, delivery_email: null },
      expect.objectContaining({ user_id, avatar_url: expect.stringContaining('gravatar') }),
    ])
    await set(s.ada, { email_address_visibility: 3 })
    expect(persons(await owner.events())).toEqual([])
    expect(persons(await grace.events())).toMatchObject([{ delivery_email: null }, { avatar_source: 'G' }])
    expect(persons(await guest.events())).toEqual([])

    const seen = (person: Person) => ok(person, 'GET', `/users/${user_id}`)
    expect(await seen(s.grace)).toMatchObject({ user: { email: hidden, delivery_email: null } })
    expect(await seen(s.owner)).toMatchObject({ user: { email: hidden, delivery_email: 'ada@example.com' } })
    await set(s.ada, { email_address_visibility: 1 })
    expect(persons(await grace.events())).toMatchObject([
      { new_email: 'ada@example.com' },
      { delivery_email: 'ada@example.com' },
      { avatar_source: 'G' },
    ])
    expect(await seen(s.guest)).toMatchObject({ user: { email: 'ada@example.com', delivery_email: 'ada@example.com' } })
  })

  test('A restricted guest receives profile changes only of users they share a channel with.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'lobby' }],
      principals: [s.ada.user_id, s.guest.user_id],
    })
    await updateRealmSettings(s.realm, { can_access_all_users_group: SystemGroup.members })
    const listener = await listen(s.guest, { event_types: ['realm_user'] })
    await set(s.ada, { full_name: 'Ada Lovelace', email_address_visibility: 2 })
    await set(s.grace, { full_name: 'Grace Hopper', email_address_visibility: 2 })
    const received = (await listener.events()).map(({ person }) => (person as { user_id: number }).user_id)
    expect(new Set(received)).toEqual(new Set([s.ada.user_id]))
  })

  test('A user who turns presence off appears as away.', async () => {
    await using s = await setUp()
    const listener = await listen(s.grace, { event_types: ['user_status'] })
    const presenceListener = await listen(s.grace, { event_types: ['presence'] })
    const presence = async (user: Person) => {
      const { presence } = await ok(s.grace, 'GET', `/users/${user.user_id}/presence`)
      return presence.aggregated.status
    }
    await ok(s.ada, 'POST', '/users/me/presence', { status: 'active' })
    expect(await presence(s.ada)).toBe('active')
    const polled = await ok(s.grace, 'POST', '/users/me/presence', { status: 'active', last_update_id: -1 })
    await set(s.ada, { presence_enabled: false })
    expect(await presence(s.ada)).toBe('offline')
    const delta = { status: 'active', last_update_id: polled.presence_last_update_id }
    expect((await ok(s.grace, 'POST', '/users/me/presence', delta)).presences).toMatchObject({ [s.ada.user_id]: {} })
    // The pings of a hidden user change nothing.
    await ok(s.ada, 'POST', '/users/me/presence', { status: 'active' })
    expect(await presence(s.ada)).toBe('offline')
    const received = (await presenceListener.collect(3)).filter(({ user_id }) => user_id === s.ada.user_id)
    expect(received).toHaveLength(2)
    const { server_timestamp, presence: last } = received[1] as unknown as {
      server_timestamp: number
      presence: { website: { timestamp: number } }
    }
    expect(server_timestamp - last.website.timestamp).toBeGreaterThan(140)
    // A user who was never connected is offline too, and the older parameter hides a user as the setting does.
    await ok(s.guest, 'POST', '/users/me/status', { away: true })
    expect(await presence(s.guest)).toBe('offline')
    const status = () => ok(s.grace, 'POST', '/register', { fetch_event_types: ['user_status'] })
    expect(await status()).toMatchObject({ user_status: { [s.ada.user_id]: { away: true } } })
    await set(s.ada, { presence_enabled: true })
    expect(await status()).toMatchObject({ user_status: {} })
    expect(withoutIds((await listener.events()).filter(({ user_id }) => user_id === s.ada.user_id))).toEqual([
      { type: 'user_status', user_id: s.ada.user_id, away: true },
      { type: 'user_status', user_id: s.ada.user_id, away: false },
    ])
  })

  test('An owner receives an event when a user consents to the export of private data, and a member does not.', async () => {
    await using s = await setUp()
    const types = { event_types: ['realm_export_consent'] }
    const [owner, grace] = [await listen(s.owner, types), await listen(s.grace, types)]
    await set(s.ada, { allow_private_data_export: true })
    expect(withoutIds(await owner.events())).toEqual([
      { type: 'realm_export_consent', user_id: s.ada.user_id, consented: true },
    ])
    expect(await grace.events()).toEqual([])
  })
})

describe('Changing a password', () => {
  const login = async (s: { realm: { host: string } }, password: string) =>
    (await call(undefined, 'POST', '/fetch_api_key', { username: 'ada@example.com', password }, { host: s.realm.host }))
      .status

  test('A user who changes their password must send the old one, and the new one must be strong.', async () => {
    await using s = await setUp()
    const strong = 'quite another staple'
    expect(await refusal(s.ada, { new_password: strong })).toContain('The old password is wrong.')
    expect(await refusal(s.ada, { new_password: strong, old_password: 'guess' })).toContain(
      'The old password is wrong.',
    )
    const old_password = 'correct horse battery'
    expect(await refusal(s.ada, { new_password: 'ada', old_password })).toContain(
      'The new password is too easy to guess: choose a longer one.',
    )
    expect(await refusal(s.ada, { new_password: 'password1', old_password })).toContain(
      'The new password is too easy to guess: choose a longer one.',
    )
    await set(s.ada, { new_password: strong, old_password })
    expect([await login(s, strong), await login(s, old_password)]).toEqual([200, 401])
  })
})

describe('Changing an email address', () => {
  test('With email_changes_disabled, a member cannot change their email address.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { email_changes_disabled: true })
    expect(await refusal(s.ada, { email: 'new@example.com' })).toContain(
      'Only administrators may change email addresses in this organization.',
    )
    await set(s.ada, { email: 'ada@example.com' })
  })
})

describe('Turning off draft synchronization', () => {
  test('A user who turns off draft synchronization loses their stored drafts, and their clients receive no draft events.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'so far' }] })
    const listener = await listen(s.ada, { event_types: ['drafts', 'user_settings'] })
    await set(s.ada, { enable_drafts_synchronization: false })
    await set(s.ada, { enable_drafts_synchronization: true })
    expect(await listener.eventNames()).toEqual(['user_settings/update', 'user_settings/update'])
    expect(await ok(s.ada, 'GET', '/drafts')).toMatchObject({ count: 0 })
  })
})
