/**
 * HTTP requests, well-formed and malformed: each is answered according to the protocol, and none stops the server.
 *
 * After each test the server answers a valid request, and it has logged no unexpected error.
 */
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '../../src/domain/protocol/errors.js'
import { endpoint, streamed, streaming } from '../../src/gateway/call/endpoint.js'
import { idInPath, int, json, str } from '../../src/gateway/call/params.js'
import { credentials, namedUserRow, type TinyServer, tinyRealm, tinyServer } from '../setup/processes/tiny-server.js'
import { type RawRequest, sendRaw, sendRequest } from '../setup/requests/raw-request.js'

const ada = namedUserRow(1, 'ada')
const realm = tinyRealm(1, 'acme', [ada])
const authorization = credentials(realm, ada)
const host = 'acme.parley.test'
const MiB = 1024 * 1024

const registry = {
  sendEcho: endpoint({
    method: 'POST',
    path: '/echo',
    summary: 'Says it again.',
    callers: 'account',
    params: { text: str().optional(), n: int().optional(), list: json(z.array(z.int())).optional() },
    response: z.object({ text: z.string().optional(), n: z.int().optional(), list: z.array(z.int()).optional() }),
    handle: ({ params }) => params,
  }),
  big: endpoint({
    method: 'GET',
    path: '/big/{size}',
    summary: 'Answers with much.',
    callers: 'account',
    params: { size: idInPath() },
    response: z.object({ text: z.string() }),
    handle: ({ params }) => ({ text: randomBytes(params.size / 2).toString('hex') }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/upload',
    summary: 'Takes files.',
    callers: 'account',
    params: { note: str().optional() },
    response: z.looseObject({}),
    body: { limit: 2 * MiB, refusal: () => errors.badRequest('That file is too large.') },
    handle: ({ request, params }) => ({
      note: params.note,
      files: request.files.map(({ field, filename, type, data }) => [field, filename, type, data.length, data[0]]),
    }),
  }),
  patch: endpoint({
    method: 'PATCH',
    path: '/echo',
    summary: 'Patches.',
    callers: 'account',
    params: { text: str().optional() },
    response: z.object({ patched: z.string().optional() }),
    handle: ({ params }) => ({ patched: params.text }),
  }),
  stream: streamed({
    method: 'GET',
    path: '/stream',
    summary: 'Streams much, as fast as the client reads.',
    callers: 'account',
    params: { pieces: int() },
    response: z.object({}),
    async handle({ params }, exchange) {
      exchange.startStream({ 'Content-Type': 'text/plain' })
      for (let i = 0; i < params.pieces && !exchange.aborted; i++) {
        const isTaken = exchange.write(`${String(i).padStart(7, '0')}\n`.repeat(1_000))
        if (!isTaken) {
          await new Promise<void>((resolve) => {
            exchange.onDrained(resolve)
            exchange.onAborted(resolve)
          })
        }
      }
      exchange.end()
      return streaming
    },
  }),
  wait: streamed({
    method: 'GET',
    path: '/wait',
    summary: 'Answers late.',
    callers: 'account',
    params: {},
    response: z.object({ heard: z.string() }),
    async handle(_, exchange) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { heard: exchange.header('last-event-id') }
    },
  }),
}

let server: TinyServer
beforeAll(async () => {
  server = await tinyServer(registry, {
    realms: [realm],
    pages: [
      {
        path: '/broken',
        serve() {
          throw new Error('a bug')
        },
      },
      { path: '/about', serve: () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'hello' }) },
    ],
  })
})

const send = (path: string, asked: Partial<RawRequest> = {}) =>
  sendRequest(server.port, { path: path.startsWith('//') ? path : `/api/v1${path}`, host, authorization, ...asked })

const echo = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send('/echo', { method: 'POST', body, headers })

const requestHead = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${more}`

afterEach(async () => {
  expect((await echo('n=1')).json).toEqual({ result: 'success', msg: '', n: 1 })
  expect(server.finished.splice(0).filter(({ unexpected }) => unexpected !== undefined)).toEqual([])
})

describe('Paths', () => {
  test.each([
    '/api/v1/nothing',
    '/api/v1',
    '/api/v1/',
    '/api/v2/echo',
    '/',
    '/echo',
    '/api/v1/echo/',
    '/api/v1/big/x',
    '/api/v1/%ff',
    '/%',
  ])('The path %s is unknown and answered with 404.', async (path) => {
    const answer = await sendRequest(server.port, { path, host, authorization })
    expect([answer.status, answer.json]).toEqual([
      404,
      { result: 'error', msg: `There is no ${path} here.`, code: 'NOT_FOUND' },
    ])
  })

  test.each(['//api/v1/echo', '/api/v1//echo', '/api//v1///echo', '/json/echo'])(
    'The path %s is known.',
    async (path) => {
      const answer = await sendRequest(server.port, { method: 'POST', path, host, authorization })
      expect(answer.status).toBe(200)
    },
  )

  test('A page is served without credentials, refuses other methods with 405, and answers 500 if it fails.', async () => {
    expect((await sendRequest(server.port, { path: '/about' })).text).toBe('hello')
    expect((await sendRequest(server.port, { path: '/about', method: 'POST' })).status).toBe(405)
    expect((await sendRequest(server.port, { path: '/broken' })).status).toBe(500)
  })
})

describe('Methods', () => {
  test('A method that the path does not support is refused with 405 and the supported methods.', async () => {
    for (const method of ['GET', 'DELETE', 'HEAD', 'TRACE']) {
      const answer = await send('/echo', { method })
      expect([answer.status, answer.headers.allow], method).toEqual([405, 'PATCH, POST'])
      if (method === 'HEAD') continue
      const body = {
        result: 'error',
        msg: 'Method Not Allowed',
        code: 'METHOD_NOT_ALLOWED',
        allowed_methods: ['PATCH', 'POST'],
      }
      expect(answer.json, method).toEqual(body)
    }
  })

  test('OPTIONS tells a browser on another site which headers it may send.', async () => {
    const { status, headers, text } = await send('/wait', {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example' },
    })
    expect([status, text]).toEqual([204, ''])
    expect(headers.allow).toBe('GET, HEAD, OPTIONS')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-headers']).toContain('Authorization')
    expect((await send('/nothing', { method: 'OPTIONS' })).status).toBe(404)
  })

  test('HEAD answers like GET without a body.', async () => {
    const { status, headers, bytes } = await send('/big/100', { method: 'HEAD' })
    expect([status, headers['content-length'], bytes.length]).toEqual([200, '140', 0])
  })

  test('A POST can name its method in the field method.', async () => {
    expect((await echo('method=PATCH&text=x')).json).toEqual({ result: 'success', msg: '', patched: 'x' })
    expect((await echo('method=patch&text=x')).json).toMatchObject({ patched: 'x' })
    expect((await echo('method=DELETE')).status).toBe(405)
  })
})

describe('Answers', () => {
  test('An answer is JSON with cache-control: no-store.', async () => {
    const { headers, text } = await echo('n=1')
    expect(headers['content-type']).toBe('application/json')
    expect(headers['cache-control']).toContain('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(text.endsWith('\n')).toBe(true)
  })

  test('An answer to a browser on another site has access-control-allow-origin.', async () => {
    const { headers } = await echo('n=1', { Origin: 'https://a.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  test('A large answer is compressed if the client accepts gzip, and a small one is not.', async () => {
    const plain = await send('/big/200000')
    expect([plain.headers['content-encoding'], plain.bytes.length]).toEqual([undefined, 200_040])
    const packed = await send('/big/200000', { headers: { 'Accept-Encoding': 'gzip, deflate' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(packed.bytes).toString()).text).toHaveLength(200_000)
    const refused = await send('/big/200000', { headers: { 'Accept-Encoding': 'br, GZIP;q=0, gzip; q=0.0' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
    const small = await send('/big/100', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(small.headers['content-encoding']).toBeUndefined()
  })

  test('An answer of 20 MB arrives completely.', async () => {
    const { json } = await send('/big/20000000')
    expect((json.text as string).length).toBe(20_000_000)
  })

  test('The server continues if a client disconnects while it receives a large answer.', async () => {
    await new Promise<void>((resolve) => {
      const socket = net.connect(server.port, '127.0.0.1', () =>
        socket.write(requestHead('GET /api/v1/big/20000000', '\r\n')),
      )
      socket.once('data', () => {
        socket.destroy()
        resolve()
      })
    })
  })

  test('A streamed answer of 16 MB arrives completely.', async () => {
    const { text } = await send('/stream?pieces=2000')
    expect(text.length).toBe(2_000 * 8_000)
    expect(text.endsWith('0001999\n')).toBe(true)
  })

  test('The server continues if a client disconnects during a streamed answer.', async () => {
    const hasBegun = (text: string) => text.includes('0000001')
    const text = await sendRaw(server.port, requestHead('GET /api/v1/stream?pieces=100000', '\r\n'), hasBegun)
    expect(text.startsWith('HTTP/1.1 200 OK')).toBe(true)
  })

  test('A delayed answer can use the headers of its request.', async () => {
    expect((await send('/wait', { headers: { 'Last-Event-ID': '77' } })).json.heard).toBe('77')
  })

  test('A delayed answer is dropped if the client has disconnected.', async () => {
    expect(await sendRaw(server.port, requestHead('GET /api/v1/wait', '\r\n'), 20)).toBe('')
    await new Promise((resolve) => setTimeout(resolve, 150))
  })
})

describe('Form bodies', () => {
  test.each([
    ['encoded spaces', 'text=a+b%20c', { text: 'a b c' }],
    ['encoded UTF-8', 'text=%D0%B6%E2%9C%93', { text: 'ж✓' }],
    ['raw UTF-8', 'text=ж✓', { text: 'ж✓' }],
    ['a percent sign without digits', 'text=100%&n=1', { text: '100%', n: 1 }],
    ['an incomplete escape', 'text=%4', { text: '%4' }],
    ['an equals sign inside a value', 'text=a=b', { text: 'a=b' }],
    ['empty fields', '&&text=a&&', { text: 'a' }],
    ['a name without a value', 'text', { text: '' }],
    ['a repeated name', 'n=1&n=2', { n: 2 }],
    [
      'names of JavaScript properties',
      '__proto__=1&constructor=2',
      { ignored_parameters_unsupported: ['__proto__', 'constructor'] },
    ],
  ])('A form body may contain %s.', async (_, body, expected) => {
    expect((await echo(body)).json).toEqual({ result: 'success', msg: '', ...expected })
  })

  test('A form body may come without a content type, with a charset, or in chunks.', async () => {
    expect((await echo('n=1', { 'Content-Type': '' })).json.n).toBe(1)
    expect((await echo('n=1', { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' })).json.n).toBe(1)
    const line = requestHead(
      'POST /api/v1/echo',
      'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const isAnswered = (text: string) => text.includes('}')
    const answer = await sendRaw(server.port, `${line}2\r\nn=\r\n1\r\n7\r\n0\r\n\r\n`, isAnswered)
    expect(answer).toContain('"n":7')
  })

  test('The fields of a JSON body are read like those of a form, with those of the query.', async () => {
    const json = { 'Content-Type': 'application/json; charset=utf-8' }
    expect((await echo('{"n":1,"text":"a","list":[5]}', json)).json).toMatchObject({ n: 1, text: 'a', list: [5] })
    expect((await echo('{"n":"7","text":8,"list":"[6]"}', json)).json).toMatchObject({
      n: 7,
      text: '8',
      list: [6],
    })
    const merged = await send('/echo?n=3&text=query', { method: 'POST', body: '{"text":"body"}', headers: json })
    expect(merged.json).toMatchObject({ n: 3, text: 'body' })
    expect((await echo('{"__proto__":1,"other":{}}', json)).json.ignored_parameters_unsupported).toEqual([
      '__proto__',
      'other',
    ])
    const refused = await echo('{"n":"x"}', json)
    expect([refused.status, refused.json.msg]).toEqual([400, 'n must be an integer.'])
  })

  test.each(['[1]', '"text"', 'null', '{"n":1', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`])(
    'A JSON body that is no object, or too deep, is refused: %#.',
    async (body) => {
      const { status, json } = await echo(body, { 'Content-Type': 'application/json' })
      expect([status, json.msg]).toEqual([400, 'The request body is not a JSON object of at most 100 levels.'])
    },
  )

  test('A body of a type that is not read is refused, and no body has no type.', async () => {
    const { status, json } = await echo('n=1', { 'Content-Type': 'text/plain;charset=UTF-8' })
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(json.msg).toContain('text/plain')
    expect((await echo('', { 'Content-Type': 'text/plain' })).status).toBe(200)
  })

  test.each([
    [
      'bytes that are not UTF-8',
      Buffer.from([0x74, 0x65, 0x78, 0x74, 0x3d, 0xff, 0xfe]),
      'The request body is not valid UTF-8.',
    ],
    ['escaped bytes that are not UTF-8', 'text=%ff%fe', 'The request body is not valid UTF-8.'],
    ['U+0000', 'text=a%00b', 'text does not have the required format.'],
    ['malformed JSON', 'list=[1', 'list must be valid JSON.'],
    ['deeply nested unclosed JSON', `list=${'['.repeat(200_000)}`, 'list must be valid JSON.'],
    ['deeply nested JSON', `list=${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'list must be valid JSON.'],
  ])('A form body with %s is refused.', async (_, body, msg) => {
    const { status, json } = await echo(body)
    expect([status, json]).toEqual([400, { result: 'error', msg, code: 'BAD_REQUEST' }])
  })

  test('A query with escaped bytes that are not UTF-8 is refused.', async () => {
    const { status, json } = await send('/echo?text=%ff', { method: 'POST' })
    expect([status, json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  test('At most 1,000 fields of a form body are read.', async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `x${i}=1`).join('&')
    const { status, json } = await echo(names)
    expect([status, (json.ignored_parameters_unsupported as string[]).length]).toEqual([200, 1_000])
  })

  test('A body of the maximum size is accepted, and one more byte is refused with 413.', async () => {
    const fits = await echo(`text=${'x'.repeat(MiB - 5)}`)
    expect([fits.status, (fits.json.text as string).length]).toEqual([200, MiB - 5])
    for (const length of [MiB - 4, 3 * MiB, 20 * MiB]) {
      const { status, json } = await echo(`text=${'x'.repeat(length)}`)
      const msg = 'The request body is too large (limit: 1048576 bytes).'
      expect([status, json]).toEqual([413, { result: 'error', msg, code: 'CONTENT_TOO_LARGE' }])
    }
  })
})

test('The server closes a connection whose chunked body exceeds the limit.', async () => {
  const line = requestHead('POST /api/v1/echo', 'Transfer-Encoding: chunked\r\n\r\n')
  const chunk = `100000\r\n${'x'.repeat(MiB)}\r\n`
  const sent = await new Promise<number>((resolve, reject) => {
    let chunks = 0
    const more = (error?: Error | null) => {
      if (error) return
      if (chunks++ < 1_000) socket.write(chunk, more)
      else reject(new Error('the server read everything'))
    }
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(line, more))
    socket.on('error', () => {})
    socket.on('close', () => resolve(chunks))
  })
  expect(sent).toBeLessThan(200)
})

describe('Multipart bodies', () => {
  const upload = async (parts: [name: string, value: string | File][]) => {
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const encoded = new Response(form)
    const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' }
    return send('/upload', { method: 'POST', headers, body: new Uint8Array(await encoded.arrayBuffer()) })
  }

  test('A multipart body contains fields and files in any order and with any field name.', async () => {
    const file = (name: string) => new File([new Uint8Array([200, 1, 2])], name, { type: 'image/png' })
    const { json } = await upload([
      ['/tmp/a b.png', file('a b.png')],
      ['note', 'ж'],
      ['file', file('ü.png')],
    ])
    expect(json).toEqual({
      result: 'success',
      msg: '',
      note: 'ж',
      files: [
        ['/tmp/a b.png', 'a b.png', 'image/png', 3, 200],
        ['file', 'ü.png', 'image/png', 3, 200],
      ],
    })
  })

  test('A multipart body may be empty and may contain an empty file.', async () => {
    expect((await upload([])).json).toMatchObject({ files: [] })
    expect((await upload([['f', new File([], 'x')]])).json).toMatchObject({
      files: [['f', 'x', 'application/octet-stream', 0, null]],
    })
  })

  test('Every endpoint accepts a multipart body as a form.', async () => {
    const form = new FormData()
    form.append('n', '5')
    const encoded = new Response(form)
    const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' }
    const answer = await send('/echo', { method: 'POST', headers, body: new Uint8Array(await encoded.arrayBuffer()) })
    expect(answer.json.n).toBe(5)
  })

  const field = (boundary: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="n"\r\n\r\n5\r\n--${boundary}--\r\n`

  test.each([
    ['multipart/form-data; charset=ISO-8859-1; boundary=BB', 'BB'],
    ['multipart/form-data; boundary="BB"', 'BB'],
    ['multipart/form-data; boundary=BB; charset=UTF-8', 'BB'],
    ['multipart/form-data;Boundary=BB', 'BB'],
    ['Multipart/Form-Data ; name="a; boundary=AA" ; boundary = "B;\\"B"', 'B;"B'],
    ['multipart/form-data;; boundary="a b=c:d"', 'a b=c:d'],
  ])('The boundary is a parameter of the header %s.', async (type, boundary) => {
    expect((await echo(field(boundary), { 'Content-Type': type })).json.n).toBe(5)
  })

  test.each([
    ['content-disposition: form-data; name=n'],
    ['Content-Type: text/plain; charset=utf-8\r\nContent-Disposition:form-data;name="n"'],
    ['Content-Transfer-Encoding: binary\r\nContent-Disposition: form-data;\r\n name="n"'],
    ['Content-Length: 1\r\nContent-Disposition: Form-Data; NAME="n"'],
  ])('The headers of a part may be written in several ways: %j.', async (head) => {
    const body = `ignored\r\n--BB \r\n${head}\r\n\r\n5\r\n--BB--\r\nignored`
    expect((await echo(body, { 'Content-Type': 'multipart/form-data; boundary=BB' })).json.n).toBe(5)
  })

  test.each([
    ['filename="a;b.txt"', 'a;b.txt'],
    ['filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['filename="C:\\new\\a.txt"', 'C:\\new\\a.txt'],
    ["filename=x.txt; filename*=utf-8''%C3%BC.txt", 'ü.txt'],
    ["filename=x.txt; filename*=utf-16''%C3%BC.txt", 'x.txt'],
    ["filename=x.txt; filename*=utf-8''%FF.txt", 'x.txt'],
  ])('A file may be named by %s.', async (given, filename) => {
    const body = `--BB\r\nContent-Disposition: form-data; name="f"; ${given}\r\n\r\nx\r\n--BB--\r\n`
    const headers = { 'Content-Type': 'multipart/form-data; boundary=BB' }
    const { json } = await send('/upload', { method: 'POST', headers, body })
    expect((json.files as string[][])[0]?.[1]).toBe(filename)
  })

  test('A form that cannot be read is refused for every method, and changes nothing.', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=AA' }
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const { status, json } = await send('/echo', { method, headers, body: field('BB') })
      if (status !== 405)
        expect([status, json.msg]).toEqual([400, 'The request body is not valid multipart/form-data.'])
    }
  })

  test("A body over the limit of its endpoint is refused with the endpoint's own error.", async () => {
    expect((await upload([['f', new File([new Uint8Array(MiB)], 'x')]])).status).toBe(200)
    const { status, json } = await upload([['f', new File([new Uint8Array(2 * MiB)], 'x')]])
    expect([status, json.msg]).toEqual([400, 'That file is too large.'])
  })

  test('A multipart body of more than 1,000 parts is refused.', async () => {
    const part = '--abc\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n'
    const type = { 'Content-Type': 'multipart/form-data; boundary=abc' }
    expect((await echo(`${part.repeat(1_000)}--abc--\r\n`, type)).json.text).toBe('x')
    const { status, json } = await echo(`${part.repeat(1_001)}--abc--\r\n`, type)
    expect([status, json.msg]).toEqual([400, 'The request body is not a form of at most 1,000 parts.'])
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['a boundary that is not in the body', 'multipart/form-data; boundary=abc', 'nothing of the kind'],
    [
      'an unterminated part',
      'multipart/form-data; boundary=abc',
      '--abc\r\nContent-Disposition: form-data; name="n"\r\n\r\n1',
    ],
    ['a part without a name', 'multipart/form-data; boundary=abc', '--abc\r\nX: y\r\n\r\n1\r\n--abc--\r\n'],
    ['an unterminated header', 'multipart/form-data; boundary=abc', '--abc\r\nContent-Disp'],
    [
      'an unterminated name',
      'multipart/form-data; boundary=abc',
      '--abc\r\nContent-Disposition: form-data; name="n\r\n\r\n1\r\n--abc--',
    ],
    [
      'bytes that are not UTF-8',
      'multipart/form-data; boundary=abc',
      Buffer.concat([
        Buffer.from('--abc\r\nContent-Disposition: form-data; name="text"\r\n\r\n'),
        Buffer.from([255]),
        Buffer.from('\r\n--abc--\r\n'),
      ]),
    ],
    ['random bytes', 'multipart/form-data; boundary=abc', randomBytes(100_000)],
  ])('A malformed multipart body (%s) causes no server error.', async (_, type, body) => {
    const { status, json } = await echo(body, { 'Content-Type': type })
    expect(status).toBeLessThan(500)
    expect(['success', 'error']).toContain(json.result)
  })
})

describe('Connections', () => {
  test.each([
    ['half a request line', 'GET /api'],
    ['half the headers', requestHead('POST /api/v1/echo', 'Content-Type: appl')],
    [
      'half a body',
      requestHead(
        'POST /api/v1/echo',
        'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntext=',
      ),
    ],
    ['half a chunk', requestHead('POST /api/v1/echo', 'Transfer-Encoding: chunked\r\n\r\nff\r\nabc')],
    ['nothing', ''],
  ])('A connection that ends after %s causes no server error.', async (_, bytes) => {
    expect(await sendRaw(server.port, bytes, 50)).not.toContain('500 Internal')
  })

  test.each([
    ['another protocol', 'EHLO parley\r\n\r\n'],
    ['an unknown method', requestHead('FETCH /api/v1/echo', '\r\n')],
    ['random bytes', randomBytes(2_000)],
    ['a content length that is not a number', requestHead('POST /api/v1/echo', 'Content-Length: abc\r\n\r\n')],
    ['a negative content length', requestHead('POST /api/v1/echo', 'Content-Length: -5\r\n\r\n')],
    [
      'a content length that is too large',
      requestHead('POST /api/v1/echo', 'Content-Length: 99999999999999999999\r\n\r\n'),
    ],
    [
      'a content length and chunks',
      requestHead('POST /api/v1/echo', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    ['an invalid chunk', requestHead('POST /api/v1/echo', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n')],
    ['very long headers', requestHead('GET /api/v1/wait', `X: ${'x'.repeat(100_000)}\r\n\r\n`)],
    [
      'bytes above ASCII in headers',
      Buffer.from(requestHead('GET /api/v1/big/2', 'User-Agent: \xff\xfe\r\n\r\n'), 'latin1'),
    ],
    ['no Host header', 'GET /api/v1/echo HTTP/1.1\r\n\r\n'],
    [
      'a WebSocket handshake on another path',
      requestHead(
        'GET /api/v1/echo',
        'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      ),
    ],
  ])('A connection that sends %s causes no server error.', async (_, bytes) => {
    expect(await sendRaw(server.port, bytes, 100)).not.toMatch(/ 50[0-4] /)
  })

  test('A connection can send several requests at once (pipelining).', async () => {
    const countAnswers = (text: string) => text.split('HTTP/1.1 200 OK').length - 1
    const areAnswered = (text: string) => countAnswers(text) >= 20 && text.endsWith('}\n')
    const text = await sendRaw(server.port, requestHead('GET /api/v1/big/2', '\r\n').repeat(20), areAnswered)
    expect(countAnswers(text)).toBe(20)
  })

  test('A draining server refuses new connections and closes existing ones after their answer.', async () => {
    let answer: (() => void) | undefined
    const held = endpoint({
      method: 'GET',
      path: '/held',
      summary: 'Is answered when the test wants.',
      callers: 'account',
      params: {},
      response: z.object({}),
      handle: () => new Promise<Record<string, never>>((resolve) => (answer = () => resolve({}))),
    })
    const local = await tinyServer({ held }, { realms: [realm] })
    const socket = net.connect(local.port, '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString()
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(requestHead('GET /api/v1/held', '\r\n'))
    await expect.poll(() => answer).toBeDefined()
    local.server.stopAccepting()
    await expect(sendRequest(local.port, { path: '/api/v1/held', host })).rejects.toThrow('ECONNREFUSED')
    answer?.()
    await local.server.idle()
    await closed
    expect(text).toContain('HTTP/1.1 200 OK')
    expect(text.toLowerCase()).toContain('connection: close')
  })
})
