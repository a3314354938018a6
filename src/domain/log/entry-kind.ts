/**
 * The kinds of entries: how an entry of the log becomes an event of a queue.
 *
 * 1. `project` is a pure function of the entry's data and the profile: every replica builds the same bytes at any
 *    time, so a client may change replica or transport between any two events.
 * 2. Users whose event differs from the shared one are few, and named by `special`.
 */
import type { z } from 'zod'
import type { Audience, NewEntry } from './entry.js'
import type { Profile } from './profile.js'
import type { RowChange } from './row-changes.js'
import type { RealmState } from './state.js'

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
  personalRecipients(data: D): readonly number[]
  /**
   * The data as it is true right before this entry, where what the maker saw may have been passed by messages since:
   * sends move no structure, so no guard holds them off.
   */
  complete?(data: D, state: RealmState): D
  /** Who else gets it in queues of this profile, beside the audience: listeners to all public channels. */
  extraAudience(data: D, profile: Profile): Audience | undefined
}

const kinds = new Map<string, EntryKind>()

interface KindSpec<D> {
  kind: string
  type: string
  content?: boolean
  event: z.ZodType
  audience(data: D): Audience
  project(data: D, profile: Profile, recipient?: Recipient): WireEvent | null
  personalRecipients?(data: D): readonly number[]
  extraAudience?(data: D, profile: Profile): Audience | undefined
  complete?(data: D, state: RealmState): D
}

const noPersonalRecipients = (): readonly number[] => []
const noExtraAudience = (): undefined => undefined

/** Declares a kind of entry, and returns the function that makes one. */
export const entry = <D>(spec: KindSpec<D>): ((data: D, rows?: readonly RowChange[]) => NewEntry<D>) => {
  if (kinds.has(spec.kind)) throw new Error(`entry kind ${spec.kind} is declared twice`)
  kinds.set(spec.kind, {
    content: false,
    personalRecipients: noPersonalRecipients,
    extraAudience: noExtraAudience,
    ...spec,
  } as EntryKind)
  return (data, rows) => ({
    kind: spec.kind,
    audience: spec.audience(data),
    data,
    ...(rows !== undefined && rows.length > 0 ? { rows } : {}),
  })
}

/** The declaration of a kind. Throws when no file that declares it was loaded (see entries/index.ts). */
export const kindOf = (name: string): EntryKind => {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`)
  return kind
}

/** All declared kinds, for documentation and tests. */
export const entryKinds = (): IterableIterator<EntryKind> => kinds.values()
