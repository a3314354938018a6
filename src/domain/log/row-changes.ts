/**
 * Changes of structural rows: what a log entry carries, and what every replica applies to its memory.
 */
import { type Rows, type TableName, tables } from './tables.js'

/**
 * One change of one structural row. `before` null inserts, `after` null deletes; in an update both hold only the
 * columns that changed, so the change can be undone as well as done.
 */
export interface RowChange<T extends TableName = TableName> {
  table: T
  key: Partial<Rows[T]>
  before: Partial<Rows[T]> | null
  after: Partial<Rows[T]> | null
}

const pickKey = <T extends TableName>(table: T, row: Rows[T]): Partial<Rows[T]> => {
  const key: Partial<Rows[T]> = {}
  for (const column of tables[table].key) key[column] = row[column]
  return key
}

/** The change that adds `row`. */
export const composeInsert = <T extends TableName>(table: T, row: Rows[T]): RowChange<T> => ({
  table,
  key: pickKey(table, row),
  before: null,
  after: row,
})

/** The change that removes `row`. */
export const composeDelete = <T extends TableName>(table: T, row: Rows[T]): RowChange<T> => ({
  table,
  key: pickKey(table, row),
  before: row,
  after: null,
})

/**
 * Composes the change that sets the columns of `patch` in `row`. Returns undefined when `row` has these values already.
 */
export const composeUpdate = <T extends TableName>(
  table: T,
  row: Rows[T],
  patch: Partial<Rows[T]>,
): RowChange<T> | undefined => {
  const before: Partial<Rows[T]> = {}
  const after: Partial<Rows[T]> = {}
  for (const column of Object.keys(patch) as (keyof Rows[T])[]) {
    if (JSON.stringify(row[column]) === JSON.stringify(patch[column])) continue
    before[column] = row[column]
    after[column] = patch[column]
  }
  if (Object.keys(after).length === 0) return undefined
  return { table, key: pickKey(table, row), before, after }
}
