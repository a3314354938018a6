/**
 * Whether the rows of an act still are as it left them, and whether an undo brings them back.
 *
 * 1. Values are compared one by one, so a change of another column of the same row is no conflict.
 * 2. A subscription that ended equals one that never was (audit/columns.ts, 3).
 */
import { listChangedValues, listComparedColumns, readValue } from '../audit/columns.js'
import type { RowChange } from '../log/row-changes.js'
import type { RealmState } from '../log/state.js'
import { mapsOfRows, type TableName } from '../log/tables.js'

/** Something that was changed after the act. */
export interface Conflict {
  table: string
  key: Readonly<Record<string, unknown>>
  /** null: the row itself was added or removed */
  column: string | null
  /** as the act left it */
  left: unknown
  now: unknown
}

/** An undo that was refused because something was changed. Its author may not see all of that. */
export class ChangedSinceActError extends Error {
  readonly conflicts: readonly Conflict[]
  /** whether a part of the act was undone before */
  isFinal = false

  constructor(conflicts: readonly Conflict[]) {
    super('What the act changed was changed again.')
    this.conflicts = conflicts
  }
}

type Key = Readonly<Record<string, number>>

/** The row as it is; undefined: there is none. */
export const findRow = (state: RealmState, table: TableName, input: object): object | undefined => {
  const key = input as Key
  const map = mapsOfRows[table]
  if (map !== undefined) return (state[map.field] as ReadonlyMap<number, object>).get(key[map.column] ?? 0)
  switch (table) {
    case 'realms':
      return state.realm
    case 'subscriptions': {
      const settings = state.userSubscriptions(key.user_id ?? 0).get(key.channel_id ?? 0)
      return settings?.active === true ? { ...key, ...settings } : undefined
    }
    case 'group_members':
      return state.directMembers(key.group_id ?? 0).has(key.user_id ?? 0) ? key : undefined
    case 'group_subgroups':
      return state.directSubgroups(key.group_id ?? 0).has(key.subgroup_id ?? 0) ? key : undefined
    case 'default_channels':
      return state.defaultChannels.has(key.channel_id ?? 0) ? key : undefined
    default:
      return undefined
  }
}

/** A change with the presence of an active subscription as that of its row (2). */
const normalize = (change: RowChange): RowChange => {
  if (change.table !== 'subscriptions') return change
  const { before, after } = change as RowChange<'subscriptions'>
  const isActive = (row: { active?: boolean } | null) => (row?.active === true ? change.key : null)
  return { ...change, before: isActive(before), after: isActive(after) }
}

/** What differs between the rows and the side of the changes. */
const compare = (state: RealmState, changes: readonly RowChange[], side: 'before' | 'after'): Conflict[] =>
  changes.map(normalize).flatMap((change): Conflict[] => {
    const { table, key, before, after } = change
    const row = findRow(state, table, key)
    const expected = change[side]
    if (before !== null && after !== null) {
      if (row === undefined) return [{ table, key, column: null, left: true, now: false }]
      return listChangedValues(change).flatMap((value) => {
        const now = readValue(row, value.column)
        if (JSON.stringify(now ?? null) === JSON.stringify(value[side] ?? null)) return []
        return [{ table, key, column: value.column, left: value[side] ?? null, now: now ?? null }]
      })
    }
    if ((row === undefined) !== (expected === null)) {
      return [{ table, key, column: null, left: expected !== null, now: row !== undefined }]
    }
    if (row === undefined || expected === null || table === 'subscriptions') return []
    return listComparedColumns(table, expected).flatMap((column) => {
      const [left, now] = [readValue(expected, column) ?? null, readValue(row, column) ?? null]
      return JSON.stringify(left) === JSON.stringify(now) ? [] : [{ table, key, column, left, now }]
    })
  })

/** What was changed since the act. Subscribers who were deactivated since count, too: they cannot be subscribed. */
export const findConflicts = (state: RealmState, changes: readonly RowChange[]): Conflict[] => [
  ...compare(state, changes, 'after'),
  ...listInactive(state, changes),
]

/** What an undo that led to this state did not bring back. */
export const findDifferences = (state: RealmState, changes: readonly RowChange[]): Conflict[] =>
  compare(state, changes, 'before')

const listInactive = (state: RealmState, changes: readonly RowChange[]): Conflict[] => {
  const ids = new Set(
    changes.flatMap(({ table, key }) => (table === 'subscriptions' ? [(key as Key).user_id ?? 0] : [])),
  )
  return [...ids]
    .filter((id) => state.users.get(id)?.is_active !== true)
    .map((id) => ({ table: 'users', key: { id }, column: 'is_active', left: true, now: false }))
}
