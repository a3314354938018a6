/** Callers in a closed loop: each repeats one call as soon as the last one is answered. */
import { serveProcedures } from '../harness/child-process.js'
import { now } from '../harness/measure.js'
import { connectHttp } from './http.js'

const runCallers = async (port: number, texts: string[], connections: number, hasMore: () => boolean) => {
  let calls = 0
  const runCaller = async () => {
    const connection = await connectHttp(port)
    while (hasMore()) {
      const { status, body } = await connection.send(texts[calls++ % texts.length] ?? '')
      if (status !== 200) throw new Error(`a call was answered with ${status}: ${body}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runCaller))
  return calls
}

const procedures = {
  /** Makes `count` calls over `connections` connections. Throws when a call fails. */
  async repeatCall(input: { port: number; text: string; connections: number; count: number }): Promise<void> {
    const { port, text, connections, count } = input
    let left = count
    await runCallers(port, [text], connections, () => left-- > 0)
  },

  /** Makes several calls in turn, for some seconds. @returns the number of calls */
  async repeatCallsFor(input: { port: number; texts: string[]; connections: number; seconds: number }) {
    const { port, texts, connections, seconds } = input
    const end = now() + seconds * 1000
    return runCallers(port, texts, connections, () => now() < end)
  },
}

export type ClosedLoopCallProcedures = typeof procedures
serveProcedures(procedures)
