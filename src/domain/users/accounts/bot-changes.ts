/**
 * Changes that only bots have: owner, default channels, service. Changes of any account: account-changes.ts.
 *
 * Source: protocol/events.md 3.3 (`realm_bot`), protocol/endpoints.md 3.8.
 */

import { attachRowChanges, Everyone, type NewEntry, onlyUsers } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import type { BotRow, UserRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import { realmBotAdded, realmBotDeleted, realmBotUpdated } from '../bots/bot-entries.js'
import {
  botAdministrators,
  botRow,
  botServices,
  canAdministerBot,
  channelName,
  composeSealedBot,
} from '../bots/bots.js'
import { realmUserUpdate } from '../user-entries.js'
import { requireUser } from './account-changes.js'

/** The account with this id, if it may own a bot. Throws BAD_REQUEST. */
export const validateBotOwner = (state: RealmState, owner_id: number): UserRow => {
  const owner = state.users.get(owner_id)
  if (owner === undefined || owner.is_system_bot) throw errors.badRequest('The new owner does not exist.')
  if (!owner.is_active) throw errors.badRequest('The new owner is deactivated.')
  if (owner.is_bot) throw errors.badRequest('A bot cannot own a bot.')
  return owner
}

/**
 * Gives the bot to another owner. Administrators of the organization continue to administer the bot. A former owner who
 * administers it no longer receives realm_bot/delete, and a new one who did not administer it receives realm_bot/add.
 * Throws BAD_REQUEST when there is no such bot.
 */
export const setBotOwner =
  (bot_id: number, owner: UserRow): Step =>
  (state) => {
    const bot = requireUser(state, bot_id)
    const row = composeUpdate('users', bot, { bot_owner_id: owner.id })
    if (row === undefined) return []
    const owned = { ...bot, bot_owner_id: owner.id }
    const former = bot.bot_owner_id === null ? undefined : state.users.get(bot.bot_owner_id)
    const entries: NewEntry[] = []
    if (former !== undefined && canAdministerBot(former, bot) && !canAdministerBot(former, owned)) {
      entries.push(realmBotDeleted({ user_id: bot_id, viewers: onlyUsers(former.id) }))
    }
    if (!canAdministerBot(owner, bot) && canAdministerBot(owner, owned))
      entries.push(realmBotAdded({ bot: composeSealedBot(state, owned), viewers: onlyUsers(owner.id) }))
    const administrators = { ...botAdministrators(state, owned), users: [] }
    const values = { owner_id: owner.id }
    return attachRowChanges(
      [row],
      [
        ...entries,
        realmBotUpdated({ realm_id: state.realm.id, user_id: bot_id, viewers: administrators, values }),
        realmUserUpdate({ person: { user_id: bot_id, bot_owner_id: owner.id }, viewers: Everyone }),
      ],
    )
  }

/**
 * Changes the bot's default channels, and its outgoing webhook service. Throws BAD_REQUEST when there is no such bot.
 */
export const setBotDetails =
  (bot_id: number, patch: Partial<Omit<BotRow, 'user_id'>>): Step =>
  (state) => {
    const bot = requireUser(state, bot_id)
    const former = botRow(state, bot_id)
    const details = { ...former, ...patch }
    const row = state.bots.has(bot_id) ? composeUpdate('bots', former, patch) : composeInsert('bots', details)
    if (row === undefined) return []
    const shared = { realm_id: state.realm.id, user_id: bot_id, viewers: botAdministrators(state, bot) }
    const entries = compareDefaults(state, former, details).map((values) => realmBotUpdated({ ...shared, values }))
    const services = botServices(bot, details)
    if (JSON.stringify(services) !== JSON.stringify(botServices(bot, former))) {
      entries.push(realmBotUpdated({ ...shared, services }))
    }
    return entries.length === 0 ? [composeSilentEntry([row])] : attachRowChanges([row], entries)
  }

/** One object per changed default, in the form of an event. */
const compareDefaults = (state: RealmState, former: BotRow, present: BotRow) => [
  ...(former.default_sending_channel_id === present.default_sending_channel_id
    ? []
    : [{ default_sending_stream: channelName(state, present.default_sending_channel_id) }]),
  ...(former.default_events_register_channel_id === present.default_events_register_channel_id
    ? []
    : [{ default_events_register_stream: channelName(state, present.default_events_register_channel_id) }]),
  ...(former.default_all_public_streams === present.default_all_public_streams
    ? []
    : [{ default_all_public_streams: present.default_all_public_streams }]),
]
