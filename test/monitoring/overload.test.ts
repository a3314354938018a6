/** What clients get while Postgres answers, but too slowly: an answer of 503 at once, and no lost connection. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { lockTable } from '../setup/realm/table-lock.js'

const refused = { status: 503, body: { code: 'DATABASE_UNAVAILABLE', 'retry-after': 1 } }

test.each([
  // Every read waits for the query of the head, and every send for the commit before it.
  ['the heads of the logs', 'log_heads', 2],
  // Every connection of the pool waits.
  ['the messages', 'messages', 30],
] as const)(
  'While a lock on %s stays, new calls are refused at once, and open connections stay open.',
  {
    timeout: 60_000,
  },
  async (_, table, count) => {
    await using fleet = await startOwnFleet()
    const { url } = fleet.gateway
    const [ada] = (await fleet.realm.people({ full_name: 'Ada' })) as [Person]
    const send = () => call(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'x' }, { url })
    const read = () => call(ada, 'GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 }, { url })
    const queue = await ok(ada, 'POST', '/register', { event_types: ['message'], fetch_event_types: [] }, { url })
    const poll = call(ada, 'GET', '/events', { queue_id: queue.queue_id, last_event_id: queue.last_event_id }, { url })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/events?event_types=["message"]`, {
      headers: { Host: ada.host, Authorization: basicAuthorization(ada) },
    })
    const frames: string[] = []
    socket.on('message', (data) => frames.push(String(data)))
    await once(socket, 'open')
    await expect.poll(() => frames.length).toBe(1)

    const lock = await lockTable(fleet.database_url, table)
    const waiting = Array.from({ length: count }, read)
    // Calls that began before wait like the others.
    const readBriefly = () => Promise.race([read(), sleep(300)])
    await expect.poll(readBriefly, { timeout: 20_000 }).toMatchObject(refused)
    // None of them waits for the lock, which stays.
    for (let i = 0; i < 20; i++) expect(await read()).toMatchObject(refused)
    expect(socket.readyState).toBe(WebSocket.OPEN)

    await lock.release()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    await expect.poll(async () => (await send()).status, { timeout: 10_000 }).toBe(200)
    expect((await poll).status).toBe(200)
    await expect.poll(() => frames.length, { timeout: 10_000 }).toBeGreaterThan(1)
    socket.terminate()
  },
)
