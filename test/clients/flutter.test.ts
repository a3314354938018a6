/**
 * The current mobile app cannot be run here. So this asks for what it asks for, in its order, and decodes every answer
 * and every event as strictly as it does (flutter.ts): one fault, and the app would refuse the server, or start over
 * for ever.
 */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { hashPassword, storePassword } from '../../src/store/passwords.js'
import { startGateway } from '../setup/processes.js'
import type { Cursor, WireEvent } from '../setup/reader.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm.js'
import { get, redPixel, upload } from '../setup/upload.js'
import { answers, decode, eventNames, fieldData, registration, snapshot } from './flutter.js'
import { type Phone, phoneOf } from './phone.js'

const userAgent = 'ZulipFlutter/30.0.274+274 (Android 14)'
const password = 'correct horse battery staple'

type Params = Record<string, unknown>
type Snapshot = z.infer<typeof snapshot>

/** An organization with something of everything. */
interface World {
  realm: TestRealm
  owner: Person
  ada: Person
  grace: Person
  guest: Person
  channels: Record<'design' | 'leads' | 'secret' | 'web' | 'old' | 'quiet', number>
  fields: Record<string, number>
  emoji: string
  group: number
  bot: number
  gone: number
  folder: number
  poll: number
}

const by = (person: Person) => ({
  post: <T = Params>(path: string, params: Params = {}) => ok<T>(person, 'POST', path, params),
  patch: <T = Params>(path: string, params: Params = {}) => ok<T>(person, 'PATCH', path, params),
  remove: <T = Params>(path: string, params: Params = {}) => ok<T>(person, 'DELETE', path, params),
  get: <T = Params>(path: string, params: Params = {}) => ok<T>(person, 'GET', path, params),
})

const inTopic = (to: string | number, topic: string, content: string): Params => ({
  type: 'channel',
  to: String(to),
  topic,
  content,
})
const toPeople = (people: Person[], content: string): Params => ({
  type: 'direct',
  to: people.map(({ user_id }) => user_id),
  content,
})

const world = async (): Promise<World> => {
  const realm = await newRealm()
  const [owner, ada, grace, guest, leaver] = (await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Ada', timezone: 'Europe/London' },
    { full_name: 'Grace', settings: { email_address_visibility: 4 } },
    { full_name: 'Guest', role: 600 },
    { full_name: 'Leaver' },
  )) as [Person, Person, Person, Person, Person]
  await storePassword(realm.sql, realm.realm_id, ada.user_id, await hashPassword(password))
  const boss = by(owner)
  await boss.patch('/realm', { enable_spectator_access: true })
  const channel = async (name: string, people: Person[], more: Params = {}) => {
    const principals = people.map(({ user_id }) => user_id)
    const subscriptions = [{ name, description: `About **${name}**` }]
    await boss.post('/users/me/subscriptions', { subscriptions, principals, ...more })
    return (await boss.get<{ stream_id: number }>('/get_stream_id', { stream: name })).stream_id
  }
  const direct_members = [ada.user_id]
  const channels = {
    design: await channel('design', [owner, ada, grace, guest], { history_public_to_subscribers: true }),
    leads: await channel('leads', [owner, ada], { invite_only: true, history_public_to_subscribers: false }),
    secret: await channel('secret', [owner], { invite_only: true }),
    web: await channel('web', [owner, ada], { is_web_public: true }),
    old: await channel('old', [owner, ada]),
    quiet: await channel('quiet', [owner, ada], {
      can_send_message_group: { direct_members, direct_subgroups: [] },
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
    }),
  }
  const fields: Record<string, number> = {}
  const field = async (name: string, field_type: number, more: Params = {}) => {
    const given = { name, hint: `Your ${name}`, field_type, ...more }
    fields[name] = (await boss.post<{ id: number }>('/realm/profile_fields', given)).id
  }
  await field('Phone', 1, { display_in_profile_summary: true })
  await field('About', 2)
  const choices = { red: { text: 'Red', order: '1' }, blue: { text: 'Blue', order: '2' } }
  await field('Colour', 3, { field_data: choices })
  await field('Birthday', 4)
  await field('Page', 5)
  await field('Mentor', 6)
  await field('GitHub', 7, { field_data: { subtype: 'github' } })
  const elsewhere = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s' }
  await field('Elsewhere', 7, { field_data: elsewhere })
  await field('Pronouns', 8)
  const data = (name: string, value: unknown) => ({ id: fields[name], value })
  const told = [
    ...[data('Phone', '123'), data('About', 'I **am** Grace'), data('Colour', 'blue'), data('Birthday', '1906-12-09')],
    ...[data('Page', 'https://example.com'), data('Mentor', [owner.user_id]), data('GitHub', 'grace')],
    ...[data('Elsewhere', 'grace'), data('Pronouns', 'she/her')],
  ]
  await by(grace).patch('/users/me/profile_data', { data: told })

  await upload(owner, '/realm/emoji/parley', { filename: 'parley.png', type: 'image/png', data: redPixel })
  const { emoji } = await boss.get<{ emoji: Record<string, { name: string }> }>('/realm/emoji')
  const group = { name: 'makers', description: 'Who make', members: [ada.user_id, grace.user_id] }
  const { group_id } = await boss.post<{ group_id: number }>('/user_groups/create', group)
  const unused = { name: 'unused', description: '', members: [] }
  const { group_id: unusedId } = await boss.post<{ group_id: number }>('/user_groups/create', unused)
  await boss.post(`/user_groups/${unusedId}/deactivate`)
  const { user_id: bot } = await boss.post<{ user_id: number }>('/bots', { full_name: 'Robot', short_name: 'robot' })
  const { channel_folder_id: folder } = await boss.post<{ channel_folder_id: number }>('/channel_folders/create', {
    name: 'Work',
    description: 'What *we* do',
  })
  await boss.patch(`/streams/${channels.design}`, { folder_id: folder })

  const say = async (person: Person, given: Params) => (await by(person).post<{ id: number }>('/messages', given)).id
  const first = await say(grace, inTopic(channels.design, 'logo', 'The **first** draft for @**Ada**'))
  await say(leaver, toPeople([ada], 'Goodbye'))
  await say(grace, inTopic(channels.design, '', 'No topic at all, @**all**'))
  await say(owner, inTopic(channels.leads, 'plans', '/me plans'))
  await say(owner, inTopic(channels.web, 'news', 'For everybody'))
  await say(grace, toPeople([ada], 'Just you'))
  await say(grace, toPeople([ada, owner], 'The three of us'))
  await say(ada, toPeople([ada], 'A note to myself'))
  const poll = await say(grace, inTopic(channels.design, 'lunch', '/poll Where?\nHere\nThere'))
  const vote = { message_id: poll, msg_type: 'widget', content: { type: 'vote', key: 'canned,0', vote: 1 } }
  await by(owner).post('/submessage', vote)
  const todo = await say(grace, inTopic(channels.design, 'lunch', '/todo Buy\nBread: fresh'))
  await by(owner).post('/submessage', {
    message_id: todo,
    msg_type: 'widget',
    content: { type: 'strike', key: '0,canned' },
  })
  await by(ada).post(`/messages/${first}/reactions`, { emoji_name: 'tada' })
  await by(owner).post(`/messages/${first}/reactions`, { emoji_name: 'parley' })
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
  await by(grace).post(`/messages/${first}/reactions`, extra)
  await by(grace).patch(`/messages/${first}`, { content: 'The **first** draft for @**Ada**, again' })
  await by(grace).patch(`/messages/${first}`, { topic: 'logos', propagate_mode: 'change_all' })
  await by(ada).post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  const { text } = await upload(ada, '/user_uploads', { filename: 'a b.txt', type: 'text/plain', data: 'hello' })
  await say(ada, inTopic(channels.design, 'files', `[a file](${(JSON.parse(text) as { uri: string }).uri})`))

  const me = by(ada)
  await me.post('/users/me/alert_words', { alert_words: ['parley'] })
  await me.post(`/users/me/muted_users/${guest.user_id}`)
  await me.post('/saved_snippets', { title: 'Hello', content: 'Hello, *all*' })
  const in_an_hour = Math.floor(Date.now() / 1000) + 3600
  await me.post('/scheduled_messages', {
    ...inTopic(channels.design, 'later', 'Later'),
    scheduled_delivery_timestamp: in_an_hour,
  })
  const drafted = { type: 'stream', to: [channels.design], topic: 'x', content: 'y', timestamp: in_an_hour }
  await me.post('/drafts', { drafts: [drafted] })
  for (const [topic, visibility_policy] of [
    ['muted', 1],
    ['unmuted', 2],
    ['followed', 3],
  ] as const) {
    await me.post('/user_topics', { stream_id: channels.design, topic, visibility_policy })
  }
  await by(grace).post('/users/me/status', { status_text: 'Away', emoji_name: 'car' })
  await by(owner).post('/users/me/status', { emoji_name: 'parley' })
  await by(guest).post('/users/me/status', { status_text: 'Text alone' })
  await by(grace).post('/users/me/presence', { status: 'active', new_user_input: true })
  await me.post('/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: channels.quiet, property: 'is_muted', value: true },
      { stream_id: channels.web, property: 'color', value: '#AABBCC' },
      { stream_id: channels.web, property: 'push_notifications', value: true },
    ],
  })
  await boss.remove(`/users/${leaver.user_id}`)
  await boss.remove(`/streams/${channels.old}`)
  return {
    ...{ realm, owner, ada, grace, guest, channels, fields, group: group_id, bot, folder, poll },
    emoji: Object.keys(emoji)[0] as string,
    gone: leaver.user_id,
  }
}

let made: World

beforeAll(async () => {
  made = await world()
  return () => made.realm[Symbol.asyncDispose]()
})

const phone = (person: Person = made.ada, url?: string): Phone => phoneOf(userAgent, made.realm.host, person, url)

/** A registration, decoded, and what is read of its queue afterwards. */
const start = async (person: Person) => {
  const url = anyGateway()
  const app = phone(person, url)
  const initial = snapshot.parse(await app.call('POST', 'register', registration))
  const { queue_id } = initial
  let { last_event_id } = initial
  /** The events of all that was answered before, decoded. */
  const events = async (): Promise<WireEvent[]> => {
    await app.call('GET', 'users/me')
    const given = { queue_id, last_event_id, dont_block: true }
    const told = answers.events.parse(await app.call('GET', 'events', given)).events as WireEvent[]
    last_event_id = told.at(-1)?.id ?? last_event_id
    return told
  }
  return { app, initial, events, cursor: (): Cursor => ({ queue_id, last_event_id }) }
}

describe('the mobile app', () => {
  test('logs in by a password, and knows its account then', async () => {
    const anonymous = phoneOf(userAgent, made.realm.host, undefined)
    const settings = answers.serverSettings.parse(await anonymous.call('GET', 'server_settings'))
    expect(settings.email_auth_enabled).toBe(true)
    const given = { username: made.ada.email, password }
    const { api_key, user_id } = answers.fetchApiKey.parse(await anonymous.call('POST', 'fetch_api_key', given))
    expect({ api_key, user_id }).toEqual({ api_key: made.ada.api_key, user_id: made.ada.user_id })
    const wrong = await anonymous.refused('POST', 'fetch_api_key', { ...given, password: 'wrong' })
    expect(wrong).toEqual({ status: 401, code: 'AUTHENTICATION_FAILED' })
    const own = answers.ownUser.parse(await phone().call('GET', 'users/me'))
    expect(own.user_id).toBe(user_id)
  })

  test('is told at its first word that a key counts no more', async () => {
    const stale = { ...made.ada, api_key: 'x'.repeat(32) }
    expect(await phone(stale).refused('POST', 'register', registration)).toMatchObject({ status: 401 })
  })

  test.each(['owner', 'ada', 'grace', 'guest'] as const)('starts for %s', async (name) => {
    const { initial } = await start(made[name])
    const self = made[name].user_id
    // Clients look themselves up in the list.
    expect(initial.realm_users.map(({ user_id }) => user_id)).toContain(self)
    for (const { user_ids } of initial.recent_private_conversations) expect(user_ids).not.toContain(self)
    expect(initial.zulip_feature_level).toBe(398)
  })

  test('finds all that there is in the organization', async () => {
    const { initial } = await start(made.ada)
    expect(filled(initial)).toEqual([])
    const ofType = (type: number) => initial.custom_profile_fields.filter((field) => field.type === type)
    for (const { field_data } of ofType(3)) fieldData.choices.parse(JSON.parse(field_data))
    for (const { field_data } of ofType(7)) fieldData.externalAccount.parse(JSON.parse(field_data))
    expect(new Set(initial.custom_profile_fields.map(({ type }) => type)).size).toBe(8)
    const grace = initial.realm_users.find(({ user_id }) => user_id === made.grace.user_id)
    expect(Object.keys(grace?.profile_data ?? {})).toHaveLength(9)
    expect(initial.realm_non_active_users.map(({ user_id }) => user_id)).toContain(made.gone)
    expect(initial.realm_user_groups.some(({ deactivated }) => deactivated)).toBe(true)
    expect(initial.streams.some(({ is_archived }) => is_archived)).toBe(false)
    expect(initial.unread_msgs.mentions).toHaveLength(2)
    expect(initial.presences).toHaveProperty(String(made.grace.user_id))
    expect(initial.user_topics.map(({ visibility_policy }) => visibility_policy).sort()).toEqual([1, 2, 3])
  })

  test('gets the emoji that the server has', async () => {
    const { initial } = await start(made.ada)
    const { pathname } = new URL(initial.server_emoji_data_url)
    const { status, json } = await get(made.realm.host, pathname)
    expect(status).toBe(200)
    const { code_to_names } = answers.emojiData.parse(json)
    expect(code_to_names['1f389']).toContain('tada')
  })

  test('fetches messages from wherever it stands', async () => {
    const app = phone()
    const { design, leads } = made.channels
    const more = { num_before: 100, num_after: 100, allow_empty_topic_name: true }
    const narrows: object[][] = [
      [],
      [{ operator: 'channel', operand: design }],
      [
        { operator: 'channel', operand: design },
        { operator: 'topic', operand: 'logos' },
      ],
      [
        { operator: 'channel', operand: design },
        { operator: 'topic', operand: '' },
      ],
      [{ operator: 'channel', operand: leads }],
      [{ operator: 'dm', operand: [made.grace.user_id] }],
      [{ operator: 'dm', operand: [made.grace.user_id, made.owner.user_id] }],
      [{ operator: 'dm', operand: [made.ada.user_id] }],
      [{ operator: 'is', operand: 'dm' }],
      [{ operator: 'is', operand: 'starred' }],
      [{ operator: 'is', operand: 'mentioned' }],
      [{ operator: 'search', operand: 'draft' }],
      [{ operator: 'is', operand: 'unread', negated: true }],
    ]
    for (const narrow of narrows) {
      for (const anchor of ['newest', 'oldest', 'first_unread', '3']) {
        const answer = answers.messages.parse(await app.call('GET', 'messages', { narrow, anchor, ...more }))
        expect(answer.messages.length, JSON.stringify(narrow)).toBeGreaterThan(0)
      }
    }
    const older = { narrow: [], anchor: '5', include_anchor: false, ...more, num_after: 0 }
    const page = answers.messages.parse(await app.call('GET', 'messages', older))
    expect(page.messages.every(({ id }) => id < 5)).toBe(true)
    const [{ id } = { id: 0 }] = page.messages
    for (const apply_markdown of [true, false]) {
      const given = { apply_markdown, allow_empty_topic_name: true }
      answers.message.parse(await app.call('GET', `messages/${id}`, given))
    }
    // How it learns that a message is gone.
    expect(await app.refused('GET', 'messages/99999', { allow_empty_topic_name: true })).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
    })
    const { topics } = answers.topics.parse(
      await app.call('GET', `users/me/${design}/topics`, { allow_empty_topic_name: true }),
    )
    expect(topics.map(({ name }) => name)).toEqual(expect.arrayContaining(['logos', '', 'lunch']))
  })

  test('does what one does with messages', async () => {
    const { app, cursor, events } = await start(made.ada)
    const { design, web } = made.channels
    const inDesign = { type: 'channel', to: design, topic: 'phone', read_by_sender: true }
    const given = { ...inDesign, content: 'From a phone', queue_id: cursor().queue_id, local_id: '17.01' }
    const { id } = answers.sent.parse(await app.call('POST', 'messages', given))
    const [own] = (await events()).filter(({ type }) => type === 'message')
    expect(own).toMatchObject({ local_message_id: '17.01', flags: ['read'], message: { id } })
    const direct = { type: 'direct', to: [made.grace.user_id], content: 'From a phone', read_by_sender: true }
    answers.sent.parse(await app.call('POST', 'messages', direct))

    const emoji = { emoji_name: 'parley', emoji_code: made.emoji, reaction_type: 'realm_emoji' }
    const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
    for (const reaction of [emoji, extra]) {
      await app.call('POST', `messages/${id}/reactions`, reaction)
      await app.call('DELETE', `messages/${id}/reactions`, reaction)
    }
    const prev_content_sha256 = createHash('sha256').update('From a phone').digest('hex')
    await app.call('PATCH', `messages/${id}`, { content: 'From a phone, edited', prev_content_sha256 })
    await app.call('PATCH', `messages/${id}`, {
      topic: 'phones',
      propagate_mode: 'change_later',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    })
    await app.call('PATCH', `messages/${id}`, { stream_id: web, propagate_mode: 'change_all' })
    const starred = { messages: [id], op: 'add', flag: 'starred' }
    expect(answers.flags.parse(await app.call('POST', 'messages/flags', starred))).toEqual({ messages: [id] })
    answers.receipts.parse(await app.call('GET', `messages/${id}/read_receipts`))
    await app.call('POST', 'user_topics', { stream_id: design, topic: 'phones', visibility_policy: 3 })
    await app.call('POST', 'typing', { op: 'start', type: 'channel', stream_id: design, topic: 'phones' })
    await app.call('POST', 'typing', { op: 'stop', type: 'direct', to: [made.grace.user_id] })
    const report = { report_type: 'other', description: 'Not so nice' }
    await by(made.owner).patch('/realm', { moderation_request_channel_id: made.channels.leads })
    await app.call('POST', `messages/${made.poll}/report`, report)
    const vote = { message_id: made.poll, msg_type: 'widget', content: { type: 'vote', key: 'canned,1', vote: 1 } }
    await app.call('POST', 'submessage', vote)
    const status = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' }
    await app.call('POST', 'users/me/status', status)
    const here = { slim_presence: true, status: 'active', new_user_input: true, ping_only: false }
    const { presence_last_update_id } = answers.presence.parse(await app.call('POST', 'users/me/presence', here))
    const again = { ...here, last_update_id: presence_last_update_id, history_limit_days: 14 }
    answers.presence.parse(await app.call('POST', 'users/me/presence', again))
    for (const [name, value] of [
      ['twenty_four_hour_time', true],
      ['emojiset', 'twitter'],
      ['presence_enabled', true],
    ] as const) {
      await app.call('PATCH', 'settings', { [name]: value })
    }
    answers.snippet.parse(await app.call('POST', 'saved_snippets', { title: 'Bye', content: 'Goodbye' }))
    await app.call('DELETE', 'users/me/subscriptions', { subscriptions: ['web'] })
    await app.call('POST', 'users/me/subscriptions', { subscriptions: [{ name: 'web' }] })
    await app.call('DELETE', `messages/${id}`)
    await app.call('POST', 'users/me/android_gcm_reg_id', { token: 'abc' })
    await app.call('DELETE', 'users/me/android_gcm_reg_id', { token: 'abc' })
    for (const event of await events()) decode(event)
  })

  test('marks as read by narrow, page by page', async () => {
    const { app, events } = await start(made.ada)
    const page = { include_anchor: false, num_before: 0, num_after: 2, op: 'add', flag: 'read' }
    const narrow = [
      { operator: 'channel', operand: made.channels.design },
      { operator: 'is', operand: 'unread' },
    ]
    let anchor: number | string = 'oldest'
    for (let rounds = 0; rounds < 20; rounds++) {
      const given: Params = { ...page, narrow, anchor: String(anchor) }
      const answer = answers.flagsForNarrow.parse(await app.call('POST', 'messages/flags/narrow', given))
      if (answer.found_newest) break
      anchor = answer.last_processed_id as number
    }
    expect((await events()).map(decode)).toContain('update_message_flags/add')
    const { initial } = await start(made.ada)
    expect(initial.unread_msgs.streams.filter(({ stream_id }) => stream_id === made.channels.design)).toEqual([])
  })

  test('uploads a file, and opens it by an address for a while', async () => {
    const file = { filename: 'notes.txt', type: 'text/plain', data: 'hello' }
    const { uri } = answers.upload.parse((await upload(made.ada, '/user_uploads', file)).json)
    expect(uri).toMatch(new RegExp(`^/user_uploads/${made.realm.realm_id}/`))
    const { url } = answers.temporaryUrl.parse(await phone().call('GET', uri.slice(1)))
    const opened = await get(made.realm.host, url)
    expect({ status: opened.status, text: opened.text }).toEqual({ status: 200, text: 'hello' })
    const picture = { filename: 'dot.png', type: 'image/png', data: redPixel }
    expect((await upload(made.ada, '/user_uploads', picture)).json).toMatchObject({ result: 'success' })
  })

  test('understands every event that there is', async () => {
    const { initial, events } = await start(made.ada)
    const { owner, ada, grace, guest, channels, fields, bot, folder, group } = made
    const restricted = await start(guest)
    const boss = by(owner)
    const me = by(ada)
    const seen = new Set<string>()
    const passedOver = new Set<string>()
    const look = async () => {
      for (const reader of [events, restricted.events]) {
        for (const event of await reader()) {
          const name = decode(event)
          if (name === undefined) passedOver.add(event.type)
          else seen.add(name)
        }
      }
    }

    // what the organization is
    await upload(owner, '/realm/emoji/another', { filename: 'another.png', type: 'image/png', data: redPixel })
    await boss.remove('/realm/emoji/another')
    await boss.patch('/realm', { name: 'Renamed', topics_policy: 'disable_empty_topic' })
    await boss.patch('/realm', { topics_policy: 'allow_empty_topic' })
    await boss.patch(`/realm/profile_fields/${fields.Phone}`, { name: 'Telephone' })
    const elsewhere = { name: 'Elsewhere', description: 'Not *here*' }
    const made2 = await boss.post<{ channel_folder_id: number }>('/channel_folders/create', elsewhere)
    await boss.patch(`/channel_folders/${made2.channel_folder_id}`, { name: 'Nowhere', description: '**None**' })
    await boss.patch(`/channel_folders/${made2.channel_folder_id}`, { is_archived: true })
    await look()

    // who is in it
    const account = { email: 'new@example.com', full_name: 'Newcomer', password }
    const { user_id: newcomer } = await boss.post<{ user_id: number }>('/users', account)
    await boss.patch(`/users/${newcomer}`, { full_name: 'Old hand', role: 300 })
    await boss.patch(`/users/${newcomer}`, { role: 600 })
    await boss.patch(`/bots/${bot}`, { full_name: 'Machine', bot_owner_id: ada.user_id })
    await boss.patch(`/bots/${bot}`, { bot_owner_id: owner.user_id })
    await by(grace).patch('/settings', { full_name: 'Grace Hopper', timezone: 'Asia/Tokyo' })
    await by(grace).patch('/settings', { email_address_visibility: 1 })
    await by(grace).patch('/settings', { email_address_visibility: 4 })
    await upload(grace, '/users/me/avatar', { filename: 'me.png', type: 'image/png', data: redPixel })
    await by(grace).remove('/users/me/avatar')
    const about = { id: fields.About, value: 'I am **still** Grace' }
    const mentor = { id: fields.Mentor, value: [ada.user_id] }
    await by(grace).patch('/users/me/profile_data', { data: [about, mentor] })
    await by(grace).remove('/users/me/profile_data', { data: [fields.About, fields.Mentor] })
    await boss.remove(`/users/${newcomer}`)
    await boss.post(`/users/${newcomer}/reactivate`)
    for (const text of [
      { status_text: 'Here' },
      { emoji_name: 'car' },
      { emoji_name: 'parley' },
      { status_text: '', emoji_name: '' },
    ]) {
      await by(grace).post('/users/me/status', text)
    }
    await by(guest).post('/users/me/presence', { status: 'active', new_user_input: true })
    await look()

    // groups
    await boss.patch(`/user_groups/${group}`, { name: 'doers', description: 'Who do' })
    await boss.post(`/user_groups/${group}/members`, { add: [owner.user_id] })
    await boss.post(`/user_groups/${group}/members`, { delete: [grace.user_id] })
    const more = { name: 'more', description: '', members: [grace.user_id] }
    const { group_id } = await boss.post<{ group_id: number }>('/user_groups/create', more)
    await boss.post(`/user_groups/${group}/subgroups`, { add: [group_id] })
    await boss.post(`/user_groups/${group}/subgroups`, { delete: [group_id] })
    await boss.post(`/user_groups/${group_id}/deactivate`)
    await boss.patch(`/user_groups/${group_id}`, { deactivated: false })
    await look()

    // channels
    const fresh = [{ name: 'fresh', description: 'So *fresh*' }]
    await boss.post('/users/me/subscriptions', { subscriptions: fresh, principals: [owner.user_id, ada.user_id] })
    const { stream_id } = await boss.get<{ stream_id: number }>('/get_stream_id', { stream: 'fresh' })
    const path = `/streams/${stream_id}`
    const direct_members = [ada.user_id, owner.user_id]
    for (const change of [
      { new_name: 'fresher' },
      { description: 'Still **fresh**' },
      { is_private: true, history_public_to_subscribers: true },
      { is_private: false },
      { message_retention_days: 7 },
      { message_retention_days: 'realm_default' },
      { topics_policy: 'allow_empty_topic' },
      { folder_id: folder },
      { folder_id: null },
      { can_send_message_group: { new: { direct_members, direct_subgroups: [] } } },
      { can_add_subscribers_group: { new: group } },
      { can_subscribe_group: { new: group } },
      { can_administer_channel_group: { new: group } },
    ] as Params[]) {
      await boss.patch(path, change)
    }
    await by(grace).post('/users/me/subscriptions', { subscriptions: [{ name: 'fresher' }] })
    await by(grace).remove('/users/me/subscriptions', { subscriptions: ['fresher'] })
    for (const [property, value] of [
      ['color', '#00FF7f'],
      ['is_muted', true],
      ['pin_to_top', true],
      ['desktop_notifications', true],
      ['audible_notifications', false],
      ['push_notifications', true],
      ['email_notifications', true],
      ['wildcard_mentions_notify', false],
    ] as const) {
      const subscription_data = [{ stream_id, property, value }]
      await me.post('/users/me/subscriptions/properties', { subscription_data })
    }
    await me.remove('/users/me/subscriptions', { subscriptions: ['fresher'] })
    await me.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresher' }] })
    await boss.remove('/users/me/subscriptions', { subscriptions: ['leads'], principals: [ada.user_id] })
    await boss.post('/users/me/subscriptions', { subscriptions: [{ name: 'leads' }], principals: [ada.user_id] })
    await boss.remove(path)
    await boss.patch(path, { is_archived: false })
    await look()

    // messages
    const say = async (person: Person, given: Params) => (await by(person).post<{ id: number }>('/messages', given)).id
    const first = await say(grace, inTopic(channels.design, 'events', 'parley for @**Ada** and @*doers*, @**all**'))
    const second = await say(grace, inTopic(channels.design, 'events', '@**topic** again'))
    await say(grace, inTopic(channels.design, '', 'Nothing'))
    const alone = await say(grace, toPeople([ada], '/me waves'))
    const third = await say(grace, toPeople([ada, owner], 'All of us'))
    await say(ada, toPeople([ada], 'Myself'))
    const fourth = await say(grace, inTopic(channels.design, 'events', '/poll\nA\nB'))
    const act = (content: object) => by(owner).post('/submessage', { message_id: fourth, msg_type: 'widget', content })
    await act({ type: 'new_option', idx: 1, option: 'C' })
    await act({ type: 'vote', key: `${owner.user_id},1`, vote: 1 })
    await act({ type: 'vote', key: 'canned,0', vote: -1 })
    await by(grace).post('/submessage', {
      message_id: fourth,
      msg_type: 'widget',
      content: { type: 'question', question: 'Which?' },
    })
    await by(grace).patch(`/messages/${first}`, { content: 'Never @**mind**' })
    await by(grace).patch(`/messages/${first}`, { content: 'Both', topic: 'both', propagate_mode: 'change_one' })
    await boss.patch(`/messages/${second}`, { topic: '✔ events', propagate_mode: 'change_all' })
    await boss.patch(`/messages/${second}`, { stream_id: channels.web, propagate_mode: 'change_all' })
    await boss.patch(`/messages/${second}`, {
      stream_id: channels.secret,
      topic: 'hidden',
      propagate_mode: 'change_one',
    })
    await by(grace).patch(`/messages/${alone}`, { content: 'No more' })
    for (const [emoji_name, reaction_type] of [
      ['tada', 'unicode_emoji'],
      ['parley', 'realm_emoji'],
      ['zulip', 'zulip_extra_emoji'],
    ] as const) {
      await by(grace).post(`/messages/${third}/reactions`, { emoji_name })
      await by(grace).remove(`/messages/${third}/reactions`, { emoji_name, reaction_type })
    }
    const unreadAgain = [first, alone, third]
    for (const [op, flag] of [
      ['add', 'read'],
      ['remove', 'read'],
      ['add', 'starred'],
      ['remove', 'starred'],
      ['add', 'collapsed'],
    ] as const) {
      await me.post('/messages/flags', { messages: unreadAgain, op, flag })
    }
    await me.post('/mark_all_as_read')
    await by(grace).remove(`/messages/${alone}`)
    await by(grace).remove(`/messages/${first}`)
    await boss.post(`/streams/${channels.web}/delete_topic`, { topic_name: '✔ events' })
    for (const op of ['start', 'stop']) {
      await by(grace).post('/typing', { op, type: 'channel', stream_id: channels.design, topic: 'events' })
      await by(grace).post('/typing', { op, type: 'direct', to: [ada.user_id, owner.user_id] })
    }
    await look()

    // what is Ada's own
    await me.post('/users/me/alert_words', { alert_words: ['again'] })
    await me.remove(`/users/me/muted_users/${guest.user_id}`)
    await me.patch('/settings', {
      twenty_four_hour_time: false,
      starred_message_counts: false,
      display_emoji_reaction_users: false,
      emojiset: 'text',
      presence_enabled: false,
      web_home_view: 'inbox',
      color_scheme: 2,
    })
    for (const visibility_policy of [3, 2, 1, 0]) {
      await me.post('/user_topics', { stream_id: channels.design, topic: 'mine', visibility_policy })
    }
    const snippet = initial.saved_snippets[0]?.id
    await me.post('/saved_snippets', { title: 'One', content: 'more' })
    await me.patch(`/saved_snippets/${snippet}`, { title: 'Changed' })
    await me.remove(`/saved_snippets/${snippet}`)
    await look()

    // whom a guest may know
    const { user_groups } = await boss.get<{ user_groups: { id: number; name: string }[] }>('/user_groups')
    const members = user_groups.find(({ name }) => name === 'role:members')?.id
    await boss.patch('/realm', { can_access_all_users_group: { new: members } })
    const subscriptions = ['design']
    await boss.remove('/users/me/subscriptions', { subscriptions, principals: [grace.user_id] })
    const back = [{ name: 'design' }]
    await boss.post('/users/me/subscriptions', { subscriptions: back, principals: [grace.user_id] })
    await look()

    // Only without a capability that the app has.
    const never = ['user_group/remove', 'heartbeat']
    expect(eventNames.filter((name) => !seen.has(name) && !never.includes(name))).toEqual([])
    // What it does not know at all, it passes over.
    const typesOf = new Set(eventNames.map((name) => name.split('/')[0]))
    expect([...passedOver].filter((type) => typesOf.has(type))).toEqual([])
  })

  test('waits for what comes, and hears that nothing did', async () => {
    await using gateway = await startGateway({ POLL_HEARTBEAT_MS: '300' })
    const app = phone(made.ada, gateway.url)
    const { queue_id, last_event_id } = snapshot.parse(await app.call('POST', 'register', registration))
    const poll = async () => answers.events.parse(await app.call('GET', 'events', { queue_id, last_event_id })).events
    expect((await poll()).map((event) => decode(event as WireEvent))).toEqual(['heartbeat'])
    const waiting = poll()
    await by(made.grace).post('/messages', inTopic(made.channels.design, 'waiting', 'Here it is'))
    const names = (await waiting).map((event) => decode(event as WireEvent))
    expect(names.some((name) => name === 'message' || name === 'heartbeat')).toBe(true)
  })

  test('starts over when its queue is gone', async () => {
    const { app, cursor } = await start(made.ada)
    const { queue_id, last_event_id } = cursor()
    await app.call('DELETE', 'events', { queue_id })
    const gone = await app.refused('GET', 'events', { queue_id, last_event_id })
    expect(gone).toEqual({ status: 400, code: 'BAD_EVENT_QUEUE_ID' })
    const again = snapshot.parse(await app.call('POST', 'register', registration))
    expect(again.queue_id).not.toBe(queue_id)
    answers.events.parse(
      await app.call('GET', 'events', { queue_id: again.queue_id, last_event_id: -1, dont_block: true }),
    )
  })
})

/** The lists and maps of a registration that are empty although the organization has such things. */
const filled = (initial: Snapshot): string[] => {
  const mayBeEmpty = ['cross_realm_bots']
  return Object.entries(initial)
    .filter(([, value]) => typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    .map(([key]) => key)
    .filter((key) => !mayBeEmpty.includes(key))
}
