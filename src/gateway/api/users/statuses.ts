/** The status of users: a text and an emoji. Source: endpoints.md 3.4; events.md 3.3, `user_status`. */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { composeInsert, composeUpdate } from '../../../domain/log/row-changes.js'
import type { UserStatusRow } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { checkEmoji, resolveEmoji } from '../../../domain/messages/chosen-emoji.js'
import { errors } from '../../../domain/protocol/errors.js'
import { accountContactSources, setSettings } from '../../../domain/users/account-changes.js'
import { userStatus } from '../../../domain/users/status-entries.js'
import { emptyStatus, statusObject, statusOnWire } from '../../../domain/users/statuses.js'
import { audienceWithAccess } from '../../../domain/users/user-access.js'
import { commit } from '../../../store/log/change.js'
import { deleteDisabledData, loadAccount } from '../../../store/users/account-changes.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../http/endpoint.js'
import { bool, idInPath, str } from '../../http/params.js'
import { withStructureLock } from '../../http/structure-lock.js'
import { announcePresence, presenceToHide } from './presence.js'

/** The most code points of a text. */
const MAX_TEXT_LENGTH = 60

const params = {
  status_text: str().optional(),
  away: bool().optional().describe('legacy: the opposite of presence_enabled'),
  emoji_name: str().optional().describe('empty: no emoji'),
  emoji_code: str().optional(),
  reaction_type: str().optional(),
}

export const updateStatus = endpoint({
  method: 'POST',
  path: '/users/me/status',
  summary: "Changes the caller's status.",
  access: 'human',
  params,
  response: z.object({}),
  handle: (call) =>
    withStructureLock(call, async (write) => {
      const { app, realm, state, caller } = call
      const { away } = call.params
      const patch = { ...parseText(call), ...parseEmoji(call) }
      if (Object.keys(patch).length === 0 && away === undefined) {
        throw errors.badRequest('Nothing to change: send at least one new value.')
      }
      const host = realmHost(state.realm.string_id, app.config)
      const account = await loadAccount(write, state, caller.user, host)
      const settings = away === undefined ? {} : { presence_enabled: !away }
      const { entries } = runSteps(state, [setSettings(account, settings)])
      const row = state.statuses.get(caller.id)
      const changed =
        row === undefined
          ? composeInsert('user_statuses', { ...emptyStatus, user_id: caller.id, ...patch })
          : composeUpdate('user_statuses', row, patch)
      if (changed !== undefined && Object.keys(patch).length > 0) {
        const viewers = audienceWithAccess(state, caller.user, accountContactSources(state, caller.user, account))
        entries.push(userStatus({ user_id: caller.id, viewers, ...patch }, [changed]))
      }
      if (entries.length > 0) {
        const hidden = presenceToHide(caller.user, settings.presence_enabled)
        // After the head, because all changes of settings delete these rows after it (change.ts, 2).
        await commit(write, async (tx) => ({
          entries,
          afterHead: () => deleteDisabledData(tx, realm.id, caller.id, settings, hidden),
        }))
        if (hidden !== undefined) await announcePresence(call, caller.user, hidden, Date.now() / 1000)
      }
      return {}
    }),
})

type Patch = Partial<Omit<UserStatusRow, 'user_id'>>

const parseText = ({ params: { status_text } }: Call<typeof params>): Patch => {
  if (status_text === undefined) return {}
  const text = status_text.trim()
  if ([...text].length > MAX_TEXT_LENGTH) {
    throw errors.badRequest(`status_text may have at most ${MAX_TEXT_LENGTH} characters.`)
  }
  return { status_text: text }
}

const parseEmoji = ({ state, params: { emoji_name, emoji_code, reaction_type } }: Call<typeof params>): Patch => {
  if (emoji_name === '') return { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return {}
    throw errors.badRequest('With emoji_code or reaction_type, send emoji_name as well.')
  }
  const emoji = resolveEmoji(state, { emoji_name, emoji_code, reaction_type })
  checkEmoji(state, emoji)
  return emoji
}

export const getStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: 'Gets the status of a user.',
  access: 'account',
  params: { user_id: idInPath() },
  response: z.object({ status: statusObject }),
  async handle({ app, caller, state, params }) {
    const user = state.users.get(params.user_id)
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    if (user === undefined || !isKnown(user)) throw errors.noSuchUser()
    return { status: statusOnWire(state, user) ?? {} }
  },
})
