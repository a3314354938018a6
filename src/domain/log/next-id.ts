/** Ids of structural rows: counted per realm and table, so that the id of a deleted row never names another one. */
import { inserted, type RowChange, updated } from './row-changes.js'
import type { RealmState } from './state.js'

/** Takes the next id of a table. @returns the id, and the row changes that store the new counter */
export const takeId = (state: RealmState, table: string): { id: number; rows: RowChange[] } => {
  const id = state.nextId(table)
  const former = state.counters.get(table)
  const row =
    former === undefined
      ? inserted('counters', { name: table, value: id })
      : updated('counters', { name: table, value: former }, { value: id })
  return { id, rows: row === undefined ? [] : [row] }
}
