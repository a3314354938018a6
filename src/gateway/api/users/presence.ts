/**
 * Presence: when users were last active. Source: protocol/endpoints.md 3.4; protocol/events.md 3.3.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { findAccount } from '../../../domain/messages/recipients.js'
import { errors } from '../../../domain/protocol/errors.js'
import { getSetting } from '../../../domain/settings/user-settings.js'
import {
  AWAY_SECONDS,
  composeLegacyForm,
  composeSlimForm,
  legacyPresence,
  presenceStatus,
  slimPresence,
} from '../../../domain/users/presence/presence.js'
import { loadPresence, loadPresenceAfter, recordPresence } from '../../../store/users/presence.js'
import { announcePresence } from '../../../store/users/presence-events.js'
import { loadAccessCheck } from '../../../store/users/user-access.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, int, str, textInPath } from '../../call/params.js'

const slimForm = z.record(z.string(), slimPresence)
const legacyForm = z.record(z.string(), legacyPresence)

export const updatePresence = endpoint({
  method: 'POST',
  path: '/users/me/presence',
  ignoresKeys: true,
  summary: 'Records that a client of the caller is connected, and lists the presence of users.',
  callers: 'human',
  isFrequent: true,
  params: {
    status: str().describe('active or idle'),
    last_update_id: int().optional().describe('lists only later changes, in the slim form; -1 lists all'),
    history_limit_days: int({ min: 0 }).default(limits.presence_history_days),
    new_user_input: bool().default(false),
    ping_only: bool().default(false),
    slim_presence: bool().default(false),
  },
  example: { status: 'active', new_user_input: true },
  response: z.object({
    presence_last_update_id: z.int().optional(),
    server_timestamp: z.number().optional(),
    presences: z.union([slimForm, legacyForm]).optional(),
  }),
  async handle({ app, caller: { user }, realm, state, params }) {
    const { status, last_update_id, history_limit_days: days } = params
    if (status !== 'active' && status !== 'idle')
      throw errors.badRequest('status must be active or idle, not {status}.', { status })
    const { sql } = app.store
    const server_timestamp = Date.now() / 1000
    const now = Math.floor(server_timestamp)
    if (getSetting(user, 'presence_enabled')) {
      const { before, seen } = await recordPresence(sql, realm.id, user, status === 'active', now)
      const isBack = before === undefined || now - before.connected_at > AWAY_SECONDS
      if (isBack) await announcePresence(app.store, realm, user, seen, server_timestamp)
    }
    if (params.ping_only) return {}
    const found = await loadPresenceAfter(sql, realm.id, { after: last_update_id ?? -1, days, now })
    const isKnown = await loadAccessCheck(sql, state, user)
    const isSlim = params.slim_presence || last_update_id !== undefined
    return {
      presence_last_update_id: found.last_update_id,
      server_timestamp,
      presences: isSlim ? composeSlimForm(state, found.seen, isKnown) : composeLegacyForm(state, found.seen, isKnown),
    }
  },
})

export const getRealmPresence = endpoint({
  method: 'GET',
  path: '/realm/presence',
  summary: 'Lists the users who were recently active, with their presence.',
  callers: 'account',
  params: {},
  response: z.object({ server_timestamp: z.number(), presences: legacyForm }),
  async handle({ app, caller, realm, state }) {
    const server_timestamp = Date.now() / 1000
    const now = Math.floor(server_timestamp)
    const { seen } = await loadPresenceAfter(app.store.sql, realm.id, {
      after: -1,
      days: limits.presence_history_days,
      now,
    })
    const isKnown = await loadAccessCheck(app.store.sql, state, caller.user)
    return { server_timestamp, presences: composeLegacyForm(state, seen, isKnown) }
  },
})

/** Whether a user is active, and since when. */
export const currentPresence = z.object({ status: z.enum(['active', 'idle', 'offline']), timestamp: z.int() })

export const getUserPresence = endpoint({
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: 'Gets the presence of a user.',
  callers: 'account',
  params: { user_id_or_email: textInPath() },
  response: z.object({ presence: z.object({ aggregated: currentPresence, website: currentPresence }) }),
  async handle({ app, caller, realm, state, params: { user_id_or_email: idOrEmail } }) {
    const { sql } = app.store
    const user = findAccount(state, caller.user, /^\d+$/.test(idOrEmail) ? Number(idOrEmail) : idOrEmail)
    const isKnown = await loadAccessCheck(sql, state, caller.user)
    if (user?.is_active !== true || !isKnown(user)) throw errors.noSuchUser()
    if (user.is_bot) throw errors.badRequest('Bots have no presence.')
    const [seen] = await loadPresence(sql, realm.id, [user.id])
    if (seen === undefined) throw errors.badRequest('No presence is recorded for {user}.', { user: idOrEmail })
    const status = presenceStatus(seen, Math.floor(Date.now() / 1000))
    return { presence: { aggregated: status, website: status } }
  },
})
