/** Starts the programs of peers, and creates their databases. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stages, waitForExit } from '../../src/dev/processes.js'
import type { BenchEnvironment } from '../fleet/environment.js'
import { Unavailable } from './peer.js'

const READY_TIMEOUT_MS = 60_000

export interface Program {
  name: string
  command: string
  args: string[]
  /** the folder in which it runs, and to which its output is written */
  folder: string
  env?: Record<string, string>
  /** the port on which it listens when it is ready */
  port: number
}

/**
 * Starts a program and waits until it listens on its port.
 * @throws Unavailable with the end of its output
 */
export const startProgram = async ({ group }: BenchEnvironment, program: Program) => {
  const logFile = join(program.folder, `${program.name}.log`)
  const log = openSync(logFile, 'w')
  const child = group.start(
    { name: program.name, signal: 'SIGTERM', stage: stages.application },
    program.command,
    program.args,
    { cwd: program.folder, env: { PATH: process.env.PATH ?? '', ...program.env }, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  let end: string | undefined
  const ended = waitForExit(child).then((how) => {
    end = how
  })
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!(await isListening(program.port))) {
    if (end !== undefined || Date.now() > deadline) {
      throw new Unavailable(`it did not start (${end ?? 'it does not listen'}): ${readEnd(logFile)}`)
    }
    await sleep(50)
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

const STOP_TIMEOUT_MS = 10_000

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const readEnd = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' ')

/**
 * Runs a command of an installation to its end.
 * @throws Unavailable with the end of its output
 */
export const runCommand = (
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): string => {
  const env = { ...process.env, ...options.env }
  const done = spawnSync(command, args, { ...options, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (done.status === 0) return done.stdout
  const output = done.error?.message ?? `${done.stdout}${done.stderr}`.trim().split('\n').slice(-2).join(' ')
  throw new Unavailable(`\`${[command, ...args].join(' ')}\` failed: ${output}`)
}

/** Creates an empty database in the Postgres of the run. @returns its URL */
export const createDatabase = async ({ sql, database_url }: BenchEnvironment, name: string): Promise<string> => {
  await sql.unsafe(`drop database if exists ${name}`)
  await sql.unsafe(
    `create database ${name} template template0 encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  )
  const url = new URL(database_url)
  url.pathname = `/${name}`
  return url.href
}
