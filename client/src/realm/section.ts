/** A part of the live realm: stores that a snapshot fills, and events change. */
import type { Event, EventOf, Snapshot } from '../kernel/api.js'
import { createStore, type WritableStore } from '../kernel/store.js'

/** What each type of event changes. Types without a function change nothing. */
export type Handlers = { [T in Event['type']]?: (event: EventOf<T>) => void }

export interface Section {
  /** Replaces everything by the state of a registration. */
  load(snapshot: Snapshot): void
  readonly handlers: Handlers
}

/** A store of rows by their id. */
export interface Rows<K, V> extends WritableStore<ReadonlyMap<K, V>> {
  put(key: K, value: V): void
  /** Changes fields of a row, if it exists. */
  patch(key: K, fields: Partial<V>): void
  remove(keys: Iterable<K>): void
}

/** Creates a store of rows. */
export const createRows = <K, V>(): Rows<K, V> => {
  const store = createStore<ReadonlyMap<K, V>>(new Map())
  const rows: Rows<K, V> = {
    ...store,
    put: (key, value) => store.set(new Map(store.get()).set(key, value)),
    patch(key, fields) {
      const row = store.get().get(key)
      if (row !== undefined) rows.put(key, { ...row, ...fields })
    },
    remove(keys) {
      const copy = new Map(store.get())
      for (const key of keys) copy.delete(key)
      if (copy.size !== store.get().size) store.set(copy)
    },
  }
  return rows
}

/** Indexes rows by the value of a field, which is a number. */
export const indexBy = <F extends string, V extends Record<F, number>>(
  field: F,
  rows: readonly V[] | undefined,
): Map<number, V> => new Map((rows ?? []).map((row) => [row[field], row]))
