/**
 * Many clients in one process, each of them the client library (client/dist) with its own pauses and routes.
 * reconnects.test.ts starts several such processes, because each may open a limited number of files, and calls the
 * procedures at the end of this file.
 *
 * The library gets a WebSocket class and a `fetch` that cost less than those of a platform: the clients share the CPUs
 * of the machine with the gateways. Both send the headers of a browser, so that the library learns of refusals.
 */
import http from 'node:http'
import { connect } from 'node:net'
import { createClient } from '../../client/dist/index.js'

/** Clients that connect for the first time at the same moment. */
const OPEN_CONCURRENCY = 50

/** One buffer for all connections: each read is processed before the next one. */
const readBuffer = Buffer.allocUnsafe(256 * 1024)

/**
 * Since `begin`: the times (Date.now()) at which the library decided to connect, those of handshakes, and how
 * handshakes and registrations were answered.
 */
let noted
const begin = () => {
  noted = { planned: [], begun: [], answered: [], statuses: {}, registrations: {} }
}
begin()

const count = (counts, key) => {
  counts[key] = (counts[key] ?? 0) + 1
}

/** A WebSocket of RFC 6455 with the interface that the library uses. */
class LightSocket {
  #listeners = { open: [], message: [], close: [], error: [] }
  #socket
  #rest = Buffer.alloc(0)
  #isOpen = false
  #close = { code: 1006, reason: '' }

  constructor(address, protocols) {
    const { port, hash, pathname, search } = new URL(address)
    const host = hash.slice(1) || LightSocket.host
    noted.begun.push(Date.now())
    this.#socket = connect({
      port: Number(port),
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback: (size, buffer) => this.#read(buffer.subarray(0, size)) },
    })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => this.#emit('close', this.#close))
    this.#socket.write(
      [
        `GET ${pathname}${search} HTTP/1.1`,
        `Host: ${host}`,
        `Origin: http://${host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        `Sec-WebSocket-Protocol: ${protocols.join(', ')}`,
        '\r\n',
      ].join('\r\n'),
    )
  }

  addEventListener(type, listener) {
    this.#listeners[type].push(listener)
  }

  send(text) {
    this.#write(0x81, Buffer.from(text))
  }

  close() {
    this.#socket.destroy()
  }

  #emit(type, event) {
    for (const listener of this.#listeners[type]) listener(event)
  }

  /** A frame of less than 65,536 bytes with a masking key of zero, which leaves the payload unchanged. */
  #write(operation, payload) {
    const { length } = payload
    const lengths = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
    this.#socket.write(Buffer.concat([Buffer.from([operation, ...lengths, 0, 0, 0, 0]), payload]))
  }

  #read(received) {
    const bytes = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received])
    const used = this.#isOpen ? this.#readFrames(bytes, 0) : this.#readHead(bytes)
    // The shared buffer is overwritten by the next read.
    this.#rest = used === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(used))
    return true
  }

  #readHead(bytes) {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) return 0
    const status = bytes.toString('latin1', 9, 12)
    count(noted.statuses, status)
    noted.answered.push(Date.now())
    if (status !== '101') {
      this.#socket.destroy()
      return bytes.length
    }
    this.#isOpen = true
    this.#emit('open')
    return this.#readFrames(bytes, end + 4)
  }

  #readFrames(bytes, from) {
    let at = from
    while (bytes.length - at >= 2) {
      const operation = bytes[at] & 0x0f
      let length = bytes[at + 1] & 0x7f
      let start = at + 2
      if (length === 126) {
        if (bytes.length - at < 4) break
        length = bytes.readUInt16BE(at + 2)
        start = at + 4
      } else if (length === 127) {
        if (bytes.length - at < 10) break
        length = Number(bytes.readBigUInt64BE(at + 2))
        start = at + 10
      }
      if (start + length > bytes.length) break
      const payload = bytes.subarray(start, start + length)
      if (operation === 1) this.#emit('message', { data: payload.toString() })
      if (operation === 9) this.#write(0x8a, payload)
      if (operation === 8) {
        this.#close = { code: length < 2 ? 1005 : payload.readUInt16BE(0), reason: payload.toString('utf8', 2) }
        count(noted.statuses, this.#close.code)
        this.#socket.end()
      }
      at = start + length
    }
    return at
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 })

/** What a client shows of an organization. The first registrations of a drill do without it, and take less time. */
const SNAPSHOT = ['realm', 'subscription', 'message', 'update_message_flags']
let asksForSnapshot = false

/** The part of `fetch` that registrations need. */
const lightFetch = (host) => (address, init) =>
  new Promise((resolve, reject) => {
    const { method, signal } = init
    const isRegistration = address.endsWith('/register')
    let { body = '' } = init
    if (isRegistration && asksForSnapshot) body = JSON.stringify({ ...JSON.parse(body), fetch_event_types: SNAPSHOT })
    const headers = { ...init.headers, Host: host, 'Content-Length': Buffer.byteLength(body) }
    const request = http.request(address, { agent, method, headers, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode } = response
        if (isRegistration) count(noted.registrations, statusCode)
        resolve(new Response(text, { status: statusCode, headers: { 'Content-Type': 'application/json' } }))
      })
    })
    request.on('error', (error) => {
      count(noted.registrations, error.code)
      reject(error)
    })
    request.end(body)
  })

const clients = []

/** Starts a client, and resolves when it is open for the first time. */
const startClient = ({ url, host, email, apiKey, channel }) =>
  new Promise((resolve) => {
    class SocketOfHost extends LightSocket {
      constructor(address, protocols) {
        super(`${address}#${host}`, protocols)
      }
    }
    const client = createClient({
      url,
      credentials: { email, apiKey },
      fetch: lightFetch(host),
      WebSocket: SocketOfHost,
    })
    const events = client.events({ event_types: ['message'], fetch_event_types: [], transports: ['websocket'] })
    const known = { channel, ids: [], lastId: 0, doubled: 0, disordered: 0, resets: 0, gaps: [], lostAt: undefined }
    known.failure = undefined
    known.isOpen = () => events.state.get().status === 'open'
    clients.push(known)
    events.state.subscribe(() => {
      const { status, retryAt } = events.state.get()
      if (status === 'waiting') noted.planned.push(retryAt)
      const isOpen = known.isOpen()
      if (isOpen) {
        if (known.lostAt !== undefined) known.gaps.push([known.lostAt, Date.now()])
        known.lostAt = undefined
        resolve()
      } else if (known.lostAt === undefined) known.lostAt = Date.now()
    })
    const read = async () => {
      for await (const event of events) {
        if (event.type === 'reset') known.resets += 1
        if (event.type !== 'message') continue
        const { id } = event.message
        if (id === known.lastId) known.doubled += 1
        else if (id < known.lastId) known.disordered += 1
        else known.ids.push(id)
        known.lastId = Math.max(known.lastId, id)
      }
    }
    read().catch((error) => {
      known.failure = String(error)
      resolve()
    })
  })

const procedures = {
  /** Starts clients, and resolves when each of them was open. */
  async open({ list }) {
    const next = list.values()
    const openNext = async () => {
      for (const one of next) await startClient(one)
    }
    await Promise.all(Array.from({ length: OPEN_CONCURRENCY }, openNext))
    asksForSnapshot = true
  },

  /** Forgets what was noted, apart from how the connections are. */
  begin() {
    begin()
    for (const client of clients) Object.assign(client, { ids: [], doubled: 0, disordered: 0, resets: 0, gaps: [] })
  },

  /** How many clients are connected, and how many have lost a connection and are back: `resets` with a new queue. */
  count({ resets }) {
    const isBack = ({ gaps, resets: registered }) => gaps.length > 0 && (!resets || registered > 0)
    const open = clients.filter(({ isOpen }) => isOpen())
    return { open: open.length, back: open.filter(isBack).length }
  },

  /** Compares what the clients received since `begin` with the ids of the messages that were sent to their channels. */
  check({ sent }) {
    const missing = ({ channel, ids }) => {
      const received = new Set(ids)
      return sent[channel].filter((id) => !received.has(id)).length
    }
    const sum = (measure) => clients.reduce((total, client) => total + measure(client), 0)
    return {
      ...noted,
      gaps: clients.filter(({ gaps }) => gaps.length > 0).map(({ gaps }) => [gaps[0][0], gaps.at(-1)[1]]),
      lost: sum((client) => (client.resets > 0 ? 0 : missing(client))),
      doubled: sum(({ doubled }) => doubled),
      disordered: sum(({ disordered }) => disordered),
      resets: sum(({ resets }) => resets),
      failures: clients.flatMap(({ failure }) => failure ?? []).slice(0, 5),
      cpu_seconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
      megabytes: Math.round(process.memoryUsage().rss / 1024 / 1024),
    }
  },
}

process.on('message', async ({ id, procedure, input }) => {
  process.send({ id, result: await procedures[procedure](input) })
})
process.once('disconnect', () => process.exit(0))
