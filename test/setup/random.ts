/** Random numbers that a seed determines, so that a run can be repeated. */

export interface Random {
  /** A number from 0 up to, and without, 1. */
  next(): number
  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number
  /** One of a list. */
  pick<T>(list: readonly T[]): T
  /** One of a list, each as often as its weight says. */
  weighted<T extends { weight: number }>(list: readonly T[]): T
  /** Random numbers of their own, which do not depend on how many were drawn here. */
  fork(name: string): Random
}

/** Opens the sequence of a seed (mulberry32). */
export const openRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const random: Random = {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    weighted(list) {
      let at = next() * list.reduce((sum, { weight }) => sum + weight, 0)
      return list.find(({ weight }) => {
        at -= weight
        return at < 0
      }) as (typeof list)[number]
    },
    fork(name) {
      let hash = seed >>> 0
      for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
      return openRandom(hash)
    },
  }
  return random
}
