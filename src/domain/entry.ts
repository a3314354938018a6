/**
 * An entry of a realm's log, and the kinds of entries there are.
 *
 * 1. An entry yields at most one event per queue: what the protocol sends as two events is two entries.
 * 2. `project` is a pure function of the entry's data and the profile: every replica builds the same bytes at any
 *    time, so a client may change replica or transport between any two events.
 * 3. An audience is symbolic. It is resolved against the realm's state right after the entry's own rows.
 * 4. Users whose event differs from the shared one are few, and named by `special`.
 */
import type { z } from 'zod'
import type { Profile } from './profile.js'
import type { RowChange } from './rows.js'
import type { RealmState } from './state.js'

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

export const Everyone: Audience = { roles: [100, 600] }
export const NonGuests: Audience = { roles: [100, 400] }
export const Administrators: Audience = { roles: [100, 200] }
export const only = (...users: number[]): Audience => ({ users })

/** An entry before it has its place in the log. */
export interface NewEntry<D = unknown> {
  kind: string
  audience: Audience
  data: D
  /** the structural change this entry carries, if any */
  rows?: readonly RowChange[]
}

/** One entry. `seq` has no gaps and follows commit order. */
export interface Entry<D = unknown> extends NewEntry<D> {
  seq: number
}

/** An event as the client sees it, without its id. */
export type WireEvent = { type: string } & Record<string, unknown>

/** A receiver as `project` sees them, for a copy of their own. */
export interface Recipient {
  user_id: number
  queue_id: string
  /** not of the audience, but listening to it all the same (`widened`) */
  is_outside?: boolean
}

export interface EntryKind<D = unknown> {
  kind: string
  /** the `type` of the event, which `event_types` of a registration filters */
  type: string
  /** its truth is in the database part of a registration's snapshot, not in the memory part (DESIGN section 3) */
  content: boolean
  /** the shape on the wire, for the documentation and for tests */
  event: z.ZodType
  project(data: D, profile: Profile, recipient?: Recipient): WireEvent | null
  special(data: D): readonly number[]
  /**
   * The data as it is true right before this entry, where what the maker saw may have been passed by messages since:
   * sends move no structure, so no guard holds them off.
   */
  complete?(data: D, state: RealmState): D
  /** Who else gets it in queues of this profile, beside the audience: listeners to all public channels. */
  widened(data: D, profile: Profile): Audience | undefined
}

const kinds = new Map<string, EntryKind>()

interface KindSpec<D> {
  kind: string
  type: string
  content?: boolean
  event: z.ZodType
  audience(data: D): Audience
  project(data: D, profile: Profile, recipient?: Recipient): WireEvent | null
  special?(data: D): readonly number[]
  widened?(data: D, profile: Profile): Audience | undefined
  complete?(data: D, state: RealmState): D
}

const nobodySpecial = (): readonly number[] => []
const notWidened = (): undefined => undefined

/** Declares a kind of entry, and returns the function that makes one. */
export const entry = <D>(spec: KindSpec<D>): ((data: D, rows?: readonly RowChange[]) => NewEntry<D>) => {
  if (kinds.has(spec.kind)) throw new Error(`entry kind ${spec.kind} is declared twice`)
  kinds.set(spec.kind, { content: false, special: nobodySpecial, widened: notWidened, ...spec } as EntryKind)
  return (data, rows) => ({
    kind: spec.kind,
    audience: spec.audience(data),
    data,
    ...(rows !== undefined && rows.length > 0 ? { rows } : {}),
  })
}

/** The entries with these rows on the first of them, so that everyone who hears of it is judged as after the change. */
export const carrying = (rows: readonly RowChange[], entries: readonly NewEntry[]): NewEntry[] =>
  entries.map((one, i) => (i === 0 && rows.length > 0 ? { ...one, rows: [...rows, ...(one.rows ?? [])] } : one))

/** The declaration of a kind. Throws when no file that declares it was loaded (see entries/index.ts). */
export const kindOf = (name: string): EntryKind => {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`)
  return kind
}

/** All declared kinds, for documentation and tests. */
export const entryKinds = (): IterableIterator<EntryKind> => kinds.values()
