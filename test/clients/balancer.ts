/**
 * A load balancer in front of several gateways, with one URL.
 *
 * 1. It sets the Host header, because these clients can be configured with a URL but not with a host name.
 * 2. If a gateway refuses the connection, the balancer tries the next one. If a gateway dies during a request, the
 *    balancer does not repeat the request, because the gateway may have carried it out: the client gets 502 and HTML.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer extends AsyncDisposable {
  /** e.g. http://127.0.0.1:41234 */
  url: string
  /** Replaces the list of gateways. */
  setGateways(urls: readonly string[]): void
  /** Requests that wait for an answer of this gateway now. */
  countWaiting(gateway: string): number
  /** Requests whose gateway died before it answered. */
  countBroken(): number
}

/** @param host the Host header that selects the realm */
export const startBalancer = async (host: string, gateways: readonly string[]): Promise<Balancer> => {
  let urls = gateways
  let turn = 0
  let broken = 0
  const waiting = new Map<string, number>()
  const agent = new http.Agent({ keepAlive: false })

  const forward = (request: http.IncomingMessage, body: Buffer, response: http.ServerResponse, tries: number): void => {
    const base = urls[turn++ % urls.length]
    const giveUp = () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
    }
    if (base === undefined || tries === 0) {
      giveUp()
      return
    }
    const headers = { ...request.headers, host }
    waiting.set(base, (waiting.get(base) ?? 0) + 1)
    const onward = http.request(`${base}${request.url}`, { method: request.method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', giveUp).pipe(response)
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') forward(request, body, response, tries - 1)
      else {
        broken += 1
        giveUp()
      }
    })
    onward.on('close', () => waiting.set(base, (waiting.get(base) ?? 0) - 1))
    response.on('close', () => onward.destroy())
    onward.end(body)
  }

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => forward(request, Buffer.concat(parts), response, urls.length))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setGateways(next) {
      urls = next
    },
    countWaiting: (gateway) => waiting.get(gateway) ?? 0,
    countBroken: () => broken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
