/**
 * The program of the process that decodes images and reads the text of documents.
 * image-decoder.ts starts it, sends it one file at a time, and ends it.
 *
 * 1. It has no environment variables, so it knows no secret: its input is hostile, and a decoder may have faults.
 * 2. It kills itself when its memory exceeds MAX_RESIDENT_BYTES.
 *    Decoding runs in other threads, so this thread can look.
 * 3. It ends with its parent, whichever way the parent ends. It ignores the signals that end the parent, because the
 *    parent still answers the requests that it has.
 */
import { setPriority } from 'node:os'
import type { DecodeAnswer, DecodeRequest } from './image-decoder.js'
import { imageOperations } from './image-operations.js'
import { textOperations } from './text/text-operations.js'

/**
 * The largest image (MAX_PIXELS, four channels of 16 bits, interlaced) takes about 550 MiB, most others below 300.
 * A container has a limit for all its processes together, and can be killed as a whole beyond it.
 */
const MAX_RESIDENT_BYTES = 768 * 1024 * 1024
const MEMORY_CHECK_MS = 25
/** Processes that answer clients come first. */
const NICE = 19

const endAtOnce = () => process.kill(process.pid, 'SIGKILL')

process.on('disconnect', endAtOnce)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) endAtOnce()
}, MEMORY_CHECK_MS)
try {
  setPriority(NICE)
} catch {
  // Some containers forbid it. Decoding then competes with the other processes as an equal.
}

const operations = { ...imageOperations, ...textOperations }

process.on('message', async ({ operation, input }: DecodeRequest) => {
  const work = operations[operation] as (...input: readonly unknown[]) => Promise<unknown>
  let answer: DecodeAnswer
  try {
    answer = { result: await work(...input) }
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  process.send?.(answer)
})
