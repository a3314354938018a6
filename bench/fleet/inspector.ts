/** A client of the inspector of Node: collects the garbage of another process and measures what is left. */

import { createFrameReader, encodeTextFrame } from '../load/frames.js'
import { openWebSocket } from '../load/websocket.js'

export interface Inspector {
  /** Collects all garbage, then returns the bytes of live objects, buffers outside of the heap included. */
  measureLiveBytes(): Promise<number>
  /** Writes an error with its stack trace, as a process does that logs one. */
  logError(): Promise<void>
  close(): void
}

/** The environment variables of a process whose inspector listens on this port. */
export const inspectorVariables = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })

/** Connects to a process that was started with `inspectorVariables`. */
export const openInspector = async (port: number): Promise<Inspector> => {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { id: string }[]
  const pending = new Map<number, (result: unknown) => void>()
  const read = createFrameReader((bytes, start, end) => {
    const { id, result } = JSON.parse(bytes.toString('utf8', start, end)) as { id?: number; result?: unknown }
    if (id === undefined) return
    pending.get(id)?.(result)
    pending.delete(id)
  })
  const handshake = { path: `/${targets[0]?.id}`, headers: [] }
  const socket = await openWebSocket({ port, host: `127.0.0.1:${port}`, handshake }, read)
  let lastId = 0
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      lastId += 1
      pending.set(lastId, resolve)
      socket.write(encodeTextFrame(JSON.stringify({ id: lastId, method, params })))
    })
  return {
    async measureLiveBytes() {
      await call('HeapProfiler.collectGarbage')
      const expression = 'JSON.stringify(process.memoryUsage())'
      const answer = (await call('Runtime.evaluate', { expression })) as { result: { value: string } }
      const { heapUsed, external } = JSON.parse(answer.result.value) as { heapUsed: number; external: number }
      return heapUsed + external
    },
    async logError() {
      await call('Runtime.evaluate', { expression: "console.error(new Error('logged by the benchmark').stack)" })
    },
    close: () => socket.close(),
  }
}
