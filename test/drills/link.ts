/** A network link to a server of this machine, which a test cuts, slows down or resets. */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface Link extends AsyncDisposable {
  port: number
  /** milliseconds by which everything that is sent from now on is delayed, in order */
  delay: number
  /** From now on nothing arrives on either side, no end notices, and no connection is answered. */
  cut(): void
  /** Everything that was sent meanwhile arrives. A connection of which one end was closed meanwhile is closed. */
  restore(): void
  /** Ends all connections. New ones are accepted. */
  reset(): void
}

/** Opens a link to a port of this machine. */
export const openLink = async (server_port: number): Promise<Link> => {
  const open = new Set<Socket>()
  /** the sockets whose other end was closed during the cut */
  const orphans = new Set<Socket>()
  let isCut = false
  let refused: Socket[] = []
  const join = (client: Socket) => {
    const server = net.connect(server_port, '127.0.0.1')
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      open.add(one)
      const pass = delayInOrder()
      // Written by hand: `pipe` would resume a stream that was paused.
      one.on('data', (bytes) =>
        pass(link.delay, () => {
          if (!other.destroyed && !other.write(bytes)) one.pause()
        }),
      )
      other.on('drain', () => {
        if (!isCut) one.resume()
      })
      one.on('end', () => pass(link.delay, () => other.end()))
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        if (isCut) orphans.add(other)
        else pass(link.delay, () => other.destroy())
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
  const reset = () => {
    for (const socket of [...open, ...refused]) socket.destroy()
    refused = []
  }
  const link: Link = {
    port: (listener.address() as AddressInfo).port,
    delay: 0,
    cut() {
      isCut = true
      for (const socket of open) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of orphans) socket.destroy()
      orphans.clear()
      for (const socket of open) socket.resume()
      for (const client of refused.splice(0)) join(client)
    },
    reset,
    async [Symbol.asyncDispose]() {
      reset()
      listener.close()
      await once(listener, 'close')
    },
  }
  return link
}

/** Runs each action after its delay, but never before the actions that came earlier. */
const delayInOrder = () => {
  let waiting = 0
  let last = Promise.resolve()
  return (milliseconds: number, action: () => void): void => {
    if (milliseconds === 0 && waiting === 0) {
      action()
      return
    }
    waiting += 1
    const delay = new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
    last = Promise.all([last, delay]).then(() => {
      waiting -= 1
      action()
    })
  }
}
