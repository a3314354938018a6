/** Tickets with which EventSource opens a stream of one queue (gateway/api/events/stream-tickets.ts). */
import { expect, test } from 'vitest'
import { authenticateByTicket } from '../../src/gateway/api/events/stream-tickets.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { openRawConnection, sendRequest } from '../setup/requests/raw-request.js'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  const register = (person: Person) => ok(person, 'POST', '/register', { event_types: [], fetch_event_types: [] })
  const { queue_id } = await register(ada)
  const { ticket } = await ok(ada, 'POST', '/events/ticket', { queue_id })
  const stream = (params: Record<string, string>, accept = 'text/event-stream') =>
    sendRequest(portOf(anyGateway()), {
      path: `/api/v1/events?${new URLSearchParams({ last_event_id: '-1', ...params })}`,
      host: ada.host,
      headers: { Accept: accept },
    })
  return { realm, ada, grace, register, queue_id, ticket, stream }
}

test('A ticket opens a stream of its queue on any gateway, without an Authorization header.', async () => {
  const { realm, ada, queue_id, ticket } = await setUp()
  await using _ = realm
  await using connection = await openRawConnection(portOf(anyGateway()))
  const path = `/api/v1/events?queue_id=${queue_id}&last_event_id=-1&ticket=${ticket}`
  connection.write(`GET ${path} HTTP/1.1\r\nHost: ${ada.host}\r\nAccept: text/event-stream\r\n\r\n`)
  expect(await connection.readHead()).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } })
})

test('A ticket opens nothing else: no other queue, no poll, no other call, and no queue of another account.', async () => {
  const { realm, ada, grace, register, queue_id, ticket, stream } = await setUp()
  await using _ = realm
  const other = await register(ada)
  const hers = await register(grace)
  for (const id of [other.queue_id, hers.queue_id, '']) {
    expect(await stream({ queue_id: id, ticket })).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } })
  }
  const poll = await stream({ queue_id, ticket, dont_block: 'true' }, '*/*')
  expect([poll.status, poll.json.code]).toEqual([400, 'BAD_REQUEST'])
  const read = await sendRequest(portOf(anyGateway()), { path: `/api/v1/users/me?ticket=${ticket}`, host: ada.host })
  expect(read.status).toBe(401)
  expect(await call(grace, 'POST', '/events/ticket', { queue_id })).toMatchObject({
    status: 400,
    body: { code: 'BAD_EVENT_QUEUE_ID' },
  })
  for (const wrong of ['', 'x', ticket.slice(0, -1), `${ticket.slice(0, -1)}~`, ticket.replace(/^\d+/, '999999')]) {
    expect((await stream({ queue_id, ticket: wrong })).status, wrong).toBe(401)
  }
})

test('A ticket expires after a minute, and becomes invalid with the API key and the account.', async () => {
  const { realm, ada, queue_id, ticket, stream } = await setUp()
  await using _ = realm
  await realm.realm.barrier()
  const request = { fields: { ticket, queue_id } }
  const now = Number(ticket.split('-')[1]) - 60
  expect(authenticateByTicket(realm.realm, request, now + 60)).toMatchObject({ id: ada.user_id })
  expect(() => authenticateByTicket(realm.realm, request, now + 61)).toThrow('has expired')
  await ok(ada, 'POST', '/users/me/api_key/regenerate')
  // A gateway that does not know of the new key yet opens the stream, and ends it as soon as it knows.
  await expect.poll(async () => (await stream({ queue_id, ticket })).status).toBe(401)
})
