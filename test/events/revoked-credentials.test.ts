/**
 * A connection loses its rights together with its account, its key or its organization: also while the gateway still
 * sends its backlog, on every transport. Each test is the attack: a client that reads slowly and goes on reading.
 */
import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { basicAuthorization, Refused, readEvents } from '../setup/realm/event-reader.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { anyGateway, newRealm, ok, type Person } from '../setup/realm/realm.js'

/** The backlog is larger than the buffers of the sockets on both sides and several parts of a backlog. */
const BACKLOG_MESSAGES = 3_000
const LONG_TEXT = 'x'.repeat(9_900)

interface StalledReader {
  /** Reads on until the connection ends. @returns everything that came, as text */
  readToEnd(): Promise<string>
}

const stallSocket = async (url: string, reader: Person, query: string): Promise<StalledReader> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/events?${query}`, {
    headers: { Host: reader.host, Authorization: basicAuthorization(reader) },
  })
  let text = ''
  socket.on('message', (data) => {
    text += String(data)
  })
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.pause()
  return {
    async readToEnd() {
      socket.resume()
      await ended
      return text
    },
  }
}

const stallStream = (url: string, reader: Person, query: string): Promise<StalledReader> =>
  new Promise((resolve, reject) => {
    const headers = { Host: reader.host, Authorization: basicAuthorization(reader), Accept: 'text/event-stream' }
    const request = http.get(`${url}/api/v1/events?${query}`, { agent: false, headers }, (response) => {
      let text = ''
      const ended = new Promise<void>((done) => response.on('close', done).on('error', () => {}))
      resolve({
        async readToEnd() {
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          await ended
          return text
        },
      })
    })
    request.on('error', reject)
  })

const revocations: [string, (owner: Person, reader: Person) => Promise<unknown>][] = [
  ['regenerates the key', (_, reader) => ok(reader, 'POST', '/users/me/api_key/regenerate')],
  ['is deactivated', (owner, reader) => ok(owner, 'DELETE', `/users/${reader.user_id}`)],
]

describe.each([
  ['WebSocket', stallSocket],
  ['stream of server-sent events', stallStream],
])('A %s whose backlog is still being sent', (_, stall) => {
  test.each(revocations)(
    'It receives no message that is sent after its user %s.',
    { timeout: 120_000 },
    async (_, revoke) => {
      await using realm = await newRealm()
      const [owner, reader] = (await realm.people({ full_name: 'Olga', role: 100 }, { full_name: 'Rita' })) as [
        Person,
        Person,
      ]
      await createChannel(owner, 'team', [owner, reader])
      const { queue_id, last_event_id } = await ok(reader, 'POST', '/register', {
        event_types: ['message'],
        fetch_event_types: [],
        queue_lifespan_secs: 3_600,
      })
      for (let sent = 0; sent < BACKLOG_MESSAGES; sent += 100) {
        await Promise.all(Array.from({ length: 100 }, () => postMessage(owner, 'team', 't', LONG_TEXT)))
      }
      const url = anyGateway()
      const connection = await stall(url, reader, `queue_id=${queue_id}&last_event_id=${last_event_id}`)

      await revoke(owner, reader)
      await postMessage(owner, 'team', 't', 'only for those who still may read')

      expect(await connection.readToEnd()).not.toContain('only for those who still may read')
    },
  )
})

test('A waiting poll is refused when its user regenerates the key.', async () => {
  await using realm = await newRealm()
  const [reader] = (await realm.people({ full_name: 'Rita' })) as [Person]
  const { queue_id, last_event_id } = await ok(reader, 'POST', '/register', { event_types: ['message'] })
  const poll = readEvents('poll', anyGateway(), reader, { queue_id, last_event_id }, 30_000)
  const refused = expect(poll).rejects.toBeInstanceOf(Refused)
  await ok(reader, 'POST', '/users/me/api_key/regenerate')
  await refused
})
