/**
 * Calls of levels later than the announced one: clients of newer servers make them. What clients of the announced
 * level read is unchanged.
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import { listen } from '../setup/realm/event-listener.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { createChannel, fetchMessage, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const setUp = async () => {
  const realm = await newRealm()
  const [owner, ada, grace] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Ada' },
    { full_name: 'Grace' },
  )) as [Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  return { realm, owner, ada, grace, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

test('A user lists and deletes their reminders, and receives the events.', async () => {
  await using s = await setUp()
  const message_id = await sendDirectMessage(s.ada, [s.grace], 'see `this`')
  const long = await sendDirectMessage(s.ada, [s.grace], 'x'.repeat(9_000))
  const listener = await listen(s.grace, { event_types: ['reminders'] })
  const at = soon(3_600)
  const { reminder_id } = await ok(s.grace, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp: at })
  await ok(s.grace, 'POST', '/reminders', { message_id: long, scheduled_delivery_timestamp: at + 60 })
  const { reminders } = await ok(s.grace, 'GET', '/reminders')
  expect(reminders[0]).toEqual({
    reminder_id,
    type: 'private',
    to: [s.grace.user_id],
    content: expect.stringContaining('You requested a reminder for a direct message.'),
    rendered_content: expect.stringContaining('<code>this</code>'),
    scheduled_delivery_timestamp: at,
    failed: false,
    reminder_target_message_id: message_id,
  })
  expect(reminders[1]?.content.length).toBeLessThan(1_000)
  expect((await ok(s.ada, 'GET', '/reminders')).reminders).toEqual([])
  const refused = await call(s.ada, 'DELETE', `/reminders/${reminder_id}`)
  expect([refused.status, refused.body.msg]).toEqual([400, 'You have no reminder with this ID.'])
  await ok(s.grace, 'DELETE', `/reminders/${reminder_id}`)
  expect((await call(s.grace, 'DELETE', `/reminders/${reminder_id}`)).status).toBe(400)
  expect((await ok(s.grace, 'GET', '/reminders')).reminders).toEqual([reminders[1]])
  expect(await listener.events()).toMatchObject([
    { op: 'add', reminders: [reminders[0]] },
    { op: 'add', reminders: [reminders[1]] },
    { op: 'remove', reminder_id },
  ])
})

test('A reminder leaves the list with its delivery, also when its user cannot read the message any more.', {
  timeout: 30_000,
}, async () => {
  await using s = await setUp()
  const message_id = await sendDirectMessage(s.ada, [s.grace], 'hello')
  const lost = await sendDirectMessage(s.ada, [s.grace], 'soon gone')
  const listener = await listen(s.grace, { event_types: ['reminders', 'message'] })
  for (const id of [message_id, lost]) {
    await ok(s.grace, 'POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: soon(3_600) })
  }
  await ok(s.ada, 'DELETE', `/messages/${lost}`)
  await makeScheduledDue(s.realm)
  const seen: string[] = []
  while (seen.filter((name) => name === 'reminders/remove').length < 2) {
    seen.push(...(await listener.events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)))
  }
  expect(seen.sort()).toEqual(['message', 'reminders/add', 'reminders/add', 'reminders/remove', 'reminders/remove'])
  expect((await ok(s.grace, 'GET', '/reminders')).reminders).toEqual([])
})

test('Registering a device for encrypted push notifications is refused with the reason.', async () => {
  await using s = await setUp()
  const given = { device_id: 1, push_key: 'x', token_id: 'y', encrypted_push_registration: 'z' }
  const { status, body } = await call(s.ada, 'POST', '/mobile_push/register', given)
  expect([status, body]).toEqual([
    400,
    {
      result: 'error',
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
      msg: 'This server has no push service, so it sends no push notifications.',
    },
  ])
})

test('An administrator can change the order of the channel folders, whose objects have their place.', async () => {
  await using s = await setUp()
  for (const name of ['one', 'two', 'three']) await ok(s.owner, 'POST', '/channel_folders/create', { name })
  const listener = await listen(s.ada, { event_types: ['channel_folder'] })
  const listed = async () => (await ok(s.ada, 'GET', '/channel_folders')).channel_folders
  expect((await listed()).map(({ id }) => id)).toEqual([1, 2, 3])
  await ok(s.owner, 'PATCH', '/channel_folders', { order: [3, 1, 2] })
  await ok(s.owner, 'PATCH', '/channel_folders', { order: [3, 1, 2] })
  await ok(s.owner, 'POST', '/channel_folders/create', { name: 'four' })
  expect((await listed()).map(({ id }) => id)).toEqual([3, 1, 2, 4])
  expect((await listed()).map(({ order }) => order)).toEqual([0, 1, 2, 3])
  expect(Object.keys((await listed())[0] ?? {})).not.toContain('position')
  const { channel_folders } = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['channel_folders'] })
  expect((channel_folders as { id: number }[]).map(({ id }) => id)).toEqual([3, 1, 2, 4])
  for (const order of [[], [1, 2, 3], [1, 1, 2, 3], [1, 2, 3, 5]]) {
    const { body } = await call(s.owner, 'PATCH', '/channel_folders', { order })
    expect(body.msg).toBe('order must contain the ID of each channel folder once, also of archived ones.')
  }
  expect((await call(s.ada, 'PATCH', '/channel_folders', { order: [1, 2, 3, 4] })).status).toBe(400)
  expect(await listener.events()).toMatchObject([
    { op: 'reorder', order: [3, 1, 2] },
    { op: 'add', channel_folder: { name: 'four', order: 3 } },
  ])
})

test('An administrator can try a welcome message.', async () => {
  await using s = await setUp()
  const path = '/realm/test_welcome_bot_custom_message'
  const text = 'Welcome to **Acme**!'
  const { message_id } = await ok(s.owner, 'POST', path, { welcome_message_custom_text: text })
  expect(await fetchMessage(s.owner, message_id)).toMatchObject({
    type: 'private',
    sender_full_name: 'Notification Bot',
    content: '<p>Welcome to <strong>Acme</strong>!</p>',
  })
  for (const welcome_message_custom_text of ['', 'x'.repeat(8_001)]) {
    expect((await call(s.owner, 'POST', path, { welcome_message_custom_text })).status).toBe(400)
  }
  expect((await call(s.ada, 'POST', path, { welcome_message_custom_text: text })).status).toBe(400)
})

test('A channel is created once, with its subscribers and properties.', async () => {
  await using s = await setUp()
  const given = {
    name: 'design',
    description: 'Shapes',
    subscribers: [s.ada.user_id, s.grace.user_id],
    invite_only: true,
    topics_policy: 'disable_empty_topic',
  }
  const { id } = await ok(s.ada, 'POST', '/channels/create', given)
  const { subscribers } = await ok(s.ada, 'GET', `/streams/${id}/members`)
  expect(subscribers).toEqual([s.ada.user_id, s.grace.user_id])
  const { stream } = await ok(s.ada, 'GET', `/streams/${id}`)
  expect(stream).toMatchObject({ name: 'design', description: 'Shapes', invite_only: true, creator_id: s.ada.user_id })
  expect(await postMessage(s.grace, 'design', 'logo')).toEqual(expect.any(Number))
  const { status, body } = await call(s.ada, 'POST', '/channels/create', { ...given, name: ' Design ' })
  expect([status, body]).toEqual([
    409,
    {
      result: 'error',
      code: 'CHANNEL_ALREADY_EXISTS',
      msg: 'There is a channel named “Design” already.',
      channel_name: 'Design',
    },
  ])
  const empty = await ok(s.ada, 'POST', '/channels/create', { name: 'empty', subscribers: [] })
  expect((await ok(s.ada, 'GET', `/streams/${empty.id}/members`)).subscribers).toEqual([])
  const missing = await call(s.ada, 'POST', '/channels/create', { name: 'third' })
  expect(missing.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscribers' })
})

test('The channels of another user are those that exist for the caller.', async () => {
  await using s = await setUp()
  const open = await createChannel(s.ada, 'open', [s.ada, s.grace])
  const secret = await createChannel(s.grace, 'secret', [s.grace], { invite_only: true })
  const shared = await createChannel(s.grace, 'shared', [s.ada, s.grace], { invite_only: true })
  await createChannel(s.ada, 'without her', [s.ada])
  const left = await createChannel(s.ada, 'left', [s.grace])
  await ok(s.grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  const channelsOf = async (by: Person, { user_id }: Person) =>
    (await ok(by, 'GET', `/users/${user_id}/channels`)).subscribed_channel_ids
  expect(await channelsOf(s.ada, s.grace)).toEqual([open, shared])
  expect(await channelsOf(s.grace, s.grace)).toEqual([open, secret, shared])
  // Administrators see that a private channel exists.
  expect(await channelsOf(s.owner, s.grace)).toEqual([open, secret, shared])
  expect(await channelsOf(s.ada, s.grace)).not.toContain(left)
  const unknown = await call(s.ada, 'GET', '/users/999999/channels')
  expect([unknown.status, unknown.body.code]).toEqual([400, 'BAD_REQUEST'])
  await ok(s.owner, 'DELETE', `/users/${s.grace.user_id}`)
  expect(await channelsOf(s.ada, s.grace)).toEqual([])
})

test('The API key of a bot is shown to its owner and to administrators.', async () => {
  await using s = await setUp()
  const bot = await ok(s.ada, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
  const path = `/bots/${bot.user_id}/api_key` as const
  expect(await ok(s.ada, 'GET', path)).toMatchObject({ api_key: bot.api_key })
  expect(await ok(s.owner, 'GET', path)).toMatchObject({ api_key: bot.api_key })
  const { api_key } = await ok(s.ada, 'POST', `${path}/regenerate`)
  expect(await ok(s.ada, 'GET', path)).toMatchObject({ api_key })
  for (const [by, id] of [
    [s.grace, bot.user_id],
    [s.ada, s.grace.user_id],
  ] as const) {
    const refused = await call(by, 'GET', `/bots/${id}/api_key`)
    expect(refused.status).toBe(400)
    expect(refused.body).not.toHaveProperty('api_key')
  }
  await ok(s.ada, 'DELETE', `/bots/${bot.user_id}`)
  const { body } = await call(s.ada, 'GET', path)
  expect(body.msg).toBe('This bot is deactivated: its API key is not accepted.')
})

test('An administrator can change the status of another user, who gets the same event as all others.', async () => {
  await using s = await setUp()
  const path = `/users/${s.ada.user_id}/status` as const
  const listener = await listen(s.ada, { event_types: ['user_status'] })
  await ok(s.owner, 'POST', path, { status_text: 'On holiday', emoji_name: 'car' })
  const status = { status_text: 'On holiday', emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
  expect(await ok(s.grace, 'GET', path)).toMatchObject({ status })
  expect(await listener.events()).toMatchObject([{ user_id: s.ada.user_id, ...status }])
  await ok(s.owner, 'POST', path, { status_text: '', emoji_name: '' })
  expect((await ok(s.grace, 'GET', path)).status).toEqual({})
  expect((await call(s.grace, 'POST', path, { status_text: 'mine' })).status).toBe(400)
  const bot = await ok(s.ada, 'POST', '/bots', { full_name: 'Helper', short_name: 'helper' })
  for (const id of [bot.user_id, 999_999]) {
    expect((await call(s.owner, 'POST', `/users/${id}/status`, { status_text: 'x' })).status).toBe(400)
  }
})

test('A reminder repeats the note of its user, in the list and in the message.', { timeout: 30_000 }, async () => {
  await using s = await setUp()
  const message_id = await sendDirectMessage(s.ada, [s.grace], 'hello')
  const listener = await listen(s.grace, { event_types: ['message'], apply_markdown: false })
  const given = { message_id, scheduled_delivery_timestamp: soon(3_600), note: ' ask *why*\n```\n' }
  await ok(s.grace, 'POST', '/reminders', given)
  const { reminders } = await ok(s.grace, 'GET', '/reminders')
  const noted = 'Your note:\n````quote\nask *why*\n```\n````\n\n'
  expect(reminders[0]?.content).toContain(noted)
  expect(reminders[0]?.rendered_content).toContain('<blockquote>\n<p>ask <em>why</em>')
  const { body } = await call(s.grace, 'POST', '/reminders', { ...given, note: 'x'.repeat(1_001) })
  expect(body.msg).toBe('note may have at most 1000 characters.')
  await makeScheduledDue(s.realm)
  expect(await listener.collect(1)).toMatchObject([{ message: { content: expect.stringContaining(noted) } }])
})

test('A client with the capability simplified_presence_events receives presence by user id.', async () => {
  await using s = await setUp()
  const capabilities = { notification_settings_null: true, simplified_presence_events: true }
  const modern = await listen(s.ada, { event_types: ['presence'], client_capabilities: capabilities })
  const older = await listen(s.ada, { event_types: ['presence'] })
  const before = Math.floor(Date.now() / 1000)
  await ok(s.grace, 'POST', '/users/me/presence', { status: 'active', new_user_input: true })
  const [event, ...others] = await modern.collect(1)
  expect(others).toEqual([])
  const { id: _, ...rest } = event ?? {}
  const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) }
  expect(rest).toEqual({ type: 'presence', presences: { [s.grace.user_id]: times } })
  const presences = (event?.presences ?? {}) as Record<string, { active_timestamp: number }>
  expect(presences[s.grace.user_id]?.active_timestamp).toBeGreaterThanOrEqual(before)
  expect(await older.collect(1)).toMatchObject([
    { user_id: s.grace.user_id, presence: { website: { status: 'active' } } },
  ])
})

test('A registration and the list of subscriptions accept partial subscribers, and list all of them.', async () => {
  await using s = await setUp()
  const ids = [s.ada.user_id, s.grace.user_id]
  await ok(s.ada, 'POST', '/channels/create', { name: 'design', subscribers: ids })
  for (const include_subscribers of ['partial', '"partial"', true]) {
    const { subscriptions } = await ok(s.ada, 'GET', '/users/me/subscriptions', { include_subscribers })
    expect(subscriptions[0]).toMatchObject({ subscribers: ids })
    const register = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['subscription'], include_subscribers })
    expect(register.subscriptions).toMatchObject([{ subscribers: ids }])
  }
  const { body } = await call(s.ada, 'GET', '/users/me/subscriptions', { include_subscribers: 'some' })
  expect(body.msg).toBe('include_subscribers must be true or false.')
})

test('A registration has the limits and facts of later levels.', async () => {
  await using s = await setUp()
  const answer = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['realm', 'user_settings'] })
  expect(answer).toMatchObject({
    max_channel_folder_name_length: 100,
    max_channel_folder_description_length: 1_024,
    max_reminder_note_length: 1_000,
    realm_owner_full_content_access: false,
    server_report_message_types: [
      { key: 'spam', name: 'Spam' },
      { key: 'harassment', name: 'Harassment' },
      { key: 'inappropriate', name: 'Inappropriate content' },
      { key: 'norms', name: 'Against the norms of the community' },
      { key: 'other', name: 'Another reason' },
    ],
    user_settings: { web_left_sidebar_show_channel_folders: true, web_inbox_show_channel_folders: true },
  })
  const consents = await ok(s.owner, 'GET', '/export/realm/consents')
  expect(consents.export_consents[0]).toMatchObject({ email_address_visibility: 1 })
})

test('The settings of later levels can be changed like all others.', async () => {
  await using s = await setUp()
  const listener = await listen(s.ada, { event_types: ['user_settings'] })
  const given = {
    web_channel_default_view: 4,
    web_left_sidebar_show_channel_folders: false,
    web_inbox_show_channel_folders: false,
  }
  await ok(s.ada, 'PATCH', '/settings', given)
  const events = await listener.events()
  expect(Object.fromEntries(events.map(({ property, value }) => [property, value]))).toEqual(given)
  expect((await call(s.ada, 'PATCH', '/settings', { web_channel_default_view: 5 })).status).toBe(400)
})

/** The levels that the descriptions of a document state, each with the parameter or the field that has it. */
const listLevels = (node: unknown, name: string): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const { in: place, name: own, description } = node as Record<string, unknown>
  const named = typeof place === 'string' && typeof own === 'string' ? own : name
  const [, level] = typeof description === 'string' ? (/Of feature level (\d+)/.exec(description) ?? []) : []
  return [
    ...(level === undefined ? [] : [`${level} ${named}`]),
    ...Object.entries(node).flatMap(([key, value]) =>
      key === 'properties'
        ? Object.entries(value as object).flatMap(([property, schema]) => listLevels(schema, property))
        : listLevels(value, /^(Event\.|\/|get|post|patch|put|delete)/.test(key) ? key : named),
    ),
  ]
}

test('The OpenAPI document states the level of each parameter and field of a later level.', async () => {
  await using s = await setUp()
  const { body } = await call(s.ada, 'GET', '/openapi.json')
  const found = new Set(listLevels(body, '').filter((line) => !/ (get|post|patch|put|delete)$/.test(line)))
  expect([...found].sort()).toEqual([
    '401 web_channel_default_view',
    '402 can_resolve_topics_group',
    '404 topics_policy',
    '407 can_delete_any_message_group',
    '407 can_delete_own_message_group',
    '407 can_set_delete_message_policy_group',
    '407 realm_can_set_delete_message_policy_group',
    '410 max_channel_folder_description_length',
    '410 max_channel_folder_name_length',
    '411 web_left_sidebar_show_channel_folders',
    '412 include_subscribers',
    '414 order',
    '415 max_reminder_note_length',
    '415 note',
    '416 realm_welcome_message_custom_text',
    '416 welcome_message_custom_text',
    '419 Event.presence',
    '430 email_address_visibility',
    '431 web_inbox_show_channel_folders',
    '434 realm_send_channel_events_messages',
    '434 send_channel_events_messages',
    '435 server_report_message_types',
    '438 realm_owner_full_content_access',
    '441 can_create_topic_group',
    '445 anchor',
    '445 anchor_date',
    '446 narrow',
    '456 default_avatar_source',
    '456 realm_default_avatar_source',
  ])
})

test('The OpenAPI document states the level of each such call, and the server announces the same level as before.', async () => {
  await using s = await setUp()
  const { body } = await call(s.ada, 'GET', '/openapi.json')
  const paths = body.paths as Record<string, Record<string, { 'x-feature-level'?: number; description: string }>>
  const levels = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-feature-level': level, description }]) =>
      level === undefined ? [] : [[level, `${method.toUpperCase()} ${path}`, description.includes(`level ${level}`)]],
    ),
  )
  const declared = Object.values<Endpoint>(registry).flatMap(({ method, paths, level }) =>
    level === undefined ? [] : paths.map((path) => [level, `${method} ${path}`, true]),
  )
  expect(declared).toContainEqual([417, 'POST /channels/create', true])
  expect(levels.sort()).toEqual(declared.sort())
  expect(await ok(s.ada, 'POST', '/register', { fetch_event_types: [] })).toMatchObject({ zulip_feature_level: 398 })
})

test('A parameter of a later level that is not served is reported as ignored.', async () => {
  await using s = await setUp()
  const target_users = { user_ids: [s.grace.user_id] }
  const answer = await ok(s.owner, 'PATCH', '/settings', { target_users, starred_message_counts: false })
  expect(answer).toMatchObject({ ignored_parameters_unsupported: ['target_users'] })
  const { user } = await ok(s.owner, 'GET', `/users/${s.grace.user_id}`)
  expect(user).not.toHaveProperty('is_imported_stub')
})
