/**
 * Compact row changes: many changes that are equal but for a user id, as one. The log and the bus carry this form.
 *
 * Five thousand users who join a channel are five thousand rows that differ only in a user id. As text that is more
 * than a megabyte, which every replica reads; in compact form it is one row and a few runs of ids.
 *
 * 1. Only tables that tables.ts marks are compacted: the changes of two of their rows can be applied in any order. If
 *    one key changes twice, nothing is compacted, so the order of its changes stays.
 * 2. Compacting and expanding gives the same set of changes, in another order.
 */
import { fromRanges, type IdRanges, toRanges } from './id-ranges.js'
import type { RowChange } from './row-changes.js'
import { tables } from './tables.js'

/** Equal changes for these users; `user_id` is in none of the three parts. */
export type CompactRowChange = RowChange & { users?: IdRanges }

/** With fewer changes, the compact form is not shorter. */
const FEWEST = 8

/** Compact forms: the log and the bus ask for that of the same changes. */
const compacted = new WeakMap<readonly RowChange[], readonly CompactRowChange[]>()

/** Compacts changes that are equal but for a user id. */
export const compactRowChanges = (rows: readonly RowChange[]): readonly CompactRowChange[] => {
  const cached = compacted.get(rows)
  if (cached !== undefined) return cached
  const compact = composeCompact(rows)
  compacted.set(rows, compact)
  return compact
}

const composeCompact = (rows: readonly RowChange[]): readonly CompactRowChange[] => {
  if (rows.length < FEWEST || repeatsKey(rows)) return rows
  const groups = new Map<string, { change: RowChange; users: number[] }>()
  const found: (RowChange | { change: RowChange; users: number[] })[] = []
  for (const row of rows) {
    if (tables[row.table].isCompactedByUser !== true) {
      // A later change may depend on this row.
      groups.clear()
      found.push(row)
      continue
    }
    const change = withoutUser(row)
    const signature = JSON.stringify(change)
    const user_id = (row.key as { user_id: number }).user_id
    const group = groups.get(signature)
    if (group !== undefined) {
      group.users.push(user_id)
      continue
    }
    const newGroup = { change, users: [user_id] }
    groups.set(signature, newGroup)
    found.push(newGroup)
  }
  return found.map((item) => ('table' in item ? item : { ...item.change, users: toRanges(item.users) }))
}

/** Expands compact changes: the reverse of `compactRowChanges`. */
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
  const omitUserId = (part: Part): Part => {
    if (part === null || part.user_id === undefined) return part
    const { user_id: _, ...others } = part
    return others
  }
  return { table, key: omitUserId(key) ?? {}, before: omitUserId(before), after: omitUserId(after) }
}

/** An update holds only the changed columns; an insertion or a deletion holds the whole row. */
const withUser = ({ table, key, before, after }: RowChange, user_id: number): RowChange => {
  const isUpdate = before !== null && after !== null
  const addUserId = (part: Part): Part => (part === null || isUpdate ? part : { user_id, ...part })
  return { table, key: { user_id, ...key }, before: addUserId(before), after: addUserId(after) }
}
