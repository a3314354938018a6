/** The client library in a test: it reaches the realm of the test through relays, one for each gateway. */
import { WebSocket } from 'ws'
import {
  type Client,
  type ClientOptions,
  createClient,
  type EventStream,
  type SocketClass,
} from '../../../client/src/index.js'
import { type Relay, startRelay } from '../proxies/relay.js'
import { gateways, type Person } from '../realm/realm.js'

export interface Relays extends AsyncDisposable {
  readonly list: readonly Relay[]
  /** Creates a client of an account. */
  client(person: Person, more?: Partial<ClientOptions>): Client
}

/** Starts a relay for each gateway. @param urls the gateways; by default those of the shared fleet */
export const startRelays = async (host: string, urls: readonly string[] = gateways()): Promise<Relays> => {
  const list = await Promise.all(urls.map((url) => startRelay(url, host)))
  return {
    list,
    client: ({ email, api_key }, more) =>
      createClient({
        url: list.map(({ url }) => url),
        credentials: { email, apiKey: api_key },
        WebSocket: WebSocket as unknown as SocketClass,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      for (const relay of list) await relay[Symbol.asyncDispose]()
    },
  }
}

/** Resolves when the stream receives events. */
export const waitUntilOpen = (events: EventStream) =>
  new Promise<void>((resolve) => {
    const look = () => events.state.get().status === 'open' && resolve()
    events.state.subscribe(look)
    look()
  })
