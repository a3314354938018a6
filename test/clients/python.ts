/**
 * The Python programs, installed from their registry into a folder of ours: nothing is installed on the machine.
 *
 * Where there is no Python, or the registry is out of reach, there is a reason instead, which names the tests that
 * are passed over.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pause } from './pause.js'

export interface Python {
  /** The folder with `python` and the programs that came with the packages. */
  bin: string
  /** Why it cannot be had. */
  missing?: string
}

/** The versions are named, so that a run says the same tomorrow. */
const PACKAGES = ['zulip==0.9.1', 'zulip-bots==0.9.1']
const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/parley-python')
const PATIENCE_MS = 120_000
const UNTIL_MS = 40_000

/** The environment, made by whoever asks first. `options` are pip's. */
export const findPython = async (packages = PACKAGES, options: readonly string[] = []): Promise<Python> => {
  const folder = join(cache, packages.join('-').replace(/[^\w.-]/g, ''))
  const bin = join(folder, 'bin')
  const ready = join(folder, 'ready')
  mkdirSync(cache, { recursive: true })
  const lock = `${folder}.lock`
  for (const deadline = Date.now() + PATIENCE_MS; !isTaken(lock); await pause(200)) {
    if (existsSync(ready)) return { bin }
    // Whoever held it is gone.
    if (Date.now() > deadline) rmSync(lock, { recursive: true, force: true })
  }
  try {
    if (existsSync(ready)) return { bin }
    const known = reasonOf(folder)
    if (known !== undefined) return { bin, missing: known }
    rmSync(folder, { recursive: true, force: true })
    const missing = install(folder, bin, [...options, ...packages])
    writeFileSync(missing === undefined ? ready : `${folder}.missing`, missing ?? '')
    return { bin, missing }
  } finally {
    rmdirSync(lock)
  }
}

/** Making a folder is the one thing that only one process succeeds at. */
const isTaken = (lock: string): boolean => {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** Why it did not work just now: each file of a run asks, and to find out that nobody answers takes long. */
const reasonOf = (folder: string): string | undefined => {
  const path = `${folder}.missing`
  if (!existsSync(path) || statSync(path).mtimeMs < Date.now() - PATIENCE_MS) return undefined
  return readFileSync(path, 'utf8')
}

/** @returns why it did not work */
const install = (folder: string, bin: string, wanted: readonly string[]): string | undefined => {
  const version = run('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'])
  if (version.out.trim() !== 'True') return 'there is no python3 of version 3.9 or newer'
  const python = join(bin, 'python')
  const made = run('python3', ['-m', 'venv', folder])
  let pip = [python, '-m', 'pip']
  if (!made.isOk) {
    // Debian brings venv and pip in packages of their own: where it has only pip, that one serves the folder too.
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

/** What programs get in their environment: no configuration but what is given. */
const bare = { PATH: process.env.PATH, PYTHONUNBUFFERED: '1', HOME: '/' }

/** A program that has ended. */
export interface Ended {
  status: number | null
  /** what it wrote, on both channels, in order */
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

/** A program that runs until it is ended. */
export interface Running extends AsyncDisposable {
  /** what it has written by now, on both channels, line by line */
  lines: readonly string[]
}

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

/** Waits until it is so; fails with what the programs wrote. */
export const waitUntil = async (
  isSo: () => Promise<boolean> | boolean,
  programs: readonly Running[],
): Promise<void> => {
  for (const deadline = Date.now() + UNTIL_MS; !(await isSo()); await pause(250)) {
    if (Date.now() > deadline)
      throw new Error(`waited in vain; ${programs.map(({ lines }) => lines.join('\n')).join('\n')}`)
  }
}
