/**
 * Spreads large deliveries over several turns of the event loop: one message for ten thousand clients is ten thousand
 * writes, and would delay every call and timer of the gateway until the last of them.
 *
 * 1. A socket belongs to one lane, and a lane sends in the order in which it was told to: while something of a lane
 *    waits, everything later waits behind it, subscriptions to topics too. So pacing changes no socket's events. A long
 *    poll or a stream is a lane by itself, and collects its events until its turn.
 * 2. A turn of the event loop writes about `writesPerTurn` times. Until then nothing waits: a delivery to fewer clients
 *    leaves at once.
 * 3. What collects in a lane leaves in one turn, and uWebSockets sends the messages that a socket gets in one turn with
 *    one write. So the busier a gateway is, the less a delivery costs.
 */
import type { NativePublisher } from './connected-client.js'

/** A few milliseconds of writing. */
const MAX_WRITES_PER_TURN = 500
/** A lane in which so much waits sends out of turn: its memory is bounded, and senders feel the load. */
const MAX_WAITING = 256

/** Clients that are written to in the same turn. */
export class Lane {
  /** what waits for the lane's turn, oldest first */
  waiting: (() => void)[] = []
  /** the largest number of writes of one of `waiting` */
  writes = 0
}

/** The paced sends of a gateway. */
export class PacedSends {
  readonly native: NativePublisher
  readonly writesPerTurn: number
  /** writes of this turn of the event loop */
  #written = 0
  /**
   * Lanes in which something waits, in the order of their turns. During a turn, those that were sent come first. Not a
   * Set, for the reason in http/open-requests.ts.
   */
  readonly #lanes: Lane[] = []

  constructor(native: NativePublisher, writesPerTurn = MAX_WRITES_PER_TURN) {
    this.native = native
    this.writesPerTurn = writesPerTurn
  }

  /**
   * Runs `work` now, or when it is the lane's turn (1, 2).
   * @param writes to how many sockets it writes, or what takes as long
   */
  run(lane: Lane, writes: number, work: () => void): void {
    const hasToWait = lane.waiting.length > 0 || (this.#written > 0 && this.#written + writes > this.writesPerTurn)
    if (!hasToWait) {
      this.#count(writes)
      work()
      return
    }
    if (lane.waiting.length === 0) this.#lanes.push(lane)
    lane.waiting.push(work)
    lane.writes = Math.max(lane.writes, writes)
    if (lane.waiting.length < MAX_WAITING) return
    // The last index: during a turn, a lane that was sent can wait again.
    this.#lanes.splice(this.#lanes.lastIndexOf(lane), 1)
    this.#send(lane)
  }

  /** Runs `work` when everything that waits now was sent; at once when nothing waits. */
  afterWaiting(work: () => void): void {
    const last = this.#lanes.at(-1)
    if (last === undefined || last.waiting.length === 0) {
      work()
      return
    }
    // A lane of its own: the last one might send out of turn.
    const lane = new Lane()
    lane.waiting.push(work)
    this.#lanes.push(lane)
  }

  #count(writes: number): void {
    if (writes === 0) return
    if (this.#written === 0) setImmediate(() => this.#turn())
    this.#written += writes
  }

  #turn(): void {
    this.#written = 0
    let sent = 0
    for (const lane of this.#lanes) {
      if (this.#written > 0 && this.#written + lane.writes > this.writesPerTurn) break
      sent += 1
      this.#send(lane)
    }
    this.#lanes.splice(0, sent)
  }

  #send(lane: Lane): void {
    const { waiting, writes } = lane
    lane.waiting = []
    lane.writes = 0
    this.#count(writes)
    for (const work of waiting) work()
  }
}
