/**
 * HTTP Basic authentication (RFC 7617): finds the account of an Authorization header.
 *
 * A verified header is cached with the user row that it was verified for. Rows are immutable:
 * every change of an account replaces its row. So while the state holds the same row, the header
 * is still valid, and no key has to be derived. The same holds for the row of a key with a name, until it expires.
 * Source: protocol/errors.md 4.
 */

import { secondsNow } from '#rules/time.js'
import { isExpired } from '../../domain/api-keys/api-keys.js'
import { isSameKey, looksLikeApiKey } from '../../domain/deployment/api-key.js'
import { OwnedKey } from '../../domain/log/owned-values.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'
import type { KeyHolder } from '../contract/caller.js'
import { findNamedKey } from './named-keys.js'

/**
 * Cached headers per realm. A further header evicts the oldest one, which costs one key derivation when it comes again.
 */
const MAX_CACHED_HEADERS = 20_000

/** The account of an Authorization header, '' when the request has none. Throws the errors of protocol/errors.md 4. */
export type Authenticator = (realm: Realm, header: string) => KeyHolder

/**
 * Opens the authenticator of this process, with its cache.
 * @param loadedRealms the realms in memory. An invalid header is tried on them, to answer "wrong organization".
 */
export const openAuthenticator = (loadedRealms: () => Iterable<Realm>): Authenticator => {
  const verifiedHoldersKey = new OwnedKey<Map<string, KeyHolder>>('authorization_headers', ({ size }) => size)

  const isFirstKey = ({ id, state }: Realm, user: UserRow, key: string) =>
    state.deployment.keys.validApiKeys(id, user.id, user.key_version).some((valid) => isSameKey(key, valid))

  const isKeyElsewhere = (realm: Realm, { address, key }: Credentials) => {
    for (const other of loadedRealms()) {
      const user = other === realm ? undefined : other.state.userByEmail(address)
      if (user === undefined) continue
      if (isFirstKey(other, user, key) || findNamedKey(other.state, key, user.id) !== undefined) return true
    }
    return false
  }

  const verify = (realm: Realm, header: string): KeyHolder => {
    if (header === '') throw errors.notLoggedIn()
    const credentials = parseCredentials(header)
    const user = realm.state.userByEmail(credentials.address)
    const isFirst = user !== undefined && isFirstKey(realm, user, credentials.key)
    const apiKey = user === undefined || isFirst ? undefined : findNamedKey(realm.state, credentials.key, user.id)
    if (user === undefined || (!isFirst && apiKey === undefined)) {
      throw isKeyElsewhere(realm, credentials) ? errors.wrongSubdomain() : errors.invalidApiKey()
    }
    if (!user.is_active) throw errors.accountDeactivated()
    return { user, apiKey }
  }

  return (realm, header) => {
    const holderByHeader = realm.own(verifiedHoldersKey, () => new Map())
    const cached = holderByHeader.get(header)
    if (cached !== undefined && isCurrent(realm.state, cached)) return requireActiveRealm(realm, cached)
    const holder = verify(realm, header)
    if (holder.apiKey !== undefined && isExpired(holder.apiKey, secondsNow())) throw errors.apiKeyExpired()
    holderByHeader.set(header, holder)
    if (holderByHeader.size > MAX_CACHED_HEADERS) holderByHeader.delete(holderByHeader.keys().next().value as string)
    return requireActiveRealm(realm, holder)
  }
}

/** Whether what was verified is still true. A key that has expired is verified again, and refused. */
const isCurrent = ({ users, apiKeys }: RealmState, { user, apiKey }: KeyHolder): boolean => {
  if (users.get(user.id) !== user) return false
  return apiKey === undefined || (apiKeys.get(apiKey.id) === apiKey && !isExpired(apiKey, secondsNow()))
}

const requireActiveRealm = (realm: Realm, holder: KeyHolder): KeyHolder => {
  if (!realm.state.realm.is_active) throw errors.realmDeactivated()
  return holder
}

interface Credentials {
  address: string
  key: string
}

/** Buffer.from decodes base64 and base64url without ever failing, so invalid input is rejected before. */
const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/

const parseCredentials = (header: string): Credentials => {
  const [scheme = '', encoded = '', ...more] = header.trim().split(/\s+/)
  if (scheme.toLowerCase() !== 'basic') throw errors.basicRequired()
  if (more.length > 0 || !base64Pattern.test(encoded)) throw errors.invalidAuthorization()
  const parts = Buffer.from(encoded, 'base64').toString().split(':')
  const [address, key] = parts
  if (parts.length !== 2 || address === undefined || key === undefined) throw errors.invalidAuthorization()
  if (!looksLikeApiKey(key.trim())) throw errors.malformedApiKey()
  return { address: address.trim(), key: key.trim() }
}
