/** The items that wait for the one reader of an async iteration. */
export interface Mailbox<T> extends AsyncIterable<T> {
  /** how many items wait */
  readonly size: number
  put(item: T): void
  /** Ends the iteration after the items that wait. @param failure what it throws then; nothing if it just ends */
  close(failure?: { error: unknown }): void
}

/**
 * Creates a mailbox.
 * @param onTake is called when the reader has taken an item
 * @param onReturn is called when the reader leaves its loop
 */
export const createMailbox = <T>(onTake: () => void, onReturn: () => void): Mailbox<T> => {
  const waiting: T[] = []
  /** the reader, if it waits for an item */
  let reader: { resolve(next: IteratorResult<T>): void; reject(error: unknown): void } | undefined
  let failure: { error: unknown } | undefined
  let isClosed = false
  return {
    get size() {
      return waiting.length
    },
    put(item) {
      if (reader === undefined) {
        waiting.push(item)
        return
      }
      const { resolve } = reader
      reader = undefined
      resolve({ done: false, value: item })
    },
    close(reason) {
      isClosed = true
      failure = reason
      const last = reader
      reader = undefined
      if (reason === undefined) last?.resolve({ done: true, value: undefined })
      else last?.reject(reason.error)
    },
    [Symbol.asyncIterator]: () => ({
      next() {
        const item = waiting.shift()
        if (item !== undefined) {
          onTake()
          return Promise.resolve({ done: false, value: item })
        }
        if (failure !== undefined) return Promise.reject(failure.error)
        if (isClosed) return Promise.resolve({ done: true, value: undefined })
        return new Promise((resolve, reject) => {
          reader = { resolve, reject }
        })
      },
      return() {
        onReturn()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
}
