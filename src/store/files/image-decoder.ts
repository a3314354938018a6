/**
 * Decodes images, and reads the text of documents, in separate processes (decoder-process.ts), a few at a time.
 *
 * Decoding hostile files takes seconds and hundreds of megabytes, and can crash. In this process it would compete with
 * password hashes and file reads for the few threads of the pool. What is said of an image below is true of a document.
 *
 * 1. Few images are decoded at a time, each in a process of its own. At most one of them has more than LARGE_PIXELS or
 *    is a document, so large images and documents never delay the small images.
 * 2. At most one image of an account is decoded at a time. Accounts take turns, whatever the number of their images.
 *    The queue `images` of store/fairness/fair-queues.ts keeps 1 and 2.
 * 3. What waits is bounded, per account and together. An image beyond a bound is refused as `busy`.
 * 4. A process that takes longer than MAX_DECODE_MS for one image is killed; one that needs too much memory kills
 *    itself. Only the image that it had is refused, as `failed`. The next image starts a new process.
 * 5. Processes are started on demand, end after IDLE_MS without work, and do not outlive this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MAX_PIXELS } from '../../domain/files/image-header.js'
import { LARGE_PIXELS, openFairQueue } from '../fairness/fair-queues.js'
import type { imageOperations } from './image-operations.js'
import type { textOperations } from './text/text-operations.js'

type Operations = typeof imageOperations & typeof textOperations
export type OperationName = keyof Operations
export type Input<N extends OperationName> = Parameters<Operations[N]> extends [unknown, ...infer Rest] ? Rest : never
type Output<N extends OperationName> = Awaited<ReturnType<Operations[N]>>

/** The messages between this process and the one that decodes. */
export interface DecodeRequest {
  operation: OperationName
  input: readonly unknown[]
}
export type DecodeAnswer = { result: unknown } | { error: string }

/** An image to decode. */
export interface DecodeOrder {
  /** the account that it is decoded for */
  account: string
  /** a function loads them when it is the turn of the image, so that they are not in memory before */
  bytes: Uint8Array | (() => Promise<Uint8Array>)
  /** the pixels that are decoded, all frames together; 0 to read the header only */
  pixels: number
  /** it is a document, which may take as long as a large image */
  isDocument?: boolean
  /**
   * refuse the image as `busy` if the account has this many images here already; without it, their pixels are bounded
   */
  limit?: number
}

export interface ImageDecoder {
  /** Throws ImageDecoderError. */
  decode<N extends OperationName>(order: DecodeOrder, operation: N, ...more: Input<N>): Promise<Output<N>>
  /** Ends the processes. */
  close(): void
}

/**
 * `busy`: too many images wait, so the call can be tried again later.
 * `failed`: the process ended while it decoded the image, or could not be started.
 */
export class ImageDecoderError extends Error {
  readonly reason: 'busy' | 'failed'

  constructor(reason: 'busy' | 'failed', message: string) {
    super(message)
    this.name = 'ImageDecoderError'
    this.reason = reason
  }
}

const MAX_DECODE_MS = 20_000
const IDLE_MS = 30_000
/** What may wait, of one account and of all together. */
const MAX_WAITING_BYTES = { account: 64 * 1024 * 1024, all: 256 * 1024 * 1024 }
const MAX_WAITING_PIXELS = 4 * MAX_PIXELS

const PROGRAM = fileURLToPath(new URL('./decoder-process.js', import.meta.url))

interface Task {
  order: DecodeOrder
  operation: OperationName
  more: readonly unknown[]
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A process that decodes, and what it decodes now. */
interface Decoder {
  child: ChildProcess
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
}

/**
 * Opens the decoder of a process.
 * @param report receives an error that is not the fault of an image
 */
export const openImageDecoder = (report: (error: Error) => void): ImageDecoder => {
  const decoders = new Set<Decoder>()
  const queue = openFairQueue('images')
  const waiting = new Set<DecodeOrder>()

  const isLarge = (order: DecodeOrder) => order.isDocument === true || order.pixels > LARGE_PIXELS

  /** Decodes an image that has a slot of the queue. */
  const start = (task: Task): void => {
    try {
      void run([...decoders].find((one) => one.task === undefined) ?? startDecoder(), task)
    } catch (error) {
      report(error as Error)
      task.reject(new ImageDecoderError('failed', 'no process could be started to decode the image'))
    }
  }

  const run = async (decoder: Decoder, task: Task): Promise<void> => {
    clearTimeout(decoder.timer)
    decoder.task = task
    const { bytes } = task.order
    let input: readonly unknown[]
    try {
      input = [typeof bytes === 'function' ? await bytes() : bytes, ...task.more]
    } catch (error) {
      if (decoder.task === task) finish(decoder)?.reject(error as Error)
      return
    }
    // The process may have ended while the bytes were loaded.
    if (decoder.task !== task) return
    decoder.timer = setTimeout(() => decoder.child.kill('SIGKILL'), MAX_DECODE_MS)
    decoder.child.send({ operation: task.operation, input } satisfies DecodeRequest, (error) => {
      // The process ended, or never started: its `exit` or `error` event reports this, unless it came before.
      if (error !== null) lose(decoder, error.message)
    })
  }

  /** Ends the task of a decoder. The decoder waits for the next one, but not for long (5). */
  const finish = (decoder: Decoder): Task | undefined => {
    const { task } = decoder
    clearTimeout(decoder.timer)
    decoder.task = undefined
    decoder.timer = setTimeout(() => lose(decoder, 'idle'), IDLE_MS)
    decoder.timer.unref()
    return task
  }

  /** Forgets a decoder whose process ended, or shall end (4). */
  const lose = (decoder: Decoder, why: string): void => {
    if (!decoders.delete(decoder)) return
    clearTimeout(decoder.timer)
    decoder.child.kill('SIGKILL')
    decoder.task?.reject(new ImageDecoderError('failed', `the process that decoded the image ended: ${why}`))
    decoder.task = undefined
  }

  const startDecoder = (): Decoder => {
    const child = fork(PROGRAM, {
      cwd: '/',
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // A waiting decoder does not keep this process alive.
    child.unref()
    child.channel?.unref()
    const decoder: Decoder = { child, task: undefined, timer: undefined }
    decoders.add(decoder)
    child.on('message', (answer: DecodeAnswer) => {
      const task = finish(decoder)
      if ('result' in answer) {
        task?.resolve(answer.result)
      } else {
        report(new Error(`an image could not be decoded: ${answer.error}`))
        task?.resolve(undefined)
      }
    })
    child.on('error', (error) => {
      report(error)
      lose(decoder, error.message)
    })
    child.on('exit', (code, signal) => lose(decoder, signal ?? `exit code ${code}`))
    return decoder
  }

  const isRefused = ({ account, bytes, pixels, limit }: DecodeOrder): boolean => {
    const everyone = [...waiting]
    const own = everyone.filter((order) => order.account === account)
    const sizeOf = (given: DecodeOrder['bytes']) => (typeof given === 'function' ? 0 : given.length)
    const bytesOf = (orders: DecodeOrder[]) => orders.reduce((sum, order) => sum + sizeOf(order.bytes), sizeOf(bytes))
    const isOwnRunning = [...decoders].some(({ task }) => task?.order.account === account)
    const isOverLimit =
      limit === undefined
        ? own.reduce((sum, order) => sum + order.pixels, pixels) > MAX_WAITING_PIXELS
        : own.length + (isOwnRunning ? 1 : 0) >= limit
    return isOverLimit || bytesOf(own) > MAX_WAITING_BYTES.account || bytesOf(everyone) > MAX_WAITING_BYTES.all
  }

  return {
    decode<N extends OperationName>(order: DecodeOrder, operation: N, ...more: Input<N>): Promise<Output<N>> {
      if (isRefused(order)) {
        return Promise.reject(new ImageDecoderError('busy', 'too many images wait to be decoded'))
      }
      waiting.add(order)
      const work = () =>
        new Promise<Output<N>>((resolve, reject) => {
          waiting.delete(order)
          start({ order, operation, more, resolve: resolve as Task['resolve'], reject })
        })
      return queue.run<Output<N>>(order.account, work, isLarge(order))
    },

    close() {
      waiting.clear()
      queue.clear()
      for (const { child } of decoders) child.kill('SIGKILL')
    },
  }
}
