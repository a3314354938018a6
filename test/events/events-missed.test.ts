/** Events that no log keeps, and a client that was not waiting when they came: between two polls, or reconnecting. */
import { describe, expect, test } from 'vitest'
import '../../src/domain/entry-kinds.js'
import type { Viewer } from '../../src/domain/log/audience.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { typing } from '../../src/domain/messages/typing-entries.js'
import { Recent } from '../../src/gateway/events/recent.js'
import { office, write } from '../setup/office.js'
import { type Cursor, readSome, transports } from '../setup/reader.js'
import { gateways, ok, type Person } from '../setup/realm.js'

const [url = '', elsewhere = ''] = gateways()
const at = { url }

const writes = (by: Person, to: Person, op: string) => ok(by, 'POST', '/typing', { op, to: [to.user_id] }, at)
const register = (by: Person) => ok<Cursor>(by, 'POST', '/register', { event_types: ['typing', 'message'] }, at)

describe.each(transports)('over %s', (transport) => {
  const reads = async (by: Person, cursor: Cursor, from = url) => {
    const events = await readSome(transport, from, by, cursor)
    cursor.last_event_id = events.at(-1)?.id ?? cursor.last_event_id
    return events.map(({ type, op }) => op ?? type)
  }

  test('somebody who begins and stops to write in a pause is seen after it, once and in order', async () => {
    const { realm, people } = await office('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const cursor = await register(grace)
    await writes(ada, grace, 'start')
    await write(ada, [grace])
    await writes(ada, grace, 'stop')
    expect(await reads(grace, cursor)).toEqual(['start', 'message', 'stop'])
    await writes(ada, grace, 'start')
    expect(await reads(grace, cursor)).toEqual(['start'])
    await write(ada, [grace])
    expect(await reads(grace, cursor)).toEqual(['message'])
  })

  test('a client that goes on at another gateway hears of it there', async () => {
    const { realm, people } = await office('Ada', 'Grace', 'Eve')
    await using _ = realm
    const [ada, grace, eve] = people as [Person, Person, Person]
    const cursor = await register(grace)
    for (let n = 0; n < 20; n++) await writes(ada, grace, 'start')
    expect(await reads(grace, cursor)).toHaveLength(20)
    // Nobody has asked for this organization there yet. Once Eve hears something there, it has begun to count.
    const eves = await register(eve)
    while ((await readSome('poll', elsewhere, eve, eves, 300)).length === 0) await writes(ada, eve, 'start')
    await writes(ada, grace, 'stop')
    expect(await reads(grace, cursor, elsewhere)).toEqual(['stop'])
    await writes(ada, grace, 'start')
    expect(await reads(grace, cursor)).toEqual(['start'])
  })

  test('what was before the registration is not told', async () => {
    const { realm, people } = await office('Ada', 'Grace', 'Eve')
    await using _ = realm
    const [ada, grace, eve] = people as [Person, Person, Person]
    await register(eve)
    await writes(ada, grace, 'start')
    const [hers, eves] = [await register(grace), await register(eve)]
    await write(ada, [grace, eve])
    expect(await reads(grace, hers)).toEqual(['message'])
    expect(await reads(eve, eves)).toEqual(['message'])
  })
})

describe('what is remembered', () => {
  const grace: Viewer = { user_id: 2, role: 400, is_active: true, isSubscribed: () => false }
  const sender = { user_id: 1, email: 'ada@example.com' }
  const event = (user_id: number) => {
    const { kind, audience, data } = typing({
      to: { users: [user_id] },
      op: 'start',
      sender,
      place: { recipients: [] },
    })
    return { kind, audience, data }
  }
  const ids = (recent: Recent, lastId: number, now: number) =>
    recent.after(lastId, plainProfile, grace, now).map(({ id }) => id)

  test('is what lies behind the cursor, and was meant for the client', () => {
    const recent = new Recent()
    recent.add(1, event(2), 1_000)
    recent.add(2, event(3), 1_000)
    recent.add(3, event(2), 1_000)
    expect(ids(recent, 0, 1_000)).toEqual([1, 3])
    expect(ids(recent, 1, 1_000)).toEqual([3])
    expect(ids(recent, 3, 1_000)).toEqual([])
  })

  test('is forgotten after a quarter of a minute', () => {
    const recent = new Recent()
    recent.add(1, event(2), 1_000)
    recent.add(2, event(2), 10_000)
    expect(ids(recent, 0, 16_000)).toEqual([1, 2])
    expect(ids(recent, 0, 16_001)).toEqual([2])
    recent.add(3, event(2), 20_000)
    expect(ids(recent, 0, 20_000)).toEqual([2, 3])
    expect(ids(recent, 0, 100_000)).toEqual([])
  })

  test('is bounded in number, and the newest stay', () => {
    const recent = new Recent()
    for (let id = 1; id <= 10_000; id++) recent.add(id, event(2), 1_000)
    const kept = ids(recent, 0, 1_000)
    expect(kept.length).toBeLessThanOrEqual(256)
    expect(kept.length).toBeGreaterThan(150)
    expect(kept.at(-1)).toBe(10_000)
  })
})
