/**
 * Bounds the requests and sockets that one network address has open at the same time in this process: polls, streams,
 * uploads, slow answers and WebSockets. Without a bound one client could open them until the process
 * has no memory or no file descriptors left.
 *
 * 1. No network has more than `limit` open requests and sockets.
 * 2. Reading an address costs more than all the rest here, so it is read only when it may matter. New requests are
 *    first only collected. The network of each is counted when there are many, or when together with those of the
 *    largest network they would reach the limit. Most requests have ended before.
 * 3. A client on this machine is not bounded: it is a proxy that is not in TRUSTED_PROXIES, with all clients behind it.
 */
import { callerNetwork, isLoopback } from '../../domain/net/client-address.js'

/** An open request or socket. It is the same object at its begin and its end. */
export interface OpenRequest {
  /** the IP address of the client; read while it is open */
  readonly remoteAddress: string
  /** the network for which it is counted; written here only */
  countedNetwork?: string | undefined
  /** its index among the collected ones, while it is one of them; written here only */
  collectedAt?: number | undefined
}

export interface OpenRequests {
  /** Counts a request that begins. @returns false, and counts nothing, if its network has too many */
  begin(request: OpenRequest): boolean
  /** Ends a request. One that was not counted, or has ended, changes nothing. */
  end(request: OpenRequest): void
  /** the number of those that are open */
  readonly size: number
}

/** Requests that are collected before their networks are counted (2). */
const MAX_COLLECTED = 512

/** Networks that lost their last request before the map is swept. */
const MAX_UNUSED = 4_096

/** @param limit of one network */
export const openRequestCounter = (limit: number): OpenRequests => {
  /**
   * In no order. Not a Set, through which each request would pass: a Set replaces its table again and again, and each
   * table refers to the next one. So once one of them is in the old generation, all later ones are kept, with all
   * requests in them, until the next full garbage collection.
   */
  const collected: OpenRequest[] = []
  const byNetwork = new Map<string, number>()
  /** how many networks have this number of requests, so that the largest number is known without a search */
  const networksBySize: number[] = []
  let largest = 0
  let counted = 0
  /** how often a network lost its last request since the map was swept */
  let unused = 0

  /**
   * Deletes networks without requests, many at a time: a map that a key enters and leaves with each request is slow.
   */
  const forgetUnused = () => {
    unused += 1
    if (unused < MAX_UNUSED || unused < byNetwork.size / 2) return
    unused = 0
    for (const [network, size] of byNetwork) if (size === 0) byNetwork.delete(network)
  }

  const resize = (network: string, before: number, after: number) => {
    if (before > 0) networksBySize[before] = (networksBySize[before] ?? 0) - 1
    if (after > 0) networksBySize[after] = (networksBySize[after] ?? 0) + 1
    byNetwork.set(network, after)
    if (after === 0) forgetUnused()
    largest = Math.max(largest, after)
    while (largest > 0 && (networksBySize[largest] ?? 0) <= 0) largest -= 1
  }

  const count = (request: OpenRequest): boolean => {
    const { remoteAddress } = request
    if (isLoopback(remoteAddress)) return true
    const network = callerNetwork(remoteAddress)
    const before = byNetwork.get(network) ?? 0
    if (before >= limit) return false
    request.countedNetwork = network
    counted += 1
    resize(network, before, before + 1)
    return true
  }

  const removeCollected = (at: number) => {
    const last = collected.pop()
    if (last === undefined || at === collected.length) return
    collected[at] = last
    last.collectedAt = at
  }

  return {
    begin(request) {
      if (collected.length < MAX_COLLECTED && largest + collected.length < limit) {
        request.collectedAt = collected.push(request) - 1
        return true
      }
      for (const earlier of collected.splice(0)) {
        earlier.collectedAt = undefined
        count(earlier)
      }
      return count(request)
    },
    end(request) {
      if (request.collectedAt !== undefined) {
        removeCollected(request.collectedAt)
        request.collectedAt = undefined
        return
      }
      const network = request.countedNetwork
      if (network === undefined) return
      request.countedNetwork = undefined
      counted -= 1
      const before = byNetwork.get(network) ?? 0
      resize(network, before, before - 1)
    },
    get size() {
      return collected.length + counted
    },
  }
}
