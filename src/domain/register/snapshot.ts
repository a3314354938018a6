/**
 * The initial data of a registration: the memory part is read at once, the database part is inserted when it arrives.
 *
 * `take` runs in one tick, so that everything in it is of the realm's seq of that tick
 * (decisions/011-snapshot-plus-events.md).
 */
import { z } from 'zod'
import { type Fragment, memberFragments, SharedText } from '../protocol/raw-json.js'
import { type FetchName, sections } from './sections.js'
import { describeSharedRequest, findSharedComposer, type SharedRequest } from './shared-sections.js'
import { type Content, type ContentName, DatabaseField, type Field, type SnapshotRequest } from './snapshot-request.js'

export interface Snapshot {
  /** the parts of the content that `finish` waits for */
  readonly needs: readonly ContentName[]
  /** The whole of it, as the members of an object: first those that have shared text. */
  finish(content: Partial<Content>): (readonly Fragment[])[]
}

/** Which sections are asked for (protocol/register.md 2). */
export const fetchSet = (
  fetch_event_types: readonly string[] | undefined,
  event_types: readonly string[] | undefined,
): Pick<SnapshotRequest, 'isFetched' | 'isNamed'> => {
  const given = fetch_event_types ?? event_types
  const named = new Set(given)
  return {
    isFetched: (name) => given === undefined || named.has(name),
    isNamed: (name) => named.has(name),
  }
}

const fetchNames = Object.keys(sections) as FetchName[]

/** Takes the memory part. */
export const takeSnapshot = (request: SnapshotRequest): Snapshot => {
  const shared: (readonly Fragment[])[] = []
  const own: (readonly Fragment[])[] = []
  const waiting: { key: string; value: DatabaseField<unknown> }[] = []
  let sharedRequest: SharedRequest | undefined
  for (const name of fetchNames) {
    if (!request.isFetched(name)) continue
    const composeShared = findSharedComposer(sections[name])
    if (composeShared !== undefined) {
      sharedRequest ??= describeSharedRequest(request)
      const members = composeShared(sharedRequest)
      if (members !== undefined) shared.push([members])
      continue
    }
    for (const [key, field] of Object.entries<Field>(sections[name])) {
      const value = field.value(request)
      if (value instanceof DatabaseField) {
        waiting.push({ key, value })
      } else if (value !== undefined) {
        const fragments = memberFragments(key, value)
        const list = fragments.some((fragment) => fragment instanceof SharedText) ? shared : own
        list.push(fragments)
      }
    }
  }
  return {
    needs: [...new Set(waiting.flatMap(({ value }) => value.needs))],
    finish(content) {
      // It has every part that `needs` names, and the values read no other.
      const whole = content as Content
      return [...shared, ...own, ...waiting.map(({ key, value }) => memberFragments(key, value.value(whole)))]
    },
  }
}

/** The schema of every key of every section. */
type Shape = Together<
  { [F in FetchName]: { [K in keyof (typeof sections)[F]]: SchemaOf<(typeof sections)[F][K]> } }[FetchName]
>
type SchemaOf<F> = F extends Field<infer S> ? S : never
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never

const shape = Object.fromEntries(
  fetchNames.flatMap((name) => Object.entries<Field>(sections[name]).map(([key, { schema }]) => [key, schema])),
) as Shape

/** Every key, each optional: an answer has the keys that were fetched. */
export const anySnapshot = z.object(shape).partial()
