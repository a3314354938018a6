/**
 * HTTP Basic: from an Authorization header to an account.
 *
 * A header that was right once is remembered with the row it was right for. Rows are replaced, never changed, so as
 * long as the state holds that very row, nothing about the account has changed and no key need be derived again.
 * Source: errors.md section 4.
 */

import { apiKeyOf, isSameKey, looksLikeApiKey } from '../../domain/deployment/api-key.js'
import type { UserRow } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Realm } from '../../store/log/realm.js'

/** Headers remembered per realm; beyond it the oldest is forgotten, and costs one derivation when it comes again. */
const MOST_REMEMBERED = 20_000

/** The account of a header, which is empty when there is none. Throws the refusals of errors.md section 4. */
export type Authenticator = (realm: Realm, header: string) => UserRow

/** @param loadedRealms the realms that this gateway serves, asked when a key fits none of the realm's own accounts */
export const openAuthenticator = (secret: string, loadedRealms: () => Iterable<Realm>): Authenticator => {
  const remembered = new WeakMap<Realm, Map<string, UserRow>>()

  const isKeyOf = (realm: Realm, user: UserRow, key: string) =>
    isSameKey(key, apiKeyOf(secret, realm.id, user.id, user.key_version))

  const isKeyElsewhere = (realm: Realm, { address, key }: Credentials) => {
    for (const other of loadedRealms()) {
      const user = other === realm ? undefined : other.state.userByEmail(address)
      if (user !== undefined && isKeyOf(other, user, key)) return true
    }
    return false
  }

  const verify = (realm: Realm, header: string): UserRow => {
    if (header === '') throw errors.notLoggedIn()
    const credentials = parseCredentials(header)
    const user = realm.state.userByEmail(credentials.address)
    if (user === undefined || !isKeyOf(realm, user, credentials.key)) {
      throw isKeyElsewhere(realm, credentials) ? errors.wrongSubdomain() : errors.invalidApiKey()
    }
    if (!user.is_active) throw errors.accountDeactivated()
    return user
  }

  return (realm, header) => {
    let known = remembered.get(realm)
    if (known === undefined) {
      known = new Map()
      remembered.set(realm, known)
    }
    const before = known.get(header)
    if (before !== undefined && realm.state.users.get(before.id) === before) return requireActiveRealm(realm, before)
    const user = verify(realm, header)
    known.set(header, user)
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value as string)
    return requireActiveRealm(realm, user)
  }
}

const requireActiveRealm = (realm: Realm, user: UserRow): UserRow => {
  if (!realm.state.realm.is_active) throw errors.realmDeactivated()
  return user
}

interface Credentials {
  address: string
  key: string
}

/** Node reads base64 and base64url alike, and never fails: what is neither must be found out before. */
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
