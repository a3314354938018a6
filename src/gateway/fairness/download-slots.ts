/**
 * Bounds the downloads that this process sends at a time: each holds a chunk of its file in memory, and an open file or
 * a connection to the bucket.
 *
 * 1. An account, or an address without credentials, has a number of slots.
 *    Further downloads wait for one of its own, so a client that reads slowly delays no other account.
 * 2. Downloads that wait are bounded too, and all downloads together. Beyond these bounds a download is refused.
 */

import pLimit, { type LimitFunction } from 'p-limit'
import { errors } from '../../domain/protocol/errors.js'
import type { DownloadSlots } from '../contract/app.js'

/** An address can have many users. */
const SLOTS = { account: 16, address: 64 }
const MAX_WAITING = 500
/** Of all owners together. */
const MAX_SENDING = 1_000
const RETRY_SECONDS = 2

/** Opens the download slots of a process, all of them free. */
export const openDownloadSlots = (): DownloadSlots => {
  /** The downloads of each owner: `count` of them are sent or wait. */
  const owners = new Map<string, { limit: LimitFunction; count: number }>()
  let sending = 0

  return {
    async run(owner, download) {
      const isAccount = 'account' in owner
      const key = isAccount ? `account ${owner.account}` : `address ${owner.address}`
      const size = isAccount ? SLOTS.account : SLOTS.address
      const own = owners.get(key) ?? { limit: pLimit(size), count: 0 }
      if (own.count >= size + MAX_WAITING || sending >= MAX_SENDING) {
        throw errors.rateLimitHit({ 'retry-after': RETRY_SECONDS })
      }
      owners.set(key, own)
      own.count += 1
      try {
        await own.limit(async () => {
          sending += 1
          try {
            await download()
          } finally {
            sending -= 1
          }
        })
      } finally {
        own.count -= 1
        if (own.count === 0) owners.delete(key)
      }
    },

    counts: () => ({ sending, waiting: [...owners.values()].reduce((sum, { count }) => sum + count, 0) - sending }),
  }
}
