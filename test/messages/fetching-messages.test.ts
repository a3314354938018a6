/** Fetching messages: anchors and pages, formats, and which users can read which messages. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findSubscription } from '../../src/domain/channels/membership.js'
import { composeDelete, composeUpdate } from '../../src/domain/log/row-changes.js'
import { Role } from '../../src/domain/log/rows.js'
import type { Success } from '../setup/realm/operations.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { commitRowChanges, updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

type Page = Success<'GET', '/messages'>
type Message = Page['messages'][number]

const NEWEST = 10_000_000_000_000_000

const setUp = async (...roles: number[]) => {
  const realm = await newRealm()
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const names = ['Ada', 'Grace', 'Alan', 'Edsger']
  const people = await realm.people(...names.map((full_name, i) => ({ full_name, role: roles[i] ?? Role.member })))
  const [ada, grace, alan, edsger] = people as [Person, Person, Person, Person]
  return { realm, ada, grace, alan, edsger }
}

const channel = async (by: Person, name: string, members: Person[], params: Record<string, unknown> = {}) => {
  await ok(by, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: members.map(({ user_id }) => user_id),
    send_new_subscription_messages: false,
    ...params,
  })
  return (await ok(by, 'GET', '/get_stream_id', { stream: name })).stream_id
}
const leave = (by: Person, name: string, ...members: Person[]) =>
  ok(by, 'DELETE', '/users/me/subscriptions', {
    subscriptions: [name],
    principals: members.map(({ user_id }) => user_id),
  })

const post = async (by: Person, to: string, content: string, topic = 'topic') =>
  (await ok(by, 'POST', '/messages', { type: 'stream', to, topic, content })).id
const sendDirect = async (by: Person, to: Person[], content: string) =>
  (
    await ok(by, 'POST', '/messages', {
      type: 'direct',
      to: to.map(({ user_id }) => user_id),
      content,
    })
  ).id

const fetch = (by: Person, params: Record<string, unknown>) => ok(by, 'GET', '/messages', params)
const ids = ({ messages }: Page) => messages.map(({ id }) => id)
const newest = async (by: Person, narrow: unknown[] = []) =>
  ids(await fetch(by, { anchor: 'newest', num_before: 100, narrow }))
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })

const outcome = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return status === 200 ? 'found' : `${status} ${body.code} ${body.msg}`
}
const fetchOutcome = (by: Person | undefined, id: number, host?: string) =>
  outcome(call(by, 'GET', `/messages/${id}`, {}, host === undefined ? {} : { host }))
const unreadable = '400 BAD_REQUEST There is no such message, or you may not read it.'

const insertFlags = ({ sql, realm_id }: TestRealm, person: Person, message_id: number, flags: number) => sql`
  insert into message_flags (realm_id, user_id, message_id, flags)
  values (${realm_id}, ${person.user_id}, ${message_id}, ${flags})`

describe('Pages around an anchor', () => {
  test('A page holds the messages before, at and after its anchor, oldest first.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    const all: number[] = []
    for (let n = 0; n < 7; n++) all.push(await post(ada, 'design', `message ${n}`))
    const [first = 0, second = 0, , middle = 0, , , last = 0] = all
    const page = async (params: Record<string, unknown>) => {
      const answer = await fetch(ada, params)
      const { anchor, found_anchor, found_oldest, found_newest, history_limited } = answer
      expect(history_limited).toBe(false)
      return { ids: ids(answer), anchor, ends: [found_oldest, found_anchor, found_newest] }
    }

    expect(await page({ anchor: middle, num_before: 2, num_after: 2 })).toEqual({
      ids: all.slice(1, 6),
      anchor: middle,
      ends: [false, true, false],
    })
    expect(await page({ anchor: middle, num_before: 9, num_after: 9 })).toEqual({
      ids: all,
      anchor: middle,
      ends: [true, true, true],
    })
    expect(await page({ anchor: middle })).toEqual({ ids: [middle], anchor: middle, ends: [false, true, false] })
    expect(await page({ anchor: middle, num_before: 2, include_anchor: false })).toEqual({
      ids: all.slice(1, 3),
      anchor: middle,
      ends: [false, false, false],
    })
    expect(await page({ anchor: middle, num_after: 9, include_anchor: false })).toEqual({
      ids: all.slice(4),
      anchor: middle,
      ends: [false, false, true],
    })
    expect(await page({ anchor: 'oldest', num_before: 5, num_after: 2 })).toEqual({
      ids: all.slice(0, 2),
      anchor: 0,
      ends: [true, false, false],
    })
    expect(await page({ anchor: 'newest', num_before: 2, num_after: 5 })).toEqual({
      ids: all.slice(5),
      anchor: NEWEST,
      ends: [false, false, true],
    })
    expect(await page({ anchor: '-5', num_after: 1 })).toMatchObject({ ids: [first], anchor: 0 })
    expect(await page({ anchor: '99999999999999999', num_before: 1 })).toMatchObject({ ids: [last], anchor: NEWEST })
    expect(await page({ anchor: '10000000000', num_before: 1 })).toMatchObject({ ids: [last], anchor: 10_000_000_000 })
    expect(await page({ anchor: 'oldest' })).toEqual({ ids: [], anchor: 0, ends: [true, false, false] })
    // found_oldest is false because the request asked for no message before the anchor.
    expect((await page({ anchor: first, num_after: 1 })).ends[0]).toBe(false)
    expect(await page({ anchor: first, num_before: 1 })).toMatchObject({ ids: [first], ends: [true, true, false] })
    expect(await page({ anchor: second, num_before: 1 })).toMatchObject({ ends: [false, true, false] })
    for (const narrow of ['[]', 'null', undefined]) {
      expect(await page({ anchor: 'newest', num_before: 9, narrow })).toMatchObject({ ids: all })
    }
    expect(await page({ anchor: middle, num_before: 2_500, num_after: 2_500 })).toMatchObject({ ids: all })
  })

  test('A page does not need its anchor to match the narrow.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    const [a, gap, b] = [
      await post(ada, 'design', '1'),
      await sendDirect(ada, [ada], '2'),
      await post(ada, 'design', '3'),
    ]
    const page = await fetch(ada, { anchor: gap, num_before: 1, num_after: 1, narrow: [term('channel', 'design')] })
    expect(ids(page)).toEqual([a, b])
    expect(page).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false })
  })

  test('A page with the anchor first_unread starts at the first unread message that is not muted.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada, grace])
    const noise = await channel(ada, 'noise', [ada, grace])
    await realm.realm.barrier()
    const row = findSubscription(realm.realm.state, grace.user_id, noise)
    await commitRowChanges(realm, [row && composeUpdate('subscriptions', row, { is_muted: true })])
    expect(await fetch(grace, { anchor: 'first_unread', num_after: 9 })).toMatchObject({ anchor: NEWEST, messages: [] })
    const muted = await post(ada, 'noise', 'muted')
    const [one, two] = [await post(ada, 'design', 'one'), await post(ada, 'design', 'two')]
    await insertFlags(realm, grace, one, 1)
    const page = await fetch(grace, { anchor: 'first_unread', num_before: 9, num_after: 9 })
    expect(page).toMatchObject({ anchor: two, found_anchor: true })
    expect(page.messages.map(({ id, flags }) => [id, flags])).toEqual([
      [muted, []],
      [one, ['read']],
      [two, []],
    ])
    for (const anchor of ['0', undefined]) {
      const legacy = await fetch(grace, { anchor, use_first_unread_anchor: true, num_after: 1 })
      expect(legacy.anchor).toBe(two)
    }
    const inNoise = { narrow: [term('channel', 'noise')] }
    expect((await fetch(grace, { anchor: 'first_unread', num_after: 1, ...inNoise })).anchor).toBe(muted)
  })

  test('A page with the anchor date starts at the first message of the narrow that was sent then or later.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    const times = ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', '2027-01-01T12:00:00Z', '2027-01-03T00:00:00Z']
    const all: number[] = []
    for (const [n, time] of times.entries()) {
      all.push(n === 1 ? await sendDirect(ada, [ada], time) : await post(ada, 'design', time))
    }
    const [, second = 0, third = 0, fourth = 0] = all
    for (const [n, time] of times.entries()) {
      await realm.sql`
        update messages set timestamp = ${Date.parse(time) / 1000} where realm_id = ${realm.realm_id} and id = ${all[n] ?? 0}`
    }
    const find = async (anchor_date: string, narrow: unknown[] = []) => {
      const page = await fetch(ada, { anchor: 'date', anchor_date, num_before: 1, num_after: 1, narrow })
      return { anchor: page.anchor, ids: ids(page) }
    }
    expect(await find('2027-01-01')).toEqual({ anchor: second, ids: all.slice(0, 3) })
    expect(await find('2027-01-01', [term('channel', 'design')])).toEqual({
      anchor: third,
      ids: [all[0], third, fourth],
    })
    for (const time of [
      '2027-01-01T02:00:00+02:00',
      '2026-12-31 18:30-0530',
      '2027-01-01T00:00',
      '2027-01-01t00:00:00.5z',
    ]) {
      expect((await find(time)).anchor).toBe(second)
    }
    expect((await find('2027-01-01T00:00:01Z')).anchor).toBe(third)
    expect((await find('2027-01-02')).anchor).toBe(fourth)
    expect(await find('0001-01-01')).toEqual({ anchor: all[0], ids: all.slice(0, 2) })
    expect(await find('2027-01-03T00:00:01Z')).toEqual({ anchor: NEWEST, ids: [fourth] })
    expect(await find('9999-12-31')).toEqual({ anchor: NEWEST, ids: [fourth] })
  })

  test('A page that is too large or has contradictory parameters is refused.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const refusal = (params: Record<string, unknown>) => outcome(call(ada, 'GET', '/messages', params))
    expect(await refusal({ num_before: 1 })).toBe(
      '400 BAD_REQUEST Missing parameter: send anchor to fetch a page, or message_ids to fetch single messages.',
    )
    const form = 'anchor_date must be a date such as 2027-01-31, or a time such as 2027-01-31T12:34:56Z.'
    const wrong = ['', 'yesterday', '2027-02-30', '2027-13-01', '2027-01-01T24:00', '2027-01-01T12:34:56+1', '20270101']
    for (const anchor_date of [undefined, ...wrong]) {
      expect(await refusal({ anchor: 'date', anchor_date, num_before: 1 })).toBe(`400 BAD_REQUEST ${form}`)
    }
    expect(await refusal({ anchor: '1.5' })).toBe(
      '400 BAD_REQUEST anchor must be a message ID, newest, oldest or first_unread.',
    )
    expect(await refusal({ anchor: '1', num_before: -1 })).toBe('400 BAD_REQUEST num_before is too small.')
    expect(await refusal({ anchor: '1', num_before: 2_501, num_after: 2_500 })).toBe(
      '400 BAD_REQUEST At most 5000 messages come at once: ask for fewer.',
    )
    expect(await refusal({ anchor: '1', num_before: 1, num_after: 1, include_anchor: false })).toBe(
      '400 BAD_REQUEST Without the anchor, request messages before it or after it, not both.',
    )
    const list = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'
    for (const more of [
      ...[{ num_before: 1 }, { num_after: 1 }, { anchor: '1' }, { use_first_unread_anchor: true }],
      { anchor_date: '2027-01-31' },
    ]) {
      const { body } = await call(ada, 'GET', '/messages', { message_ids: [1], ...more })
      expect(body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: `These parameters cannot be combined: ${list}`,
        parameters: list,
      })
    }
    expect(await refusal({ anchor: '1', narrow: 'x' })).toBe('400 BAD_REQUEST narrow must be valid JSON.')
    expect(await refusal({ anchor: '1', narrow: '{}' })).toBe('400 BAD_REQUEST narrow must be a list.')
    expect(await refusal({ anchor: '1', narrow: 'null' })).toBe('found')
    expect(await refusal({ anchor: '1', narrow: [term('color', 'red')] })).toBe(
      '400 BAD_NARROW This narrow term cannot be used: unknown operator color',
    )
    // The whole narrow is parsed before any name in it is resolved.
    expect(await refusal({ anchor: '1', narrow: [['channel', 'nowhere'], { operator: 'id' }] })).toBe(
      '400 BAD_REQUEST narrow[1] cannot be used: operand is missing',
    )
  })
})

test('Messages that are fetched by id come in ascending order, without missing, unreadable and non-matching ones.', async () => {
  const { realm, ada, grace } = await setUp()
  await using _ = realm
  await channel(ada, 'design', [ada])
  await channel(grace, 'secret', [grace], { invite_only: true })
  const [a, b, c] = [
    await post(ada, 'design', 'a'),
    await post(grace, 'secret', 'b'),
    await sendDirect(ada, [grace], 'c'),
  ]
  const message_ids = [c, b, a, c, 4_711]
  const page = await fetch(ada, { message_ids })
  expect(page).toEqual({
    result: 'success',
    msg: '',
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
    messages: page.messages,
  })
  expect(ids(page)).toEqual([a, c])
  expect(ids(await fetch(ada, { message_ids, narrow: [['is', 'dm']] }))).toEqual([c])
  // So many do not fit into an address: a client sends them in the form of a POST.
  const tooMany = { method: 'GET', message_ids: Array.from({ length: 5_001 }, (_, i) => i) }
  expect(await outcome(call(ada, 'POST', '/messages', tooMany))).toBe(
    '400 BAD_REQUEST At most 5000 messages come at once: ask for fewer.',
  )
})

describe('Message objects', () => {
  test('A channel message has every field, in the requested format.', async () => {
    const { realm, ada } = await setUp()
    await using _ = realm
    const stream_id = await channel(ada, 'design', [ada])
    const { id } = await ok(ada, 'POST', '/messages', {
      type: 'stream',
      to: 'design',
      topic: 'see e.org',
      content: '*hello*',
      client: 'tester',
    })
    const { message, raw_content } = await ok(ada, 'GET', `/messages/${id}`)
    expect(raw_content).toBe('*hello*')
    expect(message).toEqual({
      id,
      type: 'stream',
      stream_id,
      subject: 'see e.org',
      topic_links: [{ text: 'e.org', url: 'https://e.org' }],
      display_recipient: 'design',
      recipient_id: expect.any(Number),
      sender_id: ada.user_id,
      sender_email: ada.email,
      sender_full_name: 'Ada',
      sender_realm_str: realm.host.split('.')[0],
      avatar_url: `/user_avatars/drawn/${ada.user_id}.41.png`,
      client: 'tester',
      content: '<p><em>hello</em></p>',
      content_type: 'text/html',
      is_me_message: false,
      timestamp: expect.any(Number),
      reactions: [],
      submessages: [],
      flags: [],
    })
    const [raw] = (await fetch(ada, { anchor: id, apply_markdown: false, client_gravatar: false })).messages
    expect(raw).toEqual({
      ...message,
      content: '*hello*',
      content_type: 'text/x-markdown',
      avatar_url: expect.stringMatching(/^\/user_avatars\/drawn\//),
    })
  })

  test('A direct message lists all participants and has no channel id.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const id = await sendDirect(grace, [ada], 'psst')
    const { message } = await ok(ada, 'GET', `/messages/${id}`)
    expect(message).toEqual({
      id,
      type: 'private',
      subject: '',
      topic_links: [],
      display_recipient: [ada, grace].map(({ user_id, email, full_name }) => ({
        id: user_id,
        email,
        full_name,
        is_mirror_dummy: false,
      })),
      recipient_id: expect.any(Number),
      sender_id: grace.user_id,
      sender_email: grace.email,
      sender_full_name: 'Grace',
      sender_realm_str: realm.host.split('.')[0],
      avatar_url: `/user_avatars/drawn/${grace.user_id}.47.png`,
      client: 'Unspecified',
      content: '<p>psst</p>',
      content_type: 'text/html',
      is_me_message: false,
      timestamp: expect.any(Number),
      reactions: [],
      submessages: [],
      flags: [],
    })
  })

  test("A message contains the avatar URL if the client cannot compute it from the sender's address.", async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    // A client cannot compute the URL of an uploaded avatar.
    await updateUserRow(realm, grace.user_id, { avatar_source: 'U', avatar_version: 2 })
    await sendDirect(grace, [ada], 'hello')
    const [uploaded] = (await fetch(ada, { anchor: 'newest', num_before: 1 })).messages
    expect(uploaded?.avatar_url).toContain(`/user_avatars/${grace.user_id}`)
    const [mary] = (await realm.people({ full_name: 'Mary', settings: { email_address_visibility: 4 } })) as [Person]
    await channel(mary, 'design', [ada, mary])
    await post(mary, 'design', 'hello')
    const [message] = (await fetch(ada, { anchor: 'newest', num_before: 1 })).messages
    expect(message?.avatar_url).toEqual(expect.any(String))
    expect(message?.sender_email).not.toBe(mary.email)
  })
})

describe('Read access to messages', () => {
  test('A member can read all messages of a public channel, and a guest only while subscribed.', async () => {
    const { realm, ada, grace, alan } = await setUp(Role.member, Role.member, Role.guest)
    await using _ = realm
    const stream_id = await channel(ada, 'design', [ada])
    const early = await post(ada, 'design', 'early')
    const narrow = [term('channel', stream_id)]
    expect(await fetchOutcome(grace, early)).toBe('found')
    expect(await newest(grace, narrow)).toEqual([early])
    expect(await newest(grace)).toEqual([])
    expect(await fetchOutcome(alan, early)).toBe(unreadable)
    const page = { anchor: 'newest', narrow }
    expect((await call(alan, 'GET', '/messages', page)).body.code).toBe('BAD_NARROW')

    await channel(ada, 'design', [alan])
    const late = await post(ada, 'design', 'late')
    expect(await newest(alan, narrow)).toEqual([early, late])
    expect(await newest(alan)).toEqual([late])
    expect(await fetchOutcome(alan, early)).toBe('found')
    await leave(alan, 'design', alan)
    expect(await newest(alan, narrow)).toEqual([])
    expect(await newest(alan)).toEqual([])
    expect(await fetchOutcome(alan, late)).toBe(unreadable)
    // A member keeps access to received messages in the combined feed, and to starred ones.
    await channel(ada, 'design', [grace])
    const received = await post(ada, 'design', 'received')
    await leave(grace, 'design', grace)
    expect(await newest(grace)).toEqual([received])
    await ok(grace, 'POST', '/messages/flags', { messages: [early], op: 'add', flag: 'starred' })
    expect(await newest(grace)).toEqual([early, received])
  })

  test('A user can read a private channel with shared history while subscribed or permitted to subscribe.', async () => {
    const { realm, ada, grace, alan } = await setUp(Role.owner)
    await using _ = realm
    const shared = { invite_only: true, history_public_to_subscribers: true }
    const stream_id = await channel(grace, 'plans', [grace], shared)
    const narrow = [term('channel', stream_id)]
    const early = await post(grace, 'plans', 'early')
    for (const outsider of [ada, alan]) {
      expect(await fetchOutcome(outsider, early)).toBe(unreadable)
    }
    expect(await newest(ada, narrow)).toEqual([])
    expect((await call(alan, 'GET', '/messages', { anchor: 'newest', narrow })).body.code).toBe('BAD_NARROW')
    await channel(grace, 'plans', [alan])
    const late = await post(grace, 'plans', 'late')
    expect(await newest(alan, narrow)).toEqual([early, late])
    expect(await newest(alan)).toEqual([late])
    expect(await fetchOutcome(alan, early)).toBe('found')
    await leave(grace, 'plans', alan)
    expect(await newest(alan, narrow)).toEqual([])
    expect(await newest(alan)).toEqual([])
    expect(await fetchOutcome(alan, late)).toBe(unreadable)
    // A user who may subscribe can read everything with a channel narrow; the combined feed has only received
    // messages.
    for (const group of ['can_subscribe_group', 'can_add_subscribers_group']) {
      const grant = (direct_members: number[]) => ({ [group]: { direct_members, direct_subgroups: [] } })
      await updateChannelRow(realm, 'plans', grant([alan.user_id]))
      expect(await newest(alan, narrow)).toEqual([early, late])
      expect(await newest(alan)).toEqual([late])
      await updateChannelRow(realm, 'plans', grant([]))
      expect(await newest(alan)).toEqual([])
    }
  })

  test('A subscriber of a private channel with protected history can read the messages that were sent while they were subscribed.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    // A private channel has protected history unless its creator asks for shared history.
    const stream_id = await channel(ada, 'diary', [ada], { invite_only: true })
    const narrow = [term('channel', stream_id)]
    const before = await post(ada, 'diary', 'before')
    await channel(ada, 'diary', [grace])
    const during = await post(ada, 'diary', 'during')
    await leave(grace, 'diary', grace)
    const between = await post(ada, 'diary', 'between')
    expect(await newest(grace, narrow)).toEqual([])
    await channel(ada, 'diary', [grace])
    const after = await post(ada, 'diary', 'after')
    expect(await newest(grace, narrow)).toEqual([during, after])
    expect(await newest(grace)).toEqual([during, after])
    for (const id of [before, between]) expect(await fetchOutcome(grace, id)).toBe(unreadable)
    for (const id of [during, after]) expect(await fetchOutcome(grace, id)).toBe('found')
    expect(ids(await fetch(grace, { message_ids: [before, during, between, after] }))).toEqual([during, after])
    // A message for which the user has a flag row is readable too.
    await insertFlags(realm, grace, before, 1 + 1024)
    expect(await newest(grace, narrow)).toEqual([before, during, after])
    expect(await fetchOutcome(grace, before)).toBe('found')
  })

  test('Archiving a channel does not change who can read it.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    const stream_id = await channel(ada, 'design', [ada])
    const id = await post(ada, 'design', 'hello')
    const plans = await channel(ada, 'plans', [ada, alan], { invite_only: true, history_public_to_subscribers: true })
    const secret = await post(ada, 'plans', 'psst')
    await realm.realm.barrier()
    await commitRowChanges(
      realm,
      [stream_id, plans].map((one) => {
        const row = realm.realm.state.channels.get(one)
        return row && composeUpdate('channels', row, { is_archived: true })
      }),
    )
    expect(await newest(grace, [term('channel', 'design')])).toEqual([id])
    expect(await fetchOutcome(grace, id)).toBe('found')
    expect(await newest(alan, [term('channel', 'plans')])).toEqual([secret])
    expect(await fetchOutcome(grace, secret)).toBe(unreadable)
  })

  test('Only the participants can read a direct message, and an owner is no exception.', async () => {
    const { realm, ada, grace, alan } = await setUp(Role.owner)
    await using _ = realm
    const id = await sendDirect(grace, [alan], 'psst')
    expect(await fetchOutcome(alan, id)).toBe('found')
    expect(await fetchOutcome(ada, id)).toBe(unreadable)
    expect(await fetchOutcome(ada, 4_711)).toBe(unreadable)
    expect(await newest(ada, [term('dm-including', grace.user_id)])).toEqual([])
    expect(await newest(alan)).toEqual([id])
  })

  test('A user without a subscription row can read a public channel.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const stream_id = await channel(ada, 'design', [ada, grace])
    const id = await post(ada, 'design', 'hello')
    await realm.realm.barrier()
    const row = findSubscription(realm.realm.state, grace.user_id, stream_id)
    await commitRowChanges(realm, [row && composeDelete('subscriptions', row)])
    expect(await fetchOutcome(grace, id)).toBe('found')
    expect(await newest(grace, [term('channel', 'design')])).toEqual([id])
  })
})

describe('Narrows', () => {
  test('A narrow finds conversations by their participants.', async () => {
    const { realm, ada, grace, alan, edsger } = await setUp()
    await using _ = realm
    const self = await sendDirect(ada, [ada], 'self')
    const pair = await sendDirect(ada, [grace], 'pair')
    const group = await sendDirect(grace, [ada, alan], 'group')
    await sendDirect(grace, [alan], 'others')
    const find = (operator: string, operand: unknown, negated = false) =>
      newest(ada, [term(operator, operand, negated)])
    expect(await find('dm', [ada.user_id])).toEqual([self])
    expect(await find('dm', [grace.user_id])).toEqual([pair])
    expect(await find('dm', `${grace.email},${alan.email}`)).toEqual([group])
    expect(await find('dm', [])).toEqual([])
    expect(await find('dm', [edsger.user_id])).toEqual([])
    expect(await find('pm-with', grace.email)).toEqual([pair])
    expect(await find('dm-including', grace.user_id)).toEqual([pair, group])
    expect(await find('dm-including', ada.user_id)).toEqual([self, pair, group])
    expect(await find('group-pm-with', grace.email)).toEqual([group])
    expect(await find('is', 'dm')).toEqual([self, pair, group])
    expect(await find('dm', [grace.user_id], true)).toEqual([self, group])
    expect(await find('topic', '')).toEqual([])
    expect(await find('topic', '', true)).toEqual([self, pair, group])
    expect(await find('sender', grace.user_id)).toEqual([group])
  })

  test('The operator `mentions` finds the messages that mention a user by name, which the reader may read.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada, grace, alan])
    await channel(grace, 'secret', [grace, alan], { invite_only: true })
    const members = [grace.user_id]
    await ok(ada, 'POST', '/user_groups/create', { name: 'crew', description: '', members })
    const named = await post(ada, 'design', 'ask @**Grace**')
    for (const text of ['@_**Grace** knows', '@**all**', '@*crew*', 'Grace', '> @**Grace**', '`@**Grace**`']) {
      await post(ada, 'design', text)
    }
    const both = await post(alan, 'design', '@*crew* and @**Grace**')
    const inSecret = await post(alan, 'secret', '@**Grace**')
    const direct = await sendDirect(ada, [grace, alan], 'hello @**Grace**')
    // She did not receive this message.
    await channel(ada, 'without her', [ada])
    await post(ada, 'without her', '@**Grace**')
    const find = (by: Person, ...terms: unknown[]) => newest(by, [term('mentions', grace.user_id), ...terms])
    expect(await find(ada)).toEqual([named, both, direct])
    expect(await find(alan)).toEqual([named, both, inSecret, direct])
    expect(await find(grace)).toEqual([named, both, inSecret, direct])
    expect(await newest(ada, [term('mentions', grace.email), term('channel', 'design')])).toEqual([named, both])
    expect(await find(ada, term('sender', alan.user_id))).toEqual([both])
    expect(await find(ada, term('search', 'ask'))).toEqual([named])
    expect(await find(ada, term('mentions', alan.user_id))).toEqual([])
    const others = await newest(ada, [term('channel', 'design'), term('mentions', grace.user_id, true)])
    expect([others.length, others.includes(named), others.includes(both)]).toEqual([6, false, false])
    const edited = await post(ada, 'design', 'nobody')
    await ok(ada, 'PATCH', `/messages/${edited}`, { content: '@**Grace**' })
    expect(await find(ada)).toEqual([named, both, direct, edited])
    const msg_ids = [named, both, edited, inSecret]
    const { messages } = await ok(ada, 'GET', '/messages/matches_narrow', {
      msg_ids,
      narrow: [term('mentions', grace.user_id)],
    })
    expect(Object.keys(messages).map(Number)).toEqual([named, both, edited])
  })

  test('A narrow matches topics without regard to case, and the empty topic also by "general chat".', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    const [logo, empty, done] = [
      await post(ada, 'design', 'a', 'Löffel'),
      await post(ada, 'design', 'b', ''),
      await post(ada, 'design', 'c', '✔ Löffel'),
    ]
    const find = (...narrow: unknown[]) => newest(grace, [['channel', 'design'], ...narrow])
    expect(await find(['topic', 'LÖFFEL'])).toEqual([logo])
    expect(await find(['topic', 'general chat'])).toEqual([empty])
    expect(await find(['topic', ''])).toEqual([empty])
    const all = { anchor: 'oldest', num_before: 0, num_after: 9, op: 'add', flag: 'read' }
    const narrow = [
      ['channel', 'design'],
      ['topic', 'general chat'],
    ]
    expect(await ok(ada, 'POST', '/messages/flags/narrow', { ...all, narrow })).toMatchObject({
      processed_count: 1,
      first_processed_id: empty,
    })
    expect(await find(['is', 'resolved'])).toEqual([done])
    expect(await find(term('topic', 'löffel', true))).toEqual([empty, done])
    expect(await find(['has', 'link'])).toEqual([])
    expect(await find(['id', String(done)])).toEqual([done])
    expect(await find(['near', '17'])).toEqual([logo, empty, done])
  })

  test('Messages that the user never received have the flag historical.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    await post(ada, 'design', 'before')
    await channel(ada, 'design', [grace])
    await post(ada, 'design', 'after')
    const { messages } = await fetch(grace, { anchor: 'newest', num_before: 9, narrow: [['stream', 'design']] })
    expect(messages.map(({ flags }) => flags)).toEqual([['read', 'historical'], []])
    const [before] = messages
    const { message } = await ok(grace, 'GET', `/messages/${before?.id}`)
    expect(message.flags).toEqual(['read', 'historical'])
  })

  test('A negated flag finds messages of the history that the reader did not receive.', async () => {
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada])
    const early = await post(ada, 'design', 'a')
    await ok(grace, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
    const late = await post(ada, 'design', 'b')
    const find = async (operand: string, negated: boolean) => {
      const found = await newest(grace, [['channel', 'design'], { operator: 'is', operand, negated }])
      return found.filter((id) => id === early || id === late)
    }
    for (const operand of ['starred', 'mentioned', 'alerted', 'followed', 'muted']) {
      expect(await find(operand, true), operand).toEqual([early, late])
      expect(await find(operand, false), operand).toEqual([])
    }
    expect(await find('dm', true)).toEqual([early, late])
    expect(await find('unread', true)).toEqual([early])
    await ok(grace, 'POST', '/messages/flags', { messages: [early], op: 'add', flag: 'starred' })
    expect([await find('starred', true), await find('starred', false)]).toEqual([[late], [early]])
  })

  test('The operator `with` finds the current conversation of a message.', async () => {
    const { realm, ada, grace, alan } = await setUp()
    await using _ = realm
    await channel(ada, 'design', [ada, grace])
    const a = await post(ada, 'design', 'a', 'logo')
    await post(ada, 'design', 'b', 'other')
    const dm = await sendDirect(ada, [grace], 'dm')
    const find = (...narrow: unknown[]) => newest(ada, narrow)
    expect(await find(term('with', a))).toEqual([a])
    expect(await find(term('with', String(a)), ['channel', 'nowhere'], ['topic', 'x'])).toEqual([a])
    expect(await find(term('with', dm), ['channel', 'design'], ['topic', 'logo'])).toEqual([dm])
    for (const placed of [
      ['stream', 'nowhere'],
      ['pm-with', 'x@y.z'],
      term('dm', [4_711]),
      term('dm', [ada.user_id]),
    ]) {
      expect(await find(term('with', a), placed)).toEqual([a])
      expect(await find(placed, term('with', dm))).toEqual([dm])
    }
    expect(await find(term('with', a), term('sender', grace.user_id))).toEqual([])
    await ok(ada, 'PATCH', `/messages/${a}`, { topic: 'brand', send_notification_to_new_thread: false })
    const moved = await post(ada, 'design', 'c', 'brand')
    expect(await find(term('with', a), ['topic', 'logo'])).toEqual([a, moved])
    await ok(ada, 'PATCH', `/messages/${a}`, { topic: 'logo', send_notification_to_new_thread: false })
    expect(await find(term('with', 4_711), ['channel', 'design'], ['topic', 'logo'])).toEqual([a])
    expect(await find(term('with', '99999999999999999999'), term('dm', [grace.user_id]))).toEqual([dm])
    const refusal = (by: Person, ...narrow: unknown[]) =>
      outcome(call(by, 'GET', '/messages', { anchor: 'newest', num_before: 1, narrow }))
    const invalid = '400 BAD_NARROW This narrow term cannot be used: with takes the ID of a message that you can read'
    expect(await refusal(alan, term('with', dm))).toBe(invalid)
    expect(await refusal(alan, term('with', dm), ['channel', 'design'])).toBe(invalid)
    expect(await refusal(alan, term('with', dm), ['topic', 'logo'])).toBe(invalid)
    expect(await refusal(alan, term('with', dm), ['channel', 'design'], ['topic', 'logo'])).toBe('found')
    expect(await refusal(ada, term('with', 'x'))).toBe(invalid)
    const twice = { anchor: 'newest', num_before: 1, narrow: [term('with', a), term('with', a)] }
    expect(await call(ada, 'GET', '/messages', twice)).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_NARROW',
        msg: 'These narrow terms cannot be combined: with can stand only once',
        desc: 'with can stand only once',
      },
    })
    const otherwise = 'This narrow term cannot be used: with cannot be negated'
    for (const target of [a, dm, 4_711]) {
      const negated = { operator: 'with', operand: target, negated: true }
      expect(await refusal(ada, negated, ['channel', 'design'], ['topic', 'logo'])).toBe(`400 BAD_NARROW ${otherwise}`)
    }
    // The operator exists only for fetching messages.
    const marked = { anchor: 'newest', num_before: 1, num_after: 0, op: 'add', flag: 'read', narrow: [term('with', a)] }
    expect(await outcome(call(ada, 'POST', '/messages/flags/narrow', marked))).toBe(
      '400 BAD_NARROW This narrow term cannot be used: unknown operator with',
    )
  })
})

describe('Fetching without credentials', () => {
  const web = [term('channels', 'web-public')]
  const open = async () => {
    const found = await setUp(Role.owner)
    const { realm, ada } = found
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await channel(ada, 'web', [ada], { is_web_public: true })
    await channel(ada, 'design', [ada])
    const [seen, unseen] = [await post(ada, 'web', 'hello'), await post(ada, 'design', 'no')]
    const ask = (path: string, params: Record<string, unknown> = {}) =>
      call(undefined, 'GET', path, params, { host: realm.host })
    return { ...found, seen, unseen, ask }
  }

  test('A spectator can read web-public channels only, and the narrow must include channels:web-public.', async () => {
    const { realm, ada, seen, unseen, ask } = await open()
    await using _ = realm
    const page = { anchor: 'newest', num_before: 9 }
    const { body } = await ask('/messages', { ...page, narrow: web })
    expect((body.messages as Message[]).map(({ id, flags, avatar_url }) => [id, flags, typeof avatar_url])).toEqual([
      [seen, ['read'], 'string'],
    ])
    expect(body.messages).toMatchObject([{ sender_id: ada.user_id, sender_email: `user${ada.user_id}@${realm.host}` }])
    expect(JSON.stringify(body)).not.toContain(createHash('md5').update(ada.email).digest('hex'))
    const { body: asked } = await ask('/messages', { ...page, narrow: web, client_gravatar: true })
    expect(asked.messages).toEqual(body.messages)
    for (const narrow of [[], [['channel', 'web']], [...web, ['is', 'starred']]]) {
      expect(await ask('/messages', { ...page, narrow })).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
    for (const also of [
      ['channel', 'web'],
      ['topic', 'TOPIC'],
      term('sender', ada.user_id),
      ['search', 'hello'],
      ['near', '1'],
      term('id', seen),
      term('with', seen),
      ['in', 'home'],
    ]) {
      const found = await ask('/messages', { ...page, narrow: [...web, also] })
      expect((found.body.messages as Message[]).map(({ id }) => id)).toEqual([seen])
    }
    for (const also of [
      ['has', 'link'],
      ['is', 'resolved'],
    ]) {
      expect((await ask('/messages', { ...page, narrow: [...web, also] })).body.messages).toEqual([])
    }
    for (const also of [['channel', 'design'], term('with', unseen)]) {
      expect((await ask('/messages', { ...page, narrow: [...web, also] })).body.code).toBe('BAD_NARROW')
    }
    expect((await ask(`/messages/${seen}`)).status).toBe(200)
    expect((await ask(`/messages/${unseen}`)).status).toBe(401)
    expect((await ask('/messages/4711')).status).toBe(401)
  })

  test('A spectator can read nothing if the organization has turned off spectator access.', async () => {
    const { realm, seen, ask } = await open()
    await using _ = realm
    await updateRealmSettings(realm, { enable_spectator_access: false })
    expect((await ask(`/messages/${seen}`)).status).toBe(401)
    expect((await ask('/messages', { anchor: 'newest', num_before: 1, narrow: web })).status).toBe(401)
  })
})

test('The owner of a bot gets one message when the bot repeatedly posts to a channel that does not exist.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const [bot] = (await realm.people({ full_name: 'Robot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
  for (let n = 0; n < 2; n++) {
    await call(bot, 'POST', '/messages', { type: 'stream', to: 'nowhere', topic: 't', content: 'x' })
  }
  const { messages } = await fetch(ada, { anchor: 'newest', num_before: 9, apply_markdown: false })
  expect(messages.map(({ sender_full_name, client }) => [sender_full_name, client])).toEqual([
    ['Notification Bot', 'Internal'],
  ])
  expect(messages[0]?.content).toContain('`nowhere`, which does not exist')
})

test('The owner of a bot gets a message when the bot posts to a channel without subscribers, and the post is stored.', async () => {
  const { realm, ada } = await setUp()
  await using _ = realm
  const [bot] = (await realm.people({ full_name: 'Robot', bot: { type: 1, owner_id: ada.user_id } })) as [Person]
  await channel(ada, 'empty', [ada])
  await post(bot, 'empty', 'to Ada')
  await leave(ada, 'empty', ada)
  const id = await post(bot, 'empty', 'to nobody')
  const page = await fetch(ada, { anchor: 'newest', num_before: 1, apply_markdown: false })
  expect(page.messages[0]?.content).toContain('#**empty**, which has no subscribers')
  expect(await fetchOutcome(ada, id)).toBe('found')
})
