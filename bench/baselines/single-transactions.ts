/**
 * The baseline of durable sends: without the send combiner, each message in a transaction of its own.
 *
 * There is no HTTP, Markdown, Redis or fan-out, so this is the upper limit of a design with one transaction per send.
 */
import { serveProcedures } from '../harness/child-process.js'
import { now, runAtRate } from '../harness/measure.js'
import { openStore, type StoreOptions } from './stored-message.js'

let store: ReturnType<typeof openStore>

const send = (i: number) => store(`message ${i} ${'lorem ipsum dolor sit amet '.repeat(4)}`)

const procedures = {
  open(options: StoreOptions): void {
    store = openStore(options)
  },

  /** Runs a closed loop: each sender sends its next message when the last one is committed. */
  async sendInClosedLoop({ senders, seconds }: { senders: number; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const responseTimes: number[] = []
    const runSender = async () => {
      for (let sentAt = now(); sentAt < end; sentAt = now()) {
        await send(responseTimes.length)
        responseTimes.push(now() - sentAt)
      }
    }
    await Promise.all(Array.from({ length: senders }, runSender))
    return { count: responseTimes.length, seconds: (now() - start) / 1000, responseTimes }
  },

  /** Sends at a constant rate. @returns the milliseconds from the due time of each message to its commit */
  async sendAtRate({ rate, count }: { rate: number; count: number }) {
    const commitTimes: number[] = []
    const sends: Promise<unknown>[] = []
    await runAtRate(rate, count, (i, due) => {
      sends.push(send(i).then(() => commitTimes.push(now() - due)))
    })
    await Promise.all(sends)
    return commitTimes
  },
}

export type SingleTransactionProcedures = typeof procedures
serveProcedures(procedures)
