/** Callers in a closed loop: each repeats one call as soon as the last one is answered. */
import { serveProcedures } from '../child-process.js'
import { connectHttp } from './http.js'

const procedures = {
  /** Makes `count` calls over `connections` connections. Throws when a call fails. */
  async repeatCall(input: { port: number; text: string; connections: number; count: number }): Promise<void> {
    const { port, text, connections, count } = input
    let left = count
    const runCaller = async () => {
      const connection = await connectHttp(port)
      while (left-- > 0) {
        const { status, body } = await connection.send(text)
        if (status !== 200) throw new Error(`a call was answered with ${status}: ${body}`)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: connections }, runCaller))
  },
}

export type ClosedLoopCallProcedures = typeof procedures
serveProcedures(procedures)
