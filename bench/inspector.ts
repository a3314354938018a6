/** Node's own inspector, asked over its socket: what a process holds once its garbage is collected. */

import { frameReader, textFrame } from './load/frames.js'
import { openWebSocket } from './load/websocket.js'

export interface Inspector {
  /** Collects all garbage, then tells the bytes that live objects hold, buffers outside of the heap included. */
  live(): Promise<number>
  close(): void
}

/** The environment of a process that can be inspected on this port. */
export const inspectable = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })

/** Connects to a process that was started as `inspectable`. */
export const openInspector = async (port: number): Promise<Inspector> => {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { id: string }[]
  const waiting = new Map<number, (result: unknown) => void>()
  const read = frameReader((bytes, start, end) => {
    const { id, result } = JSON.parse(bytes.toString('utf8', start, end)) as { id?: number; result?: unknown }
    if (id === undefined) return
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  const door = { path: `/${targets[0]?.id}`, headers: [] }
  const socket = await openWebSocket({ port, host: `127.0.0.1:${port}`, door }, read)
  let calls = 0
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      calls += 1
      waiting.set(calls, resolve)
      socket.write(textFrame(JSON.stringify({ id: calls, method, params })))
    })
  return {
    async live() {
      await ask('HeapProfiler.collectGarbage')
      const expression = 'JSON.stringify(process.memoryUsage())'
      const answer = (await ask('Runtime.evaluate', { expression })) as { result: { value: string } }
      const { heapUsed, external } = JSON.parse(answer.result.value) as { heapUsed: number; external: number }
      return heapUsed + external
    },
    close: () => socket.close(),
  }
}
