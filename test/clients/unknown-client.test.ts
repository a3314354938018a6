/**
 * A client that the server does not know: its User-Agent is that of an HTTP library. It may send either name of a value
 * that has two, and reads that of the API document. Existing clients read the one that they know.
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import { call, newRealm, ok, type Person } from '../setup/realm/realm.js'

const client = 'python-requests'

const setUp = async () => {
  const realm = await newRealm()
  const users = [{ full_name: 'Owner', role: Role.owner }, { full_name: 'Ada' }]
  const [owner, ada] = (await realm.people(...users)) as [Person, Person]
  const subscriptions = [{ name: 'design' }]
  await ok(owner, 'POST', '/users/me/subscriptions', {
    subscriptions,
    principals: [owner.user_id, ada.user_id],
    send_new_subscription_messages: false,
  })
  const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'design' })
  return { owner, ada, stream_id, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

test('An unknown client reads the level, the version and the address under all names.', async () => {
  await using s = await setUp()
  const names = { api_feature_level: 398, zulip_feature_level: 398 }
  const versions = { zulip_version: expect.any(String), zulip_merge_base: expect.any(String) }
  const url = expect.stringContaining(s.ada.host)
  const settings = await ok(undefined, 'GET', '/server_settings', {}, { host: s.ada.host })
  expect(settings).toMatchObject({ ...names, ...versions, realm_url: url, realm_uri: url })
  const registered = await ok(s.ada, 'POST', '/register', { client, fetch_event_types: ['realm'] })
  expect(registered).toMatchObject({ ...names, ...versions, realm_url: url, realm_uri: url })
})

test('An unknown client may name the type, the topic and the narrow of a message either way, and reads older names.', async () => {
  await using s = await setUp()
  const listener = await listen(s.ada, { client, event_types: ['message'] })
  const sent: number[] = []
  for (const type of ['stream', 'channel']) {
    for (const topic of ['topic', 'subject']) {
      const given = { type, to: 'design', [topic]: 'logo', content: 'draft', client }
      sent.push((await ok(s.ada, 'POST', '/messages', given)).id)
    }
  }
  for (const type of ['direct', 'private']) {
    sent.push((await ok(s.ada, 'POST', '/messages', { type, to: [s.owner.user_id], content: 'hi', client })).id)
  }
  const events = (await listener.events()).map(
    ({ message }) => message as { id: number; type: string; subject: string },
  )
  expect(events.map(({ id, type, subject }) => [id, type, subject])).toEqual(
    sent.map((id, i) => [id, i < 4 ? 'stream' : 'private', i < 4 ? 'logo' : '']),
  )
  const narrows = [
    [['stream', 'design']],
    [{ operator: 'channel', operand: s.stream_id }],
    [
      { operator: 'stream', operand: 'design' },
      { operator: 'topic', operand: 'logo' },
    ],
    [['pm-with', s.owner.email]],
    [{ operator: 'dm', operand: [s.owner.user_id] }],
    [['is', 'private']],
    [['is', 'dm']],
  ]
  const counts = await Promise.all(
    narrows.map(async (narrow) => {
      const { messages } = await ok(s.ada, 'GET', '/messages', { anchor: 'newest', num_before: 50, narrow, client })
      return messages.filter(({ id }) => sent.includes(id)).length
    }),
  )
  expect(counts).toEqual([4, 4, 4, 2, 2, 2, 2])
})

const extraEmojiReaders: [name: string, reads: string][] = [
  ['service_extra_emoji', client],
  ['service_extra_emoji', 'Parley'],
  ['zulip_extra_emoji', 'ZulipTerminal'],
  ['zulip_extra_emoji', 'ZulipSomethingNew'],
  ['zulip_extra_emoji', 'go-zulip'],
  ['zulip_extra_emoji', 'Apache-HttpClient'],
]

test.each(extraEmojiReaders)('The type of the extra emoji is %s for %s, whichever it sent.', async (name, client) => {
  await using s = await setUp()
  const { id } = await ok(s.ada, 'POST', '/messages', { type: 'channel', to: 'design', topic: 'logo', content: 'x' })
  const listener = await listen(s.ada, { client, event_types: ['reaction', 'user_status'] })
  const zulip = { emoji_name: 'zulip', emoji_code: 'zulip' }
  const seen: (string | undefined)[] = []
  for (const reaction_type of ['service_extra_emoji', 'zulip_extra_emoji']) {
    const emoji = { ...zulip, reaction_type, client }
    await ok(s.ada, 'POST', `/messages/${id}/reactions`, emoji)
    const { message } = await ok(s.ada, 'GET', `/messages/${id}`, { client })
    const { messages } = await ok(s.ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, client })
    seen.push(message.reactions[0]?.reaction_type, messages[0]?.reactions[0]?.reaction_type)
    await ok(s.ada, 'DELETE', `/messages/${id}/reactions`, emoji)
    await ok(s.ada, 'POST', '/users/me/status', { status_text: reaction_type, ...emoji })
    const { status } = await ok(s.ada, 'GET', `/users/${s.ada.user_id}/status`, { client })
    const { user_status } = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['user_status'], client })
    seen.push(status.reaction_type, user_status?.[s.ada.user_id]?.reaction_type)
  }
  for (const { reaction_type } of await listener.events()) seen.push(reaction_type as string | undefined)
  expect(seen.filter((type) => type !== undefined)).toEqual(Array(14).fill(name))
})

test('An unknown client may call either address of an endpoint that has two.', async () => {
  await using s = await setUp()
  const { id } = await ok(s.ada, 'POST', '/messages', { type: 'channel', to: 'design', topic: 'logo', content: 'x' })
  const group = { name: 'writers', description: '', members: [s.ada.user_id] }
  const { group_id } = await ok(s.owner, 'POST', '/user_groups/create', group)
  const report = { report_type: 'spam', client }
  const calls: [method: string, path: string, params: Record<string, unknown>][] = [
    ['POST', '/message_edit_typing', { message_id: id, op: 'start' }],
    ['POST', `/messages/${id}/typing`, { op: 'stop' }],
    ['POST', `/message/${id}/report`, report],
    ['POST', `/messages/${id}/report`, report],
    ['PATCH', '/settings', { emojiset: 'twitter' }],
    ['PATCH', '/settings/display', { emojiset: 'set_a' }],
    ['PATCH', '/settings/notifications', { enable_sounds: true }],
    ['POST', '/user_topics', { stream_id: s.stream_id, topic: 'logo', visibility_policy: 1 }],
    ['PATCH', '/users/me/subscriptions/muted_topics', { stream_id: s.stream_id, topic: 'logo', op: 'remove' }],
    ['POST', '/mark_stream_as_read', { stream_id: s.stream_id }],
    ['POST', '/mark_topic_as_read', { stream_id: s.stream_id, topic_name: 'logo' }],
    ['POST', '/mark_all_as_read', {}],
    [
      'POST',
      '/messages/flags/narrow',
      { anchor: 'newest', num_before: 5, num_after: 0, narrow: [], op: 'add', flag: 'read' },
    ],
    ['POST', '/typing', { op: 'start', to: [s.owner.user_id] }],
    ['POST', '/typing', { type: 'channel', op: 'stop', stream_id: s.stream_id, topic: 'logo' }],
  ]
  const refused: unknown[] = []
  for (const [method, path, params] of calls) {
    const { status, body } = await call(s.ada, method, path, { client, ...params })
    const isExpected = status === 200 || (body.msg as string).includes('report')
    if (!isExpected) refused.push([method, path, status, body])
  }
  const { status } = await call(s.owner, 'POST', `/user_groups/${group_id}/deactivate`, { client })
  expect([refused, status]).toEqual([[], 200])
})
