/** The relay between the client library and a gateway. */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startRelay } from './relay.js'

test('A client receives what was sent before its connection ended, also while it sends.', async () => {
  const open: Socket[] = []
  const server = net.createServer((connection) => {
    open.push(connection)
    connection.on('error', () => {})
    // It reads no more, so the relay still has bytes to send when the connection ends.
    connection.once('data', () => connection.pause().end('last words'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const connection of open) connection.destroy()
    server.close()
  })
  await using relay = await startRelay(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'a.localhost')
  relay.delay = 50
  const client = net.connect(Number(new URL(relay.url).port), '127.0.0.1')
  let received = ''
  client.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const part = 'x'.repeat(1024 * 1024)
  const sending = setInterval(() => client.write(part), 1)
  await new Promise<void>((resolve) => {
    client.on('end', () => clearInterval(sending))
    client.on('close', () => resolve())
  })
  expect(received).toBe('last words')
})
