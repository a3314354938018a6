/**
 * The listener for operators: the console, metrics and the health of this process, apart from the port of clients.
 *
 * It has no authentication. By default it listens on this machine only; where other machines scrape it, the network
 * must keep all other clients away. It answers nothing to pages of other sites (foreign-requests.ts).
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.js'
import { explainListening } from '../config/listening.js'
import { findForeignRequest, operationsNames } from './foreign-requests.js'
import type { Health } from './health.js'
import type { Metrics } from './metrics.js'

export interface OperationsServer {
  readonly port: number
  /** Closes the listener and its connections. */
  close(): void
}

/** A request of an operator's tool or browser. */
export interface OperationsRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Reads the body; undefined: it is longer than MAX_BODY_BYTES. */
  readBody(): Promise<string | undefined>
}

/** A page for operators: its status, its media type and its text. */
export interface OperationsPage {
  status: number
  type: string
  text: string | Buffer
  headers?: Readonly<Record<string, string>>
}

/** Answers requests for further pages; undefined: there is no such page. */
export type AnswerOperations = (request: OperationsRequest) => Promise<OperationsPage | undefined>

/** Connections at the same time. An operator's tools need a few. */
const MAX_CONNECTIONS = 64
/** Milliseconds that a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 10_000
/** Bytes of the largest body. */
const MAX_BODY_BYTES = 16_384

/**
 * Listens on OPERATIONS_HOST and OPERATIONS_PORT. Throws an Error when the address cannot be bound.
 * @param answer answers requests for other pages than metrics and health
 */
export const openOperationsServer = async (
  config: Pick<Config, 'OPERATIONS_HOST' | 'OPERATIONS_PORT' | 'OPERATIONS_NAMES'>,
  metrics: Metrics,
  health: Health,
  answer: AnswerOperations,
): Promise<OperationsServer> => {
  const { OPERATIONS_HOST, OPERATIONS_PORT } = config
  const names = operationsNames(config)
  const pages: Readonly<Record<string, () => OperationsPage | Promise<OperationsPage>>> = {
    '/health/live': () => plainText(200, 'alive'),
    async '/health/ready'() {
      const report = await health.check()
      return { status: report.isReady ? 200 : 503, type: 'application/json', text: `${JSON.stringify(report)}\n` }
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  }
  const findPage = async (request: OperationsRequest): Promise<OperationsPage> => {
    const refusal = findForeignRequest(request.method, request.headers, names)
    if (refusal !== undefined) return plainText(403, refusal)
    const page = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined
    if (page === undefined) return (await answer(request)) ?? plainText(404, 'There is no such page here.')
    if (request.method === 'GET' || request.method === 'HEAD') return page()
    return { ...plainText(405, 'Use GET.'), headers: { Allow: 'GET, HEAD' } }
  }

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    findPage(parseRequest(request)).then(
      (page) => send(response, page),
      () => send(response, plainText(500, 'The page could not be composed.')),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const host = { hostVariable: 'OPERATIONS_HOST', host: OPERATIONS_HOST } as const
      const address = { ...host, portVariable: 'OPERATIONS_PORT', port: OPERATIONS_PORT } as const
      explainListening(address, code).then((text) => reject(new Error(text)), reject)
    })
    server.listen(OPERATIONS_PORT, OPERATIONS_HOST, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const parseRequest = (request: IncomingMessage): OperationsRequest => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  return {
    method: request.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: request.headers,
    async readBody() {
      const parts: Buffer[] = []
      let bytes = 0
      for await (const part of request as AsyncIterable<Buffer>) {
        bytes += part.length
        // The rest is read and discarded, so that the client gets the answer.
        if (bytes <= MAX_BODY_BYTES) parts.push(part)
      }
      return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(parts).toString()
    },
  }
}

/** A page that is one sentence. */
export const plainText = (status: number, text: string): OperationsPage => ({
  status,
  type: 'text/plain; charset=utf-8',
  text: `${text}\n`,
})

const send = (response: ServerResponse, { status, type, text, headers }: OperationsPage): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...headers,
  })
  response.end(text)
}
