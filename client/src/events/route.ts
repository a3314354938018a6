/**
 * Which transport and which gateway the next connection uses.
 *
 * 1. The transports are tried in their order. One that does not begin to work on any gateway leads to the next one.
 * 2. A transport that has worked here for LASTING_MS is not blocked: during an outage, PATIENCE attempts in a row have
 *    to fail before the next one is tried. So is one whose connections open and end at once, which is what some proxies
 *    do.
 * 3. If every transport is blocked, or the gateways do not answer, the first transport is tried again.
 * 4. After a connection that ended or failed, the next one goes to another gateway.
 */
import { LASTING_MS, type Transport } from './connection.js'

export interface Route {
  readonly transport: Transport
  readonly gateway: string
  /** Whether a transport is used only because a preferred one was blocked. */
  readonly isFallback: boolean
  /** A connection could not be opened with this transport. */
  block(): void
  /** A connection ended that had worked for so many milliseconds. */
  leave(workedMs: number): void
  /** Another page says that this transport works here. */
  trust(transport: Transport): void
  /** No gateway answered: that says nothing of the transport. */
  skip(): void
  /** Uses the first transport again. */
  restart(): void
  setTransport(transport: Transport | undefined): void
  setGateway(gateway: string): void
}

/** With the pauses between attempts, about a minute. */
const PATIENCE = 8

/** Creates the route of a stream. @param first the index of the gateway with which it begins */
export const createRoute = (transports: readonly Transport[], input: readonly string[], first: number): Route => {
  const gateways = [...input]
  const proven = new Set<Transport>()
  let order = transports
  let step = 0
  let index = first
  /** attempts in a row that did not last */
  let failed = 0
  const transport = () => order[step] as Transport
  const restart = () => {
    step = 0
    failed = 0
  }
  const nextGateway = () => {
    index = (index + 1) % gateways.length
  }
  const fail = (patience: number) => {
    nextGateway()
    failed += 1
    if (failed < patience) return
    failed = 0
    // It may be blocked from now on, for example in another network.
    proven.delete(transport())
    step = (step + 1) % order.length
  }
  return {
    get transport() {
      return transport()
    },
    get gateway() {
      return gateways[index] as string
    },
    get isFallback() {
      return step > 0
    },
    block: () => fail(proven.has(transport()) ? PATIENCE : gateways.length),
    leave(workedMs) {
      if (workedMs < LASTING_MS) return fail(PATIENCE)
      proven.add(transport())
      failed = 0
      nextGateway()
    },
    trust: (working) => void proven.add(working),
    skip() {
      nextGateway()
      restart()
    },
    restart,
    setTransport(chosen) {
      order = chosen === undefined ? transports : [chosen, ...transports.filter((other) => other !== chosen)]
      restart()
    },
    setGateway(gateway) {
      if (!gateways.includes(gateway)) gateways.push(gateway)
      index = gateways.indexOf(gateway)
      failed = 0
    },
  }
}
