/**
 * One address in front of several gateways, as a balancer gives it to the clients of a deployment.
 *
 * 1. It names the organization to the gateways, because these clients can be given an address and no host name.
 * 2. A gateway that does not accept is passed over. One that dies with a request in its hands costs that request: it
 *    may have been carried out, so it is answered with 502 and a page that is no JSON, and the client decides.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer extends AsyncDisposable {
  /** e.g. http://127.0.0.1:41234 */
  url: string
  /** The gateways behind it from now on. */
  lead(urls: readonly string[]): void
  /** How many requests it holds now that wait for this gateway. */
  waiting(gateway: string): number
  /** How many requests found their gateway dead in the midst of it. */
  broken(): number
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
    lead(next) {
      urls = next
    },
    waiting: (gateway) => waiting.get(gateway) ?? 0,
    broken: () => broken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
