/** Listening of the servers that are only uWebSockets. */
import uws, { type TemplatedApp } from 'uWebSockets.js'

/** Listens on a free port of this machine. @returns the port */
export const listen = (app: TemplatedApp): Promise<number> =>
  new Promise((resolve, reject) =>
    app.listen('127.0.0.1', 0, (listening) => {
      if (listening) resolve(uws.us_socket_local_port(listening))
      else reject(new Error('uWebSockets does not listen'))
    }),
  )
