/**
 * JSON that many answers contain: composed once for all answers of one form, until a row that it depends on changes.
 *
 * 1. It equals a fresh composition after every change, because it is a derived value (derived-values.ts).
 * 2. A text that a change leaves as it is stays the same object: `reuse` returns the former one. So its bytes are
 *    encoded once, and the gateway compresses them once, because it finds compressed texts by their object.
 */
import { SharedText } from '../protocol/raw-json.js'
import { type DerivedValue, derivedValue, type FindDerived } from './derived-values.js'
import type { RealmState } from './state.js'

/** Consecutive items of a list, and what was made of them. */
export interface Run<Item> {
  readonly items: readonly Item[]
}

/** The texts of the composition before the change, for the new one (2). Each has a key in its composition. */
export interface Reuse {
  /** The shared text of this JSON: the former one if it is the same. */
  text(key: string | number, json: string): SharedText
  /** The former run if it has the same items; otherwise the one that `make` returns. */
  run<Item, R extends Run<Item>>(key: string | number, items: readonly Item[], make: (items: readonly Item[]) => R): R
}

/** JSON, and what it depends on. */
export interface CachedJson<Value, Request> extends Omit<DerivedValue<Value, Request>, 'compute'> {
  /** Composes a shared text, or a list of them. */
  compose(state: RealmState, request: Request, reuse: Reuse): Value
}

/** Declares JSON that is composed once (see above). */
export const cachedJson = <Value, Request = void>({
  compose,
  ...dependencies
}: CachedJson<Value, Request>): FindDerived<Value, Request> => {
  const find = derivedValue<{ value: Value; parts: Parts }, Request>({
    ...dependencies,
    compute(state, request, previous) {
      const parts: Parts = { texts: new Map(), runs: new Map() }
      return { value: compose(state, request, createReuse(previous?.parts, parts)), parts }
    },
  })
  return (state, request) => find(state, request).value
}

/** What a composition consists of, by key. */
interface Parts {
  readonly texts: Map<string | number, SharedText>
  readonly runs: Map<string | number, Run<unknown>>
}

const createReuse = (previous: Parts | undefined, parts: Parts): Reuse => ({
  text(key, json) {
    const cached = previous?.texts.get(key)
    const text = cached?.text === json ? cached : new SharedText(json)
    parts.texts.set(key, text)
    return text
  },
  run<Item, R extends Run<Item>>(key: string | number, items: readonly Item[], make: (items: readonly Item[]) => R): R {
    const cached = previous?.runs.get(key) as R | undefined
    const isSame = cached?.items.length === items.length && cached.items.every((item, i) => item === items[i])
    const run = cached !== undefined && isSame ? cached : make(items)
    parts.runs.set(key, run)
    return run
  },
})
