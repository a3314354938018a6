/** Ids of structural rows: counted per realm and table, so that the id of a deleted row never names another one. */
import { composeInsert, composeUpdate, type RowChange } from './row-changes.js'
import type { RealmState } from './state.js'

/** Allocates the next id of a table. @returns the id, and the row changes that store the new counter */
export const allocateId = (state: RealmState, table: string): { id: number; rows: RowChange[] } => {
  const id = state.nextId(table)
  const previous = state.counters.get(table)
  const row =
    previous === undefined
      ? composeInsert('counters', { name: table, value: id })
      : composeUpdate('counters', { name: table, value: previous }, { value: id })
  return { id, rows: row === undefined ? [] : [row] }
}
