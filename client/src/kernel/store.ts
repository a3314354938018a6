/** A value that changes, with listeners. A view library turns it into its own kind of signal with one small adapter. */
export interface Store<T> {
  /** Returns the current value. A changed value is a new object, so `===` tells whether it changed. */
  get(): T
  /** Calls `listener` after each change. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

/** A store whose owner sets the value. */
export interface WritableStore<T> extends Store<T> {
  /** Sets the value, and calls the listeners if it differs. */
  set(value: T): void
}

/** Creates a store. */
export const createStore = <T>(initial: T): WritableStore<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    subscribe(listener) {
      // A function of its own, so that the same listener may subscribe twice.
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
  }
}
