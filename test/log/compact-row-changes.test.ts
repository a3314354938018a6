/** Compact row changes: equal row changes are stored as one. Nothing is lost, and a bulk change takes few bytes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import { compactRowChanges, expandRowChanges } from '../../src/domain/log/compact-row-changes.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import { loadEntriesAfter } from '../../src/store/log/log.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'

const colors = ['#111111', '#222222']

/** A change of a subscription or of a group membership, which can be compacted, or of a counter, which cannot. */
const change: fc.Arbitrary<RowChange> = fc
  .record({
    form: fc.constantFrom('join', 'leave', 'forget', 'member', 'former member', 'counter'),
    user_id: fc.integer({ min: 1, max: 40 }),
    container_id: fc.integer({ min: 1, max: 3 }),
    color: fc.constantFrom(...colors),
  })
  .map(({ form, user_id, container_id, color }) => {
    const row = composeSubscription(user_id, container_id, color)
    if (form === 'join') return composeInsert('subscriptions', row)
    if (form === 'leave') return composeUpdate('subscriptions', row, { active: false }) as RowChange
    if (form === 'forget') return composeDelete('subscriptions', row)
    if (form === 'member') return composeInsert('group_members', { group_id: container_id, user_id })
    if (form === 'former member') return composeDelete('group_members', { group_id: container_id, user_id })
    return composeInsert('counters', { name: `c${user_id}`, value: container_id })
  })

const keyOf = ({ table, key }: RowChange) => `${table} ${JSON.stringify(Object.entries(key).sort())}`

test('Expanding compacted row changes restores every change, with the order of changes per key.', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (rows) => {
      const back = expandRowChanges(JSON.parse(JSON.stringify(compactRowChanges(rows))))
      const byKey = (list: readonly RowChange[]) => {
        const found = new Map<string, RowChange[]>()
        for (const row of list) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row])
        return Object.fromEntries(found)
      }
      expect(byKey(back)).toEqual(byKey(rows))
    }),
  )
})

test('Row changes of other tables keep their position among the compacted ones.', () => {
  const joins = (first: number) =>
    Array.from({ length: 10 }, (_, i) => composeInsert('subscriptions', composeSubscription(first + i, 1, '#111111')))
  const between = composeInsert('counters', { name: 'channels', value: 1 })
  const rows = [...joins(1), between, ...joins(20)]
  expect(compactRowChanges(rows)).toHaveLength(3)
  expect(expandRowChanges(compactRowChanges(rows))).toEqual(rows)
})

test('A log entry about 499 new subscribers has fewer than 2,000 characters, and every subscriber can be read back from it.', async () => {
  await using realm = await newRealm()
  const names = Array.from({ length: 500 }, (_, i) => ({ full_name: `Member ${i}` }))
  const people = await realm.people(...names)
  const [ada] = people as [Person]
  await createChannel(ada, 'design', [ada])
  await realm.realm.barrier()
  const before = realm.realm.seq
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'design' }],
    principals: people.map(({ user_id }) => user_id),
    send_new_subscription_messages: false,
  })
  const [size] = await realm.sql<{ bytes: number }[]>`
    select sum(length(rows::text)) as bytes from log where realm_id = ${realm.realm_id} and seq > ${before}`
  expect(Number(size?.bytes)).toBeLessThan(2_000)
  const entries = await loadEntriesAfter(realm.sql, realm.realm_id, before, 100)
  expect(entries.flatMap(({ rows }) => rows ?? [])).toHaveLength(499)
  await realm.realm.barrier()
  expect(realm.realm.state.subscribers(1).size).toBe(500)
})
