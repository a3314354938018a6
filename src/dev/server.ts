import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import type { Hold } from './process-group.js'
import { endOf, stages } from './processes.js'

/** A program of others that serves us: how it is started, stopped, and known to be ready. */
export interface Server {
  name: string
  command: string
  args: string[]
  options: SpawnOptions
  signal: NodeJS.Signals
  /** What it prints; begun anew at every start. */
  logFile: string
  isReady(log: string, pid: number | undefined): boolean
}

/** A program that serves. */
export interface Running {
  child: ChildProcess
  /** Resolves with how it ended. */
  ended: Promise<string>
}

/** A Postgres that was killed hard first replays what its last checkpoint had not yet seen. */
const READY_WITHIN_MS = 120_000

/**
 * Starts a server and waits until it serves.
 * @throws Failure with its last words
 */
export async function startServer(hold: Hold, server: Server): Promise<Running> {
  const log = openSync(server.logFile, 'w')
  const stdio = ['ignore', log, log] satisfies SpawnOptions['stdio']
  const child = hold.start({ ...server, stage: stages.store }, server.command, server.args, {
    ...server.options,
    stdio,
  })
  closeSync(log)
  const ended = endOf(child)
  let over: string | undefined
  void ended.then((how) => {
    over = how
  })

  const end = Date.now() + READY_WITHIN_MS
  while (Date.now() < end) {
    const words = readFileSync(server.logFile, 'utf8')
    if (over !== undefined) throw failedStart(server.name, words || over)
    if (server.isReady(words, child.pid)) return { child, ended }
    await sleep(25)
  }
  throw new Failure(`${server.name} did not get ready within ${READY_WITHIN_MS / 1000} s; see ${server.logFile}`)
}

/** The failure that a program's last words tell of. */
export function failedStart(name: string, words: string): Failure {
  if (words.includes('No space left on device')) return new Failure(`The disk is full: ${name} could not start.`)
  return new Failure(`${name} did not start:\n${words.trim().split('\n').slice(-8).join('\n')}`)
}
