/**
 * The folder in which `npm start` keeps its data, and the record of the processes that use it.
 *
 * 1. One `npm start` at a time uses a folder: a second one is refused while the first runs.
 * 2. A start first stops the processes that an earlier start left running, and no others: the record identifies each
 *    process by pid and start time.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.js'
import { isRunning, type ManagedProcess, readBirth, stopInOrder } from './processes.js'

/** A new Postgres cluster, its write-ahead log and some days of use. */
const REQUIRED_SPACE_MB = 400

interface RunRecord {
  supervisor: Pick<ManagedProcess, 'pid' | 'birth'>
  running: readonly ManagedProcess[]
}

export interface DataFolder {
  path: string
  /** API keys are derived from it. It is created with the folder. */
  secretKey: string
  /** Records the running processes, for the next start. */
  record(running: readonly ManagedProcess[]): void
}

/**
 * Opens or creates the data folder. It stops the processes that an earlier start left running. Throws a Failure when
 * another `npm start` uses the folder, or the disk is too full.
 */
export async function openDataFolder(path: string, tell: (line: string) => void): Promise<DataFolder> {
  const recordFile = join(path, 'processes.json')
  createFolder(path)
  const earlier = readRecord(recordFile)
  if (earlier !== undefined && isRunning(earlier.supervisor)) {
    throw new Failure(
      `Parley already runs on ${path} (process ${earlier.supervisor.pid}).\nStop that one, or start beside it: npm start -- --data .data/second --port 9995`,
    )
  }
  const leftovers = earlier?.running.filter(isRunning) ?? []
  if (leftovers.length > 0) {
    tell('An earlier run ended without cleaning up')
    await stopInOrder(leftovers, tell)
  }

  rotateLogs(path)
  const supervisor = { pid: process.pid, birth: readBirth(process.pid) ?? '' }
  const record = (running: readonly ManagedProcess[]) =>
    writeAtomically(recordFile, JSON.stringify({ supervisor, running } satisfies RunRecord))
  record([])
  return { path, secretKey: readOrCreateSecretKey(path), record }
}

/** Writes a file that only its owner can read. Other processes see the old text or the new one, never a part. */
export function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function createFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new Failure(
      `The folder ${path} cannot be used: ${(error as Error).message}. Choose another: npm start -- --data DIR`,
    )
  }
  const { bavail, bsize } = statfsSync(path)
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  if (free < REQUIRED_SPACE_MB) {
    throw new Failure(
      `Only ${free} MB are free on the disk of ${path}, and Parley needs about ${REQUIRED_SPACE_MB} MB. Free some space, or use another disk: npm start -- --data DIR`,
    )
  }
}

/** Makes an empty folder for logs, and keeps that of the previous run, which shows why it ended. */
function rotateLogs(path: string): void {
  const logs = join(path, 'logs')
  rmSync(`${logs}-before`, { recursive: true, force: true })
  if (existsSync(logs)) renameSync(logs, `${logs}-before`)
  mkdirSync(logs)
}

function readRecord(file: string): RunRecord | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord
  } catch {
    rmSync(file)
    return undefined
  }
}

function readOrCreateSecretKey(path: string): string {
  const file = join(path, 'secret-key')
  if (!existsSync(file)) writeAtomically(file, `${randomBytes(32).toString('hex')}\n`)
  return readFileSync(file, 'utf8').trim()
}
