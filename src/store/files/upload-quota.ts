/**
 * The upload quota of an organization.
 *
 * 1. `upload_usage.bytes` is the size of all files of an organization. It changes in the transaction that inserts or
 *    deletes the row of a file.
 * 2. `upload_usage.reserved` is the size of all unfinished resumable uploads.
 *    It changes in the transaction that inserts or deletes the row of such an upload (resumable-uploads.ts).
 * 3. Both together never exceed the quota, unless the quota was lowered.
 */
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../log/realm.js'
import type { Db, Transaction } from '../sql.js'

const MEBIBYTE = 1024 * 1024

interface Usage {
  bytes: number
  reserved: number
}

/** Checks that an upload of `bytes` bytes fits into the quota. Throws REALM_UPLOAD_QUOTA. */
export const checkUploadQuota = async (db: Db, realm: Realm, bytes: number): Promise<void> => {
  const usage = await loadUsage(db, realm.id)
  requireQuota(realm, { ...usage, bytes: usage.bytes + bytes })
}

/** Throws REALM_UPLOAD_QUOTA if this usage is over the quota of the organization (3). */
const requireQuota = ({ state: { realm } }: Realm, { bytes, reserved }: Usage): void => {
  if (realm.upload_quota_mib !== null && bytes + reserved > realm.upload_quota_mib * MEBIBYTE)
    throw errors.uploadQuota()
}

/**
 * Adds a file to the space used, in the transaction that inserts its row (1). Throws REALM_UPLOAD_QUOTA.
 * @returns the bytes of all files
 */
export const useSpace = async (tx: Transaction, realm: Realm, bytes: number): Promise<number> => {
  const usage = await addUsage(tx, realm.id, { bytes, reserved: 0 })
  requireQuota(realm, usage)
  return usage.bytes
}

/**
 * Subtracts a file from the space used (1). It runs in the transaction that deletes the row of the file.
 * @returns the bytes of all files
 */
export const freeSpace = async (tx: Transaction, realm_id: number, bytes: number): Promise<number> =>
  (await addUsage(tx, realm_id, { bytes: -bytes, reserved: 0 })).bytes

/**
 * Reserves space for a resumable upload (2). It runs in the transaction that inserts the row of the upload. Throws
 * REALM_UPLOAD_QUOTA.
 */
export const reserveSpace = async (tx: Transaction, realm: Realm, bytes: number): Promise<void> =>
  requireQuota(realm, await addUsage(tx, realm.id, { bytes: 0, reserved: bytes }))

/** Ends the reservation of a resumable upload (2). It runs in the transaction that deletes the row of the upload. */
export const releaseSpace = async (tx: Transaction, realm_id: number, bytes: number): Promise<unknown> =>
  addUsage(tx, realm_id, { bytes: 0, reserved: -bytes })

/** Changes the row, which stays locked until the transaction ends, and returns its new values. */
const addUsage = async (tx: Transaction, realm_id: number, { bytes, reserved }: Usage): Promise<Usage> => {
  const [row] = await tx<Usage[]>`
    insert into upload_usage (realm_id, bytes, reserved) values (${realm_id}, ${bytes}, ${reserved})
    on conflict (realm_id) do update
      set bytes = upload_usage.bytes + excluded.bytes, reserved = upload_usage.reserved + excluded.reserved
    returning bytes, reserved`
  return row ?? { bytes: 0, reserved: 0 }
}

/** Loads the bytes of all files of an organization. */
export const loadSpaceUsed = async (db: Db, realm_id: number): Promise<number> => (await loadUsage(db, realm_id)).bytes

const loadUsage = async (db: Db, realm_id: number): Promise<Usage> => {
  const [row] = await db<Usage[]>`select bytes, reserved from upload_usage where realm_id = ${realm_id}`
  return row ?? { bytes: 0, reserved: 0 }
}
