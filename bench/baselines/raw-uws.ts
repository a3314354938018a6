/**
 * uWebSockets alone: the least that delivering some bytes to many clients can cost here.
 *
 * `/` is a WebSocket on one topic, to which the same frame is published over and over; `/park` is a request that is
 * answered, with all others that wait, by the same body over and over. No ids, no accounts, no database.
 */
import uws, { type HttpResponse } from 'uWebSockets.js'
import { atPace } from '../measure.js'
import { serve } from '../part.js'

const parked = new Set<HttpResponse>()

const app = uws
  .App()
  .ws('/*', {
    // As the gateway's: no pings while a bench runs, and room for what a slow reader leaves.
    idleTimeout: 0,
    maxBackpressure: 16 * 1024 * 1024,
    open: (socket) => void socket.subscribe('all'),
  })
  .get('/park', (res) => {
    parked.add(res)
    res.onAborted(() => void parked.delete(res))
  })

const jobs = {
  listen: (_: null): Promise<number> =>
    new Promise((resolve, reject) =>
      app.listen('127.0.0.1', 0, (listening) => {
        if (listening) resolve(uws.us_socket_local_port(listening))
        else reject(new Error('uWebSockets does not listen'))
      }),
    ),

  /** Publishes a frame at a steady pace. @returns when each was due */
  publish: ({ frame, rate, count }: { frame: string; rate: number; count: number }): Promise<number[]> =>
    atPace(rate, count, () => void app.publish('all', frame)),

  /** Answers everyone who waits, at a steady pace. */
  async answer({ body, rate, count }: { body: string; rate: number; count: number }): Promise<void> {
    await atPace(rate, count, () => {
      const waiting = [...parked]
      parked.clear()
      for (const res of waiting) {
        res.cork(() => {
          res.writeHeader('Content-Type', 'application/json')
          res.end(body)
        })
      }
    })
  },
}

export type RawJobs = typeof jobs
serve(jobs)
