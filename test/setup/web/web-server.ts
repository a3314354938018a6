/** A web server of a test's own on 127.0.0.1, which the worker may call. It records requests. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Called {
  path: string
  headers: IncomingMessage['headers']
  text: string
}

/** Starts the server. @param answer makes the response; `n` counts the calls from 1 */
export const openServer = async (answer: (called: Called, response: ServerResponse, n: number) => void) => {
  const calls: Called[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      const called = { path: request.url ?? '', headers: request.headers, text }
      calls.push(called)
      answer(called, response, calls.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
