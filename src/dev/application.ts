import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Failure } from './failure.js'
import type { Hold } from './process-group.js'
import { endOf, stages } from './processes.js'
import { root } from './root.js'

/** What to start: one gateway or one worker, and all that it is told. */
export interface Launch {
  kind: 'gateway' | 'worker'
  name: string
  /** Its whole environment; nothing of ours passes by itself. */
  env: Record<string, string>
  /** The file its log lines are added to. */
  logFile: string
}

/** A process that has said it is ready. */
export interface Application {
  child: ChildProcess
  pid: number
  /** Where a gateway listens. */
  port?: number
  /** Resolves with how it ended. */
  ended: Promise<string>
}

/** A first start loads native libraries from a cold disk, with other processes doing the same. */
const LISTENS_WITHIN_MS = 60_000

/**
 * Starts a gateway or worker and waits for the line on standard output that says it is ready.
 * @throws Failure with its last words, when it ends before
 */
export function startApplication(hold: Hold, launch: Launch): Promise<Application> {
  const log = openSync(launch.logFile, 'a')
  const logStart = fstatSync(log).size
  const child = hold.start(
    { name: launch.name, signal: 'SIGTERM', stage: stages.application },
    process.execPath,
    ['--enable-source-maps', join(root, 'dist', `${launch.kind}.js`)],
    { env: launch.env, stdio: ['ignore', 'pipe', log] },
  )
  closeSync(log)
  const ended = endOf(child)

  return new Promise((resolve, reject) => {
    let isReady = false
    const fail = (why: string) => {
      const words = readFileSync(launch.logFile).subarray(logStart).toString().trim().split('\n').slice(-12).join('\n')
      reject(new Failure(`The ${launch.name} ${why}.\n${words}`))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`did not get ready within ${LISTENS_WITHIN_MS / 1000} s`)
    }, LISTENS_WITHIN_MS)
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const said = listening(line)
        if (said === undefined || child.pid === undefined) return
        clearTimeout(timer)
        isReady = true
        resolve({ child, pid: child.pid, port: said.port, ended })
      })
    }
    ended.then((how) => {
      clearTimeout(timer)
      // Once it was ready its end is its keeper's affair, and its log may be gone.
      if (!isReady) fail(`ended before it was ready (${how})`)
    })
  })
}

function listening(line: string): { port?: number } | undefined {
  try {
    const said = JSON.parse(line) as { listening?: string; port?: number } | null
    return said?.listening === undefined ? undefined : { port: said.port }
  } catch {
    return undefined
  }
}
