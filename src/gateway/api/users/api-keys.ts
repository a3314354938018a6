/**
 * Replaces API keys: the caller's own, or a bot's; the old key becomes invalid. Shows the key of a bot.
 *
 * Source: protocol/endpoints.md 3.7, 3.8.
 */
import { z } from 'zod'
import type { UserRow } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { renewKey } from '../../../domain/users/accounts/account-changes.js'
import { requireAdministeredBot } from '../../../domain/users/accounts/account-rights.js'
import { commitAccountSteps } from '../../../store/users/account-changes.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

export const regenerateOwnApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: "Replaces the caller's API key.",
  callers: 'account',
  keyScope: 'none',
  params: {},
  response: z.object({ api_key: z.string() }),
  changesStructure: true,
  handle: (call) => renewApiKey(call, call.caller.user),
})

export const regenerateBotApiKey = endpoint({
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: 'Replaces the API key of a bot.',
  callers: 'member',
  condition: 'The caller owns the bot or is an administrator. Only owners do this to a bot with the role of owner.',
  params: { bot_id: idInPath() },
  response: z.object({ api_key: z.string() }),
  errors: [errors.notOwner],
  changesStructure: true,
  handle: (call) => renewApiKey(call, requireAdministeredBot(call.state, call.caller.user, call.params.bot_id)),
})

export const getBotApiKey = endpoint({
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: 'Gets the API key of a bot.',
  level: 463,
  callers: 'member',
  keyScope: 'administer',
  condition: 'The caller owns the bot or is an administrator. Only owners do this to a bot with the role of owner.',
  params: { bot_id: idInPath() },
  response: z.object({ api_key: z.string() }),
  errors: [errors.notOwner],
  handle({ state, caller, realm, params }) {
    const bot = requireAdministeredBot(state, caller.user, params.bot_id)
    if (!bot.is_active) throw errors.badRequest('This bot is deactivated: its API key is not accepted.')
    return { api_key: state.deployment.keys.apiKey(realm.id, bot.id, bot.key_version) }
  },
})

const renewApiKey = async (call: Pick<Call, 'app' | 'caller' | 'state' | 'realm' | 'write'>, user: UserRow) => {
  const { app, caller, state, realm, write } = call
  const api_key = state.deployment.keys.apiKey(realm.id, user.id, user.key_version + 1)
  return write.answering(
    () => ({ api_key }),
    (keyed) =>
      commitAccountSteps(keyed, app.store.queues, caller.user, [renewKey(user.id)], { id: user.id, partners: [] }),
  )
}
