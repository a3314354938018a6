import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import type { ProcessGroup } from './process-group.js'
import { stages, waitForExit } from './processes.js'

/** Postgres or Redis: how to start it, how to stop it, and how to see that it is ready. */
export interface ServerProgram {
  name: string
  command: string
  args: string[]
  options: SpawnOptions
  signal: NodeJS.Signals
  /** The file of its output, emptied at every start. */
  logFile: string
  isReady(log: string, pid: number | undefined): boolean
}

/** A server that is ready. */
export interface RunningServer {
  child: ChildProcess
  /** Resolves with how it ended. */
  ended: Promise<string>
}

/** After SIGKILL, Postgres replays the write-ahead log since its last checkpoint before it is ready. */
const READY_TIMEOUT_MS = 120_000

/** Starts a server and waits until it is ready. Throws a Failure with the end of its output. */
export async function startServer(group: ProcessGroup, server: ServerProgram): Promise<RunningServer> {
  const log = openSync(server.logFile, 'w')
  const stdio = ['ignore', log, log] satisfies SpawnOptions['stdio']
  const child = group.start({ ...server, stage: stages.store }, server.command, server.args, {
    ...server.options,
    stdio,
  })
  closeSync(log)
  const ended = waitForExit(child)
  let exit: string | undefined
  void ended.then((how) => {
    exit = how
  })

  const end = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < end) {
    const output = readFileSync(server.logFile, 'utf8')
    if (exit !== undefined) throw startFailure(server.name, output || exit)
    if (server.isReady(output, child.pid)) return { child, ended }
    await sleep(25)
  }
  throw new Failure(`${server.name} did not get ready within ${READY_TIMEOUT_MS / 1000} s; see ${server.logFile}`)
}

/** Makes the error for a program that did not start, from its output. */
export function startFailure(name: string, output: string): Failure {
  if (output.includes('No space left on device')) return new Failure(`The disk is full: ${name} could not start.`)
  return new Failure(`${name} did not start:\n${output.trim().split('\n').slice(-8).join('\n')}`)
}
