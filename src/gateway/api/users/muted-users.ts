/** The users whom the caller has muted. Source: protocol/endpoints.md 3.2. */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { accountHasTooMany, accountLimits } from '../../../domain/limits/counts.js'
import { composeInsert, composeUpdate } from '../../../domain/log/row-changes.js'
import type { UserMutesRow } from '../../../domain/log/rows.js'
import type { Condition } from '../../../domain/messages/narrow/narrow.js'
import { errors } from '../../../domain/protocol/errors.js'
import { mutedUsersChanged } from '../../../domain/users/personal/personal-list-entries.js'
import { commitEntries } from '../../../store/log/change.js'
import { changeFlags } from '../../../store/messages/flags/change-flags.js'
import { selectPageIds } from '../../../store/messages/narrow/select-page-ids.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

const path = '/users/me/muted_users/{muted_user_id}'
const params = { muted_user_id: idInPath() }

export const muteUser = endpoint({
  method: 'POST',
  path,
  summary: 'Mutes a user, and marks the messages of that user as read.',
  access: 'account',
  params,
  response: z.object({}),
  changesStructure: true,
  async prepare(call) {
    const { app, state, caller, write, params } = call
    const { muted_user_id: id } = params
    const { sql } = app.store
    await requireMutable(call, id)
    checkMayMute(state.mutes.get(caller.id)?.muted_users ?? [], id)
    const conditions: Condition[] = [
      { test: 'sender', user_id: id, negated: false },
      { test: 'unread', negated: false },
    ]
    const query = { sql, state, reader: caller.user, narrow: { conditions, includesHistory: false } }
    const unread = await selectPageIds(query, { from: 0, limit: 1_000_000 })
    await changeFlags(write, caller.user, unread, { op: 'add', flag: 'read' })
  },
  async handle(call) {
    const { muted_user_id: id } = call.params
    await requireMutable(call, id)
    return changeMuted(call, (muted) => {
      checkMayMute(muted, id)
      return [...muted, { id, timestamp: secondsNow() }]
    })
  },
})

export const unmuteUser = endpoint({
  method: 'DELETE',
  path,
  summary: 'Unmutes a user.',
  access: 'account',
  params,
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { muted_user_id: id } = call.params
    return changeMuted(call, (muted) => {
      const remaining = muted.filter((user) => user.id !== id)
      if (remaining.length === muted.length) throw errors.badRequest('You have not muted this user.')
      return remaining
    })
  },
})

type Muted = UserMutesRow['muted_users']

/** Throws BAD_REQUEST for the caller's own account, and when the caller may not see the user. */
const requireMutable = async ({ app, state, caller }: Pick<Call, 'app' | 'state' | 'caller'>, id: number) => {
  if (id === caller.id) throw errors.badRequest('You cannot mute yourself.')
  const user = state.users.get(id)
  if (user === undefined || !(await loadAccessCheck(app.store.sql, state, caller.user))(user)) throw errors.noSuchUser()
}

/** Throws BAD_REQUEST when the user is muted already, or too many users are. */
const checkMayMute = (muted: Muted, user_id: number): void => {
  if (muted.some(({ id }) => id === user_id)) throw errors.badRequest('You have already muted this user.')
  if (muted.length >= accountLimits.muted_users.most) throw accountHasTooMany(accountLimits.muted_users)
}

const changeMuted = async (call: Pick<Call, 'state' | 'write' | 'caller'>, change: (muted: Muted) => Muted) => {
  const { state, caller, write } = call
  const row = state.mutes.get(caller.id)
  const muted_users = change(row?.muted_users ?? [])
  const changed =
    row === undefined
      ? composeInsert('user_mutes', { user_id: caller.id, muted_users })
      : composeUpdate('user_mutes', row, { muted_users })
  const entries = [mutedUsersChanged({ user_id: caller.id, muted_users }, changed && [changed])]
  await commitEntries(write, entries)
  return {}
}
