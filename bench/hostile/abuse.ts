/** A kind of abuse by one hostile account, or by an outsider; and the raw client that commits it. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whom an abuse is aimed at, and the account that commits it. */
export interface Target {
  port: number
  host: string
  channel_id: number
  /** the Authorization header of the hostile account */
  authorization: string
  /** the network address from which the account calls */
  address: string
  /** the other accounts of the organization */
  user_ids: number[]
}

/** How often each answer came: by status, or by what else happened. */
export type Tally = Record<string, number>

export interface Abuse {
  name: string
  /** the resident memory that a gateway and its children may have at the most, in megabytes */
  most_megabytes: number
  /** Begins the abuse, counting the answers. Resolves when it is under way. */
  start(target: Target, count: (what: string) => void): Promise<Stop>
}

/** Ends an abuse. Resolves when the server has answered what was asked, so that nothing of it is left. */
export type Stop = () => void | Promise<void>

/** Another network address, as a proxy would report it. Each number is a network of its own. */
export const outsideAddress = (number: number): string =>
  `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`

interface RequestOptions {
  body?: string | Buffer
  /** lines of the head, without line ends */
  lines?: readonly string[]
  /** no credentials, and this address */
  outsider?: string
  /** the Content-Length that is claimed; without it, the length of the body */
  length?: number
}

/** Formats a request as bytes. */
export const formatBytes = (target: Target, method: string, path: string, options: RequestOptions = {}): Buffer => {
  const { lines = [], outsider, length } = options
  const body = Buffer.from(options.body ?? '')
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${target.host}`,
    `X-Forwarded-For: ${outsider ?? target.address}`,
    ...(outsider === undefined ? [`Authorization: ${target.authorization}`] : []),
    ...(method === 'GET' ? [] : [`Content-Length: ${length ?? body.length}`]),
    ...lines,
    '\r\n',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(head), body])
}

/** Formats a form as bytes. */
export const formatForm = (
  target: Target,
  path: string,
  fields: Record<string, string>,
  options: RequestOptions = {},
): Buffer => {
  const { lines = [] } = options
  const body = new URLSearchParams(fields).toString()
  const type = 'Content-Type: application/x-www-form-urlencoded'
  return formatBytes(target, 'POST', path, { ...options, body, lines: [type, ...lines] })
}

export interface Answer {
  /** 0: the server closed the connection, or refused it */
  status: number
  head: string
  /** the first kilobytes of the body */
  body: string
}

const KEPT = 4_096
/** One buffer for all connections: each read is processed before the next one. */
const sink = Buffer.allocUnsafe(256 * 1024)

/** A connection that sends whole requests. It reads the answers, and keeps only their beginning. */
export const openConnection = (port: number) => {
  let beginning = ''
  let received = 0
  /** the bytes of the whole answer, once its head was received */
  let expected = Number.POSITIVE_INFINITY
  let resolve: (answer: Answer) => void = () => {}
  const finish = (status: number) => {
    const at = beginning.indexOf('\r\n\r\n')
    const answer = { status, head: beginning.slice(0, at), body: beginning.slice(at + 4) }
    beginning = ''
    received = 0
    expected = Number.POSITIVE_INFINITY
    resolve(answer)
  }
  const callback = (size: number) => {
    received += size
    if (beginning.length < KEPT) beginning += sink.toString('latin1', 0, size)
    const end = expected === Number.POSITIVE_INFINITY ? beginning.indexOf('\r\n\r\n') : -1
    if (end !== -1) {
      const length = /\r\ncontent-length: (\d+)/i.exec(beginning.slice(0, end))?.[1]
      expected = end + 4 + Number(length ?? 0)
    }
    if (received >= expected) finish(Number(beginning.slice(9, 12)))
    return true
  }
  let isOpen = true
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: sink, callback } })
  socket.on('error', () => {})
  socket.on('close', () => {
    isOpen = false
    finish(0)
  })
  return {
    isOpen: () => isOpen,
    close: () => void socket.destroy(),
    send: (bytes: Buffer): Promise<Answer> =>
      new Promise((done) => {
        resolve = done
        if (isOpen) socket.write(bytes)
        else finish(0)
      }),
  }
}

/** Sends one request. @throws Error when it is refused */
export const sendOnce = async ({ port }: Target, bytes: Buffer): Promise<Answer> => {
  const connection = openConnection(port)
  const answer = await connection.send(bytes)
  connection.close()
  if (answer.status >= 300 || answer.status === 0) throw new Error(`refused with ${answer.status}: ${answer.body}`)
  return answer
}

/** The time between an answer and the next request of a connection. It stands for the delay of a network. */
export const ROUND_TRIP_MS = 10

/** How long an abuse that was stopped waits for its last answers. */
const LAST_ANSWERS_MS = 10_000

/**
 * Sends requests over several connections, until it is stopped. Each connection sends its next request soon after an
 * answer.
 */
export const repeat = (
  { port }: Target,
  connections: number,
  count: (what: string) => void,
  next: (number: number) => Buffer,
): Stop => {
  let isEnding = false
  let number = 0
  const open = new Set<{ close(): void }>()
  const run = async () => {
    let connection = openConnection(port)
    while (!isEnding) {
      if (!connection.isOpen()) connection = openConnection(port)
      open.add(connection)
      const { status } = await connection.send(next(number++))
      count(status === 0 ? 'closed' : String(status))
      open.delete(connection)
      await sleep(ROUND_TRIP_MS)
    }
    connection.close()
  }
  const running = Array.from({ length: connections }, run)
  return async () => {
    isEnding = true
    const timer = setTimeout(() => {
      for (const { close } of open) close()
    }, LAST_ANSWERS_MS)
    await Promise.all(running)
    clearTimeout(timer)
  }
}

/** Opens a connection that sends some bytes and is not read. */
export const openUnread = (port: number, bytes: Buffer): Socket => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}
