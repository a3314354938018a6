import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Failure } from './failure.js'
import type { ProcessGroup } from './process-group.js'
import { stages, waitForExit } from './processes.js'
import { root } from './root.js'

/** One gateway or one worker to start. */
export interface ApplicationSpec {
  kind: 'gateway' | 'worker'
  name: string
  /** The whole environment of the process; it inherits no variable. */
  env: Record<string, string>
  /** The file to which its log is appended. */
  logFile: string
  /** The clone whose program it runs; by default this one. A test also runs the previous release. */
  clone?: string
  /** The command that starts Node, and its first arguments; by default the Node of this process. */
  node?: readonly [command: string, ...args: string[]]
}

/** A gateway or worker that is ready. */
export interface Application {
  child: ChildProcess
  pid: number
  /** The port on which a gateway listens. */
  port?: number
  /** The port for operators. */
  operationsPort?: number
  /** Resolves with how it ended. */
  ended: Promise<string>
}

/**
 * As in the Dockerfile and in deploy/. Most objects of a gateway live as long as one call: with more megabytes for
 * young objects than the default of 16, collecting them takes half the time. No process reads source maps: they
 * would stop it for a second at its first logged error (administration/map-traces.ts).
 */
const nodeOptions = {
  gateway: ['--max-semi-space-size=32'],
  worker: [],
}

/** A first start loads native libraries from a cold disk while other processes do the same. */
const READY_TIMEOUT_MS = 60_000

/**
 * Starts a gateway or worker and waits until it is ready. It waits for the line on standard output that says so. Throws
 * a Failure with the end of its log, when it ends before.
 */
export function startApplication(group: ProcessGroup, spec: ApplicationSpec): Promise<Application> {
  const log = openSync(spec.logFile, 'a')
  const logStart = fstatSync(log).size
  const [node, ...args] = spec.node ?? [process.execPath]
  const child = group.start(
    { name: spec.name, signal: 'SIGTERM', stage: stages.application },
    node,
    [...args, ...nodeOptions[spec.kind], join(spec.clone ?? root, 'dist', `${spec.kind}.js`)],
    { env: spec.env, stdio: ['ignore', 'pipe', log] },
  )
  closeSync(log)
  const ended = waitForExit(child)

  return new Promise((resolve, reject) => {
    let isReady = false
    const fail = (why: string) => {
      const lastLines = readFileSync(spec.logFile)
        .subarray(logStart)
        .toString()
        .trim()
        .split('\n')
        .slice(-12)
        .join('\n')
      reject(new Failure(`The ${spec.name} ${why}.\n${lastLines}`))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`did not get ready within ${READY_TIMEOUT_MS / 1000} s`)
    }, READY_TIMEOUT_MS)
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = parseReadyLine(line)
        if (ready === undefined || child.pid === undefined) return
        clearTimeout(timer)
        isReady = true
        resolve({ child, pid: child.pid, ...ready, ended })
      })
    }
    ended.then((how) => {
      clearTimeout(timer)
      // After it was ready, the supervisor handles its end, and the log may have been removed.
      if (!isReady) fail(`ended before it was ready (${how})`)
    })
  })
}

function parseReadyLine(line: string): { port?: number; operationsPort?: number } | undefined {
  try {
    const parsed = JSON.parse(line) as { listening?: string; port?: number; operations_port?: number } | null
    return parsed?.listening === undefined ? undefined : { port: parsed.port, operationsPort: parsed.operations_port }
  } catch {
    return undefined
  }
}
