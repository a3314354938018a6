/**
 * The status of users: a text and an emoji. Source: protocol/endpoints.md 3.4; protocol/events.md 3.3, `user_status`.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { nameReactionType, readsDocumentNames } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { resolveStatus } from '../../../domain/users/accounts/status-changes.js'
import { statusObject, statusOnWire } from '../../../domain/users/presence/statuses.js'
import { announcePresence } from '../../../store/users/presence-events.js'
import { commitStatus } from '../../../store/users/statuses.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, str, timestamp } from '../../call/params.js'

const params = {
  status_text: str().optional(),
  emoji_name: str().optional().describe('empty: no emoji'),
  emoji_code: str().optional(),
  reaction_type: str().optional(),
  scheduled_end_time: timestamp()
    .nullable()
    .optional()
    .describe('when the status ends by itself; without it, it ends when the user clears it'),
}

export const updateStatus = endpoint({
  method: 'POST',
  path: '/users/me/status',
  summary: "Changes the caller's status.",
  callers: 'human',
  keyScope: 'write',
  params: { ...params, away: bool().optional().describe('legacy: the opposite of presence_enabled') },
  example: { status_text: 'At lunch', emoji_name: 'car' },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => changeStatusOf(call, call.caller.user, call.params.away),
})

export const updateStatusOfUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Changes the status of another user.',
  level: 407,
  callers: 'administrator',
  params: { user_id: idInPath(), ...params },
  example: { status_text: 'On holiday' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  handle(call) {
    const user = call.state.users.get(call.params.user_id)
    if (user?.is_active !== true || user.is_bot) throw errors.noSuchUser()
    return changeStatusOf(call, user)
  },
})

type StatusCall = Pick<Call<typeof params>, 'app' | 'realm' | 'state' | 'write' | 'params'>

const changeStatusOf = async ({ app, realm, state, write, params }: StatusCall, user: UserRow, away?: boolean) => {
  const patch = resolveStatus(state, params)
  if (Object.keys(patch).length === 0 && away === undefined) {
    throw errors.badRequest('Nothing to change: send at least one new value.')
  }
  const host = realmHost(state.realm.string_id, app.config)
  const hidden = await commitStatus(write, host, user, patch, away === undefined ? {} : { presence_enabled: !away })
  if (hidden !== undefined) await announcePresence(app.store, realm, user, hidden, Date.now() / 1000)
  return {}
}

export const getStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: 'Gets the status of a user.',
  callers: 'account',
  params: { user_id: idInPath() },
  example: { user_id: '{user_with_status}' },
  response: z.object({ status: statusObject }),
  async handle({ app, caller, state, params }) {
    const user = state.users.get(params.user_id)
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    if (user === undefined || !isKnown(user)) throw errors.noSuchUser()
    const status = statusOnWire(state, user)
    return {
      status:
        status === undefined ? {} : nameReactionType({ document_names: readsDocumentNames(caller.client) }, status),
    }
  },
})
