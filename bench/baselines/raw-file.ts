/** uWebSockets alone, which sends the same bytes out of memory: the least that a download can cost here. */
import uws from 'uWebSockets.js'
import { serveProcedures } from '../harness/child-process.js'
import { listen } from './listen.js'

const procedures = {
  /** Serves a file of so many bytes at every path. */
  listen: (bytes: number): Promise<number> => {
    const body = Buffer.alloc(bytes, 'Parley')
    const app = uws.App().get('/*', (res) => {
      res.onAborted(() => {})
      res.onWritable((offset) => res.tryEnd(body.subarray(offset), bytes)[0])
      res.cork(() => void res.tryEnd(body, bytes))
    })
    return listen(app)
  },
}

export type RawFileProcedures = typeof procedures
serveProcedures(procedures)
