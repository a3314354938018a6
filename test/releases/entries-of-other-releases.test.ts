/**
 * Two releases read and write one log during an upgrade. What a gateway does with entries that the next release wrote,
 * and with rows that the previous release inserted.
 */
import { expect, inject, onTestFinished, test } from 'vitest'
import type { RowChange } from '../../src/domain/log/row-changes.js'
import { RealmState } from '../../src/domain/log/state.js'
import { composeInsertedRow } from '../../src/domain/log/tables.js'
import { openSql } from '../../src/store/sql.js'
import { readUntil, transports, type WireEvent } from '../setup/realm/event-reader.js'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'

const contents = (events: readonly WireEvent[]) =>
  events.map(({ type, message }) => (type === 'message' ? (message as { content: string }).content : type))

test('A gateway skips entries of kinds and tables that only the next release knows, and loses no other event.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const send = (content: string) => ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content })
  const cursors = await Promise.all(
    transports.flatMap((transport) =>
      gateways().map(async (url) => {
        const cursor = await ok(ada, 'POST', '/register', { fetch_event_types: [], apply_markdown: false }, { url })
        return { transport, url, cursor }
      }),
    ),
  )
  const readAll = (last: string) =>
    Promise.all(
      cursors.map(async ({ transport, url, cursor }) => {
        const events = await readUntil(transport, url, ada, cursor, (event) => contents([event])[0] === last)
        return contents(events.filter(({ type }) => type !== 'heartbeat'))
      }),
    )
  const connected = readAll('after')
  await send('before')

  const sql = openSql(inject('database_url'), 1)
  onTestFinished(() => sql.end())
  const row = { table: 'rooms_of_next_release', key: { id: 1 }, before: null, after: { id: 1, name: 'lobby' } }
  await sql.begin(async (tx) => {
    const [head] = await tx<{ log_seq: number }[]>`
      update log_heads set log_seq = log_seq + 1, state_seq = log_seq + 1 where realm_id = ${realm.realm_id}
      returning log_seq`
    await tx`
      insert into log (realm_id, seq, kind, audience, data, rows)
      values (${realm.realm_id}, ${head?.log_seq ?? 0}, 'room_of_next_release', ${tx.json({ roles: [100, 600] })},
        ${tx.json({ id: 1 })}, ${tx.json([row])})`
  })
  await send('after')

  const expected = ['before', 'after']
  expect(await connected).toEqual(cursors.map(() => expected))
  // The clients that were not connected meanwhile.
  expect(await readAll('after')).toEqual(cursors.map(() => expected))
})

test('A column that the previous release did not know has its default in rows that the previous release inserts.', () => {
  const added = { can_wave: true }
  expect(composeInsertedRow(added, { id: 1 })).toEqual({ id: 1, can_wave: true })
  expect(composeInsertedRow(added, { id: 1, can_wave: false })).toEqual({ id: 1, can_wave: false })
})

test('A state ignores changes of tables that it does not have.', () => {
  const change = { table: 'rooms_of_next_release', key: { id: 1 }, before: null, after: { id: 1 } }
  const state = new RealmState({} as never, { id: 1, settings: {} } as never, 1)
  expect(() => state.apply(change as unknown as RowChange)).not.toThrow()
  expect(() => state.withChanges([change as unknown as RowChange])).not.toThrow()
})
