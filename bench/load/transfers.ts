/** Clients who upload pictures or download files. What they download is counted, and not kept. */
import { connect } from 'node:net'
import { serveProcedures } from '../harness/child-process.js'
import type { Identity } from './http.js'

interface Given {
  port: number
  identity: Identity
  path: string
}

const sink = Buffer.allocUnsafe(256 * 1024)
const head = ({ identity, path }: Given, method: string, more: readonly string[] = []) =>
  [
    `${method} ${path} HTTP/1.1`,
    `Host: ${identity.host}`,
    `Authorization: ${identity.credentials}`,
    ...more,
    '',
    '',
  ].join('\r\n')

/** Sends a request and reads its answer: `bytes` of it, or as much as there is before the server closes. */
const download = (given: Given, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let received = 0
    const callback = (size: number) => {
      received += size
      if (received >= bytes) {
        socket.destroy()
        resolve()
      }
      return true
    }
    const socket = connect({ port: given.port, host: '127.0.0.1', onread: { buffer: sink, callback } })
    socket.on('error', reject)
    socket.on('close', () => (received >= bytes ? resolve() : reject(new Error(`${received} of ${bytes} bytes came`))))
    socket.once('connect', () => socket.write(head(given, 'GET')))
  })

const post = (given: Given, type: string, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    let status = ''
    const socket = connect({ port: given.port, host: '127.0.0.1' })
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      if (status === '') status = bytes.toString('latin1', 9, 12)
      socket.destroy()
    })
    socket.on('close', () => (/^[24]/.test(status) ? resolve() : reject(new Error(status))))
    socket.write(head(given, 'POST', [`Content-Type: ${type}`, `Content-Length: ${body.length}`]))
    socket.write(body)
  })

let isEnding = false
let ended: Promise<unknown> = Promise.resolve()

const procedures = {
  /** Downloads a file of so many bytes `count` times, over as many connections at a time. @returns milliseconds */
  async download(given: Given & { bytes: number; connections: number; count: number }): Promise<number> {
    const start = performance.now()
    let left = given.count
    const client = async () => {
      while (left-- > 0) await download(given, given.bytes)
    }
    await Promise.all(Array.from({ length: given.connections }, client))
    return performance.now() - start
  },

  /** Readers who take 16 KiB of a file ten times a second, until the process ends. */
  async readSlowly({ readers, ...given }: Given & { readers: number }): Promise<void> {
    for (let i = 0; i < readers; i++) {
      const socket = connect({ port: given.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.write(head(given, 'GET'))
      socket.on('readable', () => {})
      setInterval(() => void socket.read(16 * 1024), 100)
    }
  },

  /** Uploads a picture over and over, once at a time for each account, until `end`. */
  upload({ accounts, ...given }: Omit<Given, 'identity'> & { accounts: Identity[]; type: string; body: string }): void {
    const body = Buffer.from(given.body, 'base64')
    isEnding = false
    const client = async (identity: Identity) => {
      while (!isEnding) await post({ ...given, identity }, given.type, body)
    }
    ended = Promise.all(accounts.map(client))
  },

  async end(_: null): Promise<void> {
    isEnding = true
    await ended
  },
}

export type TransferProcedures = typeof procedures
serveProcedures(procedures)
