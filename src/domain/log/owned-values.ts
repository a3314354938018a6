/**
 * What parts of the program hold for one object: for a realm, or for its state.
 *
 * 1. A part declares a key. The first use of the key creates the value, and later uses find it, until `clear`.
 * 2. The owner refers to its values, and no list does. So they leave the memory together with the owner.
 * 3. Each key says how many things its value holds, so a process can count what its realms hold.
 */

/** Under which a part of the program finds its value. Two keys of the same name have values of their own. */
export class OwnedKey<Value extends object> {
  /** what the value holds, as a label of a metric; the same for several keys: they are counted together */
  readonly name: string
  readonly #count: (value: Value) => number

  /** @param count how many things the value holds; absent: the value is one */
  constructor(name: string, count: (value: Value) => number = () => 1) {
    this.name = name
    this.#count = count
  }

  count(value: Value): number {
    return this.#count(value)
  }
}

/** The values of one owner (see above). */
export class OwnedValues {
  readonly #values = new Map<OwnedKey<object>, object>()

  /** The value of this key, which `create` makes if there is none. */
  get<Value extends object>(key: OwnedKey<Value>, create: () => NoInfer<Value>): Value {
    const found = this.#values.get(key as OwnedKey<object>)
    if (found !== undefined) return found as Value
    const value = create()
    this.#values.set(key as OwnedKey<object>, value)
    return value
  }

  /** Adds how many things are held, by the names of the keys. */
  countInto(totals: Map<string, number>): void {
    for (const [key, value] of this.#values) totals.set(key.name, (totals.get(key.name) ?? 0) + key.count(value))
  }

  /** Forgets all values. */
  clear(): void {
    this.#values.clear()
  }
}
