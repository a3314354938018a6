/**
 * The current mobile app, imitated: it cannot run here.
 *
 * The tests send the requests of the app in its order, and decode every answer and every event as strictly as the app
 * does (flutter.ts). The app refuses a server after one wrong field, or registers again and again.
 */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { startGateway } from '../setup/processes/processes.js'
import type { Cursor, WireEvent } from '../setup/realm/event-reader.js'
import { anyGateway, type Person } from '../setup/realm/realm.js'
import { fetchFile, redPixel, upload } from '../setup/requests/files.js'
import { answers, decode, eventNames, fieldData, registration, snapshot } from './flutter.js'
import {
  callsOf,
  causeEveryEvent,
  type FullOrganization,
  inTopic,
  newFullOrganization,
  type Params,
  password,
} from './full-organization.js'
import { openPhone, type Phone } from './phone.js'

const userAgent = 'ZulipFlutter/30.0.274+274 (Android 14)'

type Snapshot = z.infer<typeof snapshot>

let made: FullOrganization

beforeAll(async () => {
  made = await newFullOrganization()
  return () => made.realm[Symbol.asyncDispose]()
})

const phone = (person: Person = made.ada, url?: string): Phone => openPhone(userAgent, made.realm.host, person, url)

/** Registers, decodes the snapshot, and reads the event queue from there. */
const start = async (person: Person) => {
  const url = anyGateway()
  const app = phone(person, url)
  const initial = snapshot.parse(await app.call('POST', 'register', registration))
  const { queue_id } = initial
  let { last_event_id } = initial
  /** The events of all requests that were answered before this call. */
  const events = async (): Promise<WireEvent[]> => {
    await app.call('GET', 'users/me')
    const given = { queue_id, last_event_id, dont_block: true }
    const received = answers.events.parse(await app.call('GET', 'events', given)).events as WireEvent[]
    last_event_id = received.at(-1)?.id ?? last_event_id
    return received
  }
  return { app, initial, events, cursor: (): Cursor => ({ queue_id, last_event_id }) }
}

describe('The mobile app', () => {
  test('The app logs in with a password and receives the API key of its account.', async () => {
    const anonymous = openPhone(userAgent, made.realm.host, undefined)
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

  test('The server refuses a registration with an invalid API key.', async () => {
    const stale = { ...made.ada, api_key: 'x'.repeat(32) }
    expect(await phone(stale).refused('POST', 'register', registration)).toMatchObject({ status: 401 })
  })

  test.each(['owner', 'ada', 'grace', 'guest'] as const)('The app decodes the registration of %s.', async (name) => {
    const { initial } = await start(made[name])
    const self = made[name].user_id
    // The app looks up its own user in this list.
    expect(initial.realm_users.map(({ user_id }) => user_id)).toContain(self)
    for (const { user_ids } of initial.recent_private_conversations) expect(user_ids).not.toContain(self)
    expect(initial.zulip_feature_level).toBe(398)
  })

  test('The registration contains everything of the organization.', async () => {
    const { initial } = await start(made.ada)
    expect(findEmptySections(initial)).toEqual([])
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
    // The server made Ada follow the topics that she started, in addition to the one that she followed.
    expect(new Set(initial.user_topics.map(({ visibility_policy }) => visibility_policy))).toEqual(new Set([1, 2, 3]))
  })

  test('The app decodes the list of Unicode emoji.', async () => {
    const { initial } = await start(made.ada)
    const { pathname } = new URL(initial.server_emoji_data_url)
    const { status, json } = await fetchFile(made.realm.host, pathname)
    expect(status).toBe(200)
    const { code_to_names } = answers.emojiData.parse(json)
    expect(code_to_names['1f389']).toContain('tada')
  })

  test('The app fetches messages with every narrow and every anchor.', async () => {
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
    // The app takes this answer as the deletion of the message.
    expect(await app.refused('GET', 'messages/99999', { allow_empty_topic_name: true })).toEqual({
      status: 400,
      code: 'BAD_REQUEST',
    })
    const { topics } = answers.topics.parse(
      await app.call('GET', `users/me/${design}/topics`, { allow_empty_topic_name: true }),
    )
    expect(topics.map(({ name }) => name)).toEqual(expect.arrayContaining(['logos', '', 'lunch']))
  })

  test('The app sends, edits, moves, flags, reacts to and deletes messages.', async () => {
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
    await callsOf(made.owner).patch('/realm', { moderation_request_channel_id: made.channels.leads })
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

  test('The app marks the messages of a narrow as read, page by page.', async () => {
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

  test('The app uploads a file and opens it through a temporary URL.', async () => {
    const file = { filename: 'notes.txt', type: 'text/plain', data: 'hello' }
    const { uri } = answers.upload.parse((await upload(made.ada, '/user_uploads', file)).json)
    expect(uri).toMatch(new RegExp(`^/user_uploads/${made.realm.realm_id}/`))
    const { url } = answers.temporaryUrl.parse(await phone().call('GET', uri.slice(1)))
    const opened = await fetchFile(made.realm.host, url)
    expect({ status: opened.status, text: opened.text }).toEqual({ status: 200, text: 'hello' })
    const picture = { filename: 'dot.png', type: 'image/png', data: redPixel }
    expect((await upload(made.ada, '/user_uploads', picture)).json).toMatchObject({ result: 'success' })
  })

  test('The app decodes every kind of event.', { timeout: 60_000 }, async () => {
    const { events } = await start(made.ada)
    const restricted = await start(made.guest)
    const seen = new Set<string>()
    const ignored = new Set<string>()
    await causeEveryEvent(made, async () => {
      for (const reader of [events, restricted.events]) {
        for (const event of await reader()) {
          const name = decode(event)
          if (name === undefined) ignored.add(event.type)
          else seen.add(name)
        }
      }
    })
    // The server sends these only to clients without a capability that the app has.
    const never = ['user_group/remove', 'heartbeat']
    expect(eventNames.filter((name) => !seen.has(name) && !never.includes(name))).toEqual([])
    // The app ignores event types that it does not know.
    const typesOf = new Set(eventNames.map((name) => name.split('/')[0]))
    expect([...ignored].filter((type) => typesOf.has(type))).toEqual([])
  })

  test('A poll returns a heartbeat when nothing happened, and a message when one is sent.', async () => {
    await using gateway = await startGateway({ POLL_HEARTBEAT_MS: '300' })
    const app = phone(made.ada, gateway.url)
    const { queue_id, last_event_id } = snapshot.parse(await app.call('POST', 'register', registration))
    const poll = async () => answers.events.parse(await app.call('GET', 'events', { queue_id, last_event_id })).events
    expect((await poll()).map((event) => decode(event as WireEvent))).toEqual(['heartbeat'])
    const waiting = poll()
    await callsOf(made.grace).post('/messages', inTopic(made.channels.design, 'waiting', 'Here it is'))
    const names = (await waiting).map((event) => decode(event as WireEvent))
    expect(names.some((name) => name === 'message' || name === 'heartbeat')).toBe(true)
  })

  test('The app registers again after its queue was deleted.', async () => {
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

/** Names the lists and maps of a registration that are empty although the organization has such things. */
const findEmptySections = (initial: Snapshot): string[] => {
  const mayBeEmpty = ['cross_realm_bots']
  return Object.entries(initial)
    .filter(([, value]) => typeof value === 'object' && value !== null && Object.keys(value).length === 0)
    .map(([key]) => key)
    .filter((key) => !mayBeEmpty.includes(key))
}
