/**
 * Values that are nearly always there at once, and sometimes have to be waited for: a realm in memory, or one that is
 * loaded first.
 *
 * An `await` costs about as much as a step of a call, also where it waits for nothing: a promise, and one or two turns
 * of the queue of microtasks. A function on the way of every call returns such a value, and its caller waits only for a
 * promise.
 */

/** A value, or the promise of one that has to be waited for. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `use` with the value: at once, or when its promise resolves. */
export const thenOrNow = <T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(use) : use(value)
