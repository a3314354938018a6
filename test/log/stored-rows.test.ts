/**
 * Property test: whatever row changes one commit contains, Postgres holds the same rows as the memory of the replica
 * that committed them, and as the memory of a replica that read them from the log.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeSubscription } from '../../src/domain/channels/channels.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { type TableName, tables } from '../../src/domain/log/tables.js'
import { defaultBotRow } from '../../src/domain/users/bots/bots.js'
import { loadEntriesAfter } from '../../src/store/log/log.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { commitRowChanges } from '../setup/realm/row-changes.js'
import { listStructuralRows, loadStoredState } from '../setup/realm/structural-rows.js'

type Row = Record<string, unknown>

/** The rows of a table that change. */
interface Target {
  table: TableName
  /** The row number `n` with values that follow from `value`. */
  compose(n: number, value: number): Row
  /** the sets of columns of which an update changes one */
  columnSets: readonly (readonly string[])[]
  /** the rows are there from the beginning and stay: `compose` needs only their keys and the columns that change */
  isPermanent?: true
  /** no row is deleted */
  isKept?: true
}

const composeTargets = (state: RealmState): Target[] => {
  const idAt = (map: ReadonlyMap<number, unknown>, n: number) => [...map.keys()].at(-1 - n) as number
  const user_id = (n: number) => idAt(state.users, n)
  const channel_id = (n: number) => idAt(state.channels, n)
  const group_id = (n: number) => idAt(state.groups, n)
  return [
    {
      table: 'realms',
      compose: (_, v) => ({ id: state.realm.id, name: `Name ${v}`, description: `${v}`, settings: { jitsi: `${v}` } }),
      columnSets: [['settings'], ['name'], ['name', 'description', 'settings']],
      isPermanent: true,
    },
    {
      table: 'users',
      compose: (n, v) => ({ id: user_id(n), is_active: v > 1, timezone: `${v}`, settings: { color_scheme: v } }),
      columnSets: [['settings'], ['is_active'], ['timezone', 'settings']],
      isPermanent: true,
    },
    {
      table: 'channels',
      compose: (n, v) => ({
        id: channel_id(n),
        folder_id: v > 0 ? v : null,
        can_subscribe_group: v > 1 ? v : members(v),
      }),
      columnSets: [['folder_id'], ['can_subscribe_group'], ['can_subscribe_group', 'folder_id']],
      isPermanent: true,
    },
    {
      table: 'subscriptions',
      compose: (n, v) => ({
        ...composeSubscription(user_id(n), channel_id(v % 2), `#00000${v}`),
        active: v > 1,
        push_notifications: v > 0 ? v > 1 : null,
      }),
      columnSets: [['active'], ['color', 'active'], ['active', 'color', 'push_notifications']],
    },
    { table: 'group_members', compose: (n, v) => ({ group_id: group_id(n), user_id: user_id(v) }), columnSets: [[]] },
    { table: 'group_subgroups', compose: (n, v) => ({ group_id: group_id(n), subgroup_id: v }), columnSets: [[]] },
    { table: 'default_channels', compose: (n) => ({ channel_id: channel_id(n) }), columnSets: [[]] },
    {
      table: 'bots',
      compose: (n, v) => ({ ...defaultBotRow(user_id(n)), service_interface: v, config_data: { key: `${v}` } }),
      columnSets: [['config_data'], ['service_interface'], ['config_data', 'service_interface']],
    },
    {
      table: 'alert_words',
      compose: (n, v) => ({ user_id: user_id(n), words: Array.from({ length: v }, (_, i) => `word ${i}`) }),
      columnSets: [['words']],
    },
    {
      table: 'sessions',
      compose: (n, v) => ({
        id: 1 + n,
        user_id: user_id(n),
        token_hash: `${v}`,
        key_version: 1,
        created_at: 0,
        expires_at: v,
      }),
      columnSets: [['expires_at'], ['token_hash', 'expires_at']],
    },
    {
      table: 'counters',
      compose: (n, v) => ({ name: `counter ${n}`, value: v }),
      columnSets: [['value']],
      isKept: true,
    },
  ]
}

const members = (id: number) => ({ direct_members: [id], direct_subgroups: [] })

/** What happens to a row: an absent one is inserted, a present one is updated or deleted. */
const step = fc.record({
  deletes: fc.constantFrom(false, false, false, true),
  n: fc.nat({ max: 2 }),
  value: fc.nat({ max: 3 }),
  columns: fc.nat({ max: 2 }),
})

/** Several steps in one table: Postgres gets neighbouring changes of a table in one statement. */
const run = fc.record({ target: fc.nat({ max: 10 }), steps: fc.array(step, { minLength: 1, maxLength: 6 }) })

/** Composes the row changes of runs. Each change starts from the rows that the earlier ones leave. */
class RowChanges {
  readonly #targets: readonly Target[]
  readonly #rows = new Map<string, Row>()

  constructor(state: RealmState) {
    this.#targets = composeTargets(state)
    const permanent = { realms: [state.realm], users: state.users.values(), channels: state.channels.values() }
    for (const [table, rows] of Object.entries(permanent)) {
      for (const row of rows) this.#rows.set(keyOf(table as TableName, row as unknown as Row), row as unknown as Row)
    }
  }

  compose(runs: readonly (typeof run extends fc.Arbitrary<infer R> ? R : never)[]): RowChange[] {
    return runs.flatMap(({ target, steps }) => steps.flatMap((each) => this.#composeStep(target, each) ?? []))
  }

  #composeStep(target: number, given: typeof step extends fc.Arbitrary<infer S> ? S : never): RowChange | undefined {
    const { table, compose, columnSets, isPermanent, isKept } = this.#targets[target] as Target
    const row = compose(given.n, given.value)
    const key = keyOf(table, row)
    const former = this.#rows.get(key)
    if (former === undefined) {
      this.#rows.set(key, row)
      return composeInsert(table, row as never)
    }
    if (given.deletes && isPermanent !== true && isKept !== true) {
      this.#rows.delete(key)
      return composeDelete(table, former as never)
    }
    const columns = columnSets[given.columns % columnSets.length] as readonly string[]
    const patch = Object.fromEntries(columns.map((column) => [column, row[column]]))
    this.#rows.set(key, { ...former, ...patch })
    return composeUpdate(table, former as never, patch as never)
  }
}

const keyOf = (table: TableName, row: Row) => `${table} ${tables[table].key.map((column) => row[column]).join()}`

const numRuns = Number(process.env.PROPERTY_RUNS ?? 25)

test('After a commit with any row changes, Postgres and every replica hold the same rows.', async () => {
  await using s = await newRealmWith('Owner', 'Ada', 'Grace')
  const { realm } = s.realm
  for (const name of ['design', 'code', 'news']) await createChannel(s.owner, name, [])
  await realm.barrier()
  const changes = new RowChanges(realm.state)
  const reader = (await loadStoredState(s.realm.sql, realm)) as RealmState
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 6 }), async (runs) => {
      await commitRowChanges(s.realm, changes.compose(runs))
      const stored = (await loadStoredState(s.realm.sql, realm)) as RealmState
      expect(listStructuralRows(realm.state)).toEqual(listStructuralRows(stored))
      for (const { seq, rows } of await loadEntriesAfter(s.realm.sql, realm.id, reader.seq, stored.seq - reader.seq)) {
        for (const change of rows ?? []) reader.apply(change)
        reader.seq = seq
      }
      expect(listStructuralRows(reader)).toEqual(listStructuralRows(stored))
    }),
    { numRuns, endOnFailure: true },
  )
})
