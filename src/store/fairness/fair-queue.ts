/**
 * A fair queue: owners (accounts, addresses, realms) share the slots of a process, so that the work of one owner never
 * keeps the work of the others waiting for long.
 *
 * 1. At most `slots` works run at a time, at most `perOwner` of one owner, and at most `largeSlots` large ones.
 * 2. The works of one owner begin in the order of the calls. Owners whose works wait take turns, one work per turn.
 * 3. Work that finds a free slot begins in the tick of its call.
 * 4. A call that finds too much waiting work is refused at once: what waits is bounded by the number of waiting calls
 *    of the owner, by the time that the first of them has waited, or by the time that a call would wait.
 * 5. A slot becomes free when its work has ended, also with an error, and the owner has rested.
 */
import { createAdmission, readTicks } from '../overload.js'

/** Without a limit, there is no bound. */
export interface FairQueueLimits {
  /** work of all owners that runs at a time */
  readonly slots?: number
  /** work of one owner that runs at a time */
  readonly perOwner?: number
  /** work that runs at a time and was called large */
  readonly largeSlots?: number
  /** calls of one owner that wait at a time */
  readonly waiting?: number
  /** Calls are refused while the first waiting one of their owner has waited for longer. */
  readonly longestWaitMs?: number
  /** Calls are refused that would wait for longer (`createAdmission`). */
  readonly expectedWaitMs?: number
  /** After its work an owner keeps the slot for so many times the duration of the work. */
  readonly rest?: { readonly factor: number; readonly maxMs: number }
}

/** How much work has a slot now (rests included), and how much waits. */
export interface QueueCounts {
  running: number
  waiting: number
}

export interface FairQueue {
  /**
   * Runs work in a slot of its owner. Throws the error of `refuse`, or SERVER_BUSY, when the call is refused (4), and
   * what the work throws.
   * @param owner a string or an object; `oneOwner` where all work has the same owner
   */
  run<T>(owner: unknown, work: () => T | Promise<T>, isLarge?: boolean): Promise<T>
  /**
   * Waits for a slot. Throws the error of `refuse`, or SERVER_BUSY, when the call is refused (4).
   * @returns ends the work
   */
  begin(owner: unknown): Promise<() => void>
  /** How much work of an owner would begin at once. */
  countFree(owner: unknown): number
  counts(): QueueCounts
  /** Forgets the waiting calls: their promises never settle. */
  clear(): void
}

/** The owner of all work of a queue whose work is not told apart. */
export const oneOwner = ''

interface WaitingCall {
  readonly begin: () => void
  readonly isLarge: boolean
  /** in `readTicks()` */
  readonly since: number
}

interface Owner {
  readonly key: unknown
  running: number
  readonly waiting: WaitingCall[]
}

/**
 * Creates a queue, all of its slots free.
 * @param refuse the error for a call beyond `waiting` or `longestWaitMs`. Beyond `expectedWaitMs` it is SERVER_BUSY.
 */
export const createFairQueue = (
  limits: FairQueueLimits,
  refuse = () => new Error('too many calls wait'),
): FairQueue => {
  const { slots = Infinity, perOwner = Infinity, largeSlots = Infinity, rest } = limits
  const { waiting: maxWaiting = Infinity, longestWaitMs = Infinity, expectedWaitMs } = limits
  const admission = expectedWaitMs === undefined ? undefined : createAdmission(expectedWaitMs)
  const isTimed = rest !== undefined || admission !== undefined
  /** those with running or waiting work */
  const owners = new Map<unknown, Owner>()
  /** those with waiting work and a free slot of their own, in the order of their turns (2) */
  const ready = new Set<Owner>()
  let running = 0
  let runningLarge = 0
  let waiting = 0

  const isFull = (owner: Owner) => {
    const first = owner.waiting[0]
    if (first === undefined) return false
    return owner.waiting.length >= maxWaiting || readTicks() - first.since > longestWaitMs
  }

  /** Throws the error of `refuse`, or SERVER_BUSY, when the call is refused (4). */
  const findOwner = (key: unknown): Owner => {
    admission?.admit(waiting)
    const known = owners.get(key)
    if (known !== undefined && isFull(known)) throw refuse()
    const owner = known ?? { key, running: 0, waiting: [] }
    if (known === undefined) owners.set(key, owner)
    return owner
  }

  const takeSlot = (owner: Owner, isLarge: boolean) => {
    owner.running += 1
    running += 1
    if (isLarge) runningLarge += 1
  }

  const freeSlot = (owner: Owner, isLarge: boolean) => {
    owner.running -= 1
    running -= 1
    if (isLarge) runningLarge -= 1
    if (owner.waiting.length > 0) ready.add(owner)
    else if (owner.running === 0) owners.delete(owner.key)
    if (ready.size > 0) beginNext()
  }

  /** Gives the free slots to the owners whose turn it is (2). */
  const beginNext = () => {
    for (const owner of ready) {
      if (running >= slots) return
      const call = owner.waiting[0]
      if (call === undefined || (call.isLarge && runningLarge >= largeSlots)) continue
      owner.waiting.shift()
      waiting -= 1
      takeSlot(owner, call.isLarge)
      ready.delete(owner)
      // Behind the others: the loop comes to it again.
      if (owner.waiting.length > 0 && owner.running < perOwner) ready.add(owner)
      call.begin()
    }
  }

  /** Takes a slot. @returns undefined when one was free (3) */
  const enter = (owner: Owner, isLarge: boolean): Promise<void> | undefined => {
    const isFree = running < slots && owner.running < perOwner && !(isLarge && runningLarge >= largeSlots)
    if (isFree && owner.waiting.length === 0) {
      takeSlot(owner, isLarge)
      return undefined
    }
    return new Promise((begin) => {
      owner.waiting.push({ begin, isLarge, since: readTicks() })
      waiting += 1
      if (owner.running < perOwner) ready.add(owner)
    })
  }

  const leave = (owner: Owner, isLarge: boolean, began: number) => {
    if (rest === undefined) return freeSlot(owner, isLarge)
    const duration = performance.now() - began
    setTimeout(freeSlot, Math.min(duration * rest.factor, rest.maxMs), owner, isLarge)
  }

  return {
    async run(key, work, isLarge = false) {
      const owner = findOwner(key)
      const entered = enter(owner, isLarge)
      if (entered !== undefined) await entered
      const began = isTimed ? performance.now() : 0
      try {
        const result = await work()
        admission?.noteServed(running, performance.now() - began)
        return result
      } finally {
        leave(owner, isLarge, began)
      }
    },

    async begin(key) {
      const owner = findOwner(key)
      const entered = enter(owner, false)
      if (entered !== undefined) await entered
      const began = performance.now()
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        leave(owner, false, began)
      }
    },

    countFree: (key) => Math.min(slots - running, perOwner - (owners.get(key)?.running ?? 0)),

    counts: () => ({ running, waiting }),

    clear() {
      ready.clear()
      waiting = 0
      for (const owner of owners.values()) {
        owner.waiting.length = 0
        if (owner.running === 0) owners.delete(owner.key)
      }
    },
  }
}
