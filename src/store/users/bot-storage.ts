/**
 * The storage of a bot: texts by key.
 *
 * Only the account itself reads its storage and changes send no event, so it is outside the realm's log.
 * An advisory lock serializes writes of one account, because the total size has a limit.
 */

import { accountLimits, hasTooMany } from '../../domain/limits/counts.js'
import { limits } from '../../domain/limits/limits.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Db, Sql } from '../sql.js'

interface StorageOwner {
  realm_id: number
  user_id: number
}

/** A longer key may not fit into the index. */
const MAX_KEY_LENGTH = 500

/** Stores these values, replacing older ones. Throws BAD_REQUEST when the storage would exceed its limit. */
export const saveStorage = async (
  sql: Sql,
  { realm_id, user_id }: StorageOwner,
  storage: Record<string, string>,
): Promise<void> => {
  const rows = Object.entries(storage).map(([key, value]) => ({ key, value }))
  if (rows.length === 0) return
  if (rows.some(({ key }) => key.length > MAX_KEY_LENGTH)) {
    throw errors.badRequest('A key of the storage may have {max} characters at most.', {
      max: MAX_KEY_LENGTH,
    })
  }
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`storage ${realm_id} ${user_id}`}, 0))`
    await tx`
      insert into bot_storage (realm_id, user_id, key, value)
      select ${realm_id}, ${user_id}, key, value
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (key text, value text)
      on conflict (realm_id, user_id, key) do update set value = excluded.value`
    const [kept] = await tx<{ keys: number; size: number }[]>`
      select count(*)::int as keys, coalesce(sum(length(key) + length(value)), 0)::int8 as size from bot_storage
      where realm_id = ${realm_id} and user_id = ${user_id}`
    if ((kept?.keys ?? 0) > accountLimits.bot_storage.most) throw hasTooMany(accountLimits.bot_storage)
    const excess = (kept?.size ?? 0) - limits.max_bot_storage_characters
    if (excess > 0) {
      throw errors.badRequest('The storage would be {count} characters too large (limit: {max}).', {
        count: excess,
        max: limits.max_bot_storage_characters,
      })
    }
  })
}

/** The values of these keys, or of all keys. Throws BAD_REQUEST for a key without a value. */
export const loadStorage = async (
  db: Db,
  { realm_id, user_id }: StorageOwner,
  keys: readonly string[] | undefined,
): Promise<Record<string, string>> => {
  const rows = await db<{ key: string; value: string }[]>`
    select key, value from bot_storage
    where realm_id = ${realm_id} and user_id = ${user_id}
      ${keys === undefined ? db`` : db`and key = any(${keys as string[]})`}
    order by key collate "C"`
  if (keys !== undefined && rows.length < new Set(keys).size) throw errors.noSuchKey()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Deletes the values of these keys, or all values. Throws BAD_REQUEST for a key without a value. */
export const deleteStorage = async (
  sql: Sql,
  { realm_id, user_id }: StorageOwner,
  keys: readonly string[] | undefined,
): Promise<void> => {
  await sql.begin(async (tx) => {
    const deleted = await tx`
      delete from bot_storage
      where realm_id = ${realm_id} and user_id = ${user_id}
        ${keys === undefined ? tx`` : tx`and key = any(${keys as string[]})`}`
    if (keys !== undefined && deleted.count < new Set(keys).size) throw errors.noSuchKey()
  })
}
