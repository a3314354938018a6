/** Devices registered for push notifications, by the tokens of APNs and FCM. Index: key. */
import { createHash } from 'node:crypto'
import { limits } from '../../domain/limits/limits.js'
import { checkAddedRows } from '../limits/stored-rows.js'
import type { Sql } from '../sql.js'

export interface PushDevice {
  kind: 'apns' | 'fcm'
  token: string
  app_id?: string
}

interface Owner {
  realm_id: number
  user_id: number
}

/**
 * What identifies a device in the table: its token, or a digest of a token that may not fit into the index. Nothing
 * needs the token itself, because the server sends no push notifications.
 */
const identifyDevice = (token: string): string =>
  Buffer.byteLength(token) <= limits.max_indexed_bytes
    ? token
    : `sha256:${createHash('sha256').update(token).digest('hex')}`

/** Adds a device. Adding it again is no error. Throws BAD_REQUEST when the account has too many. */
export const addDevice = async (sql: Sql, { realm_id, user_id }: Owner, device: PushDevice): Promise<void> => {
  const { kind, token, app_id = null } = device
  await sql.begin(async (tx) => {
    await tx`
      insert into push_devices (realm_id, user_id, kind, token, app_id)
      values (${realm_id}, ${user_id}, ${kind}, ${identifyDevice(token)}, ${app_id})
      on conflict (realm_id, user_id, kind, token) do update set app_id = excluded.app_id`
    await checkAddedRows(tx, 'push_devices', { realm_id, user_id })
  })
}

/** @returns whether there was such a device */
export const removeDevice = async (sql: Sql, { realm_id, user_id }: Owner, device: PushDevice): Promise<boolean> => {
  const deleted = await sql`
    delete from push_devices
    where realm_id = ${realm_id} and user_id = ${user_id} and kind = ${device.kind}
      and token = ${identifyDevice(device.token)}`
  return deleted.count > 0
}

/** Whether one of the account's devices has this token. */
export const hasDevice = async (sql: Sql, { realm_id, user_id }: Owner, token: string): Promise<boolean> => {
  const [row] = await sql`
    select from push_devices
    where realm_id = ${realm_id} and user_id = ${user_id} and token = ${identifyDevice(token)} limit 1`
  return row !== undefined
}
