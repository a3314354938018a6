/**
 * The scope that an API key with a name needs for a call. The first key of an account and sessions need none.
 *
 * 1. Every endpoint has a required scope: it follows from what the endpoint declares, unless it declares `keyScope`. So
 *    it holds for every transport, and an endpoint that nobody thought about is closed rather than open.
 * 2. What shows or changes credentials, and what would act for longer than the key, is closed to every key: `none`.
 */
import { includesScope } from '../../domain/api-keys/api-keys.js'
import type { ApiKeyRow, KeyScope } from '../../domain/log/rows.js'
import { errors } from '../../domain/protocol/errors.js'

/** What a key needs for an endpoint; `none`: no key with a name may call it. */
export type RequiredScope = KeyScope | 'none'

/** The declarations from which the scope follows. */
export interface ScopedEndpoint {
  readonly callers: string
  readonly permission?: unknown
  readonly method: string
  readonly changesStructure?: true
  readonly keyScope?: RequiredScope
}

const administrators: ReadonlySet<string> = new Set(['administrator', 'owner', 'defaultChannelEditor'])

/** The scope that an endpoint requires (1). */
export const requiredScope = (endpoint: ScopedEndpoint): RequiredScope => {
  const { callers, permission, method, changesStructure, keyScope } = endpoint
  if (keyScope !== undefined) return keyScope
  if (administrators.has(callers) || permission !== undefined || changesStructure === true) return 'administer'
  return method === 'GET' ? 'read' : 'write'
}

/** Refuses a key whose scope does not permit the endpoint. Throws API_KEY_SCOPE and API_KEY_NOT_ACCEPTED. */
export const checkKeyScope = (endpoint: ScopedEndpoint, key: ApiKeyRow | undefined): void => {
  if (key === undefined) return
  const required = requiredScope(endpoint)
  if (required === 'none') throw errors.closedToKeys()
  if (!includesScope(key.scope, required)) throw errors.keyScopeTooSmall({ scope: key.scope, required_scope: required })
}
