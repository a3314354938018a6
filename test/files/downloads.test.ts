/** How a gateway sends files: as fast as the client reads, a bounded number at a time, and counted. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { portOf, startOwnGateway, waitForGauge } from '../setup/processes/gateway-of-one-test.js'
import type { TestProcess } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, type Person } from '../setup/realm/realm.js'
import { multipart, redPixel } from '../setup/requests/files.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const MEBIBYTE = 1024 * 1024

const setUp = (env: Record<string, string> = {}) => startOwnGateway({ MAX_FILE_UPLOAD_SIZE_MIB: '64', ...env })

const upload = async (gateway: TestProcess, person: Person, data: Uint8Array): Promise<string> => {
  const { json } = await sendRequest(portOf(gateway.url), {
    method: 'POST',
    path: '/api/v1/user_uploads',
    host: person.host,
    authorization: basicAuthorization(person),
    ...multipart([{ filename: 'a.bin', data }]),
  })
  return json.url as string
}

const get = (
  gateway: TestProcess,
  person: Person,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) =>
  sendRequest(portOf(gateway.url), {
    method,
    path,
    host: person.host,
    authorization: basicAuthorization(person),
    headers,
  })

/** Requests a file, and reads nothing after the first chunk of the response until `resume` is called. */
const requestAndPause = (gateway: TestProcess, person: Person, path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(portOf(gateway.url), '127.0.0.1')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${person.host}\r\nAuthorization: ${basicAuthorization(person)}\r\nConnection: close\r\n\r\n`,
    )
    socket.once('data', (head) => {
      socket.pause()
      socket.unshift(head)
      resolve(socket)
    })
    socket.on('error', reject)
  })

/** The body of a response that is read to its end. */
const readBody = async (socket: Socket, length: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  let head = -1
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (head === -1) head = Buffer.concat(chunks).indexOf('\r\n\r\n') + 4
    if (size - head >= length) break
  }
  return Buffer.concat(chunks).subarray(head)
}

const residentBytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024

/** Resolves when the gateway sends so many downloads, and so many others wait. */
const reached = (gateway: TestProcess, sending: number, waiting: number) =>
  waitForGauge(gateway, 'parley_downloads', { sending, waiting })

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('Sending a large file', () => {
  test('Twelve clients that do not read a file take less memory than three copies of it.', {
    timeout: 60_000,
  }, async () => {
    await using s = await setUp()
    const data = randomBytes(32 * MEBIBYTE)
    const url = await upload(s.gateway, s.ada, data)
    const before = residentBytes(s.gateway.pid)
    const sockets = await Promise.all(Array.from({ length: 12 }, () => requestAndPause(s.gateway, s.ada, url)))
    // Young objects of the process itself may grow by 64 MiB meanwhile (--max-semi-space-size).
    expect(residentBytes(s.gateway.pid) - before).toBeLessThan(3 * data.length)
    for (const socket of sockets) socket.destroy()
    await reached(s.gateway, 0, 0)
  })

  test('A client that pauses receives the whole file, also when the gateway shuts down meanwhile.', async () => {
    await using s = await setUp()
    const data = randomBytes(16 * MEBIBYTE)
    const url = await upload(s.gateway, s.ada, data)
    const socket = await requestAndPause(s.gateway, s.ada, url)
    s.gateway.signal('SIGTERM')
    const body = await readBody(socket, data.length)
    expect([body.length, hash(body)]).toEqual([data.length, hash(data)])
    socket.destroy()
    expect(await s.gateway.ended).toBe('exit code 0')
  })

  test('A client that disconnects ends its download.', async () => {
    await using s = await setUp()
    const data = randomBytes(16 * MEBIBYTE)
    const url = await upload(s.gateway, s.ada, data)
    const socket = await requestAndPause(s.gateway, s.ada, url)
    await reached(s.gateway, 1, 0)
    socket.destroy()
    await reached(s.gateway, 0, 0)
    expect(hash((await get(s.gateway, s.ada, url)).bytes)).toBe(hash(data))
  })
})

test('A client that has a file receives no bytes, and one that has a part of it receives the rest.', async () => {
  await using s = await setUp()
  const data = randomBytes(300_000)
  const url = await upload(s.gateway, s.ada, data)
  const asked = async (headers: Record<string, string>, method?: string) => {
    const answer = await get(s.gateway, s.ada, url, headers, method)
    return [answer.status, answer.headers['content-length'], answer.headers.etag, answer.bytes.length]
  }
  const { etag = '' } = (await get(s.gateway, s.ada, url)).headers
  expect(etag).toMatch(/^"\d+"$/)
  expect(await asked({ 'If-None-Match': etag })).toEqual([304, undefined, etag, 0])
  expect(await asked({ 'If-None-Match': `"other", W/${etag}` })).toEqual([304, undefined, etag, 0])
  expect(await asked({ 'If-None-Match': '"other"' })).toEqual([200, '300000', etag, 300_000])
  expect(await asked({}, 'HEAD')).toEqual([200, '300000', etag, 0])
  expect(await asked({ Range: 'bytes=200000-', 'If-Range': etag })).toEqual([206, '100000', etag, 100_000])
  expect(await asked({ Range: 'bytes=200000-', 'If-Range': '"other"' })).toEqual([200, '300000', etag, 300_000])
  const rest = await get(s.gateway, s.ada, url, { Range: 'bytes=200000-' })
  expect(rest.bytes.equals(data.subarray(200_000))).toBe(true)
})

describe('Many downloads', () => {
  test('Downloads of one account beyond its share wait, and those of another account do not.', async () => {
    await using s = await setUp()
    const data = randomBytes(8 * MEBIBYTE)
    const [mine, hers] = [await upload(s.gateway, s.ada, data), await upload(s.gateway, s.grace, data)]
    const sockets = await Promise.all(Array.from({ length: 16 }, () => requestAndPause(s.gateway, s.ada, mine)))
    const next = requestAndPause(s.gateway, s.ada, mine)
    await reached(s.gateway, 16, 1)
    expect((await get(s.gateway, s.grace, hers)).bytes).toHaveLength(data.length)
    sockets[0]?.destroy()
    for (const socket of [...sockets.slice(1), await next]) socket.destroy()
    await reached(s.gateway, 0, 0)
  })

  test('Downloads are counted by account, and without credentials by address.', async () => {
    await using s = await setUp({
      RATE_LIMITS: 'on',
      RATES: 'downloads_by_user=3/60 downloads_by_ip=2/60',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const url = await upload(s.gateway, s.ada, redPixel)
    const codes = async (by: Person) => {
      const answers = []
      for (let i = 0; i < 4; i++) answers.push((await get(s.gateway, by, url)).status)
      return answers
    }
    expect(await codes(s.ada)).toEqual([200, 200, 200, 429])
    expect(await codes(s.grace)).toEqual([403, 403, 403, 429])
    const refused = await get(s.gateway, s.ada, url)
    expect([refused.json.code, Number(refused.headers['retry-after'])]).toEqual(['RATE_LIMIT_HIT', expect.any(Number)])
    expect((await call(s.ada, 'GET', '/users/me', {}, { url: s.gateway.url })).status).toBe(200)
    // An address of its own: other tests download from this machine at the same time.
    const headers = { 'X-Forwarded-For': `203.0.113.${randomInt(1, 255)}` }
    const picture = async (path: string) =>
      (await sendRequest(portOf(s.gateway.url), { path, host: s.ada.host, headers })).status
    const path = `/user_avatars/${s.ada.user_id}.png`
    expect([await picture(path), await picture(path), await picture(path)]).toEqual([404, 404, 429])
    expect(await picture('/user_avatars/drawn/1.png')).toBe(429)
    expect((await get(s.gateway, s.ada, `/avatar/${s.ada.user_id}`)).status).toBe(429)
  })
})
