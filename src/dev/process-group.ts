import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Failure } from './failure.js'
import { type ManagedProcess, readBirth, stopInOrder } from './processes.js'
import type { ReaperCommand } from './reaper.js'
import { root } from './root.js'

/**
 * Processes that are stopped together, in order, when their owner stops them or ends in any way, SIGKILL included.
 *
 * The reaper (reaper.ts), a separate process, stops them. Each has a session of its own, so this is no process group of
 * the operating system.
 */
export interface ProcessGroup {
  /** Starts a process of the group. `how` names it and says how to stop it. Throws a Failure while the group stops. */
  start(
    how: Pick<ManagedProcess, 'name' | 'signal' | 'stage'>,
    command: string,
    args: string[],
    options: SpawnOptions,
  ): ChildProcess
  /** Registers a folder that is removed when all processes have stopped. */
  removeFolderAtEnd(folder: string): void
  /** Lists the running processes, for the record by which a later start cleans up. */
  running(): ManagedProcess[]
  /** Stops all processes in order and resolves when the last one is gone. */
  stop(): Promise<void>
}

/** The compiled reaper, also when this file runs uncompiled. */
const REAPER = join(root, 'dist/dev/reaper.js')

/**
 * Opens an empty group and starts its reaper.
 * @param tell     receives the lines that the reaper prints while it stops processes
 * @param onChange is called whenever the set of running processes has changed
 */
export function openProcessGroup(
  tell: (line: string) => void,
  onChange: (running: ManagedProcess[]) => void = () => {},
): ProcessGroup {
  const reaper = spawn(process.execPath, [REAPER], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const reaperExit = once(reaper, 'exit')
  // The reaper does not keep this process alive: a test process ends when its tests have.
  reaper.unref()
  for (const stream of [reaper.stdin, reaper.stdout]) (stream as Socket).unref()
  const running = new Map<number, ManagedProcess>()
  const send = (command: ReaperCommand) => reaper.stdin.write(`${JSON.stringify(command)}\n`)
  // If the reaper was killed, writes fail. `stop` then stops the processes itself.
  reaper.stdin.on('error', () => {})
  let isStopping = false
  let incompleteLine = ''
  reaper.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (incompleteLine + text).split('\n')
    incompleteLine = lines.pop() ?? ''
    for (const line of lines) tell(line)
  })

  return {
    start(how, command, args, options) {
      if (isStopping) throw new Failure(`${how.name} was not started: everything is stopping`)
      // `detached` gives the process a session of its own: a Ctrl-C would otherwise signal all processes at once.
      const child = spawn(command, args, { ...options, detached: true })
      const { pid } = child
      const birth = pid === undefined ? null : readBirth(pid)
      if (pid === undefined || birth === null) return child
      const { name, signal, stage } = how
      const started = { name, signal, stage, pid, birth }
      running.set(pid, started)
      send({ watch: started })
      onChange([...running.values()])
      child.once('exit', () => {
        running.delete(pid)
        send({ forget: pid })
        onChange([...running.values()])
      })
      return child
    },
    removeFolderAtEnd: (folder) => void send({ remove: folder }),
    running: () => [...running.values()],
    async stop() {
      isStopping = true
      reaper.ref()
      reaper.stdin.end()
      await reaperExit
      // Stops what still runs, which is nothing unless the reaper was killed.
      await stopInOrder([...running.values()], tell)
    },
  }
}
