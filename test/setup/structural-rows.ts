/** The structural rows of a realm as plain values: those in the memory of a replica, and those in Postgres. */

import type { RealmState } from '../../src/domain/log/state.js'
import { mapsOfRows, type TableName, tableNames, tables } from '../../src/domain/log/tables.js'
import type { Realm } from '../../src/store/log/realm.js'
import { loadState } from '../../src/store/log/rows.js'
import type { Sql } from '../../src/store/sql.js'

/**
 * The rows in memory, by table, and the subscribers that each channel has because of them. Rows are in the order of
 * memory if clients depend on it, and otherwise in that of their keys.
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
  const rows = [...(state[map.field] as ReadonlyMap<number, object>)]
  return tables[table].isOrderedById === true ? rows : rows.sort(([a], [b]) => a - b)
}

/**
 * The state that a replica would load from Postgres now, at the same seq as the given one, which catches up first.
 * Undefined: the realm does not exist any more.
 */
export const loadStoredState = async (sql: Sql, realm: Realm): Promise<RealmState | undefined> => {
  for (;;) {
    await realm.catchUp()
    const stored = (await sql.begin('isolation level repeatable read read only', (tx) =>
      loadState(tx, realm.state.deployment, realm.id),
    )) as RealmState | undefined
    // A job may commit an entry at any time.
    if (stored === undefined || stored.seq === realm.seq) return stored
  }
}
