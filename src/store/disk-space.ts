/** The space of the disks that a process depends on, as far as it can see them. */
import { statfs } from 'node:fs/promises'
import { isOwnAddress } from '../config/own-addresses.js'
import { isExhausted, type Sql } from './sql.js'

/** The space of the disk with a folder, in bytes. */
export interface DiskSpace {
  /** what this account can still write */
  free: number
  size: number
}

/** Less than both is a warning: a tenth of a large disk is enough for weeks. */
const SMALL_SHARE = 0.1
const SMALL_BYTES = 10 * 1024 ** 3

/**
 * Reads the space of the disk with this folder. Returns undefined if there is no such folder, or the system does not
 * say.
 */
export const readDiskSpace = async (folder: string): Promise<DiskSpace | undefined> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return blocks === 0 ? undefined : { free: bavail * bsize, size: blocks * bsize }
  } catch {
    return undefined
  }
}

/**
 * Says that little space is left; undefined: enough is.
 * @param what the disk contains, with the variable that names it
 */
export const findSpaceWarning = (what: string, space: DiskSpace | undefined): string | undefined => {
  if (space === undefined || space.free >= SMALL_BYTES || space.free >= space.size * SMALL_SHARE) return undefined
  const percent = Math.floor((100 * space.free) / space.size)
  const mebibytes = Math.floor(space.free / 1024 ** 2).toLocaleString('en')
  return `${what}: ${mebibytes} MiB are free, ${percent} % of the disk. Make room or enlarge it before it is full.`
}

/**
 * Reads the space of the disk with the data of Postgres. Returns undefined if Postgres is on another machine, or its
 * role may not know the folder (`grant pg_read_all_settings`).
 */
export const readPostgresSpace = async (sql: Sql): Promise<DiskSpace | undefined> => {
  const found = await sql<{ folder: string; address: string | null }[]>`
    select current_setting('data_directory') as folder, host(inet_server_addr()) as address
    where pg_has_role(current_user, 'pg_read_all_settings', 'usage')`.catch(() => [])
  const [row] = found
  // Without an address, it is connected by a socket of this machine.
  const isHere = row !== undefined && (row.address === null || isOwnAddress(row.address))
  return isHere ? readDiskSpace(row.folder) : undefined
}

/** Milliseconds for which a full disk of Postgres is a warning after the last statement that it refused. */
const REMEMBERED_MS = 60_000

let exhausted: { at: number; message: string } | undefined

/** Remembers an error if it means that the disk or the memory of Postgres is full. */
export const noteExhaustion = (error: unknown): void => {
  if (isExhausted(error)) exhausted = { at: performance.now(), message: (error as Error).message }
}

/**
 * Says that Postgres refused statements because its disk or memory is full. Returns undefined if it refused none for
 * this reason within the last minute.
 */
export const findExhaustion = (): string | undefined =>
  exhausted === undefined || performance.now() - exhausted.at > REMEMBERED_MS
    ? undefined
    : `DATABASE_URL: Postgres has no room: ${exhausted.message}. Free its disk, or give it more memory.`
