/**
 * A large request as a plan: several changes that are committed one after another, instead of one.
 *
 * The whole request is checked before there is a plan. Each part is composed on the state, and with the caller's row,
 * at the time of the part, and is permitted on it. call/change-batches.ts carries a plan out.
 */
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type Change, combineChanges } from './change.js'

/** A part as composed on one state. */
export interface ComposedBatch {
  change: Change
  /** records what the part did; called once, after the commit */
  note(): void
}

/** Composes a part, for the caller at the time of the part. May throw an error. May be called several times. */
export type ChangeBatch = (state: RealmState, caller: UserRow) => ComposedBatch

/** A checked request. */
export interface Plan<A> {
  /** at least one */
  parts: readonly ChangeBatch[]
  /** the answer, once all parts are committed */
  answer(): A
}

/** Two requests as one: one change if each of them fits into one part. */
export const combinePlans = <A, B>(first: Plan<A>, second: Plan<B>): Plan<A & B> => {
  const [one, two] = [first.parts[0], second.parts[0]]
  const isOneChange = first.parts.length === 1 && second.parts.length === 1 && one !== undefined && two !== undefined
  const combined: ChangeBatch = (state, caller) => {
    const [a, b] = [one?.(state, caller), two?.(state, caller)]
    return {
      change: combineChanges([a, b].flatMap((part) => part?.change ?? [])),
      note() {
        a?.note()
        b?.note()
      },
    }
  }
  return {
    parts: isOneChange ? [combined] : [...first.parts, ...second.parts],
    answer: () => ({ ...first.answer(), ...second.answer() }),
  }
}

/** Divides a list into lists of a limited cost. Each of them costs at most `most`, or has one item. */
export const divide = <T>(items: readonly T[], most: number, cost: (item: T) => number): T[][] => {
  const lists: T[][] = []
  let sum = 0
  for (const item of items) {
    const list = lists.at(-1)
    const added = cost(item)
    if (list === undefined || sum + added > most) {
      lists.push([item])
      sum = added
    } else {
      list.push(item)
      sum += added
    }
  }
  return lists
}
