/**
 * The HTTP parser of a gateway, in the bytes of a client: each request gets the answer of its RFC (9110, 9112) or one
 * that docs/operations.md names. Each is sent whole and in several packets.
 *
 * uWebSockets closes a connection without an answer when it has waited for the rest of a head for 28 to 32 seconds. So
 * an answer counts only if it comes long before, and the requests that get none are sent first, and awaited last.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { anyGateway, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { expectAnswers, readAnswer, toBytes, withinDeadline } from '../setup/requests/odd-requests.js'
import { openRawConnection } from '../setup/requests/raw-request.js'

let ada: Person
let port: number
let unanswered: Promise<[name: string, answer: string][]>
beforeAll(async () => {
  ada = (await newRealmWith('Ada')).ada
  port = portOf(anyGateway())
  unanswered = sendUnanswered()
  unanswered.catch(() => {})
})

/** The headers of a request with credentials. */
const known = () => `Host: ${ada.host}\r\nAuthorization: ${basicAuthorization(ada)}\r\n`
const get = (headers = '', line = 'GET /api/v1/users/me HTTP/1.1') => `${line}\r\n${known()}${headers}\r\n`
const post = (headers: string, body = '') =>
  `POST /api/v1/messages/render HTTP/1.1\r\n${known()}Content-Type: application/x-www-form-urlencoded\r\n${headers}\r\n${body}`
const chunked = (body: string, headers = '') => post(`Transfer-Encoding: chunked\r\n${headers}`, body)
const manyHeaders = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join('')
const longHeader = (bytes: number) => `X: ${'x'.repeat(bytes)}\r\n`

const OK = '200 OK'
const BAD = '400 Bad Request'
const TOO_LARGE = '431 Request Header Fields Too Large'
const OTHER_VERSION = '505 HTTP Version Not Supported'

/** Sends a request and expects its answer, and a connection that works on, or one that is closed. */
const expectAnswer = async (
  request: string,
  status: string,
  closes = status === TOO_LARGE || status === OTHER_VERSION,
) => (await expectAnswers(port, toBytes(request), [status], closes ? undefined : get()))[0]

/** Requests whose end the library does not see, and the answer of the gateway to those that have a body. */
const endless = (): [name: string, bytes: string, answer: string][] => [
  ['an empty line before it', `\r\n${get()}`, ''],
  ['two empty lines before it', `\r\n\r\n${get()}`, ''],
  ['a carriage return in a value', get('X: a\rb\r\n'), ''],
  ['a line without a space', 'QUIT\r\n\r\n', ''],
  ['HTTP/0.9 with headers', `GET /health/live\r\n${known()}\r\n`, ''],
  ['half a head', get().slice(0, 40), ''],
  ['nothing', '', ''],
  ['a chunk with a short extension', chunked('a;a=b\r\ncontent=hi\r\n0\r\n\r\n'), '408 Request Timeout'],
  ['a chunk of 2^56 bytes', chunked('ffffffffffffff\r\ncontent=hi\r\n'), '408 Request Timeout'],
  ['a body that never comes', post('Content-Length: 10\r\n', 'cont'), '408 Request Timeout'],
  [
    'a body that never comes after 100 Continue',
    post('Content-Length: 10\r\nExpect: 100-continue\r\n'),
    '408 Request Timeout',
  ],
]

const sendUnanswered = () =>
  Promise.all(
    endless().map(async ([name, bytes, answer]): Promise<[name: string, answer: string]> => {
      await using connection = await openRawConnection(port)
      connection.write(toBytes(bytes))
      if (answer === '') return [name, await withinDeadline(connection.readToEnd(), `end of ${name}`, 50_000)]
      if (bytes.includes('Expect')) await readAnswer(connection)
      const { line } = await withinDeadline(connection.readHead(), `answer to ${name}`, 25_000)
      return [name, line.replace('HTTP/1.1 ', '')]
    }),
  )

describe('Header fields', () => {
  test.each([
    ['every character of a token', "a_b: 1\r\na.b: 1\r\na~b: 1\r\na!b: 1\r\n!#$%&'*+-.^_`|~09azAZ: x\r\n"],
    ['no value', 'X:\r\n'],
    ['no space after the colon', 'X:y\r\n'],
    ['spaces and tabs around the value', 'X: \t y \t \r\n'],
    ['a tab in the value', 'X: a\tb\r\n'],
    ['bytes above ASCII in the value', 'X: \xe9\xff\r\n'],
    ['the same name twice', 'X: a\r\nX: b\r\n'],
    ['60 fields', manyHeaders(60)],
    ['98 fields', manyHeaders(96)],
    ['15 KiB', longHeader(15_000)],
  ])('A request is served when its header has %s.', async (_, headers) => {
    await expectAnswer(get(headers), OK)
  })

  test.each([
    ['99 fields', manyHeaders(97)],
    ['120 fields', manyHeaders(120)],
    ['1,000 fields', manyHeaders(1_000)],
    ['more than 16 KiB', longHeader(16_400)],
    ['40 KiB', longHeader(40_000)],
    ['100 KiB', longHeader(100_000)],
  ])('A request is refused with 431 when its header has %s.', async (_, headers) => {
    await expectAnswer(get(headers), TOO_LARGE)
  })

  test('A head of 16,384 bytes is served, and one of a byte more is refused with 431.', async () => {
    const rest = get(longHeader(1)).length - 1
    await expectAnswer(get(longHeader(16_384 - rest)), OK)
    await expectAnswer(get(longHeader(16_385 - rest)), TOO_LARGE)
  })

  test('A request is refused with 431 when its target has more than 16 KiB.', async () => {
    await expectAnswer(get('', `GET /${'a'.repeat(17_000)} HTTP/1.1`), TOO_LARGE)
  })

  test('A request is refused with 431 when its head passes the limit in the second packet, or without an end.', async () => {
    for (const rest of [longHeader(9_000), `X: ${'x'.repeat(9_000)}`]) {
      await using connection = await openRawConnection(port)
      await connection.writeInPackets([toBytes(get(longHeader(8_000)).slice(0, -2)), toBytes(`${rest}\r\n`)])
      expect((await readAnswer(connection)).line).toBe(`HTTP/1.1 ${TOO_LARGE}`)
      await withinDeadline(connection.closed, 'end of the connection')
    }
  })

  test('UWS_HTTP_MAX_HEADERS_SIZE in the environment sets another limit of the head.', async () => {
    await using own = await startOwnGateway({ UWS_HTTP_MAX_HEADERS_SIZE: '32768' })
    const request = (bytes: number) => `GET /health/live HTTP/1.1\r\nHost: ${own.ada.host}\r\n${longHeader(bytes)}\r\n`
    const ownPort = portOf(own.gateway.url)
    await expectAnswers(ownPort, toBytes(request(30_000)), [OK], request(1))
    await expectAnswers(ownPort, toBytes(request(33_000)), [TOO_LARGE], undefined)
  })

  test.each([
    ['a space before the colon', 'X : a\r\n'],
    ['a tab before the colon', 'X\t: a\r\n'],
    ['a space in the name', 'X Y: a\r\n'],
    ['a name with parentheses', 'X(y): a\r\n'],
    ['a name with bytes above ASCII', 'X\xe9: a\r\n'],
    ['a name with NUL', 'X\0: a\r\n'],
    ['a name with a carriage return', 'X\r: a\r\n'],
    ['no colon', 'XYZ\r\n'],
    ['a folded value', 'X: a\r\n b\r\n'],
    ['a folded Transfer-Encoding', 'Transfer-Encoding:\r\n chunked\r\n'],
    ['NUL in the value', 'X: a\0b\r\n'],
    ['a control character in the value', 'X: a\x01b\r\n'],
    ['a line that ends with LF only', 'X: a\nY: b\r\n'],
  ])('A request is refused with 400 when its header has %s.', async (_, headers) => {
    await expectAnswer(get(headers), BAD, true)
  })
})

describe('Host', () => {
  const withHost = (hosts: string, target = '/api/v1/users/me') =>
    `GET ${target} HTTP/1.1\r\n${hosts}Authorization: ${basicAuthorization(ada)}\r\n\r\n`

  test.each([
    ['none', () => ''],
    ['none, and no other field', () => undefined],
    ['two', () => `Host: ${ada.host}\r\nHost: other.example\r\n`],
    ['two equal ones', () => `Host: ${ada.host}\r\nHOST: ${ada.host}\r\n`],
    ['one with a space before the colon', () => `Host : ${ada.host}\r\n`],
  ])('A request with a wrong number of Host headers is refused with 400: %s.', async (_, hosts) => {
    const given = hosts()
    await expectAnswer(given === undefined ? 'GET /health/live HTTP/1.1\r\n\r\n' : withHost(given), BAD, true)
  })

  test.each([
    ['nothing', () => '', BAD],
    ['two names', () => `${ada.host}, other.example`, BAD],
    ['a path', () => `${ada.host}/x`, BAD],
    ['a space', () => `a ${ada.host}`, '404 Not Found'],
    ['a user', () => `ada@${ada.host}`, '404 Not Found'],
    ['a name that no organization has', () => `nobody${ada.host}`, '404 Not Found'],
  ])('A call gets a JSON error when its Host is no organization: %s.', async (_, host, status) => {
    const answer = await expectAnswer(withHost(`Host: ${host()}\r\n`), status)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ result: 'error' })
  })

  test('A call is served when its Host has capital letters or a port.', async () => {
    await expectAnswer(withHost(`hOST: ${ada.host.toUpperCase()}:443\r\n`), OK)
  })
})

describe('Request lines', () => {
  test.each([
    ['the absolute form', 'GET http://chat.example/health/live HTTP/1.1'],
    ['the absolute form of https', 'GET https://chat.example/ HTTP/1.1'],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1'],
    ['CONNECT', 'CONNECT chat.example:443 HTTP/1.1'],
    ['a target without a slash', 'GET health/live HTTP/1.1'],
    ['a query alone', 'GET ?x HTTP/1.1'],
    ['no target', 'GET HTTP/1.1'],
    ['an empty target', 'GET  HTTP/1.1'],
    ['two spaces', 'GET  /health/live HTTP/1.1'],
    ['a space in the target', 'GET /health live HTTP/1.1'],
    ['NUL in the target', 'GET /health\0live HTTP/1.1'],
    ['tabs', 'GET\t/health/live\tHTTP/1.1'],
    ['a space at the beginning', ' GET /health/live HTTP/1.1'],
    ['a space at the end', 'GET /health/live HTTP/1.1 '],
    ['a method with bytes above ASCII', 'G\xe9T /health/live HTTP/1.1'],
    ['HTTP/1.0', 'GET /health/live HTTP/1.0'],
    ['HTTP/1.2', 'GET /health/live HTTP/1.2'],
    ['HTTP/2.0', 'GET /health/live HTTP/2.0'],
    ['HTTP/01.1', 'GET /health/live HTTP/01.1'],
    ['a protocol in lower case', 'GET /health/live http/1.1'],
    ['another protocol', 'GET /health/live RTSP/1.0'],
  ])('A request line with %s is answered with 505.', async (_, line) => {
    await expectAnswer(get('', line), OTHER_VERSION)
  })

  test.each([
    ['HTTP/0.9', 'GET /health/live\r\n'],
    ['HTTP/1.0 without Host', 'GET /health/live HTTP/1.0\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the greeting of TLS', `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'\x8f\x01'.repeat(250)}`],
    ['SMTP', 'EHLO chat.example\r\n\r\n'],
    ['bytes above ASCII', '\xff\xfe\xfd\xfc\r\n\r\n'],
    ['an empty line of LF', '\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['lines that end with LF only', 'GET /health/live HTTP/1.1\nHost: x\n\n'],
  ])('A client that speaks another protocol is answered with 505: %s.', async (_, bytes) => {
    await expectAnswer(bytes, OTHER_VERSION)
  })

  test.each(['TRACE', 'get', 'FETCH', 'G(T', 'M'.repeat(2_000)])(
    'A method that no endpoint has is refused with 405, and the connection works on: %.20s.',
    async (method) => {
      const answer = await expectAnswer(get('', `${method} /health/live HTTP/1.1`), '405 Method Not Allowed')
      expect(answer?.headers.allow).toBe('GET, HEAD')
    },
  )

  test('A target with a fragment is unknown.', async () => {
    await expectAnswer(get('', 'GET /health/live#x HTTP/1.1'), '404 Not Found')
  })
})

describe('The length of a body', () => {
  const rendered = async (request: string, text: string) => {
    const answer = await expectAnswer(request, OK)
    expect(JSON.parse(answer?.body ?? '').rendered).toBe(`<p>${text}</p>`)
  }

  test.each([
    ['leading zeros', 'Content-Length: 0010\r\n'],
    ['spaces around it', 'Content-Length:   10  \r\n'],
    ['the same number twice', 'Content-Length: 10\r\nContent-Length: 10\r\n'],
  ])('A Content-Length is accepted with %s.', async (_, headers) => {
    await rendered(post(headers, 'content=hi'), 'hi')
  })

  test.each([
    ['two that differ', 'Content-Length: 10\r\nContent-Length: 12\r\n'],
    ['two that differ, the larger first', 'Content-Length: 12\r\nContent-Length: 10\r\n'],
    ['two of different form', 'Content-Length: 10\r\nContent-Length: 010\r\n'],
    ['a list', 'Content-Length: 10, 10\r\n'],
    ['nothing', 'Content-Length:\r\n'],
    ['nothing, before a number', 'Content-Length:\r\nContent-Length: 10\r\n'],
    ['nothing, after a number', 'Content-Length: 10\r\nContent-Length:\r\n'],
    ['a plus sign', 'Content-Length: +10\r\n'],
    ['a minus sign', 'Content-Length: -10\r\n'],
    ['a space inside', 'Content-Length: 1 0\r\n'],
    ['hexadecimal digits', 'Content-Length: 0xa\r\n'],
    ['a fraction', 'Content-Length: 10.0\r\n'],
    ['letters', 'Content-Length: ten\r\n'],
    ['more than 64 bits', 'Content-Length: 99999999999999999999\r\n'],
    ['Transfer-Encoding beside it', 'Content-Length: 10\r\nTransfer-Encoding: chunked\r\n'],
    ['Transfer-Encoding before it', 'Transfer-Encoding: chunked\r\nContent-Length: 10\r\n'],
    ['an empty Transfer-Encoding beside it', 'Content-Length: 10\r\nTransfer-Encoding:\r\n'],
    ['two Transfer-Encodings beside it', 'Content-Length: 10\r\nTransfer-Encoding:\r\nTransfer-Encoding: chunked\r\n'],
  ])('A request whose Content-Length is unclear is refused with 400 and closed: %s.', async (_, headers) => {
    await expectAnswer(post(headers, 'content=hi'), BAD, true)
  })

  test('A body of more bytes than any number of the RFC needs is refused with 413.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(post('Content-Length: 999999999999999999\r\n'))
    const { line, headers } = await readAnswer(connection)
    expect([line, headers.connection]).toEqual(['HTTP/1.1 413 Payload Too Large', 'close'])
  })

  test.each([
    ['gzip first', 'gzip, chunked', '501 Not Implemented'],
    ['an unknown one first', 'x-own ,\tCHUNKED', '501 Not Implemented'],
    ['gzip alone', 'gzip', BAD],
    ['identity', 'identity', BAD],
    ['gzip last', 'chunked, gzip', BAD],
    ['chunked twice', 'chunked, chunked', BAD],
    ['a similar name', 'xchunked', BAD],
    ['a quoted one', '"chunked"', BAD],
    ['an empty one first', ', chunked', '501 Not Implemented'],
  ])('A body with other transfer codings than chunked is refused and closed: %s.', async (_, codings, status) => {
    await expectAnswer(post(`Transfer-Encoding: ${codings}\r\n`, 'a\r\ncontent=hi\r\n0\r\n\r\n'), status, true)
  })

  test.each([
    ['two lines', 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', '501 Not Implemented'],
    ['two lines of chunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', BAD],
    ['two lines, the last not chunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n', BAD],
    ['an empty line first', 'Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n', BAD],
  ])('The transfer codings of all lines count: %s.', async (_, headers, status) => {
    await expectAnswer(post(headers, 'a\r\ncontent=hi\r\n0\r\n\r\n'), status, true)
  })

  test('A request that hides in the body of a request of unclear length is not run.', async () => {
    for (const headers of ['Content-Length: 10\r\nContent-Length: 400\r\n', 'Transfer-Encoding: chunked, gzip\r\n']) {
      await using connection = await openRawConnection(port)
      const bodies = headers.startsWith('C') ? 'content=hi' : '0\r\n\r\n'
      connection.write(post(headers, bodies) + get())
      expect(await withinDeadline(connection.readToEnd(), 'end of the connection')).not.toContain('200 OK')
    }
  })

  test.each(['POST', 'PATCH', 'DELETE', 'PUT'])(
    'A %s without a body is answered in any number of packets.',
    async (method) => {
      for (const headers of ['Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n', '']) {
        const request = get(headers, `${method} /api/v1/messages/render HTTP/1.1`)
        const status = method === 'POST' ? BAD : '405 Method Not Allowed'
        await expectAnswer(headers.startsWith('T') ? `${request}0\r\n\r\n` : request, status)
      }
    },
  )
})

describe('Chunked bodies', () => {
  test.each([
    ['one chunk', 'a\r\ncontent=hi\r\n0\r\n\r\n'],
    ['chunks of a byte', `${[...'content=hi'].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`],
    ['a size in upper case', 'A\r\ncontent=hi\r\n0\r\n\r\n'],
    ['leading zeros', '0000000a\r\ncontent=hi\r\n000\r\n\r\n'],
    ['an extension after a space', 'a ;name=value\r\ncontent=hi\r\n0\r\n\r\n'],
  ])('A chunked body is read in any packets: %s.', async (_, body) => {
    const answer = await expectAnswer(chunked(body), OK)
    expect(JSON.parse(answer?.body ?? '').rendered).toBe('<p>hi</p>')
  })

  test('A chunked body is read when each byte comes in a packet of its own.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(chunked(''))
    await connection.writeInPackets(
      [...toBytes('5\r\nconte\r\n5\r\nnt=hi\r\n0\r\n\r\n')].map((byte) => Buffer.from([byte])),
    )
    expect(JSON.parse((await readAnswer(connection)).body).rendered).toBe('<p>hi</p>')
  })

  test.each([
    ['no number', 'zz\r\ncontent=hi\r\n0\r\n\r\n'],
    ['a minus sign', '-a\r\ncontent=hi\r\n0\r\n\r\n'],
    ['0x', '0xa\r\ncontent=hi\r\n0\r\n\r\n'],
    ['more than 64 bits', 'fffffffffffffffff\r\ncontent=hi\r\n'],
    ['an extension with a quoted value', 'a;name="a;b\\"c"\r\ncontent=hi\r\n0\r\n\r\n'],
    ['an extension with a name of many letters', 'a;name\r\ncontent=hi\r\n0\r\n\r\n'],
  ])('A chunk whose size has %s is refused with 400.', async (_, body) => {
    await expectAnswer(chunked(body), BAD, true)
  })

  test('A chunk that is larger than a body may be is refused with 413.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(chunked(`200000\r\n${'x'.repeat(0x200000)}`))
    expect((await readAnswer(connection)).line).toBe('HTTP/1.1 413 Payload Too Large')
  })

  // The library takes a trailer for the next request, so the client does not see the answer of the call.
  test('A body with trailers is answered with 505, although the call was made.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(chunked('a\r\ncontent=hi\r\n0\r\nX-Trailer: y\r\n\r\n'))
    expect((await readAnswer(connection)).line).toBe(`HTTP/1.1 ${OTHER_VERSION}`)
  })
})

describe('Expect', () => {
  test('A client that waits for 100 Continue gets it, and then the answer to its body.', async () => {
    for (const path of ['/api/v1/messages/render', '/api/v1/messages/render?x=1']) {
      await using connection = await openRawConnection(port)
      const request = post('Content-Length: 10\r\nExpect: 100-continue\r\n').replace('/api/v1/messages/render', path)
      await connection.writeInPackets([toBytes(request.slice(0, 40)), toBytes(request.slice(40))])
      expect((await readAnswer(connection)).line).toBe('HTTP/1.1 100 Continue')
      connection.write('content=hi')
      expect(JSON.parse((await readAnswer(connection)).body).rendered).toBe('<p>hi</p>')
    }
  })

  test.each([
    ['POST /nothing HTTP/1.1', 'Content-Length: 10\r\n', '404 Not Found'],
    ['POST /api/v1/messages/render HTTP/1.1', 'Content-Length: 99999999\r\n', '413 Payload Too Large'],
  ])(
    'A client that waits for 100 Continue gets the final answer when its body is not needed: %s.',
    async (line, length, status) => {
      await using connection = await openRawConnection(port)
      connection.write(get(`${length}Expect: 100-continue\r\n`, line))
      await readAnswer(connection)
      expect((await readAnswer(connection)).line).toBe(`HTTP/1.1 ${status}`)
    },
  )

  test('Another expectation is ignored.', async () => {
    const answer = await expectAnswer(post('Content-Length: 10\r\nExpect: other\r\n', 'content=hi'), OK)
    expect(JSON.parse(answer?.body ?? '').rendered).toBe('<p>hi</p>')
  })
})

describe('Connections', () => {
  const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'

  test('Pipelined requests are answered in order when each answer is ready at once.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(live + live.replace('live', 'nothing') + live)
    const lines = [await readAnswer(connection), await readAnswer(connection), await readAnswer(connection)]
    expect(lines.map(({ status }) => status)).toEqual([200, 404, 200])
  })

  test('A pipelined request with a body, and the next one, are answered.', async () => {
    await using connection = await openRawConnection(port)
    const refused = `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`
    connection.write(refused + live)
    expect((await readAnswer(connection)).status).toBe(404)
    expect((await readAnswer(connection)).status).toBe(200)
  })

  test('The connection is closed when a second request comes before the answer to a call.', async () => {
    const { queue_id, last_event_id } = await ok(ada, 'POST', '/register', { event_types: '["message"]' })
    const poll = get('', `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} HTTP/1.1`)
    await using connection = await openRawConnection(port)
    connection.write(poll + poll)
    expect(await withinDeadline(connection.readToEnd(), 'end of the connection')).toBe('')
  })

  test.each([
    ['another version', live.replace('1.1', '1.0'), OTHER_VERSION],
    ['no Host', 'GET / HTTP/1.1\r\nX: y\r\n\r\n', BAD],
    ['too many headers', live.replace('\r\n\r\n', `\r\n${manyHeaders(120)}\r\n`), TOO_LARGE],
  ])('A malformed second request is refused, and the connection closed: %s.', async (_, second, status) => {
    await using connection = await openRawConnection(port)
    connection.write(live)
    expect((await readAnswer(connection)).status).toBe(200)
    connection.write(second)
    expect((await readAnswer(connection)).line).toBe(`HTTP/1.1 ${status}`)
    await withinDeadline(connection.closed, 'end of the connection')
  })

  test.each(['close', 'Close'])(
    'The connection is closed after the answer when the request has Connection: %s.',
    async (option) => {
      await expectAnswer(get(`Connection: ${option}\r\n`), OK, true)
    },
  )

  test('A client that ends its side after a request to a page reads the answer.', async () => {
    await using connection = await openRawConnection(port)
    connection.write(live)
    connection.endWriting()
    expect(await withinDeadline(connection.readToEnd(), 'end of the connection')).toContain('HTTP/1.1 200 OK')
  })

  test.each([
    ['in the middle of a head', () => get().slice(0, 40)],
    ['in the middle of a body', () => post('Content-Length: 10\r\n', 'cont')],
    ['in the middle of a chunk', () => chunked('a\r\ncont')],
    ['without a byte', () => ''],
  ])('The connection of a client that ends its side is closed at once: %s.', async (_, bytes) => {
    await using connection = await openRawConnection(port)
    connection.write(bytes())
    connection.endWriting()
    expect(await withinDeadline(connection.readToEnd(), 'end of the connection')).toBe('')
  })

  test('The connection of a client that ends its side during a poll is closed without an answer.', async () => {
    const { queue_id, last_event_id } = await ok(ada, 'POST', '/register', { event_types: '["message"]' })
    await using connection = await openRawConnection(port)
    connection.write(get('', `GET /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} HTTP/1.1`))
    connection.endWriting()
    expect(await withinDeadline(connection.readToEnd(), 'end of the connection')).toBe('')
  })
})

test('A connection whose request has no end for the library is closed, or answered with 408 when it has a body.', {
  timeout: 60_000,
}, async () => {
  expect(await unanswered).toEqual(endless().map(([name, , answer]) => [name, answer]))
})
