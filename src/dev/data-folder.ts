/**
 * The folder in which `npm start` keeps everything, and the record of what runs on it.
 *
 * 1. One supervisor at a time: a second one is refused while the first lives.
 * 2. Whatever an earlier supervisor left running is stopped before anything new is started, and nothing else is:
 *    the record knows each process by pid and birth.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.js'
import { birthOf, isRunning, type Ours, stopInOrder } from './processes.js'

/** A fresh cluster, its write-ahead log and some days of a demonstration. */
const ROOM_NEEDED_MB = 400

interface RunRecord {
  supervisor: Pick<Ours, 'pid' | 'birth'>
  running: readonly Ours[]
}

export interface DataFolder {
  path: string
  /** From it API keys derive; made once. */
  secretKey: string
  /** Writes down what runs now, for the next start. */
  record(running: readonly Ours[]): void
}

/**
 * Makes the folder ours: room checked, an earlier run's leftovers stopped.
 * @throws Failure when another supervisor runs on it, or the disk is too full
 */
export async function openDataFolder(path: string, tell: (line: string) => void): Promise<DataFolder> {
  const recordFile = join(path, 'processes.json')
  makeRoom(path)
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

  setLogsAside(path)
  const supervisor = { pid: process.pid, birth: birthOf(process.pid) ?? '' }
  const record = (running: readonly Ours[]) =>
    writeWhole(recordFile, JSON.stringify({ supervisor, running } satisfies RunRecord))
  record([])
  return { path, secretKey: secretKeyIn(path), record }
}

/** Writes a private file that is never seen half written. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function makeRoom(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new Failure(
      `The folder ${path} cannot be used: ${(error as Error).message}. Choose another: npm start -- --data DIR`,
    )
  }
  const { bavail, bsize } = statfsSync(path)
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  if (free < ROOM_NEEDED_MB) {
    throw new Failure(
      `Only ${free} MB are free where ${path} lies, and Parley needs about ${ROOM_NEEDED_MB} MB. Make room, or use another disk: npm start -- --data DIR`,
    )
  }
}

/** Every run logs into a fresh folder; the one before is kept, for whoever asks why it ended. */
function setLogsAside(path: string): void {
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

function secretKeyIn(path: string): string {
  const file = join(path, 'secret-key')
  if (!existsSync(file)) writeWhole(file, `${randomBytes(32).toString('hex')}\n`)
  return readFileSync(file, 'utf8').trim()
}
