/**
 * The memory of a process for request bodies: of those that are being received, and of those that a handler still uses.
 *
 * 1. Bodies of accounts, and bodies that arrive without verified credentials, have memory of their own. So callers
 *    without credentials cannot use up what members need.
 * 2. There is a bound for each account, for all callers of each address, and for all bodies together.
 * 3. When all bodies together exceed their bound, one body is evicted: the largest body that is still being received,
 *    of the account with the most memory, at the address with the most memory. A body is refused only if its own
 *    address and account have the most. So a few callers who fill the memory cannot make the uploads of others fail.
 */
import { type ApiError, errors } from '../../domain/protocol/errors.js'

export interface BodyMemoryLimits {
  /** bytes */
  total: number
  per_address: number
  /** undefined: bodies are counted by address only */
  per_account: number | undefined
}

/** The holder of a body. */
export interface BodyHolder {
  /** the network of the client */
  address: string
  /** undefined: the client was not authenticated, so all such bodies of an address count together */
  account: string | undefined
}

/** What one body holds. */
export interface BodyShare {
  /** Takes memory for the body. @returns the error when it may hold no more */
  take(bytes: number): ApiError | undefined
  /** Says that the whole body was received, so that the memory cannot be taken back before `release`. */
  keep(): void
  /** Gives all memory back. */
  release(): void
}

export interface BodyMemory {
  /** Opens the share of a body. @param evict is called, after the release, when the memory is taken back (3) */
  open(holder: BodyHolder, evict: () => void): BodyShare
  /** bytes held together */
  readonly held: number
}

/** Seconds after which a refused client may try again. */
export const RETRY_SECONDS = 10

interface Share {
  address: string
  account: string
  bytes: number
  isReceiving: boolean
  evict(): void
}

/** Opens a memory without bodies. Bodies of other memories do not count against its limits. */
export const openBodyMemory = (limits: BodyMemoryLimits): BodyMemory => {
  const shares = new Set<Share>()
  const byAddress = new Map<string, number>()
  const byAccount = new Map<string, number>()
  let total = 0

  const bytesOfAddress = ({ address }: Share) => byAddress.get(address) ?? 0
  const bytesOfAccount = ({ account }: Share) => byAccount.get(account) ?? 0

  const add = (share: Share, bytes: number) => {
    share.bytes += bytes
    total += bytes
    addTo(byAddress, share.address, bytes)
    addTo(byAccount, share.account, bytes)
    if (share.bytes === 0) shares.delete(share)
    else shares.add(share)
  }

  const release = (share: Share) => {
    share.isReceiving = false
    add(share, -share.bytes)
  }

  /** The body to refuse in favour of one that wants `bytes`; undefined: that one itself (3). */
  const findVictim = (wanting: Share, bytes: number): Share | undefined => {
    const rank = (share: Share): Rank => [bytesOfAddress(share), bytesOfAccount(share), share.bytes]
    let victim: Share | undefined
    let most: Rank = [bytesOfAddress(wanting) + bytes, bytesOfAccount(wanting) + bytes, wanting.bytes + bytes]
    for (const share of shares) {
      if (share === wanting || !share.isReceiving) continue
      const held = rank(share)
      if (compareRanks(held, most) <= 0) continue
      victim = share
      most = held
    }
    return victim
  }

  const take = (share: Share, bytes: number): ApiError | undefined => {
    const isAboveOwn =
      bytesOfAddress(share) + bytes > limits.per_address ||
      (limits.per_account !== undefined && bytesOfAccount(share) + bytes > limits.per_account)
    if (isAboveOwn) return errors.tooManyBodies({ 'retry-after': RETRY_SECONDS })
    while (total + bytes > limits.total) {
      const victim = findVictim(share, bytes)
      if (victim === undefined) return errors.noMemoryForBody({ 'retry-after': RETRY_SECONDS })
      release(victim)
      victim.evict()
    }
    add(share, bytes)
    return undefined
  }

  return {
    open({ address, account = address }, evict) {
      const share: Share = { address, account, bytes: 0, isReceiving: true, evict }
      return {
        take: (bytes) => take(share, bytes),
        keep() {
          share.isReceiving = false
        },
        release: () => release(share),
      }
    },
    get held() {
      return total
    },
  }
}

/** Bytes of the address, of the account and of the body, in the order in which they are compared. */
type Rank = readonly [number, number, number]

const compareRanks = (one: Rank, other: Rank): number => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

const addTo = (sums: Map<string, number>, key: string, bytes: number): void => {
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}
