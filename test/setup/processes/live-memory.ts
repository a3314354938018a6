/** The memory of another process that is left after all garbage is collected, over the inspector of Node. */
import { readFileSync } from 'node:fs'
import { WebSocket } from 'ws'

/** The environment variables of a process whose inspector listens on a free port. */
export const inspectorVariables = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** The same as `measureLiveBytes`, in megabytes. */
export const measureLiveMegabytes = async (logFile: string): Promise<number> =>
  Math.round((await measureLiveBytes(logFile)) / 1024 / 1024)

/**
 * Collects all garbage of a process that was started with `inspectorVariables`.
 * @param logFile of the process, in which Node has written the address of its inspector
 * @returns the bytes of live objects, buffers outside of the heap included
 */
export const measureLiveBytes = async (logFile: string): Promise<number> => {
  const address = /Debugger listening on (\S+)/.exec(readFileSync(logFile, 'utf8'))?.[1]
  if (address === undefined) throw new Error('the process has no inspector')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const call = (id: number, method: string, params: object = {}) =>
    new Promise<{ result?: { value: string } }>((resolve, reject) => {
      socket.once('close', () => reject(new Error('the process ended')))
      socket.on('message', (data) => {
        const answer = JSON.parse(String(data)) as { id?: number; result: { result?: { value: string } } }
        if (answer.id === id) resolve(answer.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  try {
    await call(1, 'HeapProfiler.collectGarbage')
    const { result } = await call(2, 'Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })
    const { heapUsed, external } = JSON.parse(result?.value ?? '{}') as { heapUsed: number; external: number }
    return heapUsed + external
  } finally {
    socket.terminate()
  }
}
