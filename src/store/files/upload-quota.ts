/**
 * The upload quota of an organization.
 *
 * 1. `upload_usage` holds the bytes of all files of an organization. It changes in the transaction that inserts or
 *    deletes the row of a file.
 */
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../log/realm.js'
import type { Db, Transaction } from '../sql.js'

const MEBIBYTE = 1024 * 1024

/** Checks that an upload of `bytes` bytes fits into the quota. Throws REALM_UPLOAD_QUOTA. */
export const checkUploadQuota = async (db: Db, realm: Realm, bytes: number): Promise<void> => {
  if (exceedsQuota(realm, (await loadSpaceUsed(db, realm.id)) + bytes)) throw errors.uploadQuota()
}

/** Whether the sum of all files would be over the quota of the organization. */
export const exceedsQuota = ({ state: { realm } }: Realm, bytes: number): boolean =>
  realm.upload_quota_mib !== null && bytes > realm.upload_quota_mib * MEBIBYTE

/** Adds bytes to the space used, in the transaction that adds or removes the file (1). @returns the new sum */
export const addSpaceUsed = async (tx: Transaction, realm_id: number, bytes: number): Promise<number> => {
  const [row] = await tx<{ bytes: number }[]>`
    insert into upload_usage (realm_id, bytes) values (${realm_id}, ${bytes})
    on conflict (realm_id) do update set bytes = upload_usage.bytes + excluded.bytes
    returning bytes`
  return row?.bytes ?? 0
}

/** Loads the bytes of all files of an organization. */
export const loadSpaceUsed = async (db: Db, realm_id: number): Promise<number> => {
  const [row] = await db<{ bytes: number }[]>`select bytes from upload_usage where realm_id = ${realm_id}`
  return row?.bytes ?? 0
}
