/**
 * Works around a fault of uWebSockets in upgrading a request to a WebSocket after an await.
 *
 * uWebSockets requires that writes to a response run inside `cork`. But when a response is upgraded inside its own
 * `cork`, the end of its memory is freed before `cork` reads there whether the connection shall be closed. What the
 * handlers of the new socket store meanwhile can lie there: then the socket is closed right after it was opened.
 * uWebSockets fixed this in July 2026 (commit fe7c01a); no build with the fix is in the npm registry, and
 * `test/http/upgrade-workaround.test.ts` fails when one is. Inside the `cork` of another response the upgraded response
 * is not touched. So this process sends one request to itself, never answers it, and upgrades inside the `cork` of its
 * response.
 */
import type { HttpResponse, us_listen_socket } from 'uWebSockets.js'
import net from 'node:net'
import type { NativeLibrary } from './native-library.js'

/** Runs a function that upgrades a response. */
export type RunUpgrade = (upgrade: () => void) => void

const LOOPBACK = '127.0.0.1'

/** Opens the held response. If the process cannot connect to itself, upgrades run without it. */
export const openUpgradeWorkaround = async (uWS: NativeLibrary): Promise<RunUpgrade> => {
  let heldResponse: HttpResponse | undefined
  let listening: us_listen_socket | false = false
  await new Promise<void>((resolve) => {
    const holdResponse = (res: HttpResponse) => {
      heldResponse = res
      res.onAborted(() => {
        heldResponse = undefined
      })
      resolve()
    }
    uWS
      .App()
      .any('/*', holdResponse)
      .listen(LOOPBACK, 0, (socket) => {
        listening = socket
        if (socket === false) return resolve()
        const ownConnection = net.connect(uWS.us_socket_local_port(socket), LOOPBACK, () => {
          ownConnection.write(`GET / HTTP/1.1\r\nHost: ${LOOPBACK}\r\n\r\n`)
        })
        ownConnection.on('error', () => resolve())
      })
  })
  if (listening !== false) uWS.us_listen_socket_close(listening)
  // Without a held response uWebSockets logs a warning for every upgrade, and upgrades nevertheless.
  return (upgrade) => {
    if (heldResponse === undefined) upgrade()
    else heldResponse.cork(upgrade)
  }
}
