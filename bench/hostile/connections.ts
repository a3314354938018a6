/** Abuse by connections: ones that do not read, read or send slowly, and ones that come and go. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatHandshake } from '../load/frames.js'
import {
  type Abuse,
  formatBytes,
  formatForm,
  openConnection,
  openUnread,
  outsideAddress,
  ROUND_TRIP_MS,
  repeat,
  type Stop,
  sendOnce,
  type Target,
} from './abuse.js'

const REGISTER = '/api/v1/register'

/** Registers queues whose narrows are long and differ, so that each has a profile of its own. */
const registerProfiles = async (target: Target, queues: number): Promise<string[]> => {
  const ids: string[] = []
  const register = async (i: number) => {
    const narrow = JSON.stringify(Array.from({ length: 1 + (i % 75) }, () => ['stream', 'bench']))
    const fields = { event_types: '["message"]', fetch_event_types: '[]', narrow, apply_markdown: String(i < 75) }
    const { body } = await sendOnce(target, formatForm(target, REGISTER, fields))
    ids.push(/"queue_id":"([^"]+)"/.exec(body)?.[1] ?? '')
  }
  for (let i = 0; i < queues; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => register(i + k)))
  }
  return ids
}

const formatEventsHandshake = ({ host, authorization, address }: Target, queue_id: string): Buffer => {
  const lines = [`Authorization: ${authorization}`, `X-Forwarded-For: ${address}`]
  return Buffer.from(formatHandshake(host, `/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, lines))
}

const destroyAll = (sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.destroy()
}

export const deafSockets: Abuse = {
  name: '150 sockets that never read, each with a profile of its own, and large messages',
  most_megabytes: 600,
  async start(target, count) {
    const ids = await registerProfiles(target, 150)
    const sockets: Socket[] = []
    const stopOpening = openGradually(ids.length, (i) => {
      sockets.push(openUnread(target.port, formatEventsHandshake(target, ids[i] ?? '')))
    })
    const fields = { type: 'stream', to: String(target.channel_id), topic: 'noise', content: 'noise '.repeat(1_660) }
    const stop = repeat(target, 1, count, () => formatForm(target, '/api/v1/messages', fields))
    return async () => {
      stopOpening()
      const stopped = stop()
      destroyAll(sockets)
      await stopped
    }
  },
}

const FILE_BYTES = 25 * 1024 * 1024
const READERS = 30

export const slowReaders: Abuse = {
  name: `${READERS} slow readers of a file of 25 MB`,
  most_megabytes: 450,
  async start(target, count) {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), Buffer.alloc(FILE_BYTES - 1_024, 'a'), Buffer.from('\r\n--b--\r\n')])
    const type = 'Content-Type: multipart/form-data; boundary=b'
    const upload = formatBytes(target, 'POST', '/api/v1/user_uploads', { body, lines: [type] })
    const { body: answer } = await sendOnce(target, upload)
    const path = JSON.parse(answer).url as string
    const sockets: Socket[] = []
    const timers = Array.from({ length: READERS }, (_, i) => {
      const open = () => {
        const socket = openUnread(target.port, formatBytes(target, 'GET', path))
        socket.on('readable', () => {})
        socket.on('close', () => count('closed'))
        sockets[i] = socket
      }
      open()
      return setInterval(() => {
        if (sockets[i]?.destroyed === true) open()
        if (sockets[i]?.read(16 * 1024) != null) count('16 KiB')
      }, 100)
    })
    return () => {
      for (const timer of timers) clearInterval(timer)
      destroyAll(sockets)
    }
  },
}

/** One machine opens about a thousand connections a second. */
const OPENED_AT_ONCE = 10

/** Opens connections one after the other, as a network lets them arrive. */
const openGradually = (connections: number, open: (i: number) => void): (() => void) => {
  let opened = 0
  const timer = setInterval(() => {
    for (let n = 0; n < OPENED_AT_ONCE && opened < connections; n++) open(opened++)
    if (opened === connections) clearInterval(timer)
  }, ROUND_TRIP_MS)
  return () => clearInterval(timer)
}

/** Sends a piece on each connection at an interval. A connection that the server closed is opened again. */
const trickle = (open: (i: number) => Socket, connections: number, piece: Buffer, ms: number): Stop => {
  const sockets: Socket[] = []
  const stopOpening = openGradually(connections, (i) => sockets.push(open(i)))
  const timer = setInterval(() => {
    for (const [i, socket] of sockets.entries()) {
      if (socket.destroyed) sockets[i] = open(i)
      else if (socket.writableLength === 0) socket.write(piece)
    }
  }, ms)
  return () => {
    stopOpening()
    clearInterval(timer)
    destroyAll(sockets)
  }
}

export const slowBodies: Abuse = {
  name: '600 outsiders with large bodies that arrive slowly',
  most_megabytes: 450,
  async start(target, count) {
    const openWith = (path: string, first: number, length: number) => (i: number) => {
      const body = Buffer.alloc(first, 'a')
      const bytes = formatBytes(target, 'POST', path, { body, length, outsider: outsideAddress(1_000 + i) })
      const socket = openUnread(target.port, bytes)
      socket.on('data', (data) => count(data.toString('latin1', 9, 12)))
      return socket
    }
    const stops = [
      // As large as a body without credentials may be, and almost complete.
      trickle(openWith('/api/v1/fetch_api_key', 64_000, 65_000), 500, Buffer.from('a'), 1_000),
      // Larger, so they are refused, and the rest of them is discarded.
      trickle(openWith('/api/v1/user_uploads', 16_000, 20_000_000), 100, Buffer.alloc(16_000, 'a'), 250),
    ]
    return () => {
      for (const stop of stops) void stop()
    }
  },
}

export const reconnects: Abuse = {
  name: 'registrations, and sockets that are opened and closed, in a loop',
  most_megabytes: 450,
  async start(target, count) {
    const [queue = ''] = await registerProfiles({ ...target }, 10)
    const handshake = formatEventsHandshake(target, queue)
    const register = formatForm(target, REGISTER, {})
    const stop = repeat(target, 4, count, () => register)
    let isEnding = false
    const run = async () => {
      while (!isEnding) {
        const connection = openConnection(target.port)
        const { status } = await connection.send(handshake)
        count(`handshake ${status}`)
        connection.close()
        await sleep(ROUND_TRIP_MS)
      }
    }
    for (let i = 0; i < 4; i++) void run()
    return () => {
      isEnding = true
      return stop()
    }
  },
}

/** Of each upload. */
const UNFINISHED_BYTES = 8 * 1024 * 1024
/** All uploads together then send about a gigabit per second. */
const UPLOADED_AT_ONCE = 64 * 1024

export const unfinishedUploads: Abuse = {
  name: 'resumable uploads that are not finished',
  most_megabytes: 550,
  async start(target, count) {
    const version = 'Tus-Resumable: 1.0.0'
    const create = formatBytes(target, 'POST', '/api/v1/tus/', { lines: [version, `Upload-Length: ${FILE_BYTES}`] })
    const sockets: Socket[] = []
    const piece = Buffer.alloc(UPLOADED_AT_ONCE, 'a')
    let isEnding = false
    const run = async () => {
      const connection = openConnection(target.port)
      while (!isEnding) {
        const { status, head } = await connection.send(create)
        count(String(status))
        const path = /location: (\S+)/i.exec(head)?.[1]
        if (status === 201 && path !== undefined && !isEnding) {
          const lines = [version, 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream']
          const bytes = formatBytes(target, 'PATCH', path, { lines, body: piece, length: FILE_BYTES })
          const socket = openUnread(target.port, bytes)
          socket.on('data', (data) => count(`part ${data.toString('latin1', 9, 12)}`))
          sockets.push(socket)
        }
        await sleep(ROUND_TRIP_MS)
      }
      connection.close()
    }
    for (let i = 0; i < 4; i++) void run()
    const timer = setInterval(() => {
      for (const socket of sockets) {
        if (!socket.destroyed && socket.writableLength === 0 && socket.bytesWritten < UNFINISHED_BYTES) {
          socket.write(piece)
        }
      }
    }, ROUND_TRIP_MS)
    return () => {
      isEnding = true
      clearInterval(timer)
      destroyAll(sockets)
    }
  },
}
