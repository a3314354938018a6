/**
 * An entry of a realm's log. Which event a client gets for an entry: the `project` of its kind (entry-kind.ts).
 *
 * 1. An entry yields at most one event per queue: what the protocol sends as two events is two entries.
 * 2. An audience is symbolic. It is resolved against the realm's state right after the entry's own rows.
 */
import type { RowChange } from './row-changes.js'

/**
 * Who may receive an entry: the union of `roles`, `channel` and `users`, without `except`.
 * `roles` is an inclusive range of role values ([100, 600] everyone, [100, 400] all but guests);
 * `channel` means its active subscribers.
 */
export interface Audience {
  roles?: readonly [number, number]
  channel?: number
  users?: readonly number[]
  except?: readonly number[]
}

/** All users. */
export const AllUsers: Audience = { roles: [100, 600] }
/** All users except guests. */
export const NonGuests: Audience = { roles: [100, 400] }
/** Owners and administrators. */
export const Administrators: Audience = { roles: [100, 200] }
/** Exactly these users. */
export const onlyUsers = (...users: number[]): Audience => ({ users })

/** An entry without a seq: not in the log yet. */
export interface NewEntry<D = unknown> {
  kind: string
  audience: Audience
  data: D
  /** the row changes of a structural change */
  rows?: readonly RowChange[]
}

/** One entry. `seq` has no gaps and follows commit order. */
export interface Entry<D = unknown> extends NewEntry<D> {
  seq: number
}

/** Attaches the row changes to the first entry. Every audience is therefore resolved after the change. */
export const attachRowChanges = (rows: readonly RowChange[], entries: readonly NewEntry[]): NewEntry[] =>
  entries.map((entry, i) => (i === 0 && rows.length > 0 ? { ...entry, rows: [...rows, ...(entry.rows ?? [])] } : entry))
