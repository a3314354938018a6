/**
 * Which transport and which gateway the next connection uses.
 *
 * 1. The transports are tried in their order. One that is blocked leads to the next one.
 * 2. If every transport is blocked, or the gateways do not answer, the first transport is tried again.
 * 3. After a connection that ended or failed, the next one goes to another gateway.
 */
import type { Transport } from './connection.js'

export interface Route {
  readonly transport: Transport
  readonly gateway: string
  /** Whether a transport is used only because a preferred one was blocked. */
  readonly isFallback: boolean
  /** A connection could not be opened with this transport. */
  block(): void
  /** A connection ended, or no gateway answered. @param wasOpen whether it had worked */
  leave(wasOpen: boolean): void
  /** Uses the first transport again. */
  restart(): void
  setTransport(transport: Transport | undefined): void
  setGateway(gateway: string): void
}

/** Creates the route of a stream. @param first the index of the gateway with which it begins */
export const createRoute = (transports: readonly Transport[], given: readonly string[], first: number): Route => {
  const gateways = [...given]
  let order = transports
  let step = 0
  let place = first
  /** gateways on which the transport was blocked in a row */
  let blocked = 0
  const restart = () => {
    step = 0
    blocked = 0
  }
  const nextGateway = () => {
    place = (place + 1) % gateways.length
  }
  return {
    get transport() {
      return order[step] as Transport
    },
    get gateway() {
      return gateways[place] as string
    },
    get isFallback() {
      return step > 0
    },
    block() {
      nextGateway()
      if (++blocked < gateways.length) return
      blocked = 0
      step = (step + 1) % order.length
    },
    leave(wasOpen) {
      nextGateway()
      if (wasOpen) blocked = 0
      else restart()
    },
    restart,
    setTransport(transport) {
      order = transport === undefined ? transports : [transport, ...transports.filter((other) => other !== transport)]
      restart()
    },
    setGateway(gateway) {
      if (!gateways.includes(gateway)) gateways.push(gateway)
      place = gateways.indexOf(gateway)
      blocked = 0
    },
  }
}
