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
  /** while true, the connection of a WebSocket breaks as soon as it is open */
  breaksSockets: boolean
  /** while true, all bytes in both directions vanish, and no connection ends */
  swallows: boolean
  /** while set, each request gets this answer, and no gateway hears of it */
  answer: string | undefined
  /** the number of handshakes of WebSockets that arrived */
  readonly handshakes: number
  /** while true, streams of server-sent events never begin, because a proxy collects them */
  holdsStreams: boolean
  /**
   * while true, the connection of a client is reset when that of the gateway ends, and what is delayed is lost: so it
   * seems to a client that sends while a proxy closes both connections
   */
  resetsAtEnd: boolean
}

/** Starts a relay. @param host the Host header that requests get */
export const startRelay = async (gateway_url: string, host: string): Promise<Relay> => {
  const open = new Set<Socket>()
  let target = new URL(gateway_url)
  const relay = {
    delay: 0,
    isDown: false,
    refusesSockets: false,
    breaksSockets: false,
    swallows: false,
    answer: undefined as string | undefined,
    handshakes: 0,
    holdsStreams: false,
    resetsAtEnd: false,
  }

  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    if (relay.isDown) return void client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    let isHeld = false
    const pass = delayInOrder()
    client.on('data', (bytes) => {
      if (relay.swallows) return
      const text = bytes.toString('latin1')
      const isHandshake = /^upgrade: websocket\r$/im.test(text)
      if (isHandshake) relay.handshakes += 1
      if (relay.answer !== undefined) return void client.end(relay.answer)
      if (isHandshake && relay.breaksSockets) upstream.once('data', () => pass(50, () => client.destroy()))
      if (relay.refusesSockets && isHandshake) {
        client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        return
      }
      isHeld = relay.holdsStreams && /^accept: text\/event-stream\r$/im.test(text)
      upstream.write(Buffer.from(text.replace(/^host: 127\.0\.0\.1:\d+\r$/gim, `Host: ${host}\r`), 'latin1'))
    })
    upstream.on('data', (bytes) => {
      if (!isHeld && !relay.swallows) pass(relay.delay, () => client.write(bytes))
    })
    upstream.on('end', () => {
      if (relay.resetsAtEnd) client.resetAndDestroy()
    })
    // `close` follows. What arrived before the error, such as a close frame, is passed on first.
    upstream.on('error', () => {})
    upstream.on('close', () => pass(relay.delay, () => client.end()))
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

/** Runs each action after its delay, but never before the actions that came earlier. */
const delayInOrder = () => {
  let last = Promise.resolve()
  return (milliseconds: number, action: () => void) => {
    const delay = new Promise((resolve) => setTimeout(resolve, milliseconds))
    last = Promise.all([last, delay]).then(action)
  }
}
