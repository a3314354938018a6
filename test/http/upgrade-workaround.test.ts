/** Upgrading a request to a WebSocket after an await, where uWebSockets has a fault (upgrade-workaround.ts). */
import type { us_listen_socket } from 'uWebSockets.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { loadNativeLibrary } from '../../src/gateway/transport/native-library.js'
import { openUpgradeWorkaround, type RunUpgrade } from '../../src/gateway/transport/upgrade-workaround.js'

const uWS = loadNativeLibrary()
const SOCKETS = 1_000

/** Opens sockets, one hundred at a time, and counts those that the server closes. */
const countClosedSockets = async (upgradeIn: (cork: RunUpgrade) => RunUpgrade): Promise<number> => {
  const app = uWS.App().ws('/*', {
    upgrade(res, req, context) {
      const key = req.getHeader('sec-websocket-key')
      res.onAborted(() => {})
      const run = upgradeIn((upgrade) => void res.cork(upgrade))
      void nextTurn().then(() => run(() => res.upgrade({}, key, '', '', context)))
    },
    open(socket) {
      // Some of these names lie where the memory of the response was. Their bytes say there: close the connection.
      for (let i = 0; i < 40; i += 1) socket.subscribe(`${'p'.repeat(30 + 4 * i)}${i}`)
      socket.send('open')
    },
  })
  const listening = await new Promise<us_listen_socket | false>((resolve) => app.listen('127.0.0.1', 0, resolve))
  if (listening === false) throw new Error('it does not listen')
  const url = `ws://127.0.0.1:${uWS.us_socket_local_port(listening)}`
  let closed = 0
  for (let opened = 0; opened < SOCKETS; opened += 100) {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = new WebSocket(url)
        await new Promise<void>((resolve) => {
          // The pong comes after the close, if there is one.
          socket.once('message', () => socket.ping())
          socket.once('pong', () => resolve())
          socket.once('close', () => {
            closed += 1
            resolve()
          })
          socket.on('error', () => {})
        })
        return socket
      }),
    )
    for (const socket of sockets) {
      socket.removeAllListeners('close')
      socket.terminate()
    }
  }
  app.close()
  return closed
}

test('A socket that is upgraded after an await stays open, whatever its handlers store.', async () => {
  const runUpgrade = await openUpgradeWorkaround(uWS)
  expect(await countClosedSockets(() => runUpgrade)).toBe(0)
})

test('The installed build of uWebSockets closes such sockets without the workaround. When it does not, remove the workaround.', async () => {
  expect(await countClosedSockets((ownCork) => ownCork)).toBeGreaterThan(0)
})
