/** Registration over the API: the queue, the parameters, and the sections that come from the database. */
import { once } from 'node:events'
import http from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findSubscription } from '../../src/domain/channels/membership.js'
import { advancedSeq } from '../../src/domain/log/advanced-seq.js'
import { composeUpdate } from '../../src/domain/log/row-changes.js'
import { Flag } from '../../src/domain/messages/flags.js'
import { registry } from '../../src/gateway/api/index.js'
import { subscribeChanges } from '../../src/store/channels/subscriptions.js'
import { commit, commitEntries } from '../../src/store/log/change.js'
import { createChannel } from '../setup/realm/create-channel.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, call, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm, newRealmWith } from '../setup/realm/realm-with-people.js'
import { updateChannelRow, updateRealmSettings, withWriteContext } from '../setup/realm/row-changes.js'

const people = () => newRealmWith('Owner', 'Ada', 'Grace', 'Guest')

const register = async (person: Person, params: Record<string, unknown> = {}) =>
  registry.register.response.parse(await ok(person, 'POST', '/register', params))

/** Subscribes users to channels, creating missing channels, without notices. */
const join = (test: TestRealm, names: string[], ...users: Person[]) =>
  withWriteContext(test, async (context) => {
    const { realm } = test
    for (const name of names) {
      const members = users.flatMap(({ user_id }) => realm.state.users.get(user_id) ?? [])
      const channel = realm.state.channelByName(name)
      if (channel === undefined) await createChannel(context.dependencies, realm, { name, members })
      else await commit(context, subscribeChanges(realm.state, members, [channel]))
    }
  })

const mute = (test: TestRealm, { user_id }: Person, name: string) =>
  withWriteContext(test, (context) => {
    const { realm } = test
    const row = findSubscription(realm.state, user_id, channelId(test, name) as number)
    const change = row && composeUpdate('subscriptions', row, { is_muted: true })
    return commitEntries(context, [advancedSeq({}, change && [change])])
  })

const post = async (person: Person, to: string, topic: string, params: Record<string, unknown> = {}) =>
  (await ok(person, 'POST', '/messages', { type: 'stream', to, topic, content: 'hello', ...params })).id

const sendDirect = async (person: Person, ...to: Person[]) => {
  const ids = to.map(({ user_id }) => user_id)
  return (await ok(person, 'POST', '/messages', { type: 'direct', to: ids, content: 'hello' })).id
}

const quietMove = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

const flag = ({ sql, realm_id }: TestRealm, user_id: number, message_id: number, flags: number) =>
  sql`insert into message_flags ${sql({ realm_id, user_id, message_id, flags })}`

describe('Registrations', () => {
  test('A registration that fetches nothing answers with the queue and the versions only.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    const { result, msg, queue_id, last_event_id, ...rest } = await ok(ada, 'POST', '/register', {
      fetch_event_types: [],
    })
    expect([result, msg]).toEqual(['success', ''])
    expect(queue_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(last_event_id).toBeGreaterThanOrEqual(0)
    expect(rest).toEqual({
      api_feature_level: 398,
      zulip_feature_level: 398,
      zulip_version: '11.0-dev',
      zulip_merge_base: '11.0-dev',
    })
  })

  test('A registration that fetches everything contains every section.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    const answer = await register(ada)
    const optional = ['queue_id', 'last_event_id', 'unknown_event_types', 'queue_position']
    const expected = Object.keys(registry.register.response.shape).filter((key) => !optional.includes(key))
    expect(expected.filter((key) => !Object.hasOwn(answer, key))).toEqual([])
  })

  test('A registration answers with the same data with gzip and without it.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await join(realm, ['design', 'plans ☃'], ada, grace)
    const read = async (encoding: string) => {
      const headers = { Host: ada.host, Authorization: basicAuthorization(ada), 'Accept-Encoding': encoding }
      const request = http.request(`${anyGateway()}/api/v1/register`, { method: 'POST', headers }).end()
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      const bytes = Buffer.concat(await response.toArray())
      expect(response.headers.vary).toBe('Accept-Encoding')
      return { bytes, encoding: response.headers['content-encoding'] }
    }
    const plain = await read('gzip;q=0')
    const compressed = await read('br, gzip')
    expect([plain.encoding, compressed.encoding]).toEqual([undefined, 'gzip'])
    const [a, b] = [plain.bytes, gunzipSync(compressed.bytes)].map((bytes) => JSON.parse(bytes.toString()))
    const changing = { queue_id: '', last_event_id: 0, server_timestamp: 0 }
    expect({ ...b, ...changing }).toEqual({ ...a, ...changing })
  })

  test('A registration reports unknown parameters and ignores unknown list items.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    const answer = await ok(ada, 'POST', '/register', {
      fetch_event_types: ['zulip_version', 'alert_words', 'no such name'],
      no_such_parameter: 1,
      client_capabilities: { notification_settings_null: true, individual_emoji_changes: true },
    })
    expect(answer.ignored_parameters_unsupported).toEqual(['no_such_parameter'])
    expect(answer.alert_words).toEqual([])
  })

  test.each([
    ['10 minutes by default', {}, 600],
    ['for queue_lifespan_secs', { queue_lifespan_secs: 5 }, 5],
    ['for idle_queue_timeout', { idle_queue_timeout: 86_400 }, 86_400],
    ['7 days for a mobile client', { idle_queue_timeout: '"mobile"' }, 604_800],
    ['7 days at most', { idle_queue_timeout: 10_000_000 }, 604_800],
  ])('An unused queue is kept %s.', async (_, params, secs) => {
    const { realm, ada } = await people()
    await using _realm = realm
    const { queue_id } = await ok(ada, 'POST', '/register', { fetch_event_types: [], ...params })
    const [row] = await realm.sql`
      select lifespan_secs from event_queues where realm_id = ${realm.realm_id} and id = ${queue_id}`
    expect(row?.lifespan_secs).toBe(secs)
  })

  test('A registration accepts any part of the capabilities, and one that it does not know.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    for (const client_capabilities of [{}, { empty_topic_name: true }, { archived_channels: true, unheard_of: true }]) {
      expect((await ok(ada, 'POST', '/register', { client_capabilities })).queue_id).toEqual(expect.any(String))
    }
  })

  test('A registration treats null lists as absent.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    const answer = await ok(ada, 'POST', '/register', { event_types: null, fetch_event_types: null, narrow: null })
    expect(answer.realm_name).toBeDefined()
  })

  test.each([
    [{ event_types: '[' }, 'event_types must be valid JSON.'],
    [{ event_types: [1] }, 'event_types[0] must be text.'],
    [{ fetch_event_types: { a: 1 } }, 'fetch_event_types must be a list.'],
    [
      { client_capabilities: { notification_settings_null: 1 } },
      'client_capabilities["notification_settings_null"] must be true or false.',
    ],
    [{ narrow: [['has', 'link']] }, 'Events cannot be narrowed by has.'],
    [{ narrow: Array(101).fill(['topic', 't']) }, 'A narrow may have at most 100 terms.'],
    [{ narrow: [{ operator: 'topic', operand: 'x' }] }, 'narrow[0] must be a list.'],
    [{ narrow: [['topic', 1]] }, 'narrow[0][1] must be text.'],
    [{ narrow: [['is', 'followed']] }, 'Events cannot be narrowed to followed.'],
    [{ apply_markdown: 'yes' }, 'apply_markdown must be valid JSON.'],
  ])('A registration with %j is refused: %s', async (params, msg) => {
    const { realm, ada } = await people()
    await using _ = realm
    expect(await call(ada, 'POST', '/register', params)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg },
    })
  })

  test('A guest cannot register for all public channels.', async () => {
    const { realm, ada, guest } = await people()
    await using _ = realm
    const params = { all_public_streams: true, fetch_event_types: [] }
    expect(await call(guest, 'POST', '/register', params)).toMatchObject({
      status: 400,
      body: { msg: 'You may not register for all public channels.' },
    })
    await ok(ada, 'POST', '/register', params)
  })

  test('A registration contains every change that any gateway has answered before.', async () => {
    const { realm, owner } = await people()
    await using _ = realm
    for (let i = 0; i < 12; i++) {
      await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${i}` }] })
      const { subscriptions } = await register(owner, { fetch_event_types: ['subscription'] })
      expect(subscriptions).toHaveLength(i + 1)
    }
  })
})

describe('Unread messages of a registration', () => {
  const ask = { fetch_event_types: ['message', 'update_message_flags'] }

  test('Unread messages are listed by topic and by conversation, including messages to oneself.', async () => {
    const { realm, ada, grace, guest } = await people()
    await using _ = realm
    await join(realm, ['design', 'plans'], ada, grace)
    const logo = [await post(ada, 'design', 'logo'), await post(ada, 'design', 'LOGO')]
    const empty = await post(ada, 'plans', '')
    const direct = [await sendDirect(ada, grace), await sendDirect(ada, grace)]
    const group = await sendDirect(ada, grace, guest)
    const own = await sendDirect(grace, grace)

    const answer = await register(grace, ask)
    const ids = [ada, grace, guest].map(({ user_id }) => user_id).sort((a, b) => a - b)
    expect(answer.max_message_id).toBe(own)
    expect(answer.unread_msgs).toEqual({
      count: 7,
      pms: [
        { other_user_id: ada.user_id, sender_id: ada.user_id, unread_message_ids: direct },
        { other_user_id: grace.user_id, sender_id: grace.user_id, unread_message_ids: [own] },
      ],
      streams: [
        { stream_id: channelId(realm, 'design'), topic: 'LOGO', unread_message_ids: logo },
        { stream_id: channelId(realm, 'plans'), topic: 'general chat', unread_message_ids: [empty] },
      ],
      huddles: [{ user_ids_string: ids.join(), unread_message_ids: [group] }],
      mentions: [],
      old_unreads_missing: false,
    })
  })

  test.each([{ newer: 1 }, { newer: 60 }])(
    'The newest message id is that of the newest message that the reader received: $newer newer one(s) of others do not count.',
    async ({ newer }) => {
      const { realm, ada, grace, guest } = await people()
      await using _ = realm
      await join(realm, ['design', 'plans', 'moved'], ada)
      await post(ada, 'design', 'before Grace')
      await join(realm, ['design', 'moved'], grace)
      const moves = [
        [await post(ada, 'design', 'away'), 'plans'],
        [await post(ada, 'plans', 'here'), 'moved'],
      ] as const
      const newest = async () => (await register(grace, ask)).max_message_id
      for (const [id, to] of moves) {
        await ok(ada, 'PATCH', `/messages/${id}`, { stream_id: channelId(realm, to), ...quietMove })
      }
      const others = async () => {
        for (let i = 0; i < newer; i++) await (i % 2 ? post(ada, 'plans', 'elsewhere') : sendDirect(ada, guest))
      }
      await others()
      expect(await newest()).toBe(moves[0][0])

      const direct = await sendDirect(ada, grace)
      await others()
      expect(await newest()).toBe(direct)

      const last = await post(ada, 'design', 'now')
      await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
      await post(ada, 'design', 'too late')
      await others()
      expect(await newest()).toBe(last)

      expect((await register(guest, ask)).max_message_id).toBeGreaterThan(last)
    },
  )

  test('Messages from before joining, messages in a channel that was left, and messages that a client marked as read by their sender are not unread.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await join(realm, ['design', 'plans'], ada)
    await post(ada, 'design', 'before')
    await join(realm, ['design', 'plans'], ada, grace)
    const after = await post(ada, 'design', 'after')
    await post(ada, 'plans', 'left')
    await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['plans'] })
    await post(grace, 'design', 'after', { read_by_sender: true })
    const { unread_msgs } = await register(grace, ask)
    expect(unread_msgs?.streams.map(({ unread_message_ids }) => unread_message_ids)).toEqual([[after]])
  })

  test('Unread messages follow the flags of the user and of the message.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    await join(realm, ['design', 'quiet'], ada, grace)
    const [read, mentioned, wildcard, plain] = [
      await post(ada, 'design', 't'),
      await post(ada, 'design', 't'),
      await post(ada, 'design', 't', { content: 'hello @**all**' }),
      await post(ada, 'design', 't'),
    ]
    const quiet = await post(ada, 'quiet', 't', { content: 'hello @**all**' })
    const direct = await sendDirect(ada, grace)
    const own = await post(grace, 'design', 't', { read_by_sender: true })
    await flag(realm, grace.user_id, read, Flag.read)
    await flag(realm, grace.user_id, mentioned, Flag.mentioned | Flag.starred)
    await flag(realm, grace.user_id, direct, Flag.mentioned)
    await flag(realm, grace.user_id, own, Flag.unread)
    await mute(realm, grace, 'quiet')
    const { unread_msgs } = await register(grace, ask)
    expect(unread_msgs).toMatchObject({
      count: 5,
      streams: [{ unread_message_ids: [mentioned, wildcard, plain, own] }, { unread_message_ids: [quiet] }],
    })
    expect([...(unread_msgs?.mentions ?? [])].sort((a, b) => a - b)).toEqual([mentioned, wildcard, direct])
  })

  test('Unread messages start after the read pointer, plus the messages that the user marked as unread.', async () => {
    const { realm, ada, grace } = await people()
    await using _ = realm
    const { sql, realm_id } = realm
    await join(realm, ['design'], ada, grace)
    const ids: number[] = []
    for (let i = 0; i < 4; i++) ids.push(await post(ada, 'design', 't'))
    const direct = [await sendDirect(ada, grace), await sendDirect(ada, grace)]
    const { user_id } = grace
    await sql`
      update channel_reads set read_up_to = ${ids[2] as number} where realm_id = ${realm_id} and user_id = ${user_id}`
    await sql`
      update dm_members set read_up_to = ${direct[1] as number} where realm_id = ${realm_id} and user_id = ${user_id}`
    await flag(realm, user_id, ids[0] as number, Flag.unread)
    await flag(realm, user_id, direct[0] as number, Flag.unread)
    const { unread_msgs } = await register(grace, ask)
    expect(unread_msgs).toMatchObject({
      count: 3,
      streams: [{ unread_message_ids: [ids[0], ids[3]] }],
      pms: [{ unread_message_ids: [direct[0]] }],
    })
  })
})

test("Recent conversations are listed newest first, without the user's own id.", async () => {
  const { realm, ada, grace, guest } = await people()
  await using _ = realm
  await sendDirect(grace, ada)
  const group = await sendDirect(grace, ada, guest)
  const self = await sendDirect(grace, grace)
  const last = await sendDirect(ada, grace)
  const { recent_private_conversations } = await register(grace, {
    fetch_event_types: ['recent_private_conversations'],
  })
  expect(recent_private_conversations).toEqual([
    { max_message_id: last, user_ids: [ada.user_id] },
    { max_message_id: self, user_ids: [] },
    { max_message_id: group, user_ids: [ada.user_id, guest.user_id] },
  ])
})

test('Starred messages are listed in ascending order of id.', async () => {
  const { realm, ada, grace } = await people()
  await using _ = realm
  const ids = [await sendDirect(grace, ada), await sendDirect(grace, ada), await sendDirect(grace, ada)] as [
    number,
    number,
    number,
  ]
  await flag(realm, ada.user_id, ids[2], Flag.starred | Flag.read)
  await flag(realm, ada.user_id, ids[0], Flag.starred)
  await flag(realm, grace.user_id, ids[1], Flag.starred)
  const { starred_messages } = await register(ada, { fetch_event_types: ['starred_messages'] })
  expect(starred_messages).toEqual([ids[0], ids[2]])
})

describe('Registration without credentials', () => {
  const anonymously = ({ host }: TestRealm, params: Record<string, unknown> = {}) =>
    call(undefined, 'POST', '/register', params, { host })

  test('A registration without credentials is refused unless spectator access is on.', async () => {
    const { realm } = await people()
    await using _ = realm
    expect(await anonymously(realm)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  test('A spectator gets no queue, only web-public channels and no personal data.', async () => {
    const { realm, ada, owner } = await people()
    await using _ = realm
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await join(realm, ['design', 'web'], ada, owner)
    await updateChannelRow(realm, 'web', { is_web_public: true })
    const { status, body } = await anonymously(realm)
    expect(status).toBe(200)
    const answer = registry.register.response.parse(body)
    expect(answer).toMatchObject({ queue_id: null, user_id: 0, subscriptions: [], presences: {}, starred_messages: [] })
    expect(answer).not.toHaveProperty('last_event_id')
    expect(answer).not.toHaveProperty('streams')
    expect(answer.never_subscribed?.map(({ name }) => name)).toEqual(['web'])
    expect(answer.realm_allow_message_editing).toBe(false)
    expect(JSON.stringify(body)).not.toContain('@example.com')
  })

  test('A spectator cannot ask for client_gravatar or include_subscribers.', async () => {
    const { realm, ada } = await people()
    await using _ = realm
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await join(realm, ['web'], ada)
    await updateChannelRow(realm, 'web', { is_web_public: true })
    for (const name of ['client_gravatar', 'include_subscribers']) {
      expect(await anonymously(realm, { [name]: true })).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', msg: `Callers without an account cannot ask for ${name}.` },
      })
    }
  })
})

const channelId = ({ realm }: TestRealm, name: string) => realm.state.channelByName(name)?.id

test('A registration tells which event types this server never sends, and refuses none.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people
  const register = (event_types: string[]) => ok(ada, 'POST', '/register', { event_types, fetch_event_types: [] })
  const misspelt = await register(['message', 'mesage', 'presense', 'mesage', 'realm', 'heartbeat'])
  expect(misspelt.unknown_event_types).toEqual(['mesage', 'presense'])
  expect(await register(['message', 'realm_user', 'zulip_version'])).not.toHaveProperty('unknown_event_types')
})
