/** Cases of the fuzzer: calls of all endpoints over HTTP and sockets, broken frames of sockets, and broken HTTP. */
import { registry } from '../../src/gateway/api/index.js'
import type { Endpoint } from '../../src/gateway/call/endpoint.js'
import type { Random } from '../setup/random.js'
import { generate, generateNumber, hostileText, hostileValue, type World } from './values.js'

export interface GeneratedCall {
  name: string
  method: string
  path: string
  /** whether the path is below the root of the site, and the answer may be no JSON */
  isSite: boolean
  fields: Record<string, unknown>
}

const endpoints = Object.entries(registry) as [string, Endpoint][]

/** After one of these, the credentials of an account are refused, so they are called rarely. */
const final = ['deactivateRealm', 'deactivateUser', 'deactivateOwnUser', 'regenerateOwnApiKey']

/** A call of an endpoint with values for its parameters. */
export const generateCall = (random: Random, world: World): GeneratedCall => {
  let [name, endpoint] = random.pick(endpoints)
  if (final.includes(name) && random.next() < 0.9) [name, endpoint] = random.pick(endpoints)
  const hostility = random.pick([0, 0, 0.03, 0.15, 0.6])
  let path = random.pick(endpoint.paths)
  const fields: Record<string, unknown> = {}
  for (const [parameter, { schema, wire, required, aliasName }] of endpoint.list) {
    if (wire === 'path' || wire === 'rest') {
      const value =
        random.next() < hostility
          ? hostileText(random).slice(0, 2_000)
          : schema.def.type === 'string'
            ? generate(schema, parameter, random, world, 0)
            : generateNumber(random, world)
      path = path.replace(new RegExp(`\\{\\*?${parameter}\\*?\\}`), () => encode(String(value), random))
      continue
    }
    const isLeftOut = random.next() < (required ? 0.04 : 0.6)
    if (isLeftOut) continue
    fields[aliasName !== undefined && random.next() < 0.2 ? aliasName : parameter] = generate(
      schema,
      parameter,
      random,
      world,
      hostility,
    )
  }
  if (random.next() < 0.03) fields[random.pick(['unknown', '__proto__', 'client', ''])] = hostileValue(random)
  // A poll waits for events otherwise.
  if (name === 'getEvents') fields.dont_block = true
  const method = random.next() < 0.01 ? random.pick(['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'DELETE']) : endpoint.method
  return { name, method, path, isSite: endpoint.site === true, fields }
}

/** Percent-encodes a segment; sometimes wrongly. */
const encode = (text: string, random: Random): string =>
  random.next() < 0.02
    ? `${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')).slice(0, 50)}%f`
    : encodeURIComponent(text)

/** The text of a field in a form: literal, or JSON. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A frame that is no valid call. */
export const generateFrame = (random: Random): string | Buffer => {
  const frames: (() => string | Buffer)[] = [
    () => '',
    () => '{',
    () => 'null',
    () => '[]',
    () => '"text"',
    () => '1e999',
    () => '{"req":1}',
    () => '{"req":"1","method":"GET","path":"/users/me"}',
    () => '{"req":1.5,"method":"GET","path":"/users/me"}',
    () => '{"req":9007199254740993,"method":"GET","path":"/users/me"}',
    () => '{"req":1,"method":"GET","path":"users/me"}',
    () => '{"req":1,"method":"","path":"/"}',
    () => '{"req":1,"method":"GET","path":"/../../metrics","params":[]}',
    () => '{"req":1,"method":"GET","path":"/events","params":{"queue_id":"x"}}',
    () => '{"req":1,"method":"__proto__","path":"/constructor","params":{"__proto__":1}}',
    () => '['.repeat(random.pick([99, 5_000])),
    () => `{"req":1,"method":"GET","path":"/users/me","params":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    () => `{"req":1,"method":"GET","path":"/${'a'.repeat(20_000)}"}`,
    () => `{"req":1,"method":"POST","path":"/messages","params":{"content":"${'a'.repeat(200_000)}"}}`,
    () => JSON.stringify({ req: random.integer(-5, 5), method: hostileText(random), path: `/${hostileText(random)}` }),
    () => JSON.stringify({ req: 1, method: 'GET', path: '/users/me', params: hostileValue(random) }),
    () => JSON.stringify(hostileValue(random)) ?? '',
    () => Buffer.from(Array.from({ length: 50 }, () => random.integer(0, 255))),
    () => Buffer.from('{"req":1,"method":"GET","path":"/users/me"}'),
  ]
  return random.pick(frames)()
}

/** Bytes that are not, or hardly, a request of HTTP/1.1. */
export const generateBytes = (random: Random, host: string, authorization: string): Buffer => {
  const head = `Host: ${host}\r\nAuthorization: ${authorization}\r\n`
  const path = '/api/v1/users/me'
  const post = `POST /api/v1/messages HTTP/1.1\r\n${head}`
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
  const texts: (() => string)[] = [
    () => `GET ${path} HTTP/1.1\r\n\r\n`,
    () => `GET ${path} HTTP/1.0\r\n${head}\r\n`,
    () => `GET ${path} HTTP/9.9\r\n${head}\r\n`,
    () => `GET ${path}\r\n\r\n`,
    () => `get ${path} HTTP/1.1\r\n${head}\r\n`,
    () => `G\0T ${path} HTTP/1.1\r\n${head}\r\n`,
    () => `GET ${path} HTTP/1.1\nHost: ${host}\n\n`,
    () => `GET http://${host}${path} HTTP/1.1\r\n${head}\r\n`,
    () => `GET * HTTP/1.1\r\n${head}\r\n`,
    () => `GET ${path}?${'a=1&'.repeat(800)} HTTP/1.1\r\n${head}\r\n`,
    () => `GET ${path}?%zz=%f&%C0%AF=%00 HTTP/1.1\r\n${head}\r\n`,
    () => `GET /${'a'.repeat(random.pick([2_000, 20_000]))} HTTP/1.1\r\n${head}\r\n`,
    () => `GET /api/v1/../../etc/passwd HTTP/1.1\r\n${head}\r\n`,
    () => `GET /api/v1//users//me HTTP/1.1\r\n${head}\r\n`,
    () => `GET /user_uploads/1/%2e%2e/%2e%2e/x HTTP/1.1\r\n${head}\r\n`,
    () => `${post}Content-Length: -1\r\n\r\n`,
    () => `${post}Content-Length: 99999999999999999999\r\n\r\n`,
    () => `${post}Content-Length: 1e3\r\n\r\nx`,
    () => `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
    () => `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    () => `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
    () => `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc`,
    () => `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}${form}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\na=1\r\n0\r\nX: y\r\n\r\n`,
    () => `${post}${form}Content-Length: 3\r\n\r\n%zz`,
    () => `${post}${form}Content-Length: 4\r\n\r\n\xff\xfe=\xff`,
    () => `${post}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n[]`,
    () => `${post}Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n\r\n{}`,
    () => `${post}Content-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>`,
    () => `${post}Content-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\n--`,
    () => `${post}Content-Type: multipart/form-data; boundary=\r\nContent-Length: 4\r\n\r\n----`,
    () => `${post}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 10\r\n\r\n--x\r\n\r\n--x`,
    () => `${post}Content-Encoding: gzip\r\n${form}Content-Length: 3\r\n\r\na=1`,
    () => `${post}Expect: 100-continue\r\n${form}Content-Length: 3\r\n\r\na=1`,
    () => `${post}${'X-A: b\r\n'.repeat(random.pick([50, 500]))}\r\n`,
    () => `${post}X-A: ${'b'.repeat(random.pick([4_000, 40_000]))}\r\n\r\n`,
    () => `${post}X A: b\r\n: c\r\nX-\0: d\r\n folded\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\n\r\n`,
    () =>
      `GET ${path} HTTP/1.1\r\nHost: ${hostileText(random)
        .slice(0, 300)
        .replace(/[\r\n]/g, '')}\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Basic ${'='.repeat(50)}\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Basic //79:\r\nCookie: a;=;__Host-session=x\r\n\r\n`,
    () => `GET ${path} HTTP/1.1\r\n${head}\r\n`.repeat(20),
    () => `GET /api/v1/events?queue_id=1 HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    () =>
      `GET /api/v1/events?queue_id=1 HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n`,
    () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    () => '\r\n\r\n\r\n',
  ]
  const bytes = Buffer.from(random.pick(texts)(), 'latin1')
  // One byte of some requests is another one.
  if (random.next() < 0.3 && bytes.length > 0) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
  return bytes
}

/**
 * Generates bytes that are no valid frames (RFC 6455 section 5). A client sends them after the handshake of a
 * WebSocket.
 */
export const generateFrameBytes = (random: Random): Buffer => {
  const frames = [
    // not masked
    [0x81, 0x02, 0x7b, 0x7d],
    // reserved bits, unknown operation
    [0xf1, 0x80, 0, 0, 0, 0],
    [0x83, 0x80, 0, 0, 0, 0],
    // a continuation of nothing
    [0x80, 0x80, 0, 0, 0, 0],
    // a fragmented ping, a long ping
    [0x09, 0x80, 0, 0, 0, 0],
    [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0],
    // a length of 2^63
    [0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    // text that is not UTF-8
    [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
    // a close with a wrong code, and one with half a code
    [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe7],
    [0x88, 0x81, 0, 0, 0, 0, 0x03],
  ]
  return random.next() < 0.5
    ? Buffer.from(random.pick(frames))
    : Buffer.from(Array.from({ length: random.integer(1, 40) }, () => random.integer(0, 255)))
}
