/** The form in which a queue is read: the Accept header with weights, and in several fields (RFC 9110). */
import { beforeAll, expect, test } from 'vitest'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { openRawConnection } from '../setup/requests/raw-request.js'

let ada: Person
beforeAll(async () => {
  ada = (await newRealmWith('Ada')).ada
})

test.each([
  ['no header', [], false],
  ['any type', ['*/*'], false],
  ['a stream', ['text/event-stream'], true],
  ['a stream in capital letters', ['Text/Event-Stream'], true],
  ['a stream with a parameter', ['text/event-stream; charset=utf-8'], true],
  ['a stream with a small weight', ['application/json, text/event-stream;q=0.001'], true],
  ['a stream after a space and a weight', ['text/html;q=0.9 ,\ttext/event-stream ; q=1.000'], true],
  ['no stream, by its weight', ['application/json;q=0.5, text/event-stream;q=0'], false],
  ['no stream, by a weight of zeros', ['text/event-stream;q=0.000'], false],
  ['any text', ['text/*'], false],
  ['a longer name', ['text/event-stream2'], false],
  ['a stream in the second field', ['*/*', 'text/event-stream'], true],
  ['a stream in the first field', ['text/event-stream', 'application/json'], true],
  ['no stream in two fields', ['application/json', 'text/event-stream;q=0'], false],
] as [string, string[], boolean][])(
  'A queue is read as a stream only by a client that accepts one: %s.',
  async (_, accepted, isStream) => {
    const { queue_id, last_event_id } = await ok(ada, 'POST', '/register', { event_types: '["message"]' })
    await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'hi' })
    await using connection = await openRawConnection(portOf(anyGateway()))
    connection.write(
      `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} HTTP/1.1\r\nHost: ${ada.host}\r\n` +
        `Authorization: ${basicAuthorization(ada)}\r\n${accepted.map((each) => `Accept: ${each}\r\n`).join('')}\r\n`,
    )
    const { status, headers } = await connection.readHead()
    expect([status, headers['content-type']]).toEqual([200, isStream ? 'text/event-stream' : 'application/json'])
  },
)
