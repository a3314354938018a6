/**
 * Values that are computed from a realm's state once, for all who ask while the rows that they depend on are the same.
 *
 * 1. A value is computed again before its next use when a row of its tables has changed, or its `version`.
 * 2. The state owns the values (owned-values.ts), so a value ends with its state. Forms come from few possibilities:
 *    nothing removes one.
 */
import { OwnedKey } from './owned-values.js'
import type { RealmState } from './state.js'
import type { TableName } from './tables.js'

/** A value, and what it depends on. */
export interface DerivedValue<Value, Request> {
  /** what it is, as a label of a metric */
  readonly name: string
  /** the tables whose rows it depends on */
  readonly tables: readonly TableName[]
  /** What else of the state, or of the time, it depends on. Absent: nothing. */
  version?(state: RealmState, request: Request): string | number
  /** What of the request it depends on. Absent: nothing, so a state has one value. */
  form?(request: Request): string
  /** @param previous the value of the same form before the change; undefined: there is none */
  compute(state: RealmState, request: Request, previous: Value | undefined): Value
}

/** Returns the value of this state, for a request of this form. */
export type FindDerived<Value, Request> = (state: RealmState, request: Request) => Value

interface Computed<Value> {
  readonly rows: number
  readonly version: string | number | undefined
  readonly value: Value
}

/** Declares a value that is computed once (see above). */
export const derivedValue = <Value, Request = void>(
  declared: DerivedValue<Value, Request>,
): FindDerived<Value, Request> => {
  const key = new OwnedKey<Map<string, Computed<Value>>>(declared.name, ({ size }) => size)
  const createForms = () => new Map<string, Computed<Value>>()
  return (state, request) => {
    const forms = state.own(key, createForms)
    const form = declared.form?.(request) ?? ''
    const rows = state.versionOf(declared.tables)
    const version = declared.version?.(state, request)
    const previous = forms.get(form)
    if (previous?.rows === rows && previous.version === version) return previous.value
    const value = declared.compute(state, request, previous?.value)
    forms.set(form, { rows, version, value })
    return value
  }
}
