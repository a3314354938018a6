/**
 * Bounds the memory of clients that do not read: closes those with the most unsent bytes when one account or all
 * accounts together have too many. Each connection has a bound of its own (transport/uws.ts, sse.ts), but one account
 * can open many connections, and many accounts can be slow at the same time.
 *
 * A closed client resumes from its last event id, so it loses no event.
 */
import { setImmediate } from 'node:timers/promises'
import type { Client } from './connected-client.js'

export interface UnsentBounds {
  /** unsent bytes of one account in this process */
  bytesPerAccount: number
  /** unsent bytes of all clients in this process */
  bytesInAll: number
}

/** The unsent bytes that one account may have in a gateway. The limit is for all of its connections together. */
export const MAX_UNSENT_BYTES_PER_ACCOUNT = 16 * 1024 * 1024
/** A pass over all clients starts once a second; memory may exceed the bounds between two passes. */
const PASS_MS = 1_000
/** Clients that are looked at in one iteration of the event loop: about half a millisecond. */
const CLIENTS_PER_SLICE = 2_000

interface SlowClient {
  client: Client
  unsent: number
}

/**
 * Starts the passes.
 * @param onClosed called with the number of clients that a pass closed, if it closed any
 * @returns a function that stops the passes
 */
export const closeSlowClientsRegularly = (
  list: () => Iterable<Client>,
  bounds: UnsentBounds,
  onClosed: (count: number) => void,
): (() => void) => {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    closeSlowClients(list(), bounds)
      .then((count) => {
        if (count > 0) onClosed(count)
      })
      .finally(() => {
        isRunning = false
      })
  }, PASS_MS)
  return () => clearInterval(timer)
}

/** Looks at all clients once, and closes the slowest ones until both bounds hold. @returns how many it closed */
export const closeSlowClients = async (clients: Iterable<Client>, bounds: UnsentBounds): Promise<number> => {
  const slow: SlowClient[] = []
  let looked = 0
  for (const client of clients) {
    const unsent = client.unsentBytes?.() ?? 0
    if (unsent > 0) slow.push({ client, unsent })
    looked += 1
    if (looked % CLIENTS_PER_SLICE === 0) await setImmediate()
  }
  slow.sort((a, b) => b.unsent - a.unsent)

  const remaining: SlowClient[] = []
  const closing: SlowClient[] = []
  for (const ofAccount of groupByAccount(slow)) splitAtBound(ofAccount, bounds.bytesPerAccount, closing, remaining)
  remaining.sort((a, b) => b.unsent - a.unsent)
  splitAtBound(remaining, bounds.bytesInAll, closing, [])
  for (const { client } of closing) client.close('slowConsumer')
  return closing.length
}

/** Puts the first clients into `over` until the others have at most `bound` unsent bytes; those go into `within`. */
const splitAtBound = (
  clients: readonly SlowClient[],
  bound: number,
  over: SlowClient[],
  within: SlowClient[],
): void => {
  let total = clients.reduce((sum, { unsent }) => sum + unsent, 0)
  for (const slow of clients) {
    if (total > bound) over.push(slow)
    else within.push(slow)
    if (total > bound) total -= slow.unsent
  }
}

const groupByAccount = (clients: readonly SlowClient[]): Iterable<SlowClient[]> => {
  const groups = new Map<string, SlowClient[]>()
  for (const slow of clients) {
    const { realm_id, user_id } = slow.client.queue
    const account = `${realm_id}:${user_id}`
    const group = groups.get(account)
    if (group === undefined) groups.set(account, [slow])
    else group.push(slow)
  }
  return groups.values()
}
