/** The structural rows of a realm as plain values: those in the memory of a replica, and those in Postgres. */
import { expect } from 'vitest'
import type { RealmState } from '../../../src/domain/log/state.js'
import { mapsOfRows, type TableName, tableNames } from '../../../src/domain/log/tables.js'
import type { Realm } from '../../../src/store/log/realm.js'
import { loadState } from '../../../src/store/log/row-tables.js'
import type { Sql } from '../../../src/store/sql.js'

/**
 * Lists the rows in memory by table, in the order of their keys. It adds the subscribers of channels, which follow from
 * them.
 */
export const listStructuralRows = (state: RealmState): Record<TableName | 'subscribers', unknown> => {
  const users = [...state.users.keys()].sort(ascending)
  const groups = [...state.groups.keys()].sort(ascending)
  const channels = [...state.channels.keys()].sort(ascending)
  const listSets = (ids: readonly number[], find: (id: number) => Iterable<number>) =>
    ids.map((id) => [id, [...find(id)].sort(ascending)])
  return {
    ...(Object.fromEntries(tableNames.map((table) => [table, listMappedRows(state, table)])) as Record<
      TableName,
      unknown
    >),
    realms: state.realm,
    subscriptions: users.map((id) => [id, [...state.userSubscriptions(id)].sort(([a], [b]) => a - b)]),
    group_members: listSets(groups, (id) => state.directMembers(id)),
    group_subgroups: listSets(groups, (id) => state.directSubgroups(id)),
    default_channels: [...state.defaultChannels].sort(ascending),
    counters: Object.fromEntries(state.counters),
    subscribers: listSets(channels, (id) => state.subscribers(id)),
  }
}

const ascending = (a: number, b: number) => a - b

const listMappedRows = (state: RealmState, table: TableName): unknown => {
  const map = mapsOfRows[table]
  if (map === undefined) return undefined
  return [...(state[map.field] as ReadonlyMap<number, object>)].sort(([a], [b]) => a - b)
}

/** The suites in which most tests change structural rows. */
const isStructuralSuite = /\/test\/(accounts|channels|groups|limits|log|permissions|realm|register|users)\//

/**
 * Fails if the memory of the replica differs from Postgres. The replica has followed the log since the test created the
 * realm. It takes 10 ms, so other suites skip it.
 */
export const expectStoredRows = async (sql: Sql, realm: Realm): Promise<void> => {
  if (!isStructuralSuite.test(expect.getState().testPath ?? '')) return
  const stored = await loadStoredState(sql, realm)
  // The rows of a deactivated realm may be deleted, which is not in the log.
  if (stored?.realm.is_active !== true) return
  expect(listStructuralRows(realm.state), 'rows in memory, compared with Postgres').toEqual(listStructuralRows(stored))
}

/** How often the rows are loaded again because the structure changed meanwhile. */
const MAX_ATTEMPTS = 10

/**
 * Loads the rows that a replica would load from Postgres now. Afterwards, `realm` has applied exactly the same
 * structural changes. Undefined: the realm does not exist any more, or its structure changes all the time.
 */
export const loadStoredState = async (sql: Sql, realm: Realm): Promise<RealmState | undefined> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stored = await sql.begin('isolation level repeatable read read only', (tx) =>
      loadState(tx, realm.state.deployment, realm.id),
    )
    if (stored === undefined) return undefined
    await realm.catchUp()
    if (realm.structureSeq <= stored.seq) return stored
  }
  return undefined
}
