/**
 * Requests as HTTP libraries send them, byte for byte (requests/README.md): a form, an upload and a long poll of each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { fetchMessage } from '../setup/realm/messages.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { fetchFile } from '../setup/requests/files.js'
import { openRawConnection } from '../setup/requests/raw-request.js'

const folder = join(import.meta.dirname, 'requests')
const files = readdirSync(folder).filter((name) => name.endsWith('.http'))
const named = (kind: string) => files.filter((name) => name.replace('.by-hand', '').endsWith(`-${kind}.http`))

const TEXT = 'Grüße & 100% + "ok" ✓'
const FILE = 'plan ü\r\n--x\r\n'

describe('The server answers requests of HTTP libraries', () => {
  let realm: TestRealm
  let ada: Person

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  })
  afterAll(() => realm[Symbol.asyncDispose]())

  /** The recorded bytes, with the host, the credentials and the queue of this test. */
  const load = (name: string, cursor?: { queue_id: string; last_event_id: number }): string => {
    const [head = '', ...body] = readFileSync(join(folder, name), 'latin1').split('\r\n\r\n')
    const replaced = head
      .replace(/^host:.*$/im, (line) => `${line.slice(0, 5)} ${ada.host}`)
      .replace(/^authorization:.*$/im, (line) => `${line.slice(0, 14)} ${basicAuthorization(ada)}`)
      .replace('00000000-0000-4000-8000-000000000000', cursor?.queue_id ?? '')
      .replace('last_event_id=-1', `last_event_id=${cursor?.last_event_id ?? -1}`)
    return [replaced, ...body].join('\r\n\r\n')
  }

  const send = async (text: string): Promise<Record<string, unknown>> => {
    await using connection = await openRawConnection(Number(new URL(anyGateway()).port))
    connection.write(Buffer.from(text, 'latin1'))
    const { status, headers } = await connection.readHead()
    const bytes = Buffer.from(await connection.readBytes(Number(headers['content-length'])), 'latin1')
    const json = JSON.parse(bytes.toString())
    expect([status, json.result, json.msg]).toEqual([200, 'success', ''])
    return json
  }

  test.each(named('form'))('%s sends a message.', async (name) => {
    const { id } = await send(load(name))
    const { messages } = await ok(ada, 'GET', '/messages', {
      anchor: id,
      num_before: 0,
      num_after: 0,
      apply_markdown: false,
    })
    expect([(await fetchMessage(ada, id as number)).type, messages[0]?.content]).toEqual(['private', TEXT])
  })

  test.each(named('upload'))('%s uploads a file.', async (name) => {
    const { url, filename } = await send(load(name))
    const { text } = await fetchFile(ada.host, url as string, ada)
    expect([filename, text]).toEqual([name.startsWith('aiohttp') ? 'plan%20%C3%BC.txt' : 'plan ü.txt', FILE])
  })

  test.each(named('poll'))('%s waits for an event.', async (name) => {
    const { queue_id, last_event_id } = await ok(ada, 'POST', '/register', { event_types: ['message'] })
    const waiting = send(
      load(name, { queue_id: queue_id as string, last_event_id: last_event_id as number }).replace(
        'dont_block=true',
        'dont_block=false',
      ),
    )
    const { id } = await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'hi' })
    const { events } = (await waiting) as { events: { message: { id: number } }[] }
    expect(events.map(({ message }) => message.id)).toEqual([id])
  })

  test('Each library has a form, an upload and a poll.', () => {
    expect([named('form').length, named('upload').length, named('poll').length]).toEqual([14, 14, 13])
  })
})
