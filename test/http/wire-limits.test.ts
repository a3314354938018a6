/** The limits of docs/clients.md ("Limits") that no other test sends to a gateway with all its parts. */
import { beforeAll, describe, expect, test } from 'vitest'
import { closes } from '../../src/domain/protocol/errors.js'
import { type GatewayOfOneTest, portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { readAnswer, withinDeadline } from '../setup/requests/odd-requests.js'
import { openRawConnection, sendRequest } from '../setup/requests/raw-request.js'
import { composeHandshake, Opcode, type RawSocket, shakeHands } from '../setup/requests/raw-websocket.js'

const MiB = 1024 * 1024

let ada: Person
let port: number
/** What a connection is sent after an answered request, until it ends, and how many seconds it stayed open. */
let idle: Promise<[rest: string, seconds: number]>
beforeAll(async () => {
  ada = (await newRealmWith('Ada')).ada
  port = portOf(anyGateway())
  idle = leaveIdle()
  idle.catch(() => {})
})

const leaveIdle = async (): Promise<[string, number]> => {
  await using connection = await openRawConnection(port)
  // The gateway counts from its answer on, which this process may read late.
  const begin = performance.now()
  connection.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await readAnswer(connection)
  const rest = await withinDeadline(connection.readToEnd(), 'end of an idle connection', 60_000)
  return [rest, (performance.now() - begin) / 1_000]
}

const post = (
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
  by: Person | undefined = ada,
) =>
  sendRequest(port, {
    method: 'POST',
    path: `/api/v1${path}`,
    host: ada.host,
    ...(by === undefined ? {} : { authorization: basicAuthorization(by) }),
    headers,
    body,
  })

describe('Bodies', () => {
  const form = (bytes: number) => 'content=hi&x='.padEnd(bytes, 'x')

  test('The body of a call has at most 1 MiB.', async () => {
    expect((await post('/messages/render', form(MiB))).json.rendered).toBe('<p>hi</p>')
    const { status, json } = await post('/messages/render', form(MiB + 1))
    expect([status, json.code]).toEqual([413, 'CONTENT_TOO_LARGE'])
  })

  // The gateways of the tests have MAX_FILE_UPLOAD_SIZE_MIB=4.
  test('A file has at most as many bytes as MAX_FILE_UPLOAD_SIZE_MIB says, in a form and in parts.', async () => {
    const upload = (bytes: number) => {
      const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n'
      const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes), Buffer.from('\r\n--x--\r\n')])
      return post('/user_uploads', body, { 'Content-Type': 'multipart/form-data; boundary=x' })
    }
    expect([(await upload(4 * MiB)).status, (await upload(4 * MiB + 1)).status]).toEqual([200, 400])
    const beginParts = (bytes: number) => {
      const metadata = { 'Upload-Length': String(bytes), 'Upload-Metadata': 'filename YS50eHQ=' }
      return post('/tus/', '', { 'Tus-Resumable': '1.0.0', ...metadata })
    }
    expect([(await beginParts(4 * MiB)).status, (await beginParts(4 * MiB + 1)).status]).toEqual([201, 413])
  })

  test('Without credentials, a body that does not arrive at once has at most 64 KiB.', async () => {
    const send = async (path: string, bytes: number) => {
      await using connection = await openRawConnection(port)
      const head = `POST /api/v1${path} HTTP/1.1\r\nHost: ${ada.host}\r\nContent-Length: ${bytes}\r\n`
      // The gateway says when it has read the head. It would read both parts at once when it is busy.
      connection.write(`${head}Expect: 100-continue\r\n\r\n`)
      const { status } = await readAnswer(connection)
      if (status !== 100) return status
      connection.write('x'.repeat(bytes))
      return (await readAnswer(connection)).status
    }
    expect(await send('/fetch_api_key', 64 * 1024)).toBe(400)
    expect(await send('/fetch_api_key', 64 * 1024 + 1)).toBe(413)
    expect(await send('/messages/render', 64 * 1024 + 1)).toBe(401)
  })

  test('At most 1,000 fields of a form are read, and a multipart form has at most 1,000 parts.', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `x${i}=y`).join('&')
    expect((await post('/messages/render', `${fields(999)}&content=hi`)).status).toBe(200)
    expect((await post('/messages/render', `${fields(1_000)}&content=hi`)).json.code).toBe('REQUEST_VARIABLE_MISSING')
    const part = '--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nhi\r\n'
    const parts = (count: number) =>
      post('/messages/render', `${part.repeat(count)}--x--\r\n`, { 'Content-Type': 'multipart/form-data; boundary=x' })
    expect((await parts(1_000)).status).toBe(200)
    expect((await parts(1_001)).status).toBe(400)
  })

  test('A JSON body has at most 100 levels.', async () => {
    const send = (levels: number) =>
      post('/messages/render', `{"content":"hi","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`, {
        'Content-Type': 'application/json',
      })
    expect((await send(100)).status).toBe(200)
    expect((await send(101)).status).toBe(400)
  })
})

describe('Sockets', () => {
  const frame = (req: number, path = '/users/me') => ({
    opcode: Opcode.text,
    payload: JSON.stringify({ req, method: 'GET', path }),
  })

  /** Sends calls in one packet, and reads to the end. */
  const sendAtOnce = async (count: number, ...last: { opcode: number; payload: string | Buffer }[]) => {
    const { socket } = await shakeHands(port, composeHandshake(ada))
    await socket.read()
    socket.send(...Array.from({ length: count }, (_, i) => frame(i + 1)), ...last)
    const answered = new Set<number>()
    const code = await readAll(socket, answered)
    await socket.connection[Symbol.asyncDispose]()
    return { answered: answered.size, code }
  }

  const readAll = async (socket: RawSocket, answered: Set<number>) => {
    for (;;) {
      const { opcode, text, code } = await socket.read()
      if (opcode === Opcode.close) return code
      const { req } = JSON.parse(text)
      if (typeof req === 'number') answered.add(req)
    }
  }

  const tooLarge = { opcode: Opcode.text, payload: ' '.repeat(MiB + 1) }
  const close = { opcode: Opcode.close, payload: Buffer.from([3, 232]) }

  test('A socket takes 1,032 calls at once; beyond it those that run are answered.', async () => {
    expect(await sendAtOnce(1_032, tooLarge)).toEqual({ answered: 1_032, code: closes.frameTooLarge.code })
    const { answered, code } = await sendAtOnce(3_000)
    expect(code).toBe(closes.tooManyCalls.code)
    // More, if the gateway received them in several parts.
    expect(answered).toBeGreaterThanOrEqual(32)
    expect(answered).toBeLessThan(3_000)
  })

  test('The calls before a wrong frame are answered when the gateway closes the socket.', async () => {
    const binary = { opcode: Opcode.binary, payload: 'x' }
    expect(await sendAtOnce(50, tooLarge)).toEqual({ answered: 50, code: closes.frameTooLarge.code })
    expect(await sendAtOnce(50, binary)).toEqual({ answered: 50, code: closes.badFrame.code })
    expect((await sendAtOnce(0, close)).code).toBe(1000)
  })

  // uWebSockets ends the connection before it tells the gateway.
  test.each([
    ['text that is not UTF-8', { opcode: Opcode.text, payload: Buffer.from([0xff]) }],
    ['a reserved opcode', { opcode: 3, payload: 'x' }],
    ['a message of more than 2 MiB', { opcode: Opcode.text, payload: ' '.repeat(2 * MiB + 1) }],
  ])('The calls before %s are made, and their answers may be lost.', async (_, wrong) => {
    const { socket } = await shakeHands(port, composeHandshake(ada))
    await socket.read()
    const content = `before ${wrong.payload.length} ${wrong.opcode}`
    const params = { type: 'direct', to: [ada.user_id], content }
    const sent = { opcode: Opcode.text, payload: JSON.stringify({ req: 1, method: 'POST', path: '/messages', params }) }
    socket.send(sent, wrong)
    expect(await socket.readEnd()).toBe('no close frame')
    const read = async () => {
      const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }
      return (await ok(ada, 'GET', '/messages', page)).messages.filter((message) => message.content === content).length
    }
    await expect.poll(read, { timeout: 10_000 }).toBe(1)
  })
})

describe('Rates', () => {
  test('An account has 200 calls and 200 polls a minute.', { timeout: 40_000 }, async () => {
    await using own: GatewayOfOneTest = await startOwnGateway({ RATE_LIMITS: 'on' })
    const at = { url: own.gateway.url }
    const count = async (path: string, params: Record<string, unknown>) => {
      const answers = await Promise.all(Array.from({ length: 210 }, () => call(own.ada, 'GET', path, params, at)))
      return answers.filter(({ status }) => status === 429).length
    }
    const { queue_id, last_event_id } = await ok(own.ada, 'POST', '/register', { event_types: '[]' }, at)
    expect(await count('/events', { queue_id, last_event_id, dont_block: true })).toBe(10)
    // One was the registration.
    expect(await count('/users/me', {})).toBe(11)
  })
})

test('An idle connection is closed after 28 to 32 seconds, without a byte.', { timeout: 60_000 }, async () => {
  const [rest, seconds] = await idle
  expect(rest).toBe('')
  expect(seconds).toBeGreaterThan(27)
})
