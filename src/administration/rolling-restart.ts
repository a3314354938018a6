/**
 * Restarts processes one after the other, so that clients always find a gateway.
 *
 * 1. Nothing is restarted unless all processes are ready.
 * 2. The next process is restarted after the former one is another process than before, and ready. If one does not
 *    become ready, the others stay as they are.
 */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from './operator-error.js'

/** A process of the deployment. */
export interface RestartedProcess {
  /** what the command that restarts it calls it */
  name: string
  /** the address of its page for operators, without a path */
  url: string
}

export interface RestartOptions {
  /** the begin of the command that restarts a process; the name follows */
  command: string
  /** milliseconds in which a process has to become ready */
  patience_ms: number
  /** milliseconds between two processes, for load balancers to notice that the former one is back */
  pause_ms: number
  env: Readonly<Record<string, string | undefined>>
  tell(text: string): void
}

const INTERVAL_MS = 250
const ANSWER_MS = 3_000

/** Restarts the processes in their order. Throws OperatorError. */
export const restartAll = async (processes: readonly RestartedProcess[], options: RestartOptions): Promise<void> => {
  for (const one of processes) {
    const { problem } = await ask(one)
    if (problem !== undefined)
      throw new OperatorError(`${one.name} is not ready, so nothing was restarted: ${problem} (${one.url})`)
  }
  for (const [i, one] of processes.entries()) {
    if (i > 0) await sleep(options.pause_ms)
    const rest = processes.slice(i + 1).map(({ name }) => name)
    try {
      await restart(one, options)
    } catch (error) {
      const left = rest.length === 0 ? '' : ` Not restarted: ${rest.join(', ')}.`
      throw error instanceof OperatorError ? new OperatorError(`${error.message}${left}`) : error
    }
    options.tell(`${one.name} is ready.`)
  }
}

const restart = async (one: RestartedProcess, { command, patience_ms, env }: RestartOptions): Promise<void> => {
  const before = await ask(one)
  if (before.problem !== undefined) throw new OperatorError(`${one.name} is not ready: ${before.problem} (${one.url})`)
  await run(command, one.name, env)
  let last: Answer = before
  for (const deadline = Date.now() + patience_ms; Date.now() < deadline; await sleep(INTERVAL_MS)) {
    last = await ask(one)
    if (last.problem === undefined && last.started !== before.started) return
  }
  const reason = last.started === before.started ? 'it is the process from before the restart' : last.problem
  throw new OperatorError(`${one.name} is not ready ${patience_ms / 1000} s after its restart: ${reason} (${one.url}).`)
}

/** The name is an argument of the shell and no part of its script. */
const run = (command: string, name: string, env: RestartOptions['env']): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${command} "$1"`, 'sh', name], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new OperatorError(`"${command} ${name}" failed with the exit code ${code}.`))
    })
  })

interface Answer {
  /** when the process started, as its metrics have it */
  started?: string | undefined
  /** why it is not ready */
  problem?: string | undefined
}

const ask = async ({ url }: RestartedProcess): Promise<Answer> => {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const ready = await fetch(new URL('/health/ready', url), { signal })
    const report = (await ready.json()) as { isDraining?: boolean; postgres?: { problem?: string } }
    const metrics = await (await fetch(new URL('/metrics', url), { signal })).text()
    const started = /^process_start_time_seconds\S* (\S+)/m.exec(metrics)?.[1]
    if (ready.status === 200) return { started }
    return {
      started,
      problem: report.isDraining === true ? 'it is draining' : (report.postgres?.problem ?? 'not ready'),
    }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } }
    return { problem: cause?.message || cause?.code || message }
  }
}
