/**
 * Many clients in one process, which verify what they receive. test/chaos/soak.test.ts starts several such processes,
 * because each may open a limited number of files, and calls the procedures at the end of this file.
 *
 * 1. A client gets every message of its team and every message for all: the next number each time, with an id greater
 *    than the one before. A repeated message is `repeated`, a message that is left out is `missed`.
 * 2. A client gets every other event of its team (reactions, edits) once: their number is compared at the end.
 * 3. No connection is opened again, so a connection that the gateway closes is counted and its later messages miss.
 *
 * It is JavaScript, because it runs uncompiled, and speaks WebSocket (RFC 6455), long polls and server-sent events
 * itself: a library needs several times the memory and the CPU for a client, on the machine that it measures.
 */
import { connect } from 'node:net'

const EVENT_TYPES = '["message","reaction","update_message","update_message_flags","typing"]'
/** Connections that are being opened at a time: fewer than the accept queue of a listening socket holds. */
const OPEN_CONCURRENCY = 25

/** One buffer for all connections: each read is processed before the next one. */
const readBuffer = Buffer.allocUnsafe(256 * 1024)

/** What each client has received, and what was wrong. */
const clients = []
const wrong = { repeated: 0, disordered: 0, closed: 0, refused: 0 }
let events = 0
const samples = []

const note = (kind, what) => {
  wrong[kind] += 1
  if (samples.length < 5) samples.push(`${kind}: ${what}`.slice(0, 300))
}

/** Verifies an event (1, 2). A message of team 7 is `team 7 number 12`, a message for all `all number 3`. */
const receive = (client, event) => {
  events += 1
  if (event.type === 'reaction' || event.type === 'update_message') client.others += 1
  if (event.type !== 'message') return
  const [, kind, number] = /^(team \d+|all) number (\d+)$/.exec(event.message.content) ?? []
  if (number === undefined) return
  if (event.id <= client.lastId) note('disordered', `${event.id} after ${client.lastId}`)
  client.lastId = event.id
  const last = kind === 'all' ? 'lastOfAll' : 'lastOfTeam'
  if (Number(number) <= client[last]) note('repeated', event.message.content)
  else {
    client.missed += Number(number) - client[last] - 1
    client[last] = Number(number)
  }
}

/** Opens a TCP connection. `read` gets all bytes that have arrived and were not used, and returns how many it used. */
const openConnection = (client, read) => {
  let rest = Buffer.alloc(0)
  const socket = connect({
    port: client.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: readBuffer,
      callback(size, buffer) {
        const bytes = rest.length === 0 ? buffer.subarray(0, size) : Buffer.concat([rest, buffer.subarray(0, size)])
        const used = read(bytes)
        // The shared buffer is overwritten by the next read.
        rest = used === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(used))
        return true
      },
    },
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (!isClosing) note('closed', client.transport)
    client.opened()
  })
  return socket
}

let isClosing = false

const formatRequest = (client, method, path, lines, body = '') =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${client.host}`,
    `Authorization: ${client.authorization}`,
    ...lines,
    ...(body === '' ? [] : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`]),
    `\r\n${body}`,
  ].join('\r\n')

/** The head of an answer in the bytes; undefined: it is not complete. */
const readHead = (bytes) => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const text = bytes.toString('latin1', 0, end).toLowerCase()
  return {
    length: end + 4,
    status: Number(text.slice(9, 12)),
    isChunked: text.includes('transfer-encoding: chunked'),
    contentLength: Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0),
  }
}

/**
 * The next chunk of a chunked body after `from`: its bytes, and where it ends. The line end after a chunk is read with
 * the next chunk, because the gateway sends it with that one.
 */
const readChunk = (bytes, from) => {
  const start = bytes[from] === 13 ? from + 2 : from
  const line = bytes.indexOf('\r\n', start)
  if (line === -1) return undefined
  const size = Number.parseInt(bytes.toString('latin1', start, line), 16)
  // The line end after the last chunk belongs to it.
  const end = line + 2 + size + (size === 0 ? 2 : 0)
  return end > bytes.length ? undefined : { body: bytes.subarray(line + 2, line + 2 + size), end }
}

/** A whole answer in the bytes; undefined: it is not complete. */
const readAnswer = (bytes) => {
  const head = readHead(bytes)
  if (head === undefined) return undefined
  if (!head.isChunked) {
    const end = head.length + head.contentLength
    return end > bytes.length ? undefined : { ...head, text: bytes.toString('utf8', head.length, end), end }
  }
  let text = ''
  for (let at = head.length; ; ) {
    const chunk = readChunk(bytes, at)
    if (chunk === undefined) return undefined
    if (chunk.body.length === 0) return { ...head, text, end: chunk.end }
    text += chunk.body.toString('utf8')
    at = chunk.end
  }
}

const openWebSocket = (client) => {
  let isOpen = false
  const socket = openConnection(client, (bytes) => {
    let at = 0
    if (!isOpen) {
      const head = readHead(bytes)
      if (head === undefined) return 0
      if (head.status !== 101) {
        note('refused', bytes.toString('latin1'))
        return bytes.length
      }
      isOpen = true
      at = head.length
    }
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
      if (operation === 1) receiveFrame(client, bytes.toString('utf8', start, start + length))
      // A pong with the bytes of the ping, and a masking key of zero.
      if (operation === 9) {
        const header = Buffer.from([0x8a, 0x80 | length, 0, 0, 0, 0])
        socket.write(Buffer.concat([header, bytes.subarray(start, start + length)]))
      }
      at = start + length
    }
    return at
  })
  const path = `/api/v1/events?event_types=${encodeURIComponent(EVENT_TYPES)}&fetch_event_types=[]`
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  socket.write(formatRequest(client, 'GET', path, [...lines, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']))
  return socket
}

const receiveFrame = (client, text) => {
  const frame = JSON.parse(text)
  if (frame.req !== 0) receive(client, frame)
  else if (frame.status === 200) client.opened()
  else note('refused', text)
}

/** Registers a queue, then reads it with one poll after the other, or with a stream. */
const openRequests = (client) => {
  let queue
  let lastEventId
  let isStream = false
  let stream = ''
  const readEvents = () => {
    const path = `/api/v1/events?queue_id=${queue}&last_event_id=${lastEventId}`
    const isSse = client.transport === 'sse'
    socket.write(formatRequest(client, 'GET', path, isSse ? ['Accept: text/event-stream'] : []))
    if (!isSse) client.opened()
  }
  const receiveAll = (events) => {
    for (const event of events) {
      lastEventId = event.id
      receive(client, event)
    }
  }
  const readStream = (bytes, from) => {
    let at = from
    for (let chunk = readChunk(bytes, at); chunk !== undefined; chunk = readChunk(bytes, at)) {
      stream += chunk.body.toString('utf8')
      at = chunk.end
    }
    const parts = stream.split('\n\n')
    stream = parts.pop()
    const data = parts.flatMap((part) => part.split('\n').filter((line) => line.startsWith('data: ')))
    receiveAll(data.map((line) => JSON.parse(line.slice(6))))
    return at
  }
  const socket = openConnection(client, (bytes) => {
    if (isStream) return readStream(bytes, 0)
    if (queue !== undefined && client.transport === 'sse') {
      const head = readHead(bytes)
      if (head === undefined) return 0
      if (head.status !== 200) note('refused', bytes.toString('latin1'))
      isStream = true
      client.opened()
      return readStream(bytes, head.length)
    }
    const answer = readAnswer(bytes)
    if (answer === undefined) return 0
    if (answer.status !== 200) {
      note('refused', answer.text)
      return answer.end
    }
    const body = JSON.parse(answer.text)
    if (queue === undefined) {
      queue = body.queue_id
      lastEventId = body.last_event_id
    } else receiveAll(body.events)
    readEvents()
    return answer.end
  })
  const body = `event_types=${encodeURIComponent(EVENT_TYPES)}&fetch_event_types=[]`
  socket.write(formatRequest(client, 'POST', '/api/v1/register', [], body))
  return socket
}

const procedures = {
  /** Opens the clients, and resolves when each of them can receive events, or was refused or closed. */
  async open({ list }) {
    const next = list.values()
    const openNext = async () => {
      for (const { port, host, authorization, team, transport } of next) {
        await new Promise((resolve) => {
          const client = { port, host, authorization, team, transport, opened: resolve }
          Object.assign(client, { lastId: 0, lastOfTeam: 0, lastOfAll: 0, missed: 0, others: 0 })
          clients.push(client)
          if (transport === 'websocket') openWebSocket(client)
          else openRequests(client)
        })
      }
    }
    await Promise.all(Array.from({ length: OPEN_CONCURRENCY }, openNext))
  },

  /** Compares what the clients have received with what was sent: numbers of messages and other events. */
  check({ teams, others, all }) {
    const isComplete = (client) =>
      client.lastOfTeam === teams[client.team] && client.lastOfAll === all && client.others === others[client.team]
    return {
      ...wrong,
      events,
      incomplete: clients.filter((client) => !isComplete(client)).length,
      missed: clients.reduce(
        (sum, client) => sum + client.missed + teams[client.team] - client.lastOfTeam + all - client.lastOfAll,
        0,
      ),
      samples,
      megabytes: Math.round(process.memoryUsage().rss / 1024 / 1024),
      cpu_seconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    }
  },
}

process.on('message', async ({ id, procedure, input }) => {
  process.send({ id, result: await procedures[procedure](input) })
})
process.once('disconnect', () => {
  isClosing = true
  process.exit(0)
})
