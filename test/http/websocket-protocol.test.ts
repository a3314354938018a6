/**
 * The WebSocket protocol of a gateway (RFC 6455), in the bytes of a client: handshakes, frames, fragments and closes.
 * Each odd frame ends the socket at once, with the code of the RFC or as docs/operations.md says.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { subprotocols } from '../../client/src/kernel/credentials.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { anyGateway, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { divide, readAnswer, toBytes, withinDeadline } from '../setup/requests/odd-requests.js'
import { openRawConnection } from '../setup/requests/raw-request.js'
import {
  composeHandshake,
  encodeFrame,
  Opcode,
  type RawSocket,
  type SentFrame,
  shakeHands,
} from '../setup/requests/raw-websocket.js'

const MiB = 1024 * 1024

let ada: Person
let port: number
beforeAll(async () => {
  ada = (await newRealmWith('Ada')).ada
  port = portOf(anyGateway())
})

/** Opens a socket, and reads the answer to its registration. */
const open = async (): Promise<RawSocket & AsyncDisposable> => {
  const { head, socket } = await shakeHands(port, composeHandshake(ada))
  expect(head.line).toBe('HTTP/1.1 101 Switching Protocols')
  expect(JSON.parse((await socket.read()).text)).toMatchObject({ req: 0, status: 200 })
  return { ...socket, [Symbol.asyncDispose]: () => socket.connection[Symbol.asyncDispose]() }
}

const composeCall = (content = 'hi', req = 1) =>
  JSON.stringify({ req, method: 'POST', path: '/messages/render', params: { content } })
const text = (payload: string | Uint8Array): SentFrame => ({ opcode: Opcode.text, payload })

/** The next frame with the answer to a call. */
const readRendered = async (socket: RawSocket): Promise<string> => JSON.parse((await socket.read()).text).body.rendered

const expectCallWorks = async (socket: RawSocket) => {
  socket.send(text(composeCall('still here', 99)))
  expect(await readRendered(socket)).toBe('<p>still here</p>')
}

describe('Handshakes', () => {
  test('A handshake is accepted with the headers of browsers, in any case and any packets.', async () => {
    const headers = { Connection: 'keep-alive, UPGRADE', Upgrade: 'WebSocket' }
    for (const pieces of divide(toBytes(composeHandshake(ada, headers)))) {
      await using connection = await openRawConnection(port)
      await connection.writeInPackets(pieces)
      const { line, headers } = await withinDeadline(connection.readHead(), 'answer')
      expect([line, headers['sec-websocket-accept']]).toEqual([
        'HTTP/1.1 101 Switching Protocols',
        's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
      ])
    }
  })

  test('Two headers with subprotocols are one list.', async () => {
    const values = subprotocols({ email: ada.email, apiKey: ada.api_key })
    const lines = values.map((value) => `Sec-WebSocket-Protocol: ${value}\r\n`).join('')
    const handshake = composeHandshake(ada, { Authorization: undefined })
    await using connection = await openRawConnection(port)
    connection.write(handshake.replace('Upgrade:', `${lines}Upgrade:`))
    const head = await withinDeadline(connection.readHead(), 'answer')
    expect([head.line, head.headers['sec-websocket-protocol']]).toEqual([
      'HTTP/1.1 101 Switching Protocols',
      'parley.v1',
    ])
  })

  const withVersion = (version: string | undefined) => composeHandshake(ada, { 'Sec-WebSocket-Version': version })
  test.each([
    ['version 0', () => withVersion('0')],
    ['version 7', () => withVersion('7')],
    ['version 8', () => withVersion('8')],
    ['version 12', () => withVersion('12')],
    ['version 14', () => withVersion('14')],
    ['version 113', () => withVersion('113')],
    ['version 013', () => withVersion('013')],
    ['a list of versions', () => withVersion('13, 8')],
    ['an empty version', () => withVersion('')],
    ['no version', () => withVersion(undefined)],
    ['no Upgrade', () => composeHandshake(ada, { Upgrade: undefined })],
    ['another protocol', () => composeHandshake(ada, { Upgrade: 'h2c' })],
    ['no Connection', () => composeHandshake(ada, { Connection: undefined })],
    ['Connection: keep-alive', () => composeHandshake(ada, { Connection: 'keep-alive' })],
  ])('A handshake with %s is answered with 426 and the version that the gateway speaks.', async (_, handshake) => {
    for (const pieces of divide(toBytes(handshake()))) {
      await using connection = await openRawConnection(port)
      await connection.writeInPackets(pieces)
      const { line, headers, body } = await readAnswer(connection)
      expect(line).toBe('HTTP/1.1 426 Upgrade Required')
      expect([headers.upgrade, headers.connection, headers['sec-websocket-version']]).toEqual([
        'websocket',
        'Upgrade',
        '13',
      ])
      expect(JSON.parse(body)).toMatchObject({ result: 'error', code: 'UPGRADE_REQUIRED' })
      connection.write(composeHandshake(ada))
      expect((await withinDeadline(connection.readHead(), 'answer')).status).toBe(101)
    }
  })

  const withKey = (key: string | undefined) => composeHandshake(ada, { 'Sec-WebSocket-Key': key })
  test.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a short key', 'abc'],
    ['a key of 15 bytes', 'AAAAAAAAAAAAAAAAAAAA'],
    ['a key of 17 bytes', 'AAAAAAAAAAAAAAAAAAAAAAA='],
    ['a key of 18 bytes', 'AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['a long key', 'dGhlIHNhbXBsZSBub25jZQ==x'],
    ['24 characters that are not base64', '!!!!!!!!!!!!!!!!!!!!!!=='],
    ['a key with bits beyond its 16 bytes', 'dGhlIHNhbXBsZSBub25jZB=='],
  ])('A handshake with %s is answered with 400.', async (_, key) => {
    await using connection = await openRawConnection(port)
    connection.write(withKey(key))
    const { line, body } = await readAnswer(connection)
    expect(line).toBe('HTTP/1.1 400 Bad Request')
    expect(JSON.parse(body).msg).toBe('This WebSocket handshake has no valid Sec-WebSocket-Key.')
  })

  test.each([
    ['HTTP/1.0', 'GET /api/v1/events HTTP/1.0', 505],
    ['POST', 'POST /api/v1/events HTTP/1.1', 405],
    ['another path', 'GET /api/v1/users/me HTTP/1.1', 404],
  ])('A handshake with %s is refused.', async (_, line, status) => {
    await using connection = await openRawConnection(port)
    connection.write(composeHandshake(ada, {}, line))
    expect((await readAnswer(connection)).status).toBe(status)
  })
})

describe('Messages', () => {
  test.each([
    ['a text', [text(composeCall())]],
    ['a length of 16 bits that 7 would hold', [{ ...text(composeCall()), length: [126, 0, composeCall().length] }]],
    [
      'a length of 64 bits that 7 would hold',
      [{ ...text(composeCall()), length: [127, 0, 0, 0, 0, 0, 0, 0, composeCall().length] }],
    ],
    ['a pong before it', [{ opcode: Opcode.pong, payload: 'x' }, text(composeCall())]],
    [
      'two fragments',
      [
        { ...text(composeCall().slice(0, 9)), isLast: false },
        { opcode: Opcode.continuation, payload: composeCall().slice(9) },
      ],
    ],
    [
      'a fragment for each character, and an empty one at the end',
      [
        { ...text(''), isLast: false },
        ...[...composeCall()].map((payload) => ({ opcode: Opcode.continuation, payload, isLast: false })),
        { opcode: Opcode.continuation },
      ],
    ],
  ] as [string, SentFrame[]][])('A call is answered in any packets when it is sent as %s.', async (_, frames) => {
    for (const pieces of divide(Buffer.concat(frames.map(encodeFrame)))) {
      await using socket = await open()
      for (const piece of pieces) {
        socket.connection.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      expect(await readRendered(socket)).toBe('<p>hi</p>')
    }
  })

  test('Control frames between the fragments of a call are answered, in any packets.', async () => {
    const call = composeCall('é€𝄞')
    const bytes = Buffer.from(call)
    const frames: SentFrame[] = [
      { ...text(bytes.subarray(0, bytes.indexOf('€') + 1)), isLast: false },
      { opcode: Opcode.ping, payload: 'one' },
      { opcode: Opcode.continuation, payload: bytes.subarray(bytes.indexOf('€') + 1, -6), isLast: false },
      { opcode: Opcode.pong },
      { opcode: Opcode.ping, payload: 'x'.repeat(125) },
      { opcode: Opcode.continuation, payload: bytes.subarray(-6) },
    ]
    for (const pieces of divide(Buffer.concat(frames.map(encodeFrame)))) {
      await using socket = await open()
      for (const piece of pieces) {
        socket.connection.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      expect(await socket.read()).toEqual({ opcode: Opcode.pong, text: 'one' })
      expect(await socket.read()).toEqual({ opcode: Opcode.pong, text: 'x'.repeat(125) })
      expect(await readRendered(socket)).toBe('<p>é€𝄞</p>')
    }
  })

  test('A ping is answered with its payload, and one without a payload with none.', async () => {
    await using socket = await open()
    socket.send({ opcode: Opcode.ping, payload: 'hi' }, { opcode: Opcode.ping })
    expect([await socket.read(), await socket.read()]).toEqual([
      { opcode: Opcode.pong, text: 'hi' },
      { opcode: Opcode.pong, text: '' },
    ])
    await expectCallWorks(socket)
  })

  test('An empty text is no call, and the socket stays open.', async () => {
    await using socket = await open()
    socket.send(text(''))
    expect(JSON.parse((await socket.read()).text)).toMatchObject({ req: null, status: 400 })
    await expectCallWorks(socket)
  })

  test('A client that sends nothing after the handshake keeps its socket.', async () => {
    await using socket = await open()
    await new Promise((resolve) => setTimeout(resolve, 500))
    await expectCallWorks(socket)
  })
})

describe('Sizes', () => {
  const large = (bytes: number): string => composeCall().padEnd(bytes)

  test('A call of 1 MiB is answered, in one frame and in fragments.', async () => {
    await using socket = await open()
    socket.send(text(large(MiB)))
    expect(await readRendered(socket)).toBe('<p>hi</p>')
    const fragment = (from: number) => ({
      payload: large(MiB).slice(from, from + MiB / 4),
      isLast: from === (3 * MiB) / 4,
    })
    socket.send(
      { opcode: Opcode.text, ...fragment(0) },
      ...[1, 2, 3].map((n) => ({ opcode: Opcode.continuation, ...fragment((n * MiB) / 4) })),
    )
    expect(await readRendered(socket)).toBe('<p>hi</p>')
  })

  test.each([
    ['a text of one byte more', [text(large(MiB + 1))]],
    ['a text of 2 MiB', [text(large(2 * MiB))]],
    ['a binary message', [{ opcode: Opcode.binary, payload: large(MiB + 1) }]],
    [
      'fragments that are small each',
      [
        { ...text(large(MiB / 2)), isLast: false },
        { opcode: Opcode.continuation, payload: large(MiB / 2), isLast: false },
        { opcode: Opcode.continuation, payload: ' ' },
      ],
    ],
  ] as [string, SentFrame[]][])('A message of more than 1 MiB closes the socket with 1009: %s.', async (_, frames) => {
    await using socket = await open()
    socket.send(...frames)
    expect(await socket.readEnd()).toBe(1009)
  })

  // The library closes the connection itself, and sends no close frame: the client sees 1006.
  test.each([
    ['a frame', [text(large(2 * MiB + 1))]],
    ['the head of a frame', [{ ...text(''), length: [127, 0, 0, 0, 0, 0, 0x20, 0, 1] }]],
    ['a length of 4 GiB and one byte', [{ ...text('x'), length: [127, 0, 0, 0, 1, 0, 0, 0, 1] }]],
    ['a length with the highest bit', [{ ...text('x'), length: [127, 0x80, 0, 0, 0, 0, 0, 0, 1] }]],
    ['a length of 2^64 - 1', [{ ...text('x'), length: [127, 255, 255, 255, 255, 255, 255, 255, 255] }]],
    [
      'fragments',
      [
        { ...text(large(MiB)), isLast: false },
        { opcode: Opcode.continuation, payload: large(MiB), isLast: false },
        { opcode: Opcode.continuation, payload: ' ', isLast: false },
      ],
    ],
  ] as [string, SentFrame[]][])('A message of more than 2 MiB ends the connection at once: %s.', async (_, frames) => {
    await using socket = await open()
    socket.send(...frames)
    expect(await socket.readEnd()).toBe('no close frame')
  })
})

describe('Faults', () => {
  // The library closes the connection itself, and sends no close frame: the client sees 1006, not 1002 or 1007.
  test.each([
    ['the reserved bit 1', [{ ...text(composeCall()), reserved: 0x40 }]],
    ['the reserved bit 2', [{ ...text(composeCall()), reserved: 0x20 }]],
    ['the reserved bit 3', [{ ...text(composeCall()), reserved: 0x10 }]],
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => [`the opcode ${opcode}`, [{ opcode, payload: 'x' }]]),
    ['a ping in fragments', [{ opcode: Opcode.ping, payload: 'x', isLast: false }]],
    ['a close in fragments', [{ opcode: Opcode.close, payload: '\x03\xe8', isLast: false }]],
    ['a ping of 126 bytes', [{ opcode: Opcode.ping, payload: 'x'.repeat(126) }]],
    [
      'a close of 126 bytes',
      [{ opcode: Opcode.close, payload: Buffer.concat([Buffer.from([3, 232]), Buffer.alloc(124, 120)]) }],
    ],
    ['a continuation without a start', [{ opcode: Opcode.continuation, payload: 'x' }]],
    ['a continuation after a whole message', [text(composeCall()), { opcode: Opcode.continuation, payload: 'x' }]],
    ['a new text within fragments', [{ ...text('x'), isLast: false }, text(composeCall())]],
    ['bytes that are not UTF-8', [text(Buffer.from([0x68, 0xff]))]],
    ['an overlong form of UTF-8', [text(Buffer.from([0xc0, 0x80]))]],
    ['a surrogate', [text(Buffer.from([0xed, 0xa0, 0x80]))]],
    ['a character beyond U+10FFFF', [text(Buffer.from([0xf4, 0x90, 0x80, 0x80]))]],
    ['half a character at the end', [text(Buffer.from([0x68, 0xe2, 0x82]))]],
    [
      'bytes that are not UTF-8 across fragments',
      [
        { ...text(Buffer.from([0xe2, 0x82])), isLast: false },
        { opcode: Opcode.continuation, payload: 'x' },
      ],
    ],
  ] as [string, SentFrame[]][])('A frame that the RFC forbids ends the connection at once: %s.', async (_, frames) => {
    for (const pieces of divide(Buffer.concat(frames.map(encodeFrame)))) {
      await using socket = await open()
      for (const piece of pieces) {
        socket.connection.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      expect(await socket.readEnd()).toBe('no close frame')
    }
  })

  test('A binary message closes the socket with 4500, also within the fragments of a text.', async () => {
    for (const before of [[], [{ ...text('x'), isLast: false }]]) {
      await using socket = await open()
      socket.send(...before, { opcode: Opcode.binary, payload: composeCall() })
      expect(await socket.readEnd()).toBe(4500)
    }
  })

  // The library takes every frame for masked. The first bytes of the payload are its mask, and the rest is no call.
  test('A call without a mask is not run.', async () => {
    await using socket = await open()
    socket.send({ ...text(composeCall('not masked')), isMasked: false })
    socket.connection.write(Buffer.alloc(4))
    const frame = await socket.read().catch(() => undefined)
    if (frame !== undefined) expect(JSON.parse(frame.text)).toMatchObject({ req: null, status: 400 })
  })
})

describe('Closes', () => {
  const close = (code: number, reason: string | Uint8Array = ''): SentFrame => ({
    opcode: Opcode.close,
    payload: Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]),
  })

  test.each([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 4000, 4999])(
    'A close frame with the code %d is answered with its code.',
    async (code) => {
      await using socket = await open()
      socket.send(close(code, 'bye'))
      expect(await socket.readEnd()).toBe(code)
    },
  )

  test.each([
    ['no code', { opcode: Opcode.close }],
    ['one byte', { opcode: Opcode.close, payload: '\x03' }],
    ...[0, 999, 1004, 1005, 1006, 1012, 1015, 1016, 2999, 3000, 5000, 65535].map((code) => [
      `the code ${code}`,
      close(code),
    ]),
    ['a reason that is not UTF-8', close(1000, Buffer.from([0xff]))],
  ] as [string, SentFrame][])('A close frame with %s is answered with an empty close frame.', async (_, frame) => {
    await using socket = await open()
    socket.send(frame)
    expect(await socket.readEnd()).toBe('no code')
  })

  test('A call after the close frame is not answered.', async () => {
    await using socket = await open()
    socket.send(close(1000), text(composeCall()))
    expect(await socket.read()).toMatchObject({ opcode: Opcode.close, code: 1000 })
    await withinDeadline(socket.connection.closed, 'end of the connection')
  })

  test('The connection is closed when the client ends its side without a close frame.', async () => {
    await using socket = await open()
    socket.connection.endWriting()
    expect(await socket.readEnd()).toBe('no close frame')
  })
})
