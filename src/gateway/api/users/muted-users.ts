/** The users whom the caller has muted. Source: protocol/endpoints.md 3.2. */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import {
  checkMayMute,
  muteUser as muteUserOf,
  unmuteUser as unmuteUserOf,
} from '../../../domain/users/personal/muted-users.js'
import { commitEntries } from '../../../store/log/change.js'
import { markSenderAsRead } from '../../../store/messages/flags/mark-as-read.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

const path = '/users/me/muted_users/{muted_user_id}'
const params = { muted_user_id: idInPath() }

export const muteUser = endpoint({
  method: 'POST',
  path,
  summary: 'Mutes a user, and marks the messages of that user as read.',
  callers: 'account',
  keyScope: 'write',
  params,
  example: { muted_user_id: '{sam_id}' },
  response: z.object({}),
  changesStructure: true,
  async prepare(call) {
    const { state, caller, write, params } = call
    const { muted_user_id: id } = params
    await requireMutable(call, id)
    checkMayMute(state, caller.id, id)
    await markSenderAsRead(write, caller.user, id)
  },
  async handle(call) {
    const { muted_user_id: id } = call.params
    await requireMutable(call, id)
    await commitEntries(call.write, [muteUserOf(call.state, call.caller.id, id)])
    return {}
  },
})

export const unmuteUser = endpoint({
  method: 'DELETE',
  path,
  summary: 'Unmutes a user.',
  callers: 'account',
  keyScope: 'write',
  params,
  response: z.object({}),
  changesStructure: true,
  async handle(call) {
    await commitEntries(call.write, [unmuteUserOf(call.state, call.caller.id, call.params.muted_user_id)])
    return {}
  },
})

/** Throws BAD_REQUEST for the caller's own account, and when the caller may not see the user. */
const requireMutable = async ({ app, state, caller }: Pick<Call, 'app' | 'state' | 'caller'>, id: number) => {
  if (id === caller.id) throw errors.badRequest('You cannot mute yourself.')
  const user = state.users.get(id)
  if (user === undefined || !(await loadAccessCheck(app.store.sql, state, caller.user))(user)) throw errors.noSuchUser()
}
