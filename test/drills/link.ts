/** A network link to a server of this machine, which a drill cuts: packets vanish, and no end notices at once. */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface Link extends AsyncDisposable {
  port: number
  /** From now on nothing arrives on either side, and no connection is answered. */
  cut(): void
  /** Everything that was sent meanwhile arrives. */
  restore(): void
}

/** Opens a link to a port of this machine. */
export const openLink = async (server_port: number): Promise<Link> => {
  const open = new Set<Socket>()
  let isCut = false
  let refused: Socket[] = []
  const join = (client: Socket) => {
    const server = net.connect(server_port, '127.0.0.1')
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      open.add(one)
      // Written by hand: `pipe` would resume a stream that was paused.
      one.on('data', (bytes) => {
        if (!other.write(bytes)) one.pause()
      })
      other.on('drain', () => {
        if (!isCut) one.resume()
      })
      one.on('end', () => other.end())
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        if (!isCut) other.destroy()
      })
    }
  }
  const listener = net.createServer((client) => {
    client.on('error', () => {})
    if (isCut) refused.push(client)
    else join(client)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of open) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of open) socket.resume()
      for (const client of refused.splice(0)) join(client)
      refused = []
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [...open, ...refused]) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
