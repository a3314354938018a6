/** Requests with many channels and users: they are carried out in parts, and other users get their turn between. */
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/domain/limits/limits.js'
import { Role } from '../../src/domain/log/rows.js'
import { listen } from '../setup/realm/event-listener.js'
import type { WireEvent } from '../setup/realm/event-reader.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const SUBSCRIPTIONS = '/users/me/subscriptions'

/** An owner, and so many members. */
const setUp = async (members: number) => {
  const realm = await newRealm()
  const names = Array.from({ length: members }, (_, i) => ({ full_name: `Member ${i}` }))
  const [owner, ...others] = (await realm.people({ full_name: 'Owner', role: Role.owner }, ...names)) as [
    Person,
    ...Person[],
  ]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  return { realm, owner, others, [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose]() }
}

const channelNames = (count: number) => Array.from({ length: count }, (_, i) => `channel ${i}`)

const asParams = (names: readonly string[], people: readonly Person[]) => ({
  subscriptions: names.map((name) => ({ name })),
  principals: people.map(({ user_id }) => user_id),
})

/** The active subscriptions of the realm. */
const countSubscriptions = async ({ sql, realm_id }: TestRealm): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from subscriptions where realm_id = ${realm_id} and active`
  return row?.count ?? 0
}

describe('Subscribing many users to many channels', () => {
  test('Another user subscribes before the request is finished.', { timeout: 120_000 }, async () => {
    await using s = await setUp(60)
    const [ada, ...others] = s.others as [Person, ...Person[]]
    await ok(s.owner, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'design' }] })
    const names = channelNames(400)
    const listener = await listen(s.owner, { event_types: ['stream', 'subscription'] })
    const large = ok<Record<'subscribed' | 'already_subscribed', Record<string, string[]>>>(
      s.owner,
      'POST',
      SUBSCRIPTIONS,
      asParams(names, others),
    )
    const events: WireEvent[] = []
    while (!events.some(({ type, op }) => type === 'stream' && op === 'create'))
      events.push(...(await listener.events()))
    await ok(ada, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'design' }] })
    const { subscribed, already_subscribed } = await large
    events.push(...(await listener.events()))

    expect(already_subscribed).toEqual({})
    expect(Object.keys(subscribed).map(Number)).toEqual(others.map(({ user_id }) => user_id))
    for (const own of Object.values(subscribed)) expect(own).toEqual(names)
    expect(await countSubscriptions(s.realm)).toBe(names.length * others.length + 2)
    const created = events.flatMap((event, i) => (event.type === 'stream' && event.op === 'create' ? [i] : []))
    const joined = events.findIndex(
      ({ op, user_ids }) => op === 'peer_add' && String(user_ids) === String([ada.user_id]),
    )
    expect(joined).toBeGreaterThan(created[0] as number)
    expect(joined).toBeLessThan(created.at(-1) as number)
  })

  test('A request that is refused for its last channel changes nothing.', async () => {
    await using s = await setUp(40)
    const [ada, grace, ...others] = s.others as [Person, Person, ...Person[]]
    await ok(grace, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'secret' }], invite_only: true })
    const names = [...channelNames(300), 'secret']
    const { status } = await call(ada, 'POST', SUBSCRIPTIONS, asParams(names, others))
    expect(status).toBe(400)
    expect(await countSubscriptions(s.realm)).toBe(1)
    expect((await ok(s.owner, 'GET', '/streams')).streams).toHaveLength(0)
  })

  test('A private channel gets more subscribers than one part has, and loses them again.', {
    timeout: 120_000,
  }, async () => {
    const count = limits.max_subscriptions_per_change + 20
    await using s = await setUp(count)
    const [ada, ...others] = s.others as [Person, ...Person[]]
    const params = asParams(['secret'], others)
    // No permission but that of its creator, who is no subscriber.
    const nobody = { direct_members: [], direct_subgroups: [] }
    const options = { invite_only: true, can_add_subscribers_group: nobody, can_administer_channel_group: nobody }
    await ok(ada, 'POST', SUBSCRIPTIONS, { ...params, ...options })
    expect(await countSubscriptions(s.realm)).toBe(others.length)
    const { removed, not_removed } = await ok(s.owner, 'DELETE', SUBSCRIPTIONS, {
      subscriptions: ['secret'],
      principals: [...params.principals, ada.user_id],
    })
    expect([removed.length, not_removed.length]).toEqual([others.length, 1])
    expect(await countSubscriptions(s.realm)).toBe(0)
  })

  test('One request subscribes to many channels and unsubscribes from others.', { timeout: 60_000 }, async () => {
    await using s = await setUp(30)
    const before = channelNames(10).map((name) => `old ${name}`)
    await ok(s.owner, 'POST', SUBSCRIPTIONS, asParams(before, s.others))
    const { subscriptions: add, principals } = asParams(channelNames(200), s.others)
    const { removed, subscribed } = await ok<{ removed: string[]; subscribed: Record<string, string[]> }>(
      s.owner,
      'PATCH',
      SUBSCRIPTIONS,
      { add, delete: before, principals },
    )
    expect(removed).toHaveLength(before.length * s.others.length)
    expect(Object.values(subscribed).flat()).toHaveLength(200 * s.others.length)
    expect(await countSubscriptions(s.realm)).toBe(200 * s.others.length)
  })

  test('A request without users creates its channels.', async () => {
    await using s = await setUp(1)
    await ok(s.owner, 'POST', SUBSCRIPTIONS, asParams(['empty'], []))
    expect((await ok(s.owner, 'GET', '/streams')).streams).toMatchObject([{ name: 'empty', subscriber_count: 0 }])
  })
})

describe('Notices about many channels and users', () => {
  test('Each of many new channels gets one notice, and their announcement and the notice to a subscriber are short.', {
    timeout: 60_000,
  }, async () => {
    await using s = await setUp(1)
    const [ada] = s.others as [Person]
    await ok(s.owner, 'POST', SUBSCRIPTIONS, { subscriptions: [{ name: 'announcements' }] })
    await updateRealmSettings(s.realm, { new_stream_announcements_stream_id: 1, send_channel_events_messages: true })
    const long = channelNames(230).map((name) => `${name} ${'x'.repeat(45)}`)
    await ok(s.owner, 'POST', SUBSCRIPTIONS, { subscriptions: long.map((name) => ({ name })), announce: true })
    await ok(s.owner, 'POST', SUBSCRIPTIONS, asParams(long, [ada]))
    await waitForJobs(s.realm, 30_000)
    const notices = await s.realm.sql<{ channel_id: number | null; topic: string; content: string }[]>`
      select channel_id, topic, content from messages where realm_id = ${s.realm.realm_id} order by id`
    const inside = notices.filter(({ topic }) => topic === 'channel events').map(({ channel_id }) => channel_id)
    expect(inside.sort((a, b) => Number(a) - Number(b))).toEqual(long.map((_, i) => i + 2))
    const others = notices.filter(({ topic }) => topic !== 'channel events').map(({ content }) => content)
    expect(others).toEqual([
      expect.stringMatching(/created the following channels: #\*\*channel 0 .*, and 130 more\.$/),
      expect.stringMatching(/subscribed you to the following channels:\n\n\* #\*\*channel 0 [\s\S]*\n\* and 130 more$/),
    ])
  })

  test('Each of many users learns once that they joined or left a user group.', { timeout: 60_000 }, async () => {
    await using s = await setUp(120)
    const ids = s.others.map(({ user_id }) => user_id)
    const members = { name: 'staff', description: '', members: [s.owner.user_id] }
    const { group_id } = await ok(s.owner, 'POST', '/user_groups/create', members)
    await ok(s.owner, 'POST', `/user_groups/${group_id}/members`, { add: ids.slice(0, 70) })
    await ok(s.owner, 'POST', `/user_groups/${group_id}/members`, { add: ids.slice(70), delete: ids.slice(0, 30) })
    await waitForJobs(s.realm, 30_000)
    const notices = await s.realm.sql<{ content: string }[]>`
      select content from messages where realm_id = ${s.realm.realm_id}`
    const count = (words: string) => notices.filter(({ content }) => content.includes(words)).length
    expect([count('made you a member'), count('took you out'), notices.length]).toEqual([120, 30, 150])
  })
})
