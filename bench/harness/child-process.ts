/**
 * A child process of a benchmark: load and baselines do not run on the event loop of the benchmark.
 *
 * The child serves procedures. The benchmark calls them by name, with one argument, over the IPC channel of Node.
 */
import { fileURLToPath } from 'node:url'
import type { ProcessGroup } from '../../src/dev/process-group.js'
import { stages } from '../../src/dev/processes.js'

/** The procedures of a child process, by name. */
// biome-ignore lint/suspicious/noExplicitAny: an input can have any type; BenchProcess keeps the type of each procedure
export type Procedures = Record<string, (input: any) => unknown>

export interface BenchProcess<P extends Procedures> {
  pid: number
  call<K extends keyof P & string>(procedure: K, input: Parameters<P[K]>[0]): Promise<Awaited<ReturnType<P[K]>>>
  /** Stops the process. Resolves when it has ended and its connections are closed. */
  stop(): Promise<void>
}

interface CallMessage {
  number: number
  procedure: string
  input: unknown
}

interface ReplyMessage {
  number: number
  value?: unknown
  error?: string
}

/** Serves procedures to the process that started this one. */
export const serveProcedures = (procedures: Procedures): void => {
  process.on('message', async ({ number, procedure, input }: CallMessage) => {
    const reply: ReplyMessage = { number }
    try {
      reply.value = await procedures[procedure]?.(input)
    } catch (error) {
      reply.error = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    process.send?.(reply)
  })
  process.on('disconnect', () => process.exit(0))
}

/** Starts the process compiled from `file` (below bench/, without extension). `P` is the type of its procedures. */
export const startProcess = <P extends Procedures>(group: ProcessGroup, file: string): BenchProcess<P> => {
  const child = group.start(
    { name: file, signal: 'SIGTERM', stage: stages.application },
    process.execPath,
    [fileURLToPath(new URL(`../${file}.js`, import.meta.url))],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  child.on('message', ({ number, value, error }: ReplyMessage) => {
    const call = pending.get(number)
    pending.delete(number)
    if (error === undefined) call?.resolve(value)
    else call?.reject(new Error(error))
  })
  const exit = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of pending.values()) reject(new Error(`${file} ended: ${signal ?? code}`))
      resolve()
    })
  })
  let number = 0
  return {
    pid: child.pid ?? 0,
    call: (procedure, input) =>
      new Promise((resolve, reject) => {
        number += 1
        pending.set(number, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ number, procedure, input } satisfies CallMessage)
      }),
    stop() {
      child.kill('SIGTERM')
      return exit
    },
  }
}
