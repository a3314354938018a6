/** Servers that accept requests and never answer. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface SilentServer extends AsyncDisposable {
  port: number
  url: string
  /** the connections that sent something, or that waited to be greeted */
  opened(): number
  /** the connections that ended since */
  closed(): number
}

/** Starts a server that accepts connections, reads and never writes. */
export const openSilentServer = async (): Promise<SilentServer> => {
  const sockets = new Set<Socket>()
  let [opened, closed] = [0, 0]
  const server = createServer((socket) => {
    opened += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.on('close', () => {
      closed += 1
      sockets.delete(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    opened: () => opened,
    closed: () => closed,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
