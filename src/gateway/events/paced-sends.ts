/**
 * Spreads large deliveries over several turns of the event loop: one message for ten thousand clients is ten thousand
 * writes, and would delay every call and timer of the gateway until the last of them.
 *
 * 1. A socket belongs to one group, and a group sends in the order in which it was told to: while something of a group
 *    waits, everything later waits behind it, subscriptions to topics too. So pacing changes no socket's events. A
 *    stream is a group by itself, and a long poll sends once: both collect their events until their turn.
 * 2. A turn of the event loop writes about `writesPerTurn` times. Until then nothing waits: a delivery to fewer clients
 *    leaves at once.
 * 3. What collects in a group leaves in one turn, and uWebSockets sends the messages that a socket gets in one turn
 *    with one write. So the busier a gateway is, the less a delivery costs.
 */
import Denque from 'denque'
import type { NativePublisher } from './connected-client.js'

/** A few milliseconds of writing. */
const MAX_WRITES_PER_TURN = 500
/** A group in which so much waits sends out of turn: its memory is bounded, and senders feel the load. */
const MAX_WAITING = 256

/** What waits for a turn, and then sends. */
interface WaitingSend {
  /** to how many sockets it writes, or what takes as long */
  readonly writes: number
  /** Sends. Called once in each of its turns. */
  send(): void
}

/** Clients that are written to in the same turn. */
export class SendGroup implements WaitingSend {
  /** what waits for the group's turn, oldest first */
  waiting: (() => void)[] = []
  /** the largest number of writes of one of `waiting` */
  writes = 0

  send(): void {
    const { waiting } = this
    this.waiting = []
    this.writes = 0
    for (const work of waiting) work()
  }
}

/** The paced sends of a gateway. */
export class PacedSends {
  readonly native: NativePublisher
  readonly writesPerTurn: number
  /** writes of this turn of the event loop */
  #written = 0
  /**
   * Lanes in which something waits, and single sends, in the order of their turns. A group that sent out of turn is
   * still in it, with nothing to send. Not an array: one that is cut and grows again leaves its former memory behind,
   * and once that is in the old generation, all in it is kept until the next full garbage collection.
   */
  readonly #waiting = new Denque<WaitingSend>()
  /**
   * What is sent after the entries that are being applied. Not a new array for each time: V8 notices that such arrays
   * live long, and allocates them in the old generation, with the same effect.
   */
  readonly #afterEntries = new Denque<WaitingSend>()

  constructor(native: NativePublisher, writesPerTurn = MAX_WRITES_PER_TURN) {
    this.native = native
    this.writesPerTurn = writesPerTurn
  }

  /**
   * Runs `work` now, or when it is the group's turn (1, 2).
   * @param writes to how many sockets it writes, or what takes as long
   */
  run(group: SendGroup, writes: number, work: () => void): void {
    if (group.waiting.length === 0 && this.#hasRoom(writes)) {
      this.#count(writes)
      work()
      return
    }
    if (group.waiting.length === 0) this.#waiting.push(group)
    group.waiting.push(work)
    group.writes = Math.max(group.writes, writes)
    if (group.waiting.length >= MAX_WAITING) this.#send(group)
  }

  /** Sends once, by itself: in the microtask after the entries that are applied now, or when it is its turn (1, 2). */
  sendAfterEntries(single: WaitingSend): void {
    if (this.#afterEntries.isEmpty()) queueMicrotask(() => this.#sendAfterEntries())
    this.#afterEntries.push(single)
  }

  /** Runs `work` when everything that waits now was sent; at once when nothing waits. */
  afterWaiting(work: () => void): void {
    // It waits by itself: the last group might send out of turn.
    if (this.#waiting.isEmpty()) work()
    else this.#waiting.push({ writes: 0, send: work })
  }

  #hasRoom(writes: number): boolean {
    return this.#written === 0 || this.#written + writes <= this.writesPerTurn
  }

  #sendAfterEntries(): void {
    for (let single = this.#afterEntries.shift(); single !== undefined; single = this.#afterEntries.shift()) {
      if (this.#hasRoom(single.writes)) this.#send(single)
      else this.#waiting.push(single)
    }
  }

  #count(writes: number): void {
    if (writes === 0) return
    if (this.#written === 0) setImmediate(() => this.#turn())
    this.#written += writes
  }

  #turn(): void {
    this.#written = 0
    for (;;) {
      const next = this.#waiting.peekFront()
      if (next === undefined || !this.#hasRoom(next.writes)) return
      this.#waiting.shift()
      this.#send(next)
    }
  }

  #send(waiting: WaitingSend): void {
    this.#count(waiting.writes)
    waiting.send()
  }
}
