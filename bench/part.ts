/**
 * A part of a bench in a process of its own, so that the load does not run on the event loop it measures.
 *
 * The process serves jobs: functions of one argument, called from the bench by name over Node's own channel.
 */
import { fileURLToPath } from 'node:url'
import type { ProcessGroup } from '../src/dev/process-group.js'
import { stages } from '../src/dev/processes.js'

/** What a part can be asked to do. */
// biome-ignore lint/suspicious/noExplicitAny: any job fits; each one's own types are kept by Part
export type Jobs = Record<string, (input: any) => unknown>

export interface Part<J extends Jobs> {
  pid: number
  call<K extends keyof J & string>(job: K, input: Parameters<J[K]>[0]): Promise<Awaited<ReturnType<J[K]>>>
  /** Ends it. Resolves when it is gone, and with it every connection it had. */
  stop(): Promise<void>
}

interface Question {
  number: number
  job: string
  input: unknown
}

interface Reply {
  number: number
  value?: unknown
  error?: string
}

/** Serves jobs to the process that started this one. */
export const serve = (jobs: Jobs): void => {
  process.on('message', async ({ number, job, input }: Question) => {
    const reply: Reply = { number }
    try {
      reply.value = await jobs[job]?.(input)
    } catch (error) {
      reply.error = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    process.send?.(reply)
  })
  process.on('disconnect', () => process.exit(0))
}

/** Starts the part compiled from `file` (below bench/, without extension). `J` is the type of the jobs it serves. */
export const startPart = <J extends Jobs>(hold: ProcessGroup, file: string): Part<J> => {
  const child = hold.start(
    { name: file, signal: 'SIGTERM', stage: stages.application },
    process.execPath,
    [fileURLToPath(new URL(`./${file}.js`, import.meta.url))],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  child.on('message', ({ number, value, error }: Reply) => {
    const call = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) call?.resolve(value)
    else call?.reject(new Error(error))
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`${file} ended: ${signal ?? code}`))
      resolve()
    })
  })
  let number = 0
  return {
    pid: child.pid ?? 0,
    call: (job, input) =>
      new Promise((resolve, reject) => {
        number += 1
        waiting.set(number, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ number, job, input } satisfies Question)
      }),
    stop() {
      child.kill('SIGTERM')
      return gone
    },
  }
}
