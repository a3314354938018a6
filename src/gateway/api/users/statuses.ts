/**
 * The status of users: a text and an emoji. Source: protocol/endpoints.md 3.4; protocol/events.md 3.3, `user_status`.
 */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { realmHost } from '../../../config/hosts.js'
import type { UserRow } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { checkEmoji, resolveEmoji } from '../../../domain/messages/chosen-emoji.js'
import { nameReactionType, readsDocumentNames } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { setSettings } from '../../../domain/users/accounts/account-changes.js'
import { changeStatus, type StatusPatch } from '../../../domain/users/accounts/status-changes.js'
import { presenceToHide } from '../../../domain/users/presence/presence.js'
import { statusObject, statusOnWire } from '../../../domain/users/presence/statuses.js'
import type { JobSpec } from '../../../store/jobs/job-table.js'
import { commit } from '../../../store/log/change.js'
import { deleteDisabledData, loadAccount } from '../../../store/users/account-changes.js'
import { announcePresence } from '../../../store/users/presence-events.js'
import { dropStatusEnd } from '../../../store/users/status-ends.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, idInPath, str, timestamp } from '../../call/params.js'

/** The most code points of a text. */
const MAX_TEXT_LENGTH = 60

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
  access: 'human',
  params: { ...params, away: bool().optional().describe('legacy: the opposite of presence_enabled') },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => changeStatusOf(call, call.caller.user, call.params.away),
})

export const updateStatusOfUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Changes the status of another user.',
  level: 407,
  access: 'administrator',
  params: { user_id: idInPath(), ...params },
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

const changeStatusOf = async (call: StatusCall, user: UserRow, away?: boolean) => {
  const { app, realm, state, write } = call
  const patch = { ...parseText(call), ...parseEmoji(call), ...parseEnd(call) }
  if (Object.keys(patch).length === 0 && away === undefined) {
    throw errors.badRequest('Nothing to change: send at least one new value.')
  }
  const host = realmHost(state.realm.string_id, app.config)
  const account = await loadAccount(write, state, user, host)
  const settings = away === undefined ? {} : { presence_enabled: !away }
  const { entries } = runSteps(state, [setSettings(account, settings)])
  const hasPatch = Object.keys(patch).length > 0
  const status = hasPatch ? changeStatus(state, user, account, patch) : undefined
  entries.push(...(status?.entries ?? []))
  if (entries.length > 0) {
    const hidden = presenceToHide(user, settings.presence_enabled)
    // After the head, because all changes of settings delete these rows after it (change.ts, 2).
    await commit(write, async (tx) => {
      if (hasPatch) await dropStatusEnd(tx, realm.id, user.id)
      return {
        entries,
        jobs: composeEndJobs(user.id, status?.ends_at),
        afterHead: () => deleteDisabledData(tx, realm.id, user.id, settings, hidden),
      }
    })
    if (hidden !== undefined) await announcePresence(app.store, realm, user, hidden, Date.now() / 1000)
  }
  return {}
}

/** The job that ends the status. It does nothing when another status was set meanwhile. */
const composeEndJobs = (user_id: number, ends_at: number | null | undefined): JobSpec[] =>
  typeof ends_at === 'number' ? [{ kind: 'end_status', payload: { user_id, ends_at }, run_after: ends_at }] : []

const parseText = ({ params: { status_text } }: Pick<StatusCall, 'params'>): StatusPatch => {
  if (status_text === undefined) return {}
  const text = status_text.trim()
  if ([...text].length > MAX_TEXT_LENGTH) {
    throw errors.badRequest(`status_text may have at most ${MAX_TEXT_LENGTH} characters.`)
  }
  return { status_text: text }
}

const parseEnd = ({ params: { scheduled_end_time } }: Pick<StatusCall, 'params'>): StatusPatch => {
  if (scheduled_end_time === undefined) return {}
  if (scheduled_end_time !== null && scheduled_end_time <= secondsNow()) {
    throw errors.badRequest('scheduled_end_time must be in the future.')
  }
  return { ends_at: scheduled_end_time }
}

const parseEmoji = ({ state, params: { emoji_name, emoji_code, reaction_type } }: StatusCall): StatusPatch => {
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
    const status = statusOnWire(state, user)
    return {
      status:
        status === undefined ? {} : nameReactionType({ document_names: readsDocumentNames(caller.client) }, status),
    }
  },
})
