/**
 * The kinds of entries: how an entry of the log becomes an event of a queue.
 *
 * 1. `project` is a pure function of the entry's data, the profile and the deployment: every replica builds the same
 *    bytes at any time, so a client may change replica or transport between any two events.
 * 2. Few users get an event that differs from the shared one; `personalRecipients` lists them. Recipients whose copies
 *    are equal have the same `copyKey`, so their copy is encoded once too.
 */
import { z } from 'zod'
import type { Deployment } from '../deployment/deployment.js'
import type { Audience, NewEntry } from './entry.js'
import type { EventForm, Profile } from './profile.js'
import type { RowChange } from './row-changes.js'
import type { RealmState } from './state.js'

/** An event as the client sees it, without its id. */
export type WireEvent = { type: string } & Record<string, unknown>

/** The recipient of a copy of their own, as `project` gets it. */
export interface Recipient {
  user_id: number
  queue_id: string
  /** not in the audience, but in the `extraAudience` */
  is_outside?: boolean
}

/** What `project` depends on beside the data and the profile. */
export interface ProjectionContext {
  readonly deployment: Deployment
  /** present in a copy for one recipient; without it, the event is shared by all recipients of the profile */
  readonly recipient?: Recipient | undefined
}

/** The first messages, by channel, that a change stores together with its entries. */
export type FirstMessages = ReadonlyMap<number, number>

/** A kind of entry, with its defaults filled in. */
export interface EntryKind<D = unknown> {
  kind: string
  /** the `type` of the event, which `event_types` of a registration filters */
  type: string
  /**
   * it changes the database part of a registration's snapshot, not the memory part
   * (decisions/011-snapshot-plus-events.md)
   */
  content: boolean
  /** what the event tells a client, for the API reference; undefined: the kind has no event */
  description?: string
  /** why the API reference shows no event of the kind */
  noExample?: string
  /** the shape on the wire, for the documentation and for tests; it accepts nothing when the kind has no event */
  event: z.ZodType
  project(data: D, form: EventForm, context: ProjectionContext): WireEvent | null
  /** Whether the event passes the filter of the profile, beside `event_types`. */
  accepts(data: D, profile: Profile, context: ProjectionContext): boolean
  personalRecipients(data: D): readonly number[]
  /** Names the copy that `project` makes for the recipient: equal names, equal bytes; undefined: it has no equal. */
  copyKey(data: D, recipient: Recipient | undefined): string | undefined
  /**
   * Completes the data with facts as of right before this entry. The guard of a change does not fail on messages that
   * were sent since the handler read the state, because a message changes no structural row.
   * @param begun the first messages that the same change stores
   */
  complete?(data: D, state: RealmState, begun: FirstMessages): D
  /**
   * Stores in the state the values of the entry that no row change holds. Runs when a replica applies the entry, after
   * its row changes.
   */
  updateState?(data: D, state: RealmState, seq: number): void
  /** The recipients beside the audience in queues of this profile: queues that follow all public channels. */
  extraAudience(data: D, profile: Profile): Audience | undefined
}

interface KindFields<D> {
  kind: string
  type: string
  content?: boolean
  audience(data: D): Audience
  accepts?(data: D, profile: Profile, context: ProjectionContext): boolean
  personalRecipients?(data: D): readonly number[]
  copyKey?(data: D, recipient: Recipient | undefined): string | undefined
  extraAudience?(data: D, profile: Profile): Audience | undefined
  complete?(data: D, state: RealmState, begun: FirstMessages): D
  updateState?(data: D, state: RealmState, seq: number): void
}

/** The fields of a kind whose entries have an event. */
interface EventFields<D> {
  description: string
  noExample?: string
  event: z.ZodType
  project(data: D, form: EventForm, context: ProjectionContext): WireEvent | null
}

/** A kind without an event: its entries carry row changes, or facts for processes that read the log. */
type NoEventFields = { [Name in keyof EventFields<unknown>]?: never }

type KindSpec<D> = KindFields<D> & (EventFields<D> | NoEventFields)

const noEvent = () => null
const acceptAll = () => true
const noPersonalRecipients = (): readonly number[] => []
const noExtraAudience = (): undefined => undefined
/** The copyKey of kinds without personal recipients: `project` does not depend on the recipient. */
const oneCopy = (): string => ''
const ownCopies = (_data: unknown, recipient: Recipient | undefined): string | undefined =>
  recipient === undefined ? '' : undefined

/** Makes entries of one kind. */
export interface EntryMaker<D> {
  (data: D, rows?: readonly RowChange[]): NewEntry<D>
  /** the declaration of the kind */
  readonly kind: EntryKind<D>
}

/** Whether the entries of a kind have an event. */
export const hasEvent = ({ description }: EntryKind): boolean => description !== undefined

/** Declares a kind of entry, and returns the function that makes one. The kind must be listed in entry-kinds.ts. */
export const entry = <D>(spec: KindSpec<D>): EntryMaker<D> => {
  const kind: EntryKind<D> = {
    content: false,
    event: z.never(),
    project: noEvent,
    accepts: acceptAll,
    personalRecipients: noPersonalRecipients,
    copyKey: spec.personalRecipients === undefined ? oneCopy : ownCopies,
    extraAudience: noExtraAudience,
    ...spec,
  }
  const make = (data: D, rows?: readonly RowChange[]): NewEntry<D> => ({
    kind: spec.kind,
    audience: spec.audience(data),
    data,
    ...(rows !== undefined && rows.length > 0 ? { rows } : {}),
  })
  return Object.assign(make, { kind })
}

/** Kinds of entries by name. `main` passes those of entry-kinds.ts to the modules that read the log. */
export type EntryKinds = ReadonlyMap<string, EntryKind>

/** The kinds of these makers, by name. Throws an Error when two kinds have one name. */
export const indexKinds = (makers: readonly { readonly kind: EntryKind }[]): EntryKinds => {
  const kinds = new Map<string, EntryKind>()
  for (const { kind } of makers) {
    if (kinds.has(kind.kind)) throw new Error(`two entry kinds have the name ${kind.kind}`)
    kinds.set(kind.kind, kind)
  }
  return kinds
}

/** A kind that another release declares: no profile receives its events. */
const unknownKind: EntryKind = entry({
  kind: 'unknown',
  type: 'unknown',
  audience: () => ({}),
  accepts: () => false,
}).kind

/**
 * The kind of an entry that was read from the log. During an upgrade, the next release writes kinds that this one does
 * not have: their row changes are applied, and they have no event here.
 */
export const findKind = (kinds: EntryKinds, name: string): EntryKind => kinds.get(name) ?? unknownKind

/** The kind of this name. Throws an Error when there is none. */
export const requireKind = (kinds: EntryKinds, name: string): EntryKind => {
  const kind = kinds.get(name)
  if (kind === undefined) throw new Error(`unknown entry kind ${name}`)
  return kind
}
