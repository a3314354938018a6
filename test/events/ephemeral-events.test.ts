/**
 * Ephemeral events (typing), which are not in the log, for a client that was not connected when they were sent:
 * between two polls, or while it reconnects.
 */
import { describe, expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import type { Viewer } from '../../src/domain/log/audience.js'
import { plainProfile } from '../../src/domain/log/profile.js'
import { typing } from '../../src/domain/messages/typing-entries.js'
import { RecentEphemeralEvents } from '../../src/gateway/events/recent-ephemeral-events.js'
import { type Cursor, readEvents, transports } from '../setup/realm/event-reader.js'
import { sendDirectMessage } from '../setup/realm/messages.js'
import { gateways, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const [url = '', otherUrl = ''] = gateways()
const at = { url }

const sendTyping = (by: Person, to: Person, op: string) => ok(by, 'POST', '/typing', { op, to: [to.user_id] }, at)
const register = (by: Person) => ok(by, 'POST', '/register', { event_types: ['typing', 'message'] }, at)

describe.each(transports)('Ephemeral events over %s', (transport) => {
  /** Reads until as many events have come as are wanted. What comes too often is the first event of the next read. */
  const expectTypes = async (by: Person, cursor: Cursor, wanted: readonly string[], from = url) => {
    const types: unknown[] = []
    while (types.length < wanted.length) {
      const events = await readEvents(transport, from, by, cursor)
      cursor.last_event_id = events.at(-1)?.id ?? cursor.last_event_id
      // Streams have a heartbeat every 9 seconds, which can come at any moment.
      const others = events.filter(({ type }) => type !== 'heartbeat')
      types.push(...others.map(({ type, op }) => op ?? type))
    }
    expect(types).toEqual(wanted)
  }

  test('A client receives the typing events it missed between two reads, each once and in order with the messages.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace')
    await using _ = realm
    const [ada, grace] = people as [Person, Person]
    const cursor = await register(grace)
    await sendTyping(ada, grace, 'start')
    await sendDirectMessage(ada, [grace])
    await sendTyping(ada, grace, 'stop')
    await expectTypes(grace, cursor, ['start', 'message', 'stop'])
    await sendTyping(ada, grace, 'start')
    await expectTypes(grace, cursor, ['start'])
    await sendDirectMessage(ada, [grace])
    await expectTypes(grace, cursor, ['message'])
  })

  test('A client that continues at another gateway receives the typing events there.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Eve')
    await using _ = realm
    const [ada, grace, eve] = people as [Person, Person, Person]
    const cursor = await register(grace)
    for (let n = 0; n < 20; n++) await sendTyping(ada, grace, 'start')
    await expectTypes(grace, cursor, Array(20).fill('start'))
    // No request for this realm has reached that gateway yet. Once Eve receives an event there, the gateway keeps
    // typing events.
    const eveQueue = await register(eve)
    while ((await readEvents('poll', otherUrl, eve, eveQueue, 300)).length === 0) await sendTyping(ada, eve, 'start')
    await sendTyping(ada, grace, 'stop')
    await expectTypes(grace, cursor, ['stop'], otherUrl)
    await sendTyping(ada, grace, 'start')
    await expectTypes(grace, cursor, ['start'])
  })

  test('A new queue does not receive typing events from before its registration.', async () => {
    const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Eve')
    await using _ = realm
    const [ada, grace, eve] = people as [Person, Person, Person]
    await register(eve)
    await sendTyping(ada, grace, 'start')
    const [graceCursor, eveCursor] = [await register(grace), await register(eve)]
    await sendDirectMessage(ada, [grace, eve])
    await expectTypes(grace, graceCursor, ['message'])
    await expectTypes(eve, eveCursor, ['message'])
  })
})

describe('The buffer of recent ephemeral events', () => {
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
  const realm = { kinds: entryKinds, state: new StateBuilder().state }
  const ids = (recent: RecentEphemeralEvents, lastId: number, now: number) =>
    recent.after(lastId, plainProfile, grace, now).map(({ id }) => id)

  test('The buffer returns only events after the cursor whose audience includes the viewer.', () => {
    const recent = new RecentEphemeralEvents(realm)
    recent.add(1, event(2), 1_000)
    recent.add(2, event(3), 1_000)
    recent.add(3, event(2), 1_000)
    expect(ids(recent, 0, 1_000)).toEqual([1, 3])
    expect(ids(recent, 1, 1_000)).toEqual([3])
    expect(ids(recent, 3, 1_000)).toEqual([])
  })

  test('The buffer drops an event after 15 seconds.', () => {
    const recent = new RecentEphemeralEvents(realm)
    recent.add(1, event(2), 1_000)
    recent.add(2, event(2), 10_000)
    expect(ids(recent, 0, 16_000)).toEqual([1, 2])
    expect(ids(recent, 0, 16_001)).toEqual([2])
    recent.add(3, event(2), 20_000)
    expect(ids(recent, 0, 20_000)).toEqual([2, 3])
    expect(ids(recent, 0, 100_000)).toEqual([])
  })

  test('The buffer keeps at most 256 events, the newest ones.', () => {
    const recent = new RecentEphemeralEvents(realm)
    for (let id = 1; id <= 10_000; id++) recent.add(id, event(2), 1_000)
    const kept = ids(recent, 0, 1_000)
    expect(kept.length).toBeLessThanOrEqual(256)
    expect(kept.length).toBeGreaterThan(150)
    expect(kept.at(-1)).toBe(10_000)
  })
})
