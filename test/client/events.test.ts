/** The events of the client library, over each of the three transports. */
import { describe, expect, test } from 'vitest'
import type { Client, EventStream, Transport } from '../../client/src/index.js'
import { startRelays, waitUntilOpen } from '../setup/clients/library-client.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, type Person } from '../setup/realm/realm.js'

const transports: Transport[] = ['websocket', 'sse', 'poll']

/** Creates a channel with Ada and Grace. */
const start = async () => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' })) as [Person, Person]
  // Without the notice for Grace, which a worker would send at any time.
  await createChannel(ada, 'general', [ada, grace])
  const relays = await startRelays(realm.host)
  return { realm, relays, ada, grace }
}

const say = (client: Client, content: string) =>
  client.call('POST /messages', { type: 'channel', to: 'general', topic: 'greetings', content })

/** Reads the contents of the next messages. */
const readContents = async (events: EventStream, count: number): Promise<string[]> => {
  const contents: string[] = []
  for await (const event of events) {
    if (event.type === 'message') contents.push(event.message.content)
    if (contents.length === count) break
  }
  return contents
}

describe.each(transports)('over %s', (transport) => {
  test('A client receives the messages that another one sends, in order.', async () => {
    const { realm, relays, ada, grace } = await start()
    await using _ = realm
    await using __ = relays
    const events = relays.client(grace).events({ event_types: ['message'], transports: [transport] })
    await events.snapshot
    const sender = relays.client(ada)
    for (const content of ['one', 'two', 'three']) await say(sender, content)
    expect(await readContents(events, 3)).toEqual(['one', 'two', 'three'])
    expect(events.state.get()).toMatchObject({ status: 'closed', transport })
  })
})

test('A call is made over the open socket of the events.', async () => {
  const { realm, relays, ada } = await start()
  await using _ = realm
  await using __ = relays
  const client = relays.client(ada)
  const events = client.events({ event_types: ['message'], transports: ['websocket'] })
  await waitUntilOpen(events)
  const { id } = await say(client, 'hello')
  const { value } = await events[Symbol.asyncIterator]().next()
  expect(value).toMatchObject({ type: 'message', message: { id, content: 'hello' } })
  await expect(
    client.call('POST /messages', { type: 'channel', to: 'nowhere', topic: 't', content: 'x' }),
  ).rejects.toThrow(expect.objectContaining({ name: 'ApiError', status: 400 }))
  events.close()
})
