/** Calls that the client library makes over a socket which the gateway closes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SocketClass } from '../../client/src/index.js'
import { startRelays, waitUntilOpen } from '../setup/clients/library-client.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { waitUntilRefusing } from '../setup/processes/processes.js'
import type { Relay } from '../setup/proxies/relay.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { lockTable } from '../setup/realm/table-lock.js'

test('A message that a closing gateway did not take any more is sent over another one, once.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const closing = await fleet.newGateway()
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  // Calls over HTTP begin with the first gateway.
  await using relays = await startRelays(fleet.realm.host, [closing.url, fleet.gateway.url])
  const posted: unknown[] = []
  // To this one, the gateway does not announce that it closes, as gateways of earlier releases.
  class Unannounced extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address.replace('&announce_close=true', ''), protocols)
    }
  }
  const client = relays.client(ada, {
    WebSocket: Unannounced as unknown as SocketClass,
    fetch(address, init) {
      if (String(address).endsWith('/messages')) posted.push(address)
      return fetch(address, init)
    },
  })
  const events = client.events({ event_types: ['message'], transports: ['websocket'] })
  events.switchGateway(client.gateways[0] as string)
  await waitUntilOpen(events)
  const send = (content: string) =>
    client.call('POST /messages', { type: 'direct', to: JSON.stringify([ada.user_id]), content })

  const lock = await lockTable(fleet.database_url, 'messages')
  const taken = send('taken')
  await lock.waitForWaiter()
  const stopped = closing.stop()
  await waitUntilRefusing(closing.url)
  // For one more second it takes calls.
  await sleep(1_500)
  const late = send('late')
  await sleep(200)
  await lock.release()
  const ids = [(await taken).id, (await late).id]
  expect(await stopped).toBe('exit code 0')
  events.close()
  expect(posted).toEqual([`${client.gateways[1]}/api/v1/messages`])

  const { messages } = await ok(
    ada,
    'GET',
    '/messages',
    { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false },
    { url: fleet.gateway.url },
  )
  expect(messages).toMatchObject([
    { id: ids[0], content: 'taken' },
    { id: ids[1], content: 'late' },
  ])
})

test('No call fails when a gateway shuts down behind a proxy that resets connections.', {
  timeout: 60_000,
}, async () => {
  await using fleet = await startOwnFleet()
  const closing = await fleet.newGateway()
  const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
  await using relays = await startRelays(fleet.realm.host, [closing.url, fleet.gateway.url])
  const client = relays.client(ada)
  const events = client.events({ event_types: ['message'], transports: ['websocket'] })
  events.switchGateway(client.gateways[0] as string)
  await waitUntilOpen(events)
  Object.assign(relays.list[0] as Relay, { delay: 20, resetsAtEnd: true })
  let isStopped = false
  const ids: number[] = []
  const send = async (_: unknown, sender: number) => {
    for (let count = 1; !isStopped; count += 1) {
      const content = `${sender} ${count}`
      ids.push((await client.call('POST /messages', { type: 'direct', to: JSON.stringify([ada.user_id]), content })).id)
      await sleep(sender)
    }
  }
  const sending = Promise.all(Array.from({ length: 8 }, send))
  expect(await closing.stop()).toBe('exit code 0')
  isStopped = true
  await sending
  events.close()

  const page = { anchor: 'oldest', num_before: 0, num_after: 5_000 } as const
  const { messages } = await ok(ada, 'GET', '/messages', page, { url: fleet.gateway.url })
  expect(messages.map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b))
})

test('A call that ends its own socket is answered, and what follows it is refused.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await using relays = await startRelays(realm.host)
  const client = relays.client(ada)
  const events = client.events({ event_types: ['message'], transports: ['websocket'] })
  await waitUntilOpen(events)
  const { api_key } = await client.call('POST /users/me/api_key/regenerate')
  await expect(client.call('GET /users/me')).rejects.toMatchObject({ name: 'ApiError', status: 401 })
  const renewed = relays.client({ ...ada, api_key })
  expect(await renewed.call('GET /users/me')).toMatchObject({ full_name: 'Ada' })
  await expect.poll(() => events.state.get().status).toBe('closed')
})
