/**
 * The baseline of delivery: uWebSockets alone, the lower limit of the cost of delivering bytes to many clients.
 *
 * `/` is a WebSocket that subscribes to one topic, to which the same frame is published repeatedly. `/poll` is a long
 * poll: all waiting requests get the same body, repeatedly. `/publish` sends the body of a request to both. There are
 * no event ids, accounts or database.
 */
import uws, { type HttpResponse } from 'uWebSockets.js'
import { serveProcedures } from '../harness/child-process.js'
import { runAtRate } from '../harness/measure.js'
import { listen } from './listen.js'

/** polls that wait for a response */
const polls = new Set<HttpResponse>()

const app = uws
  .App()
  .ws('/*', {
    // As in the gateway: no pings during a measurement, and a buffer for slow readers.
    idleTimeout: 0,
    maxBackpressure: 16 * 1024 * 1024,
    open: (socket) => void socket.subscribe('all'),
  })
  .get('/poll', (res) => {
    polls.add(res)
    res.onAborted(() => void polls.delete(res))
  })
  .post('/publish', (res) => {
    let body = ''
    res.onAborted(() => {})
    res.onData((chunk, isLast) => {
      body += Buffer.from(chunk).toString()
      if (!isLast) return
      app.publish('all', body)
      // Not here: this request has the only buffer in which uWebSockets joins the parts of a response, and each part of
      // the others would be a system call of its own.
      setImmediate(answerPolls, body)
      res.cork(() => void res.end('{}'))
    })
  })

const answerPolls = (body: string) => {
  const waiting = [...polls]
  polls.clear()
  for (const res of waiting) {
    res.cork(() => {
      res.writeHeader('Content-Type', 'application/json')
      res.end(body)
    })
  }
}

const procedures = {
  listen: (_: null): Promise<number> => listen(app),

  /** Publishes a frame at a constant rate. @returns the due times */
  publish: ({ frame, rate, count }: { frame: string; rate: number; count: number }): Promise<number[]> =>
    runAtRate(rate, count, () => void app.publish('all', frame)),

  /** Responds to all waiting polls, at a constant rate. */
  async answerPolls({ body, rate, count }: { body: string; rate: number; count: number }): Promise<void> {
    await runAtRate(rate, count, () => answerPolls(body))
  },
}

export type RawUwsProcedures = typeof procedures
serveProcedures(procedures)
