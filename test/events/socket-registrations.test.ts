/** Sockets that register a queue in their handshake. */
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { basicAuthorization } from '../setup/event-reader.js'
import { startOwnGateway } from '../setup/gateway-of-one-test.js'
import { inspectorVariables, measureLiveMegabytes } from '../setup/live-memory.js'

const SOCKETS = 200

test('The answer to a registration is not kept while its socket is open.', async () => {
  await using own = await startOwnGateway(inspectorVariables)
  const { gateway, ada } = own
  const headers = { Host: ada.host, Authorization: basicAuthorization(ada) }
  /** @returns the bytes of the first frame */
  const open = async (sockets: WebSocket[]): Promise<number> => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1/events`, { headers })
    sockets.push(socket)
    const frame = await new Promise<Buffer>((resolve, reject) => {
      socket.once('message', (data) => resolve(data as Buffer)).once('error', reject)
    })
    return frame.length
  }
  const sockets: WebSocket[] = []
  let bytes = await open(sockets)
  const before = await measureLiveMegabytes(gateway.logFile)
  for (let i = 0; i < SOCKETS; i++) bytes += await open(sockets)
  const growth = (await measureLiveMegabytes(gateway.logFile)) - before
  expect(growth).toBeLessThan(bytes / 1024 / 1024 / 2)
  for (const socket of sockets) socket.terminate()
})
