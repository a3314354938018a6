/** Sockets that register a queue in their handshake. */
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { inspectorVariables, measureLiveMegabytes } from '../setup/processes/live-memory.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'

const SOCKETS = 200

test('The answer to a registration is not kept while its socket is open.', async () => {
  await using own = await startOwnGateway(inspectorVariables)
  const { gateway, ada } = own
  const headers = { Host: ada.host, Authorization: basicAuthorization(ada) }
  const sockets: WebSocket[] = []
  /** @returns the bytes of the first frame */
  const open = async (query: string): Promise<number> => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1/events${query}`, { headers })
    sockets.push(socket)
    const frame = await new Promise<Buffer>((resolve, reject) => {
      socket.once('message', (data) => resolve(data as Buffer)).once('error', reject)
    })
    return frame.length
  }
  /** Opens many sockets. @returns the megabytes of their answers, and those by which the gateway has grown */
  const measure = async (query: string) => {
    const before = await measureLiveMegabytes(gateway.logFile)
    let bytes = 0
    for (let i = 0; i < SOCKETS; i++) bytes += await open(query)
    return { answers: bytes / 1024 / 1024, growth: (await measureLiveMegabytes(gateway.logFile)) - before }
  }
  await open('')
  // What a socket itself needs.
  const small = await measure('?fetch_event_types=[]')
  const whole = await measure('')
  expect(whole.growth - small.growth).toBeLessThan((whole.answers - small.answers) / 2)
  for (const socket of sockets) socket.terminate()
})
