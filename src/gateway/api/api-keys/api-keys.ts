/**
 * API keys with a name: an account makes, lists and ends its own, and administrators see and end those of others. The
 * rules are in domain/api-keys/api-keys.ts, what a key permits is in call/key-scope.ts.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import {
  isPresentKey,
  keyScopes,
  listKeys,
  MAX_NAME_LENGTH,
  requireAdministeredKey,
} from '../../../domain/api-keys/api-keys.js'
import type { ApiKeyRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { drawKey, hashKey, loadKeyUses, removeKeys, storeKey } from '../../../store/api-keys/api-keys.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath, int, oneOf, str, timestamp } from '../../call/params.js'

const MOST_LISTED = 1_000

const apiKeyObject = z.object({
  id: z.int(),
  name: z.string(),
  scope: z.enum(keyScopes).describe('what it permits: each scope includes the ones before it'),
  created_at: z.int().describe('UNIX seconds'),
  expires_at: z.int().nullable().describe('UNIX seconds; null: it does not expire'),
  last_used_at: z.int().nullable().describe('UNIX seconds, up to a minute late; null: it was not used'),
})

export const getApiKeys = endpoint({
  method: 'GET',
  path: '/users/me/api_keys',
  summary: 'Lists the API keys of the account that have a name, the newest first.',
  callers: 'account',
  params: {},
  response: z.object({ api_keys: z.array(apiKeyObject) }),
  handle: async (call) => ({ api_keys: await composeKeys(call, listKeys(call.state, call.caller.id)) }),
})

export const createApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_keys',
  summary: 'Makes a further API key of the account. The answer is the only one that shows it.',
  callers: 'account',
  keyScope: 'none',
  params: {
    name: str({ min: 1, max: MAX_NAME_LENGTH }).describe('how the user recognizes the key; one key has each name'),
    scope: oneOf(...keyScopes).describe(
      '`read`, `write`, which also sends and changes, or `administer`, which does all',
    ),
    expires_at: timestamp().optional().describe('UNIX seconds; absent: the key does not expire'),
  },
  example: { name: 'Build server', scope: 'write' },
  response: z.object({ id: z.int(), api_key: z.string() }),
  changesStructure: true,
  async handle({ caller, write, state, params }) {
    const api_key = drawKey()
    const id = state.nextId('api_keys')
    const { scope, expires_at = null } = params
    const wanted = { name: params.name.trim(), scope, expires_at, token_hash: hashKey(api_key) }
    return write.answering(
      () => ({ id, api_key }),
      (keyed) => storeKey(keyed, caller.user, wanted, secondsNow()),
    )
  },
})

export const endApiKey = endpoint({
  method: 'DELETE',
  path: '/users/me/api_keys/{key_id}',
  summary: 'Ends an API key of the account, and closes its connections.',
  callers: 'account',
  keyScope: 'none',
  params: { key_id: idInPath() },
  response: z.object({}),
  errors: [errors.noSuchApiKey],
  changesStructure: true,
  async handle({ caller, write, state, params: { key_id } }) {
    const key = state.apiKeys.get(key_id)
    if (key?.user_id !== caller.id) throw errors.noSuchApiKey()
    await removeKeys(write, [key])
    return {}
  },
})

export const getAllApiKeys = endpoint({
  method: 'GET',
  path: '/realm/api_keys',
  summary: 'Lists the API keys with a name of all accounts, in the order of their ids.',
  callers: 'administrator',
  params: {
    after: int({ min: 0 }).default(0).describe('the id after which the list begins'),
    limit: int({ min: 1, max: MOST_LISTED }).default(MOST_LISTED),
  },
  response: z.object({ api_keys: z.array(apiKeyObject.extend({ user_id: z.int() })), has_more: z.boolean() }),
  async handle(call) {
    const { state, params } = call
    const keys = [...state.apiKeys.values()].filter((key) => key.id > params.after && isPresentKey(state, key))
    const shown = keys.slice(0, params.limit)
    const objects = await composeKeys(call, shown)
    const api_keys = objects.map((key, index) => ({ ...key, user_id: shown[index]?.user_id ?? 0 }))
    return { api_keys, has_more: keys.length > shown.length }
  },
})

export const endApiKeyOfUser = endpoint({
  method: 'DELETE',
  path: '/realm/api_keys/{key_id}',
  summary: 'Ends an API key of any account, and closes its connections.',
  callers: 'administrator',
  condition: 'Only owners end a key of an owner.',
  keyScope: 'none',
  params: { key_id: idInPath() },
  example: { key_id: '{api_key_id}' },
  response: z.object({}),
  errors: [errors.noSuchApiKey, errors.notOwner],
  changesStructure: true,
  async handle({ caller, write, state, params: { key_id } }) {
    await removeKeys(write, [requireAdministeredKey(state, caller.user, key_id)])
    return {}
  },
})

const composeKeys = async ({ app, realm }: Pick<Call, 'app' | 'realm'>, keys: readonly ApiKeyRow[]) => {
  const uses = await loadKeyUses(
    app.store.sql,
    realm.id,
    keys.map(({ id }) => id),
  )
  return keys.map(({ id, name, scope, created_at, expires_at }) => {
    const last_used_at = uses.get(id) ?? null
    return { id, name, scope, created_at, expires_at, last_used_at }
  })
}
