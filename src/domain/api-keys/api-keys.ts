/**
 * API keys with a name: further keys of an account, each with a scope and, if wanted, an end date.
 *
 * 1. A key is a structural row. So every replica knows which keys exist, the end of a key is an entry of the log, and
 *    no write is committed with a key that has ended: its guard fails, and the call is refused when it runs again.
 * 2. A row has the hash of its key. The key is shown once, in the answer to the call that makes it.
 * 3. A key ends when it is removed, when its end date has come, and with the first key of its account: `key_version` is
 *    that of the account when the key was made. So a new password ends all keys, also those that an attacker made.
 * 4. A key never permits more than its account may do. Its scope limits that further (gateway/call/key-scope.ts).
 * 5. No key makes or ends keys, or changes how its account logs in: otherwise it could outlive its end.
 * 6. An account has at most MAX_KEYS. Expired ones are listed for KEPT_SECONDS, so that users see why one stopped.
 */
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert } from '../log/row-changes.js'
import type { ApiKeyRow, KeyScope, UserRow } from '../log/rows.js'
import { composeSilentEntry } from '../log/silent-entry.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { checkOutranks } from '../users/accounts/account-rights.js'

const DAY_SECONDS = 86_400
/** The number of keys of an account, beside the first one. */
export const MAX_KEYS = 20
/** The characters of a key's name. */
export const MAX_NAME_LENGTH = 60
/** How long an expired key is listed. */
export const KEPT_SECONDS = 30 * DAY_SECONDS
/** The latest end of a key: 10 years from now. One without an end says so. */
export const LONGEST_SECONDS = 3_660 * DAY_SECONDS

/** The scopes, each of which includes the ones before it. */
export const keyScopes = ['read', 'write', 'administer'] as const satisfies readonly KeyScope[]

/** Whether the scope of a key includes another one. */
export const includesScope = (scope: KeyScope, wanted: KeyScope): boolean =>
  keyScopes.indexOf(scope) >= keyScopes.indexOf(wanted)

/** Whether a caller may see the keys of bots. A key with a smaller scope would get a larger one by them. */
export const maySeeBotKeys = (key: ApiKeyRow | undefined): boolean => key === undefined || key.scope === 'administer'

/** Whether the key has expired. */
export const isExpired = ({ expires_at }: ApiKeyRow, now: number): boolean => expires_at !== null && expires_at <= now

/** Whether the key is still one of its account: it may have expired (3). */
export const isPresentKey = (state: RealmState, key: ApiKeyRow): boolean =>
  state.users.get(key.user_id)?.key_version === key.key_version

/** The keys of an account, the newest first, expired ones included. */
export const listKeys = (state: RealmState, user_id: number): ApiKeyRow[] =>
  [...state.apiKeys.values()].filter((key) => key.user_id === user_id && isPresentKey(state, key)).reverse()

/** A key as it is wanted. */
export interface WantedKey {
  name: string
  scope: KeyScope
  expires_at: number | null
  token_hash: string
}

/**
 * Checks a new key of the account. Throws BAD_REQUEST for a name or an end that it cannot have, and for one key too
 * many.
 */
export const checkNewKey = (
  state: RealmState,
  user_id: number,
  { name, expires_at }: Pick<WantedKey, 'name' | 'expires_at'>,
  now: number,
): void => {
  if (name === '') throw errors.badRequest('Give the key a name, so that you recognize it.')
  if (expires_at !== null && (expires_at <= now || expires_at > now + LONGEST_SECONDS)) {
    throw errors.badRequest('The end of a key is in the future, and at most ten years from now.')
  }
  const keys = listKeys(state, user_id).filter((key) => !isExpired(key, now))
  if (keys.some((key) => key.name === name)) throw errors.badRequest('You have a key with this name.')
  if (keys.length >= MAX_KEYS) throw errors.badRequest('You have {count} keys: end one first.', { count: MAX_KEYS })
}

/**
 * Makes a key with the next id. It removes keys of the account that ended with its first key. Throws what `checkNewKey`
 * throws.
 */
export const createKey =
  (user: UserRow, wanted: WantedKey, now: number): Step =>
  (state) => {
    checkNewKey(state, user.id, wanted, now)
    const { id, rows } = allocateId(state, 'api_keys')
    const ended = [...state.apiKeys.values()].filter((key) => key.user_id === user.id && !isPresentKey(state, key))
    const key = { id, user_id: user.id, key_version: user.key_version, created_at: now, ...wanted }
    return [
      composeSilentEntry([
        ...ended.map((other) => composeDelete('api_keys', other)),
        composeInsert('api_keys', key),
        ...rows,
      ]),
    ]
  }

/** Ends keys: those that have ended already are ignored. */
export const endKeys =
  (keys: readonly ApiKeyRow[]): Step =>
  (state) => {
    const present = keys.flatMap(({ id }) => state.apiKeys.get(id) ?? [])
    return present.length === 0 ? [] : [composeSilentEntry(present.map((key) => composeDelete('api_keys', key)))]
  }

/**
 * The key that an administrator may end. Throws BAD_REQUEST when there is none, and UNAUTHORIZED_PRINCIPAL where its
 * account is an owner and the caller is not.
 */
export const requireAdministeredKey = (state: RealmState, caller: UserRow, id: number): ApiKeyRow => {
  const key = state.apiKeys.get(id)
  const user = key && state.users.get(key.user_id)
  if (key === undefined || user === undefined || !isPresentKey(state, key)) throw errors.noSuchApiKey()
  checkOutranks(caller, user)
  return key
}
