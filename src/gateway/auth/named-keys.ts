/** Finds the API key with a name (domain/api-keys/api-keys.ts) that a request has. */
import { isPresentKey } from '../../domain/api-keys/api-keys.js'
import type { ApiKeyRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { hashKey } from '../../store/api-keys/api-keys.js'

/**
 * Finds the key, which may have expired. Hashes are compared, so the time tells nothing about a key.
 * @param user_id the account that the request names; undefined: it names none
 */
export const findNamedKey = (state: RealmState, key: string, user_id?: number): ApiKeyRow | undefined => {
  if (state.apiKeys.size === 0) return undefined
  const hash = hashKey(key)
  for (const row of state.apiKeys.values()) {
    const isOfAccount = user_id === undefined || row.user_id === user_id
    if (isOfAccount && row.token_hash === hash && isPresentKey(state, row)) return row
  }
  return undefined
}
