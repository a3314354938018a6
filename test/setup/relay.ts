/**
 * A relay between a client and a gateway, which a test cuts, slows down, or lets refuse WebSockets.
 *
 * It names the realm of the test in the Host header of each request, because programs such as `fetch` cannot.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface Relay extends AsyncDisposable {
  readonly url: string
  /** Breaks all connections that are open. */
  cut(): void
  /** From now on, connects to another gateway. */
  moveTo(gateway_url: string): void
  /** milliseconds by which each part of an answer is delayed, in order */
  delay: number
  /** while true, connections are refused */
  isDown: boolean
  /** while true, handshakes of WebSockets are answered with 403, as some proxies do */
  refusesSockets: boolean
  /** while true, streams of server-sent events never begin, because a proxy collects them */
  holdsStreams: boolean
}

/** Starts a relay. @param host the Host header that requests get */
export const startRelay = async (gateway_url: string, host: string): Promise<Relay> => {
  const open = new Set<Socket>()
  let target = new URL(gateway_url)
  const relay = { delay: 0, isDown: false, refusesSockets: false, holdsStreams: false }

  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    if (relay.isDown) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    let isHeld = false
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (relay.refusesSockets && /^upgrade: websocket\r$/im.test(text)) {
        client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        return
      }
      isHeld = relay.holdsStreams && /^accept: text\/event-stream\r$/im.test(text)
      upstream.write(Buffer.from(text.replace(/^host: 127\.0\.0\.1:\d+\r$/gim, `Host: ${host}\r`), 'latin1'))
    })
    const write = delayInOrder((bytes: Buffer) => client.write(bytes))
    upstream.on('data', (bytes) => {
      if (!isHeld) write(bytes, relay.delay)
    })
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => setTimeout(() => client.destroy(), relay.delay))
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return Object.assign(relay, {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut,
    moveTo(gateway_url: string) {
      target = new URL(gateway_url)
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** Calls `use` with each value after its delay, but never before the values that came earlier. */
const delayInOrder = <T>(use: (value: T) => void) => {
  let last = Promise.resolve()
  return (value: T, milliseconds: number) => {
    const delay = new Promise((resolve) => setTimeout(resolve, milliseconds))
    last = Promise.all([last, delay]).then(() => use(value))
  }
}
