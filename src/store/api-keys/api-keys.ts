/** API keys with a name in the database: making and ending them, and when they were used. */
import { createHash, randomInt } from 'node:crypto'
import { createKey, endKeys, KEPT_SECONDS, type WantedKey } from '../../domain/api-keys/api-keys.js'
import type { ApiKeyRow, UserRow } from '../../domain/log/rows.js'
import { commit } from '../log/change.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'
import type { Sql } from '../sql.js'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Existing clients expect that a key has the form of an account's first key. */
const LENGTH = 32

/** Draws a new key: 32 letters and digits (190 bits). */
export const drawKey = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** The hash of a key, as it is stored. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/**
 * Makes a key of an account, with the next id. The caller holds the structure lock. Throws BAD_REQUEST for a key that
 * the account cannot have, and StaleStateError.
 */
export const storeKey = async (write: WriteContext, user: UserRow, wanted: WantedKey, now: number): Promise<void> => {
  const { realm } = write
  const id = realm.state.nextId('api_keys')
  const entries = createKey(user, wanted, now)(realm.state)
  await commit(write, async (tx) => ({
    entries,
    // After the row of the key, to which it refers.
    underHeadLock: () => [tx`insert into api_key_uses (realm_id, key_id) values (${realm.id}, ${id})`],
  }))
}

/**
 * Ends keys; those that have ended already are ignored. The caller holds the structure lock. Throws StaleStateError.
 */
export const removeKeys = async (write: WriteContext, keys: readonly ApiKeyRow[]): Promise<void> => {
  const entries = endKeys(keys)(write.realm.state)
  if (entries.length > 0) await commit(write, async () => ({ entries }))
}

/** When these keys were last used, in UNIX seconds. A key that was not used is missing. */
export const loadKeyUses = async (sql: Sql, realm_id: number, ids: readonly number[]): Promise<Map<number, number>> => {
  const rows = await sql<{ key_id: number; last_used_at: number }[]>`
    select key_id, last_used_at from api_key_uses
    where realm_id = ${realm_id} and key_id = any(${ids as number[]}) and last_used_at is not null`
  return new Map(rows.map(({ key_id, last_used_at }) => [key_id, last_used_at]))
}

/** Writes back when keys were used. @param times the UNIX seconds of the last use by key */
export const writeKeyUses = async (
  { sql }: WriteDependencies,
  { id: realm_id }: Realm,
  times: ReadonlyMap<number, number>,
): Promise<void> => {
  await sql`
    update api_key_uses k set last_used_at = u.at
    from unnest(${[...times.keys()]}::int[], ${[...times.values()]}::bigint[]) as u (id, at)
    where k.realm_id = ${realm_id} and k.key_id = u.id and coalesce(k.last_used_at, 0) < u.at`
}

/** The realms that have keys which expired long before `now`. Index: api_keys_expiry. */
export const findRealmsWithExpiredKeys = async (sql: Sql, now: number): Promise<number[]> => {
  const rows = await sql<{ realm_id: number }[]>`
    select distinct realm_id from api_keys where expires_at <= ${now - KEPT_SECONDS}`
  return rows.map(({ realm_id }) => realm_id)
}

/** Removes the rows of keys that expired long ago. */
export const removeExpiredKeys = async (dependencies: WriteDependencies, realm: Realm, now: number): Promise<void> => {
  await realm.barrier()
  await realm.withStructureLock(async () => {
    const expired = [...realm.state.apiKeys.values()].filter(
      ({ expires_at }) => expires_at !== null && expires_at <= now - KEPT_SECONDS,
    )
    await removeKeys(WriteContext.open(dependencies, realm, true), expired)
  })
}
