/** Callers who make the same call again as soon as it is answered. */
import { serve } from '../part.js'
import { connectHttp } from './http.js'

const jobs = {
  /** Makes `count` calls over `connections` connections. Throws when one is not a success. */
  async call(given: { port: number; text: string; connections: number; count: number }): Promise<void> {
    const { port, text, connections, count } = given
    let left = count
    const caller = async () => {
      const connection = await connectHttp(port)
      while (left-- > 0) {
        const { status, body } = await connection.ask(text)
        if (status !== 200) throw new Error(`answered with ${status}: ${body}`)
      }
      connection.close()
    }
    await Promise.all(Array.from({ length: connections }, caller))
  },
}

export type CallJobs = typeof jobs
serve(jobs)
