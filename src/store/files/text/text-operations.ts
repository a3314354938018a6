/**
 * What the process of decoder-process.ts can be asked to do with a document.
 *
 * 1. A thread reads the document, so that the process can look at its own memory meanwhile. It ends with the document.
 * 2. A document that takes more time of a processor than MAX_CPU_MS, or more memory than MAX_HEAP_MIB, has no words. It
 *    is the time of the processor, because this process runs only when others leave it one.
 */
import { Worker } from 'node:worker_threads'

const MAX_CPU_MS = 10_000
const MAX_HEAP_MIB = 256
const CHECK_MS = 50

const PROGRAM = new URL('./text-thread.js', import.meta.url)

/** What a thread is given. */
export interface ThreadInput {
  bytes: Uint8Array
  realm_id: number
  /** the file's name, which is a part of its words */
  name: string
}

/** The words of a document. */
export interface DocumentWords {
  /** for the index (domain/search/file-vector.ts) */
  vector: string
  /** how often each word is in the text that a search may suggest (domain/search/spelling.ts) */
  counts: [word: string, count: number][]
}

/** Reads the words of a document in a thread (1, 2); undefined: it takes too much. */
export const readInThread = (
  input: ThreadInput,
  { max_cpu_ms, max_heap_mib }: { max_cpu_ms: number; max_heap_mib: number },
): Promise<DocumentWords | undefined> =>
  new Promise((resolve) => {
    const thread = new Worker(PROGRAM, {
      workerData: input,
      env: {},
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: max_heap_mib },
    })
    const began = process.cpuUsage()
    const end = (words?: DocumentWords) => {
      clearInterval(timer)
      void thread.terminate()
      resolve(words)
    }
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1_000 > max_cpu_ms) end()
    }, CHECK_MS)
    thread.once('message', end)
    // A fault of a library, or the limit of its memory.
    thread.once('error', () => end())
    thread.once('exit', () => end())
  })

/** The operations by name. */
export const textOperations = {
  readWords: (bytes: Uint8Array, realm_id: number, name: string): Promise<DocumentWords | undefined> =>
    readInThread({ bytes, realm_id, name }, { max_cpu_ms: MAX_CPU_MS, max_heap_mib: MAX_HEAP_MIB }),
}
