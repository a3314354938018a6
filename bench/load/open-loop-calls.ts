/** Callers in an open loop: calls of several kinds in turn, at a constant rate. */
import { serveProcedures } from '../harness/child-process.js'
import { now, runAtRate } from '../harness/measure.js'
import { openConnectionPool } from './http.js'

const procedures = {
  /**
   * Makes `count` calls, `rate` per second, over as many connections as needed.
   * @returns for each call its status, and the milliseconds from its due time to its response
   */
  async makeCalls(input: { port: number; requests: string[]; rate: number; count: number }) {
    const { port, requests, rate, count } = input
    const pool = openConnectionPool(port)
    const calls: Promise<{ status: number; milliseconds: number }>[] = []
    const call = async (i: number, due: number) => {
      const connection = await pool.take()
      const { status } = await connection.send(requests[i] ?? '')
      pool.giveBack(connection)
      return { status, milliseconds: now() - due }
    }
    await runAtRate(rate, count, (i, due) => void calls.push(call(i, due)))
    const made = await Promise.all(calls)
    pool.close()
    return made
  },
}

export type OpenLoopCallProcedures = typeof procedures
serveProcedures(procedures)
