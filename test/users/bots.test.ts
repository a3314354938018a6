/** Bots over the API: creating and administering them, and the events about them. */
import { describe, expect, test } from 'vitest'
import { BotType, Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { fetchFile, redPixel, upload } from '../setup/requests/files.js'

const setUp = () => newRealmWith('Owner', 'Admin', 'Ada', 'Grace', 'Guest')

const wanted = { full_name: 'Helper', short_name: 'helper' }
const createBot = (person: Person, params: Record<string, unknown> = {}) =>
  ok(person, 'POST', '/bots', { ...wanted, ...params })

const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return status === 200 ? 'done' : `${status} ${body.code}: ${body.msg}`
}

const withoutIds = (events: WireEvent[]) => events.map(({ id: _, type: __, ...event }) => event)
const insufficient = '400 BAD_REQUEST: Insufficient permission: ask an administrator of the organization.'

describe('Creating a bot', () => {
  test('A new bot has an email address, an API key, its default channels and its creator as owner.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'builds' }] })
    const answer = await createBot(s.ada, { default_sending_stream: 'Builds', default_all_public_streams: true })
    expect(answer).toMatchObject({
      email: `helper-bot@${s.realm.host}`,
      default_sending_stream: 'builds',
      default_events_register_stream: null,
      default_all_public_streams: true,
      avatar_url: expect.stringMatching(/^\/user_avatars\/drawn\/\d+\.[0-9a-f.]+\.bot\.png$/),
    })
    const email = `helper-bot@${s.realm.host}`
    const bot: Person = { ...s.ada, ...answer, email, full_name: 'Helper' }
    expect(await ok(bot, 'GET', '/users/me')).toMatchObject({ email, is_bot: true, bot_owner_id: s.ada.user_id })
    expect(await ok(s.ada, 'GET', '/bots')).toMatchObject({
      bots: [{ username: email, full_name: 'Helper', api_key: answer.api_key, default_sending_stream: 'builds' }],
    })
    expect(await ok(s.grace, 'GET', '/bots')).toMatchObject({ bots: [] })
  })

  test('The format of the requests of a webhook means nothing for a bot without one.', async () => {
    await using s = await setUp()
    expect(await createBot(s.ada, { interface_type: 2 ** 31 })).toMatchObject({ email: `helper-bot@${s.realm.host}` })
  })

  test.each([
    [{ short_name: 'a:b' }, 'short_name may contain only letters, digits and the characters . _ + -'],
    [{ short_name: '' }, 'short_name may contain only letters, digits and the characters . _ + -'],
    [{ full_name: 'H' }, 'A name must have at least 2 characters.'],
    [{ full_name: 'grace' }, 'There is a bot with this name already: choose another one.'],
    [{ short_name: 'taken' }, 'An account with this email address already exists.'],
    [{ bot_type: 5 }, 'Unknown bot_type: send 1, 2 or 3.'],
    [{ bot_type: BotType.embedded }, 'This server does not support embedded bots.'],
    [{ bot_type: BotType.incomingWebhook, service_name: 'forge' }, 'There is no integration named “forge”.'],
    [
      { bot_type: BotType.outgoingWebhook, interface_type: 3 },
      'Unknown interface type: send 1 (generic) or 2 (Slack).',
    ],
    [{ bot_type: BotType.outgoingWebhook, payload_url: 'nowhere' }, 'payload_url must be an http or https address.'],
    [{ default_sending_stream: 'nowhere' }, 'There is no channel named “nowhere”, or you may not see it.'],
  ])('The server refuses a new bot with %j: %s', async (params, msg) => {
    await using s = await setUp()
    await createBot(s.grace, { full_name: 'Taken', short_name: 'taken' })
    expect(await refusal(s.ada, 'POST', '/bots', { ...wanted, ...params })).toBe(`400 BAD_REQUEST: ${msg}`)
  })

  test('A user needs one right to create bots and another right to create incoming webhooks.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { can_create_bots_group: SystemGroup.administrators })
    expect(await refusal(s.ada, 'POST', '/bots', wanted)).toBe(insufficient)
    await createBot(s.ada, { bot_type: BotType.incomingWebhook })
    await updateRealmSettings(s.realm, { can_create_write_only_bots_group: SystemGroup.administrators })
    const other = { full_name: 'Other', short_name: 'other', bot_type: BotType.incomingWebhook }
    expect(await refusal(s.ada, 'POST', '/bots', other)).toBe(insufficient)
    await createBot(s.admin, other)
    expect(await refusal(s.guest, 'POST', '/bots', wanted)).toContain('Guests may not do this.')
  })

  test('All users receive a new bot as a user, only its administrators receive its API key, and the log does not contain it.', async () => {
    await using s = await setUp()
    const types = { event_types: ['realm_user', 'realm_bot'] }
    const [owner, ada, grace] = [await listen(s.owner, types), await listen(s.ada, types), await listen(s.grace, types)]
    const { user_id, api_key } = await createBot(s.ada, {
      bot_type: BotType.outgoingWebhook,
      payload_url: '"https://hooks.example.com/x"',
    })
    const expected = {
      op: 'add',
      bot: {
        user_id,
        email: `helper-bot@${s.realm.host}`,
        full_name: 'Helper',
        bot_type: 3,
        is_active: true,
        api_key,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        avatar_url: expect.any(String),
        owner_id: s.ada.user_id,
        services: [
          { base_url: 'https://hooks.example.com/x', interface: 1, token: expect.stringMatching(/^[0-9A-Za-z]{32}$/) },
        ],
      },
    }
    expect((await owner.eventNames()).join()).toBe('realm_user/add,realm_bot/add')
    expect(withoutIds(await ada.events()).at(-1)).toEqual(expected)
    expect(await grace.eventNames()).toEqual(['realm_user/add'])
    const seen = async (person: Person) =>
      (await ok(person, 'POST', '/register', { fetch_event_types: ['realm_bot'] })).realm_bots
    expect(await seen(s.admin)).toEqual([expected.bot])
    expect(await seen(s.ada)).toEqual([expected.bot])
    expect(await seen(s.grace)).toEqual([])
    // The log must not contain the API key.
    const rows = await s.realm
      .sql`select data::text || coalesce(rows::text, '') as text from log where realm_id = ${s.realm.realm_id}`
    const token = expected.bot.services[0]?.token
    expect(rows.map(({ text }) => text as string).join()).not.toContain(api_key)
    expect(token).toBeDefined()
  })

  test('A new bot may have an uploaded avatar.', async () => {
    await using s = await setUp()
    const query = new URLSearchParams(wanted).toString()
    const { json } = await upload(s.ada, `/bots?${query}`, { filename: 'face.png', data: redPixel })
    expect(json).toMatchObject({ avatar_url: `/user_avatars/${json.user_id}.png?version=1` })
    expect((await fetchFile(s.realm.host, json.avatar_url as string)).headers['content-type']).toBe('image/png')
    const other = new URLSearchParams({ full_name: 'Other', short_name: 'other' }).toString()
    const { json: refused } = await upload(s.ada, `/bots?${other}`, { filename: 'face.png', data: 'no picture' })
    expect(refused).toMatchObject({ code: 'BAD_IMAGE' })
  })

  test('A bot that registers without a narrow receives only the messages of its default events channel.', async () => {
    await using s = await setUp()
    await updateRealmSettings(s.realm, { send_channel_events_messages: false })
    for (const name of ['builds', 'other'])
      await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const answer = await createBot(s.ada, { default_events_register_stream: 'builds' })
    const bot: Person = { ...s.ada, ...answer, email: `helper-bot@${s.realm.host}` }
    const [plain, chosen] = [await listen(bot), await listen(bot, { narrow: [['stream', 'other']] })]
    for (const to of ['builds', 'other']) {
      await ok(s.ada, 'POST', '/messages', { type: 'stream', to, topic: 't', content: to })
    }
    const contents = (events: WireEvent[]) =>
      events.filter(({ type }) => type === 'message').map(({ message }) => (message as { content: string }).content)
    expect(contents(await plain.events())).toEqual(['builds'])
    expect(contents(await chosen.events())).toEqual(['other'])
  })
})

describe('Administering a bot', () => {
  test('The owner of a bot and administrators can change it, and administrators receive the events.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'builds' }] })
    const { user_id } = await createBot(s.ada, {
      bot_type: BotType.outgoingWebhook,
      payload_url: 'https://a.example.com/',
    })
    const change = (person: Person, params: object) => call(person, 'PATCH', `/bots/${user_id}`, { ...params })
    const listener = await listen(s.admin, { event_types: ['realm_bot', 'realm_user'] })
    const { body } = await change(s.ada, {
      full_name: 'Renamed',
      default_sending_stream: 'builds',
      default_all_public_streams: true,
      service_payload_url: 'https://b.example.com/',
      service_interface: 2,
      config_data: { color: 'red' },
    })
    expect(body).toMatchObject({
      full_name: 'Renamed',
      default_sending_stream: 'builds',
      default_events_register_stream: null,
      default_all_public_streams: true,
      service_payload_url: 'https://b.example.com/',
      service_interface: 2,
      config_data: { color: 'red' },
      bot_owner: 'ada@example.com',
    })
    expect(withoutIds(await listener.events())).toMatchObject([
      { op: 'update', person: { user_id, full_name: 'Renamed' } },
      { op: 'update', person: { user_id, avatar_url: `/user_avatars/drawn/${user_id}.52.bot.png` } },
      { op: 'update', bot: { user_id, full_name: 'Renamed', avatar_url: `/user_avatars/drawn/${user_id}.52.bot.png` } },
      { op: 'update', bot: { user_id, default_sending_stream: 'builds' } },
      { op: 'update', bot: { user_id, default_all_public_streams: true } },
      { op: 'update', bot: { user_id, services: [{ base_url: 'https://b.example.com/', interface: 2 }] } },
    ])
    expect((await change(s.admin, { default_sending_stream: '' })).body).toMatchObject({ default_sending_stream: null })
    expect((await change(s.grace, { full_name: 'Mine' })).body.msg).toBe(
      'Insufficient permission: ask an administrator of the organization.',
    )
    expect((await change(s.ada, { full_name: 'Grace' })).body.msg).toBe(
      'There is a bot with this name already: choose another one.',
    )
    expect((await change(s.ada, { role: Role.moderator })).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
    expect((await change(s.admin, { role: Role.owner })).body.msg).toBe('Only owners of the organization may do this.')
    expect((await change(s.admin, { role: Role.moderator })).status).toBe(200)
    for (const id of [999, s.ada.user_id, 1]) {
      expect(await refusal(s.owner, 'PATCH', `/bots/${id}`, { full_name: 'X Y' })).toContain('There is no such bot.')
    }
  })

  test('An administrator can give a bot to another owner, who must be an active human user.', async () => {
    await using s = await setUp()
    const { user_id } = await createBot(s.ada)
    const changeOwner = (bot_owner_id: number) => refusal(s.admin, 'PATCH', `/bots/${user_id}`, { bot_owner_id })
    expect(await changeOwner(999)).toContain('The new owner does not exist.')
    expect(await changeOwner(user_id)).toContain('A bot cannot own a bot.')
    await ok(s.admin, 'DELETE', `/users/${s.guest.user_id}`)
    expect(await changeOwner(s.guest.user_id)).toContain('The new owner is deactivated.')

    const types = { event_types: ['realm_bot', 'realm_user'] }
    const [admin, ada, grace] = [await listen(s.admin, types), await listen(s.ada, types), await listen(s.grace, types)]
    expect(await changeOwner(s.grace.user_id)).toBe('done')
    const everyone = { op: 'update', person: { user_id, bot_owner_id: s.grace.user_id } }
    expect(withoutIds(await ada.events())).toEqual([{ op: 'delete', bot: { user_id } }, everyone])
    expect(withoutIds(await grace.events())).toMatchObject([
      { op: 'add', bot: { user_id, full_name: 'Helper' } },
      everyone,
    ])
    expect(withoutIds(await admin.events())).toEqual([
      { op: 'update', bot: { user_id, owner_id: s.grace.user_id } },
      everyone,
    ])
  })

  test('The owner of a bot can deactivate it, and an administrator who reactivates it after its owner has left becomes its owner.', async () => {
    await using s = await setUp()
    const { user_id, api_key } = await createBot(s.ada)
    expect(await refusal(s.grace, 'DELETE', `/bots/${user_id}`)).toBe(insufficient)
    await ok(s.ada, 'DELETE', `/bots/${user_id}`)
    await ok(s.ada, 'DELETE', `/bots/${user_id}`)
    expect(await ok(s.ada, 'GET', '/bots')).toMatchObject({ bots: [] })
    await createBot(s.grace, { short_name: 'second' })
    expect(await refusal(s.ada, 'POST', `/users/${user_id}/reactivate`)).toContain(
      'There is a bot with this name already: choose another one.',
    )
    await ok(s.admin, 'PATCH', `/bots/${user_id}`, { full_name: 'First' })
    await ok(s.admin, 'DELETE', `/users/${s.ada.user_id}`)
    await ok(s.admin, 'POST', `/users/${user_id}/reactivate`)
    const bot: Person = { ...s.ada, user_id, api_key, email: `helper-bot@${s.realm.host}` }
    expect(await ok(bot, 'GET', '/users/me')).toMatchObject({ bot_owner_id: s.admin.user_id })
  })
})

describe('Regenerating an API key', () => {
  test('A user who regenerates their API key can no longer use the old key.', async () => {
    await using s = await setUp()
    const { api_key } = await ok(s.ada, 'POST', '/users/me/api_key/regenerate')
    expect(api_key).not.toBe(s.ada.api_key)
    expect(await refusal(s.ada, 'GET', '/users/me')).toBe(
      '401 UNAUTHORIZED: This API key does not belong to this account.',
    )
    await ok({ ...s.ada, api_key }, 'GET', '/users/me')
  })

  test('The owner of a bot can regenerate its API key and receives it in an event, and other users cannot.', async () => {
    await using s = await setUp()
    const { user_id } = await createBot(s.ada)
    const [ada, grace] = [await listen(s.ada), await listen(s.grace)]
    expect(await refusal(s.grace, 'POST', `/bots/${user_id}/api_key/regenerate`)).toBe(insufficient)
    const { api_key } = await ok(s.ada, 'POST', `/bots/${user_id}/api_key/regenerate`)
    expect(withoutIds(await ada.events())).toEqual([{ op: 'update', bot: { user_id, api_key } }])
    expect(await grace.events()).toEqual([])
    await ok({ ...s.ada, api_key, email: `helper-bot@${s.realm.host}` }, 'GET', '/users/me')
  })
})
