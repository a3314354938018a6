/** Devices registered for push notifications, by the tokens of APNs and FCM. Index: key. */
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

/** Adds a device. Adding it again is no error. Throws BAD_REQUEST when the account has too many. */
export const addDevice = async (sql: Sql, { realm_id, user_id }: Owner, device: PushDevice): Promise<void> => {
  const { kind, token, app_id = null } = device
  await sql.begin(async (tx) => {
    await tx`
      insert into push_devices (realm_id, user_id, kind, token, app_id)
      values (${realm_id}, ${user_id}, ${kind}, ${token}, ${app_id})
      on conflict (realm_id, user_id, kind, token) do update set app_id = excluded.app_id`
    await checkAddedRows(tx, 'push_devices', { realm_id, user_id })
  })
}

/** @returns whether there was such a device */
export const removeDevice = async (sql: Sql, { realm_id, user_id }: Owner, device: PushDevice): Promise<boolean> => {
  const deleted = await sql`
    delete from push_devices
    where realm_id = ${realm_id} and user_id = ${user_id} and kind = ${device.kind} and token = ${device.token}`
  return deleted.count > 0
}

/** Whether one of the account's devices has this token. */
export const hasDevice = async (sql: Sql, { realm_id, user_id }: Owner, token: string): Promise<boolean> => {
  const [row] = await sql`
    select from push_devices where realm_id = ${realm_id} and user_id = ${user_id} and token = ${token} limit 1`
  return row !== undefined
}
