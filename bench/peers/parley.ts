import { type BenchQueue, buildHandshake, createBenchRealm, registerQueues } from '../fleet/realm.js'
import { formatRequest } from '../load/http.js'
import { stampedContent } from '../load/stamps.js'
import type { Peer } from './peer.js'

export const parley: Peer = {
  name: 'Parley',
  title: 'Parley: one gateway, Postgres, Redis',
  guarantees: {
    durable: 'yes',
    ordered: 'yes',
    authenticated: 'API key',
    permitted: 'yes',
    resumable: 'yes, from Postgres',
  },
  transports: ['sockets', 'polls'],
  isDownloaded: false,
  async start(environment, { senders, receivers }) {
    const realm = await createBenchRealm(environment, senders + receivers)
    const gateway = await environment.startGateway()
    const { port, pid } = gateway
    const message = { type: 'stream', to: String(realm.channel_id), topic: 'tea', content: stampedContent }
    const requests = realm.user_ids
      .slice(0, senders)
      .map((user_id) => formatRequest('POST', '/messages', realm.identify(user_id), message))
    const composePoll = ({ queue_id, last_event_id, credentials }: BenchQueue) => ({
      request: formatRequest('GET', `/events?queue_id=${queue_id}&last_event_id=POSITION`, identity(credentials), {}),
      position: String(last_event_id),
    })
    const identity = (credentials: string) => ({ host: realm.host, credentials })
    return {
      version: 'this commit',
      port,
      pid,
      senderPlan: { kind: 'http', requests },
      async planReceivers(first, count, transport) {
        const user_ids = realm.user_ids.slice(senders + first, senders + first + count)
        const queues = await registerQueues(realm, port, user_ids)
        if (transport === 'polls') return { kind: 'polls', protocol: 'parley', clients: queues.map(composePoll) }
        const handshakes = queues.map(buildHandshake)
        return { kind: 'sockets', host: realm.host, handshakes }
      },
      stop: gateway.stop,
    }
  },
}
