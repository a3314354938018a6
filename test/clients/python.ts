/**
 * Python packages, installed into a virtual environment below node_modules/.cache: the machine is not changed.
 *
 * Without Python or without the package registry, `findPython` gives a reason instead, and the tests are skipped.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pause } from './pause.js'

export interface Python {
  /** The folder with `python` and the programs of the packages. */
  bin: string
  /** Why there is no environment. */
  missing?: string
}

/** Exact versions, so that runs are repeatable. */
const PACKAGES = ['zulip==0.9.1', 'zulip-bots==0.9.1']
const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/parley-python')
const PATIENCE_MS = 120_000
const UNTIL_MS = 40_000

/** Finds the environment, or creates it if no other process does. @param options options of pip */
export const findPython = async (packages = PACKAGES, options: readonly string[] = []): Promise<Python> => {
  const folder = join(cache, packages.join('-').replace(/[^\w.-]/g, ''))
  const bin = join(folder, 'bin')
  const ready = join(folder, 'ready')
  mkdirSync(cache, { recursive: true })
  const lock = `${folder}.lock`
  for (const deadline = Date.now() + PATIENCE_MS; !takeLock(lock); await pause(200)) {
    if (existsSync(ready)) return { bin }
    // The process that held the lock has ended.
    if (Date.now() > deadline) rmSync(lock, { recursive: true, force: true })
  }
  try {
    if (existsSync(ready)) return { bin }
    const known = readRecentFailure(folder)
    if (known !== undefined) return { bin, missing: known }
    rmSync(folder, { recursive: true, force: true })
    const missing = install(folder, bin, [...options, ...packages])
    writeFileSync(missing === undefined ? ready : `${folder}.missing`, missing ?? '')
    return { bin, missing }
  } finally {
    rmdirSync(lock)
  }
}

/** Takes the lock. Only one process can create a folder. @returns whether it was free */
const takeLock = (lock: string): boolean => {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** Why the last installation failed, if that was recent: an unreachable registry takes long to time out. */
const readRecentFailure = (folder: string): string | undefined => {
  const path = `${folder}.missing`
  if (!existsSync(path) || statSync(path).mtimeMs < Date.now() - PATIENCE_MS) return undefined
  return readFileSync(path, 'utf8')
}

/** @returns why it failed, or undefined */
const install = (folder: string, bin: string, wanted: readonly string[]): string | undefined => {
  const version = run('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'])
  if (version.out.trim() !== 'True') return 'python3 3.9 or newer is not installed'
  const python = join(bin, 'python')
  const made = run('python3', ['-m', 'venv', folder])
  let pip = [python, '-m', 'pip']
  if (!made.isOk) {
    // Debian has venv and pip in separate packages. If only pip is there, it can install into the environment.
    const isBare = run('python3', ['-m', 'venv', '--without-pip', '--clear', folder]).isOk
    pip = ['python3', '-m', 'pip', '--python', python]
    if (!isBare || !run('python3', ['-m', 'pip', '--version']).isOk) {
      return `python3 makes no environment with pip: ${lastLine(made.out)}`
    }
  }
  const [command = '', ...first] = pip
  const options = ['--quiet', '--disable-pip-version-check', '--timeout', '20', '--retries', '1']
  const installed = run(command, [...first, 'install', ...options, ...wanted])
  return installed.isOk ? undefined : `the Python registry gives no ${wanted.join(' ')}: ${lastLine(installed.out)}`
}

const run = (command: string, args: string[]): { isOk: boolean; out: string } => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: PATIENCE_MS })
  return { isOk: status === 0, out: `${stdout ?? ''}${stderr ?? ''}` }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 200) ?? ''

/** Environment variables of every program, without any configuration of the user. */
const bare = { PATH: process.env.PATH, PYTHONUNBUFFERED: '1', HOME: '/' }

/** A program that has ended. */
export interface Ended {
  status: number | null
  /** its standard output and standard error, in order */
  out: string
}

/** Runs a program to its end. */
export const runProgram = (
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...bare, ...env } })
    let out = ''
    const hear = (part: Buffer) => {
      out += part
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', (error) => resolve({ status: null, out: String(error) }))
    child.on('close', (status) => resolve({ status, out }))
    child.stdin.end(input)
  })

/** A program that runs until the test ends it. */
export interface Running extends AsyncDisposable {
  /** the lines of its standard output and standard error so far */
  lines: readonly string[]
}

/** Starts a program with few variables of the environment, and collects its output. */
export const startProgram = (command: string, args: readonly string[], env: Record<string, string> = {}): Running => {
  const child = spawn(command, args, { env: { ...bare, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const closed = new Promise((resolve) => child.on('close', resolve))
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => lines.push(line))
  return {
    lines,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** Waits until a condition holds. Fails with the output of the programs. */
export const waitUntil = async (
  isSo: () => Promise<boolean> | boolean,
  programs: readonly Running[],
): Promise<void> => {
  for (const deadline = Date.now() + UNTIL_MS; !(await isSo()); await pause(250)) {
    if (Date.now() > deadline) throw new Error(`timed out; ${programs.map(({ lines }) => lines.join('\n')).join('\n')}`)
  }
}
