/**
 * The listener for operators: metrics and the health of this process, apart from the port that clients use.
 *
 * It has no authentication. By default it listens on this machine only; where other machines scrape it, the network
 * must keep all other clients away.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.js'
import type { Health } from './health.js'
import type { Metrics } from './metrics.js'

export interface OperationsServer {
  readonly port: number
  /** Closes the listener and its connections. */
  close(): void
}

/** A page for operators: its status, its media type and its text. */
interface OperationsPage {
  status: number
  type: string
  text: string
}

/** Connections at the same time. An operator's tools need a few. */
const MAX_CONNECTIONS = 64
/** Milliseconds that a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 10_000

/** Listens on OPERATIONS_HOST and OPERATIONS_PORT. Throws when the address cannot be bound. */
export const openOperationsServer = async (
  { OPERATIONS_HOST, OPERATIONS_PORT }: Pick<Config, 'OPERATIONS_HOST' | 'OPERATIONS_PORT'>,
  metrics: Metrics,
  health: Health,
): Promise<OperationsServer> => {
  const pages: Readonly<Record<string, () => OperationsPage | Promise<OperationsPage>>> = {
    '/health/live': () => plainText(200, 'alive'),
    async '/health/ready'() {
      const report = await health.check()
      return { status: report.isReady ? 200 : 503, type: 'application/json', text: `${JSON.stringify(report)}\n` }
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  }

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page === undefined) return send(response, plainText(404, 'There is no such page here.'))
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, plainText(405, 'Use GET.'))
    Promise.resolve(page()).then(
      (served) => send(response, served),
      () => send(response, plainText(500, 'The page could not be composed.')),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const address = `${OPERATIONS_HOST}:${OPERATIONS_PORT}`
      const advice = 'Check whether another process uses the port, or set OPERATIONS_PORT.'
      reject(new Error(`Cannot listen on ${address} for operations (${error.message}). ${advice}`))
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

const plainText = (status: number, text: string): OperationsPage => ({
  status,
  type: 'text/plain; charset=utf-8',
  text: `${text}\n`,
})

const send = (response: ServerResponse, { status, type, text }: OperationsPage): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(text)
}
