/** The entries in the memory of a gateway that has just started. */
import { expect, test } from 'vitest'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { countingProxy } from '../setup/proxies/counting-proxy.js'
import { type Cursor, readUntil, type WireEvent } from '../setup/realm/event-reader.js'
import { ok, type Person } from '../setup/realm/realm.js'

test('A gateway that has just started reads the entries that many clients missed once for all of them.', async () => {
  await using fleet = await startOwnFleet()
  const { realm } = fleet
  const people = await realm.people(...Array.from({ length: 20 }, (_, i) => ({ full_name: `Reader ${i}` })))
  const [ada] = people as [Person]
  const url = fleet.gateway.url
  const principals = people.map(({ user_id }) => user_id)
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals }, { url })
  const send = async (content: string) => {
    const fields = { type: 'stream', to: 'general', topic: 't', content }
    return (await ok(ada, 'POST', '/messages', fields, { url })).id
  }
  // Their cursors differ.
  const cursors: Cursor[] = []
  const ids: number[] = []
  for (const [i, person] of people.entries()) {
    const options = { event_types: ['message'], fetch_event_types: [] }
    cursors.push(await ok(person, 'POST', '/register', options, { url }))
    ids.push(await send(`number ${i}`))
  }

  await using proxy = await countingProxy(fleet.database_url)
  const countReads = () => proxy.statements().filter((statement) => / from log where /.test(statement)).length
  const fresh = await fleet.newGateway({ DATABASE_URL: proxy.url })
  await ok(ada, 'GET', '/users/me', {}, { url: fresh.url })
  const before = countReads()
  const messageId = (event: WireEvent) => (event.type === 'message' ? (event.message as { id: number }).id : undefined)
  const isLast = (event: WireEvent) => messageId(event) === ids.at(-1)
  const read = await Promise.all(
    people.map((person, i) => readUntil('websocket', fresh.url, person, cursors[i] as Cursor, isLast)),
  )
  for (const [i, events] of read.entries()) {
    expect(events.flatMap((event) => messageId(event) ?? [])).toEqual(ids.slice(i))
  }
  expect(countReads() - before).toBeLessThan(people.length / 2)
  await fresh.stop()
})
