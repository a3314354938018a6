/**
 * A place from which a request is upgraded to a WebSocket, once it is known who asks.
 *
 * The library wants what writes to a response to stand inside a `cork`. But a response that is upgraded inside its own
 * `cork` is not one any more when that goes on: its memory is the socket's, or nobody's. About one socket in sixty,
 * the first of a fresh process, was closed right after it was opened (uWebSockets mended that in July 2026, commit
 * fe7c01a; no build with it can be had from the registry). Inside the `cork` of another response the upgraded one is
 * left alone. So one is held for that: this process asks itself, and never answers.
 */
import uWS, { type HttpResponse, type us_listen_socket } from 'uWebSockets.js'
import net from 'node:net'

/** Carries out what upgrades a response. */
export type RunUpgrade = (upgrade: () => void) => void

const LOOPBACK = '127.0.0.1'

/** Opens the place. Where the process cannot reach itself, there is none: see below. */
export const openUpgradeWorkaround = async (): Promise<RunUpgrade> => {
  let heldResponse: HttpResponse | undefined
  let listening: us_listen_socket | false = false
  await new Promise<void>((resolve) => {
    const take = (res: HttpResponse) => {
      heldResponse = res
      res.onAborted(() => {
        heldResponse = undefined
      })
      resolve()
    }
    uWS
      .App()
      .any('/*', take)
      .listen(LOOPBACK, 0, (socket) => {
        listening = socket
        if (socket === false) return resolve()
        const self = net.connect(uWS.us_socket_local_port(socket), LOOPBACK, () => {
          self.write(`GET / HTTP/1.1\r\nHost: ${LOOPBACK}\r\n\r\n`)
        })
        self.on('error', () => resolve())
      })
  })
  if (listening !== false) uWS.us_listen_socket_close(listening)
  // Without one the library complains of every upgrade, and carries it out all the same.
  return (upgrade) => {
    if (heldResponse === undefined) upgrade()
    else heldResponse.cork(upgrade)
  }
}
