/**
 * One address in front of several gateways, for browsers and proxies: it passes bytes on, so WebSockets work
 * through it. A connection goes to the first gateway that accepts it.
 */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface TcpFront extends AsyncDisposable {
  /** e.g. http://127.0.0.1:41234 */
  url: string
  /** the open connections of clients */
  readonly connections: number
  /** Cuts all connections, and accepts none until `restore`: the network of the browser is gone. */
  cut(): void
  restore(): void
}

/** Starts the front. A connection goes to the first gateway that takes it. */
export const startTcpFront = async (gateways: readonly string[]): Promise<TcpFront> => {
  const open = new Set<Socket>()
  const clients = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }
  const forward = (client: Socket, [gateway, ...others]: readonly string[]) => {
    if (gateway === undefined || client.destroyed) return client.destroy()
    const onward = net.connect(Number(new URL(gateway).port), '127.0.0.1')
    onward.once('error', () => forward(client, others))
    onward.once('connect', () => {
      onward.removeAllListeners('error')
      keep(onward)
      client.pipe(onward).pipe(client)
      onward.on('close', () => client.destroy())
      client.on('close', () => onward.destroy())
    })
    return undefined
  }
  const server = net.createServer((client) => {
    keep(client)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    if (isCut) client.destroy()
    else forward(client, gateways)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return clients.size
    },
    cut() {
      isCut = true
      cutAll()
    },
    restore() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}
