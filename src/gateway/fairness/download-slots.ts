/**
 * Bounds the downloads that this process sends at a time: each holds a chunk of its file in memory, and an open file or
 * a connection to the bucket.
 *
 * 1. An account, or an address without credentials, has a number of slots.
 *    Further downloads wait for one of its own, so a client that reads slowly delays no other account.
 * 2. Downloads that wait are bounded too, and all downloads together. Beyond these bounds a download is refused.
 */

import { errors } from '../../domain/protocol/errors.js'
import { openFairQueue } from '../../store/fairness/fair-queues.js'
import type { DownloadSlots } from '../contract/app.js'

/** Of all owners together. */
const MAX_SENDING = 1_000
const RETRY_SECONDS = 2

const refuse = () => errors.rateLimitHit({ 'retry-after': RETRY_SECONDS })

/** Opens the download slots of a process, all of them free. */
export const openDownloadSlots = (): DownloadSlots => {
  const ofAccounts = openFairQueue('downloads', refuse)
  const ofAddresses = openFairQueue('downloads_by_address', refuse)

  return {
    async run(owner, download) {
      if (ofAccounts.counts().running + ofAddresses.counts().running >= MAX_SENDING) throw refuse()
      await ('account' in owner ? ofAccounts.run(owner.account, download) : ofAddresses.run(owner.address, download))
    },
  }
}
