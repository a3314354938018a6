/**
 * What the process of decoder-process.ts can be asked to do with a document.
 *
 * 1. A thread reads the document, so that the process can look at its own memory meanwhile. It ends with the document.
 * 2. A document that takes more time of a processor than MAX_CPU_MS, or more memory than MAX_HEAP_MIB, has no text. It
 *    is the time of the processor, because this process runs only when others leave it one.
 */
import { Worker } from 'node:worker_threads'

const MAX_CPU_MS = 10_000
const MAX_HEAP_MIB = 256
const CHECK_MS = 50

const PROGRAM = new URL('./text-thread.js', import.meta.url)

/** Reads the text of a document in a thread (1, 2); empty: it has none that can be read. */
export const readInThread = (
  bytes: Uint8Array,
  { max_cpu_ms, max_heap_mib }: { max_cpu_ms: number; max_heap_mib: number },
): Promise<string> =>
  new Promise((resolve) => {
    const thread = new Worker(PROGRAM, {
      workerData: bytes,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: max_heap_mib },
    })
    const began = process.cpuUsage()
    const end = (text: string) => {
      clearInterval(timer)
      void thread.terminate()
      resolve(text)
    }
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1_000 > max_cpu_ms) end('')
    }, CHECK_MS)
    thread.once('message', end)
    // A fault of a library, or the limit of its memory.
    thread.once('error', () => end(''))
    thread.once('exit', () => end(''))
  })

/** The operations by name. */
export const textOperations = {
  readText: (bytes: Uint8Array): Promise<string> =>
    readInThread(bytes, { max_cpu_ms: MAX_CPU_MS, max_heap_mib: MAX_HEAP_MIB }),
}
