/**
 * The fuzzer: calls of all endpoints with valid, wrong and hostile values, over HTTP and sockets, broken frames, and
 * broken HTTP. The gateway never answers 5xx, crashes or hangs, and every answer of an endpoint is the protocol's JSON.
 *
 * The gateway runs with NODE_ENV=test: an answer that differs from the response that its endpoint declares, from which
 * the OpenAPI document is made, is a 500. The test suite runs a short form with a fixed seed;
 * `npm run fuzz -- --cases N --seed S` runs longer ones.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parseJson } from '../../src/gateway/body/json-values.js'
import { inspectorVariables, measureLiveMegabytes } from '../setup/processes/live-memory.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { openRandom, type Random } from '../setup/random.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { type GeneratedCall, generateBytes, generateCall, generateFrame, generateFrameBytes, toText } from './cases.js'
import type { World } from './values.js'

const cases = Number(process.env.FUZZ_CASES ?? 2_000)
const isLongForm = process.env.FUZZ_CASES !== undefined
const seed = Number(process.env.FUZZ_SEED ?? 1)
const AT_ONCE = 12
/** Calls change accounts, settings and keys, so a new organization takes the place of the old one after this many. */
const CASES_PER_REALM = 20_000
/** So often, accounts whose credentials are refused get a successor. */
const CASES_PER_CHECK = 100
/**
 * The live memory that a gateway may need for each organization of the run. Organizations stay in memory for half an
 * hour. The other caches, compiled code and the statements that Postgres prepares are full after the first one or two.
 */
const MEGABYTES_PER_REALM = 1.5
/** The live memory that the caches and compiled code may need after the first organization. */
const MEGABYTES_OF_CACHES = 20
/** An answer that takes longer is a hang. Hashing a password takes a tenth of a second. */
const HANG_MS = 10_000
/** With its headers, a request with a longer target can have more bytes in its head than a gateway reads. */
const LONG_TARGET = 15_000

interface Answer {
  status: number
  text: string
}

/** One organization of a run, with its accounts and their sockets. */
interface Target {
  /** the last one is in use */
  realms: TestRealm[]
  people: Person[]
  world: World
  sockets: FuzzSocket[]
}

test('No request makes a gateway answer 5xx, crash, hang or leave the protocol.', {
  timeout: 60_000 + cases * 20,
}, async () => {
  const random = openRandom(seed)
  const gateway = await startGateway({
    LONG_WORK_WAIT_MS: '200',
    POLL_HEARTBEAT_MS: '1000',
    STREAM_HEARTBEAT_MS: '1000',
    ...(isLongForm ? inspectorVariables : {}),
  })
  const port = Number(new URL(gateway.url).port)
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const failures = new Map<string, { count: number; first: string }>()
  const statuses = new Map<string, number>()
  const reached = new Set<string>()
  let slowest = { ms: 0, what: '' }
  const fail = (what: string, how: string) => {
    const known = failures.get(what)
    if (known !== undefined) {
      known.count += 1
      return
    }
    failures.set(what, { count: 1, first: how.slice(0, 1_000) })
    // A long run says it at once, while its gateway can still be looked at.
    if (isLongForm) console.log(`${what}\n${how.slice(0, 1_000)}`)
  }
  const check = ({ name, isSite, method, path, fields }: GeneratedCall, answer: Answer, ms: number, via: string) => {
    const { status, text } = answer
    statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1)
    const what = `${name} over ${via}`
    const how = () => `${method} ${path} ${JSON.stringify(fields)?.slice(0, 700)}: ${status} ${text.slice(0, 300)}`
    if (ms > slowest.ms) slowest = { ms, what: `${what} ${JSON.stringify(fields)?.slice(0, 100)}` }
    if (status === 200) reached.add(name)
    if (status === 0) return fail(`${what}: no answer`, how())
    if (status >= 500) return fail(`${what}: ${status}`, how())
    // Resumable uploads follow the protocol tus, and a redirect has no body.
    const hasOtherForm = isSite || status === 204 || status === 302 || name.endsWith('Resumable')
    if (hasOtherForm || method === 'HEAD' || method === 'OPTIONS') return undefined
    let body: Record<string, unknown>
    try {
      body = JSON.parse(text)
    } catch {
      return fail(`${what}: not JSON`, how())
    }
    const isSuccess = status === 200
    const isProtocol =
      body.result === (isSuccess ? 'success' : 'error') &&
      typeof body.msg === 'string' &&
      (isSuccess || (typeof body.code === 'string' && body.msg !== ''))
    return isProtocol ? undefined : fail(`${what}: not of the protocol`, how())
  }

  const sendHttp = async (own: Random, { people }: Target, generated: GeneratedCall) => {
    const { method, path, isSite, fields } = generated
    const account = own.next() < 0.93 ? own.pick(people) : undefined
    const headers: Record<string, string> = { Host: (people[0] as Person).host }
    if (account !== undefined) headers.Authorization = basicAuthorization(account)
    else if (own.next() < 0.3) headers.Authorization = own.pick(['Basic x', 'Bearer ', 'Basic Og==', 'Basic \u00ff'])
    const form = new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [name, toText(value) ?? '']),
    )
    let target = isSite ? path : `/api/v1${path}`
    let body: string | undefined
    const kind = own.next()
    if (method === 'GET' || method === 'HEAD' || kind < 0.05) target += `?${form.toString().slice(0, 6_000)}`
    else if (kind < 0.25) {
      headers['Content-Type'] = 'application/json'
      body = JSON.stringify(fields)
    } else if (kind < 0.32) {
      headers['Content-Type'] = 'multipart/form-data; boundary=fuzz'
      const parts = [...form].map(
        ([name, value]) =>
          `--fuzz\r\nContent-Disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${value}\r\n`,
      )
      const file = 'Content-Disposition: form-data; name="file"; filename="../a.png"\r\nContent-Type: image/png\r\n\r\n'
      body = `${parts.join('')}--fuzz\r\n${file}\x89PNG\r\n\x1a\nbroken\r\n--fuzz--\r\n`
    } else {
      headers['Content-Type'] = 'application/x-www-form-urlencoded'
      body = form.toString()
    }
    const began = performance.now()
    const answer = await request(agent, port, method, target, headers, body)
    // uWebSockets refuses such a head by itself, with a page (docs/clients.md, the limits).
    if (answer.status === 431 && target.length > LONG_TARGET) return
    check(generated, answer, performance.now() - began, 'HTTP')
  }

  const runCase = async (own: Random, target: Target) => {
    const kind = own.next()
    const account = own.pick(target.people)
    if (kind < 0.75) return sendHttp(own, target, generateCall(own, target.world))
    const socket = own.pick(target.sockets)
    if (kind < 0.92) {
      const generated = generateCall(own, target.world)
      const { method, path, fields } = generated
      // A frame beyond the bounds of JSON is answered, but not as this call: its `req` is not read.
      const text = JSON.stringify({ req: 1, method, path, params: fields })
      if (parseJson(text) === undefined) return socket.sendFrame(text)
      const began = performance.now()
      const answer = await socket.call(generated)
      // A socket that is closed by the gateway, because its account was deactivated for example, answers nothing.
      if (answer !== undefined) check(generated, answer, performance.now() - began, 'socket')
      return undefined
    }
    if (kind < 0.96) return socket.sendFrame(generateFrame(own))
    const bytes = generateBytes(own, account.host, basicAuthorization(account))
    const isSocket = own.next() < 0.3
    const text = await sendBytes(port, isSocket ? composeHandshake(account, generateFrameBytes(own)) : bytes)
    statuses.set('raw', (statuses.get('raw') ?? 0) + 1)
    const status = /^HTTP\/1\.1 (5\d\d)/.exec(text)?.[1]
    // 505 is the answer to another version of HTTP, 501 the one to another transfer coding than chunked (RFC 9112).
    if (status !== undefined && status !== '505' && status !== '501')
      fail(`raw: ${status}`, `${JSON.stringify(bytes.toString('latin1').slice(0, 500))}: ${text.slice(0, 300)}`)
    return undefined
  }

  const memory: number[] = []
  const liveMemory: number[] = []
  let realms = 0
  const began = performance.now()
  for (let from = 0; from < cases; from += CASES_PER_REALM) {
    const target = await openTarget(gateway, fail)
    let next = from
    let replacing = Promise.resolve()
    const until = Math.min(cases, from + CASES_PER_REALM)
    const work = async () => {
      while (next < until) {
        const n = next++
        if (n % CASES_PER_CHECK === 0) {
          replacing = replacing.then(() => replaceRefused(target, gateway, fail))
          await replacing
        }
        await runCase(random.fork(`case ${n}`), target)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    for (const socket of target.sockets) socket.close()
    for (const realm of target.realms) await realm[Symbol.asyncDispose]()
    realms += target.realms.length
    memory.push(readMegabytes(gateway.pid))
    if (!isLongForm) continue
    liveMemory.push(await measureLiveMegabytes(gateway.logFile))
    console.log(
      `${until} cases, ${realms} organizations, ${memory.at(-1)} MB, ${liveMemory.at(-1)} MB of live objects, ` +
        `${failures.size} failures`,
    )
  }
  const seconds = (performance.now() - began) / 1000
  // It is alive, and serves another organization.
  await using after = await newRealm()
  const [ada] = (await after.people({ full_name: 'Ada' })) as [Person]
  await ok(ada, 'GET', '/users/me', {}, { url: gateway.url })
  const errors = readFileSync(gateway.logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
  agent.destroy()
  const how = await gateway.stop()

  const all = [...failures].map(([what, { count, first }]) => `${what} (${count} times)\n${first}`)
  const list = [...statuses].sort(([, a], [, b]) => b - a).map(([status, count]) => `${status}: ${count}`)
  const figures = {
    seed,
    cases,
    'cases per second': Math.round(cases / seconds),
    'endpoints that succeeded': reached.size,
    answers: list.join(', '),
    'slowest answer': `${Math.round(slowest.ms)} ms, ${slowest.what}`,
    'memory (MB)': `${memory[0]} at first, ${Math.max(...memory)} at most, ${memory.at(-1)} at the end`,
    ...(isLongForm ? { 'live objects (MB)': `${liveMemory[0]} at first, ${liveMemory.at(-1)} at the end` } : {}),
    'different failures': failures.size,
    'errors in the log': errors.length,
  }
  console.log(
    Object.entries(figures)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  )
  expect({ seed, failures: all, errors: errors.slice(0, 10), how }).toEqual({
    seed,
    failures: [],
    errors: [],
    how: 'exit code 0',
  })
  expect(Math.max(...memory)).toBeLessThan(1_500)
  const [first = 0] = liveMemory
  expect(liveMemory.at(-1) ?? 0).toBeLessThanOrEqual(first + MEGABYTES_OF_CACHES + MEGABYTES_PER_REALM * realms)
})

const openTarget = async (gateway: TestProcess, fail: (what: string, how: string) => void): Promise<Target> => {
  const realm = await newRealm()
  const people = await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Admin', role: 200 },
    { full_name: 'Ada' },
    { full_name: 'Guest', role: 600 },
  )
  const [owner] = people as [Person]
  const at = { url: gateway.url }
  const principals = people.map(({ user_id }) => user_id)
  const subscriptions = ['general', 'design', 'private'].map((name) => ({ name }))
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions, principals }, at)
  for (let i = 0; i < 10; i++) {
    const fields = { type: 'stream', to: 'general', topic: i % 2 === 0 ? 't' : 'logo', content: 'hello @**all**' }
    await ok(people[i % people.length], 'POST', '/messages', fields, at)
  }
  const queues = await Promise.all(
    people.map((person) => call(person, 'POST', '/register', { fetch_event_types: [], event_types: ['message'] }, at)),
  )
  const world = {
    emails: people.map(({ email }) => email),
    user_ids: people.map(({ user_id }) => user_id),
    names: [...people.map(({ full_name }) => full_name), 'general', 'design', 'private', 'role:members'],
    queue_ids: queues.map(({ body }) => String(body.queue_id)),
  }
  return { realms: [realm], people, world, sockets: people.map((person) => openFuzzSocket(gateway.url, person, fail)) }
}

/** Calls have deactivated accounts or the organization, or changed keys: new ones take their places. */
const replaceRefused = async (
  target: Target,
  gateway: TestProcess,
  fail: (what: string, how: string) => void,
): Promise<void> => {
  const roles = [100, 200, 400, 600]
  const isRefused = async (person: Person) =>
    (await call(person, 'GET', '/users/me', {}, { url: gateway.url })).status !== 200
  for (const [i, person] of target.people.entries()) {
    if (!(await isRefused(person))) continue
    const full_name = `Successor ${i} ${randomUUID().slice(0, 8)}`
    const [successor] = await (target.realms.at(-1) as TestRealm).people({ full_name, role: roles[i] })
    if (successor === undefined || (await isRefused(successor))) {
      const { sockets, realms } = target
      const next = await openTarget(gateway, fail)
      Object.assign(target, { ...next, realms: [...realms, ...next.realms] })
      for (const socket of sockets) socket.close()
      return
    }
    target.people[i] = successor
    target.sockets[i]?.close()
    target.sockets[i] = openFuzzSocket(gateway.url, successor, fail)
  }
}

interface FuzzSocket {
  /** @returns undefined when the socket was closed before the answer */
  call(generated: GeneratedCall): Promise<Answer | undefined>
  /** Sends a frame that is no valid call, and resolves when the gateway has handled it. */
  sendFrame(frame: string | Buffer): Promise<void>
  close(): void
}

/** A socket that opens again when the gateway has closed it. */
const openFuzzSocket = (url: string, account: Person, fail: (what: string, how: string) => void): FuzzSocket => {
  let socket: WebSocket | undefined
  let last = 1_000_000
  const waiting = new Map<number, (answer: Answer | undefined) => void>()
  const open = (): Promise<WebSocket | undefined> =>
    new Promise((resolve) => {
      if (socket?.readyState === WebSocket.OPEN) return resolve(socket)
      const headers = { Host: account.host, Authorization: basicAuthorization(account) }
      const path = '/api/v1/events?event_types=[]&fetch_event_types=[]'
      const opened = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
      opened.on('open', () => {
        socket = opened
        resolve(opened)
      })
      opened.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { req?: number | null; status: number; body: unknown }
        if (frame.status >= 500) fail('socket: 5xx', String(data).slice(0, 300))
        if (typeof frame.req !== 'number') return
        waiting.get(frame.req)?.({ status: frame.status, text: JSON.stringify(frame.body) })
        waiting.delete(frame.req)
      })
      opened.on('error', () => resolve(undefined))
      opened.on('close', () => {
        for (const answer of waiting.values()) answer(undefined)
        waiting.clear()
        resolve(undefined)
      })
    })
  const send = async (compose: (req: number) => string | Buffer): Promise<Answer | undefined> => {
    const opened = await open()
    if (opened === undefined) return undefined
    const req = ++last
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(req)
        resolve({ status: 0, text: '' })
      }, HANG_MS)
      waiting.set(req, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      opened.send(compose(req))
    })
  }
  return {
    call: ({ method, path, fields }) => send((req) => JSON.stringify({ req, method, path, params: fields })),
    async sendFrame(frame) {
      ;(await open())?.send(frame)
      const answer = await send((req) => JSON.stringify({ req, method: 'GET', path: '/users/me/presence' }))
      if (answer?.status === 0) fail('socket: no answer after a frame', String(frame).slice(0, 300))
    },
    close: () => socket?.terminate(),
  }
}

const request = (
  agent: http.Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> =>
  new Promise((resolve) => {
    const all = body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = http.request({ port, method, path, headers: all, agent }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', () => resolve({ status: 0, text: 'broken' }))
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() })
      })
    })
    const timer = setTimeout(() => sent.destroy(new Error('timeout')), HANG_MS)
    sent.on('error', (error) => {
      clearTimeout(timer)
      // The gateway may close an idle connection while a request is sent on it.
      if (sent.reusedSocket && error.message !== 'timeout') {
        request(agent, port, method, path, headers, body).then(resolve)
      } else resolve({ status: 0, text: error.message })
    })
    sent.end(body)
  })

/** Milliseconds for an answer to bytes, which may be the begin of a request only. */
const PATIENCE_MS = 60

const sendBytes = (port: number, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    sleep(PATIENCE_MS).then(() => socket.destroy())
  })

const composeHandshake = (account: Person, frames: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `GET /api/v1/events?event_types=[]&fetch_event_types=[] HTTP/1.1\r\nHost: ${account.host}\r\n` +
        `Authorization: ${basicAuthorization(account)}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    ),
    frames,
  ])

const readMegabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
