import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Failure } from './failure.js'
import { birthOf, type Ours, stopInOrder } from './processes.js'
import type { LeashLine } from './reaper.js'
import { root } from './root.js'

/** Our end of the leash: what is started through it ends with us, whatever ends us. */
export interface Hold {
  /** Starts a process that is stopped with us: `how` names it and says how it wants to be stopped. */
  start(
    how: Pick<Ours, 'name' | 'signal' | 'stage'>,
    command: string,
    args: string[],
    options: SpawnOptions,
  ): ChildProcess
  /** A folder to remove once everything has stopped. */
  removeAtEnd(folder: string): void
  /** What runs now, for the record a later start cleans up by. */
  running(): Ours[]
  /** Stops everything in order and returns when the last process is gone. */
  letGo(): Promise<void>
}

/** It always runs compiled, also when we do not. */
const LEASH = join(root, 'dist/dev/reaper.js')

/**
 * Starts the leash process.
 * @param tell receives its sentences while it stops things
 * @param changed is called whenever the set of running processes has changed
 */
export function holdLeash(tell: (line: string) => void, changed: (running: Ours[]) => void = () => {}): Hold {
  const leash = spawn(process.execPath, [LEASH], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(leash, 'exit')
  // Holding it must keep nobody alive: a test process ends when its tests have.
  leash.unref()
  for (const stream of [leash.stdin, leash.stdout]) (stream as Socket).unref()
  const running = new Map<number, Ours>()
  const say = (line: LeashLine) => leash.stdin.write(`${JSON.stringify(line)}\n`)
  // A leash that was killed is found out when we let go; until then nothing depends on it.
  leash.stdin.on('error', () => {})
  let released = false
  let unfinished = ''
  leash.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) tell(line)
  })

  return {
    start(how, command, args, options) {
      if (released) throw new Failure(`${how.name} was not started: everything is stopping`)
      // A session of its own: a Ctrl-C meant for us would otherwise stop everything at once, in no order.
      const child = spawn(command, args, { ...options, detached: true })
      const { pid } = child
      const birth = pid === undefined ? null : birthOf(pid)
      if (pid === undefined || birth === null) return child
      const { name, signal, stage } = how
      const ours = { name, signal, stage, pid, birth }
      running.set(pid, ours)
      say({ watch: ours })
      changed([...running.values()])
      child.once('exit', () => {
        running.delete(pid)
        say({ forget: pid })
        changed([...running.values()])
      })
      return child
    },
    removeAtEnd: (folder) => void say({ remove: folder }),
    running: () => [...running.values()],
    async letGo() {
      released = true
      leash.ref()
      leash.stdin.end()
      await ended
      // Only a leash that was itself killed leaves something to do.
      await stopInOrder([...running.values()], tell)
    },
  }
}
