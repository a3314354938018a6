/**
 * Many equal row changes as one: how they travel in the log and between replicas.
 *
 * Five thousand people who join a channel are five thousand rows that differ in a user id alone. As text that is more
 * than a megabyte, which every replica reads; folded, it is one row and a few runs of ids.
 *
 * 1. Only changes of tables are folded whose rows nothing but their key ties together: those of different keys may
 *    change in any order. A key that changes twice keeps its order, unfolded.
 * 2. What was folded and unfolded is the same set of changes, in another order.
 */
import { fromRanges, type IdRanges, toRanges } from './id-ranges.js'
import type { RowChange } from './row-changes.js'
import { tables } from './tables.js'

/** Equal changes for these users; `user_id` is in none of the three parts. */
export type CompactRowChange = RowChange & { users?: IdRanges }

/** Fewer are as short as they are. */
const FEW = 8

/** The changes, those that are equal but for a user folded into one. */
export const compactRowChanges = (rows: readonly RowChange[]): readonly CompactRowChange[] => {
  if (rows.length < FEW || repeatsKey(rows)) return rows
  const folds = new Map<string, { change: RowChange; users: number[] }>()
  const folded: (RowChange | { change: RowChange; users: number[] })[] = []
  for (const row of rows) {
    if (tables[row.table].isCompactedByUser !== true) {
      // What comes after another table's row may rest on it.
      folds.clear()
      folded.push(row)
      continue
    }
    const change = withoutUser(row)
    const signature = JSON.stringify(change)
    const user_id = (row.key as { user_id: number }).user_id
    const fold = folds.get(signature)
    if (fold !== undefined) {
      fold.users.push(user_id)
      continue
    }
    const made = { change, users: [user_id] }
    folds.set(signature, made)
    folded.push(made)
  }
  return folded.map((one) => ('table' in one ? one : { ...one.change, users: toRanges(one.users) }))
}

/** The changes that were folded. */
export const expandRowChanges = (rows: readonly CompactRowChange[]): readonly RowChange[] =>
  rows.every(({ users }) => users === undefined)
    ? rows
    : rows.flatMap(({ users, ...change }) =>
        users === undefined ? change : fromRanges(users).map((user_id) => withUser(change, user_id)),
      )

const repeatsKey = (rows: readonly RowChange[]): boolean => {
  const keys = new Set(rows.map(({ table, key }) => `${table} ${JSON.stringify(key)}`))
  return keys.size < rows.length
}

type Part = Readonly<Record<string, unknown>> | null

const withoutUser = ({ table, key, before, after }: RowChange): RowChange => {
  const rest = (part: Part): Part => {
    if (part === null || part.user_id === undefined) return part
    const { user_id: _, ...others } = part
    return others
  }
  return { table, key: rest(key) ?? {}, before: rest(before), after: rest(after) }
}

/** An update names only what it changes; a row that comes or goes is whole. */
const withUser = ({ table, key, before, after }: RowChange, user_id: number): RowChange => {
  const isUpdate = before !== null && after !== null
  const whole = (part: Part): Part => (part === null || isUpdate ? part : { user_id, ...part })
  return { table, key: { user_id, ...key }, before: whole(before), after: whole(after) }
}
