/** All kinds of abuse that `hostile.bench.ts` measures. */
import type { Abuse } from './abuse.js'
import * as calls from './calls.js'
import * as connections from './connections.js'

export const abuses: readonly Abuse[] = [
  calls.pictures,
  connections.deafSockets,
  connections.slowReaders,
  connections.slowBodies,
  calls.guesses,
  calls.silentWebhook,
  calls.newChannels,
  calls.largeSubscriptions,
  calls.documents,
  calls.expensiveCalls,
  connections.reconnects,
  connections.unfinishedUploads,
]
