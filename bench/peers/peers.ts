/** The servers that are compared, in the order of the report. */
import { centrifuge } from './centrifuge.js'
import { nats } from './nats.js'
import { nchan } from './nchan.js'
import { parley } from './parley.js'
import type { Peer } from './peer.js'
import { rawLimit } from './raw-limit.js'
import { socketIo } from './socket-io.js'
import { synapse } from './synapse.js'

export const peers: readonly Peer[] = [rawLimit, parley, socketIo, centrifuge, nchan, nats, synapse]
