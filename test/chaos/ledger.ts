/**
 * What the writers know of their writes. A value has one writer, who changes it step by step. At the end it must be the
 * last acknowledged value, or one whose outcome stayed unknown: a stopped gateway may commit such a write much later.
 */
import type { Attempt } from './attempts.js'

interface Value {
  acknowledged: string | undefined
  unknown: Set<string>
}

/**
 * Records the outcomes of writes. It keeps the last acknowledged value of each key, and the values of attempts without
 * an answer.
 */
export class Ledger {
  readonly values = new Map<string, Value>()

  /** Records the outcome of setting `key` to `value`. */
  async write(key: string, value: string, attempt: Promise<Attempt>): Promise<Attempt> {
    const done = await attempt
    const entry = this.values.get(key) ?? { acknowledged: undefined, unknown: new Set<string>() }
    this.values.set(key, entry)
    if (done.outcome === 'done') entry.acknowledged = value
    if (done.outcome === 'unknown') entry.unknown.add(value)
    return done
  }

  /** Whether the value that was found is a possible one. A key without an acknowledged write may have any value. */
  isPossible(key: string, found: string | undefined): boolean {
    const entry = this.values.get(key)
    if (entry?.acknowledged === undefined) return true
    return found === entry.acknowledged || (found !== undefined && entry.unknown.has(found))
  }
}
