/**
 * Flags of messages: reading, starring, and counting as unread again.
 */
import { describe, expect, test } from 'vitest'
import { commit } from '../src/store/change.js'
import { readLeft } from '../src/store/channels/left-channels.js'
import { withWriter } from './setup/change.js'
import { listen } from './setup/listener.js'
import { channel, office, post, read, refusal, refused, write } from './setup/office.js'
import { call, ok, type Person, type TestRealm } from './setup/realm.js'

const flag = (by: Person, messages: number[], op: string, name: string) =>
  ok<{ messages: number[]; ignored_because_not_subscribed_channels: number[] }>(by, 'POST', '/messages/flags', {
    messages,
    op,
    flag: name,
  })

interface Unread {
  count: number
  mentions: number[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  pms: { other_user_id: number; unread_message_ids: number[] }[]
}

const registered = (by: Person) =>
  ok<{ unread_msgs: Unread; starred_messages: number[] }>(by, 'POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags', 'starred_messages'],
  })

const unread = async (by: Person): Promise<number[]> => {
  const { unread_msgs } = await registered(by)
  const places = [...unread_msgs.streams, ...unread_msgs.pms]
  return places.flatMap(({ unread_message_ids }) => unread_message_ids).sort((a, b) => a - b)
}

/** How many rows of flags somebody has. */
const rows = async ({ sql, realm_id }: TestRealm, { user_id }: Person): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from message_flags where realm_id = ${realm_id} and user_id = ${user_id}`
  return row?.n ?? 0
}

const setUp = async () => {
  const { realm, people } = await office('Ada', 'Grace', 'Alan')
  const [ada, grace, alan] = people as [Person, Person, Person]
  const design = await channel(ada, 'design', [ada, grace])
  return { realm, ada, grace, alan, design }
}

const several = async (by: Person, count: number, topic = 'logo') => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push(await post(by, 'design', topic))
  return ids as [number, number, number, number, number]
}

describe('reading', () => {
  test('tells one event of what really changed, to the reader alone', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [first, second] = await several(ada, 2)
    const [hers, adas] = [await listen(grace), await listen(ada)]
    expect((await flag(grace, [first], 'add', 'read')).messages).toEqual([first])
    await flag(grace, [second, first], 'add', 'read')
    await flag(grace, [second, first], 'add', 'read')
    const shape = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false }
    expect(await hers.events()).toEqual([
      { id: expect.any(Number), ...shape, messages: [first] },
      { id: expect.any(Number), ...shape, messages: [second] },
    ])
    expect(await adas.told()).toEqual([])
  })

  test('leaves no rows where everything is read in whatever order', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b, c, d, e] = await several(ada, 5)
    await flag(grace, [e, c], 'add', 'read')
    expect(await unread(grace)).toEqual([a, b, d])
    expect(await rows(realm, grace)).toBe(2)
    await flag(grace, [a, b], 'add', 'read')
    expect(await unread(grace)).toEqual([d])
    expect(await rows(realm, grace)).toBe(1)
    await flag(grace, [d], 'add', 'read')
    expect(await unread(grace)).toEqual([])
    expect(await rows(realm, grace)).toBe(0)
  })

  test('is taken back message by message, with what a client needs to count them', async () => {
    const { realm, ada, grace, design } = await setUp()
    await using _ = realm
    const [a, b] = await several(ada, 2)
    const named = await post(ada, 'design', '', 'hello @**Grace**')
    const direct = await write(ada, [grace])
    await ok(grace, 'POST', '/mark_all_as_read')
    const hers = await listen(grace)
    await flag(grace, [b, direct, named], 'remove', 'read')
    expect(await hers.events()).toMatchObject([
      {
        op: 'remove',
        flag: 'read',
        messages: [b, named, direct],
        all: false,
        message_details: {
          [b]: { type: 'stream', stream_id: design, topic: 'logo', unmuted_stream_msg: true },
          [named]: { type: 'stream', stream_id: design, topic: 'general chat', mentioned: true },
          [direct]: { type: 'private', user_ids: [ada.user_id] },
        },
      },
    ])
    expect(await unread(grace)).toEqual([b, named, direct])
    expect((await registered(grace)).unread_msgs.mentions).toEqual([named])
    expect((await read(grace, a)).flags).toContain('read')
    await ok(grace, 'POST', '/mark_stream_as_read', { stream_id: design })
    expect(await unread(grace)).toEqual([direct])
  })

  test('does not come back in channels that one is not subscribed to', async () => {
    const { realm, ada, grace, alan, design } = await setUp()
    await using _ = realm
    const [a] = await several(ada, 1)
    const direct = await write(ada, [alan])
    await flag(alan, [direct], 'add', 'read')
    const his = await listen(alan)
    const answer = await flag(alan, [a, direct], 'remove', 'read')
    expect(answer.ignored_because_not_subscribed_channels).toEqual([design])
    expect((await his.events()).map(({ messages }) => messages)).toEqual([[direct]])
    await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
    expect((await flag(grace, [a], 'remove', 'read')).ignored_because_not_subscribed_channels).toEqual([design])
  })

  test('of everything is one event and keeps nothing', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b] = await several(ada, 3)
    await write(ada, [grace])
    await flag(grace, [b], 'add', 'read')
    await flag(grace, [a], 'add', 'starred')
    const hers = await listen(grace)
    expect(await ok(grace, 'POST', '/mark_all_as_read')).toMatchObject({ complete: true })
    expect(await hers.events()).toMatchObject([{ op: 'add', flag: 'read', messages: [], all: true }])
    expect(await unread(grace)).toEqual([])
    expect(await rows(realm, grace)).toBe(1)
    const later = await post(ada, 'design', 'logo')
    expect(await unread(grace)).toEqual([later])
  })

  test('of a topic leaves the others unread', async () => {
    const { realm, ada, grace, alan, design } = await setUp()
    await using _ = realm
    const [a] = await several(ada, 1, 'logo')
    const [b] = await several(ada, 1, 'fonts')
    const topic = (topic_name: string) => ({ stream_id: design, topic_name })
    await ok(grace, 'POST', '/mark_topic_as_read', topic('LOGO'))
    expect(await unread(grace)).toEqual([b])
    expect(b).toBeGreaterThan(a)
    expect(await refusal(call(grace, 'POST', '/mark_topic_as_read', topic('none')))).toEqual(
      refused("There is no topic 'none' for you in this channel."),
    )
    expect(await refusal(call(alan, 'POST', '/mark_topic_as_read', topic('logo')))).toEqual(
      refused("There is no topic 'logo' for you in this channel."),
    )
    expect(await refusal(call(alan, 'POST', '/mark_stream_as_read', { stream_id: 99 }))).toEqual(
      refused('There is no channel with this ID, or it is not yours to see.'),
    )
  })

  test('and unreading at once end where the last of them says', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const ids = await several(ada, 5)
    const hers = await listen(grace, { event_types: ['update_message_flags'] })
    const known = new Set<number>(ids)
    const steps = Array.from({ length: 30 }, (_, i) =>
      flag(grace, [ids[i % 5] as number, ids[(i * 3) % 5] as number], i % 3 === 0 ? 'remove' : 'add', 'read'),
    )
    await Promise.all(steps)
    for (const { op, messages } of await hers.events()) {
      for (const id of messages as number[]) {
        expect(known.has(id), `${op} ${id}`).toBe(op === 'add')
        if (op === 'add') known.delete(id)
        else known.add(id)
      }
    }
    expect(await unread(grace)).toEqual([...known].sort((a, b) => a - b))
  })
})

describe('starring', () => {
  test('is told and kept', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const [a, b] = await several(ada, 2)
    const hers = await listen(grace)
    await flag(grace, [b, a], 'add', 'starred')
    expect((await hers.events()).map(({ flag, messages }) => [flag, messages])).toEqual([['starred', [a, b]]])
    expect((await registered(grace)).starred_messages).toEqual([a, b])
    expect(await unread(grace)).toEqual([a, b])
    await flag(grace, [a, b], 'remove', 'starred')
    expect((await registered(grace)).starred_messages).toEqual([])
    expect(await rows(realm, grace)).toBe(0)
  })

  test('makes a message that one never received a historical one', async () => {
    const { realm, ada, alan } = await setUp()
    await using _ = realm
    const [a] = await several(ada, 1)
    await flag(alan, [a], 'add', 'starred')
    expect((await read(alan, a)).flags).toEqual(['read', 'starred', 'historical'])
    await flag(alan, [a], 'remove', 'starred')
    expect((await read(alan, a)).flags).toEqual(['read', 'historical'])
  })

  test('is refused as a whole when one of the messages cannot be read', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const [a] = await several(ada, 1)
    const direct = await write(ada, [grace])
    const star = { messages: [a, direct], op: 'add', flag: 'starred' }
    expect(await refusal(call(alan, 'POST', '/messages/flags', star))).toEqual(
      refused('There is no such message, or it is not yours to read.'),
    )
    expect((await registered(alan)).starred_messages).toEqual([])
    await flag(alan, [a, direct, 999], 'add', 'read')
    const inside = await channel(ada, 'inside', [ada], { invite_only: true })
    await ok(ada, 'PATCH', `/messages/${a}`, { stream_id: inside })
    // Grace received it, and lost it by the move.
    expect(await refusal(call(grace, 'POST', '/messages/flags', { ...star, messages: [a] }))).toEqual(
      refused('There is no such message, or it is not yours to read.'),
    )
  })
})

test('flags and operations that do not exist are refused in this order', async () => {
  const { realm, people } = await office('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const wrong = (op: string, name: string) =>
    refusal(call(ada, 'POST', '/messages/flags', { messages: [], op, flag: name }))
  expect(await wrong('put', 'invented')).toEqual(refused("There is no flag 'invented'."))
  expect(await wrong('put', 'mentioned')).toEqual(refused("The flag 'mentioned' is set by the server only."))
  expect(await wrong('put', 'read')).toEqual(refused("op must be add or remove, not 'put'."))
})

test('a narrow is worked through page by page', async () => {
  const { realm, ada, grace, design } = await setUp()
  await using _ = realm
  const [a, b, c, d, e] = await several(ada, 5)
  const narrow = [{ operator: 'channel', operand: design }]
  const page = (params: Record<string, unknown>) =>
    ok(grace, 'POST', '/messages/flags/narrow', { narrow, op: 'add', flag: 'read', num_before: 0, ...params })
  const nothing = { ignored_because_not_subscribed_channels: [] }
  expect(await page({ anchor: 'oldest', num_after: 2 })).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: a,
    last_processed_id: b,
    found_oldest: true,
    found_newest: false,
    ...nothing,
  })
  const rest = { anchor: String(b), include_anchor: false, num_after: 9_000 }
  expect(await page(rest)).toMatchObject({ processed_count: 3, first_processed_id: c, found_newest: true })
  expect(d).toBeLessThan(e)
  expect(await unread(grace)).toEqual([])
  const none = await page({ anchor: 'first_unread', num_after: 9, narrow: [{ operator: 'is', operand: 'unread' }] })
  expect(none).toMatchObject({ processed_count: 0, updated_count: 0, first_processed_id: null })
})

test('what counts as unread again stays so, however late what was left unread is marked as read', async () => {
  const { realm, people } = await office('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const { sql, realm_id } = realm
  const channel_id = await channel(ada, 'design', [ada, grace])
  const id = await post(ada, 'design', 'logo', 'a first draft')
  await ok(grace, 'DELETE', '/users/me/subscriptions', { subscriptions: ['design'] })
  const pending = () => sql`
    select from membership_spans
    where realm_id = ${realm_id} and user_id = ${grace.user_id} and to_message is not null and read_up_to is not null`
  await expect.poll(async () => (await pending()).length, { timeout: 15_000 }).toBe(0)
  await ok(grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  // As if no worker had come to it yet.
  await sql`
    update membership_spans set read_up_to = 0
    where realm_id = ${realm_id} and user_id = ${grace.user_id} and channel_id = ${channel_id} and to_message is not null`
  await sql`
    update channel_reads set read_up_to = 0
    where realm_id = ${realm_id} and user_id = ${grace.user_id} and channel_id = ${channel_id}`
  expect((await flag(grace, [id], 'remove', 'read')).messages).toEqual([id])
  const late = readLeft(realm_id, channel_id, [grace.user_id])
  await withWriter(realm, (writer) => commit(writer, realm.realm, realm.realm.seq, late))
  expect(await unread(grace)).toEqual([id])
})
