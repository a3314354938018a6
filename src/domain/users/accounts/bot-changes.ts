/**
 * Changes that only bots have: owner, default channels, service. Changes of any account: account-changes.ts.
 *
 * Source: protocol/events.md 3.3 (`realm_bot`), protocol/endpoints.md 3.8.
 */

import { AllUsers, attachRowChanges, type NewEntry, onlyUsers } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import { type BotRow, BotType, type UserRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import { realmBotAdded, realmBotDeleted, realmBotUpdated } from '../bots/bot-entries.js'
import { checkInterface, type RequestedDefaults, resolveDefaults } from '../bots/bot-settings.js'
import {
  botAdministrators,
  botRow,
  botServices,
  canAdministerBot,
  channelName,
  checkBotName,
  composeSealedBot,
} from '../bots/bots.js'
import { validateFullName } from '../name-and-email-rules.js'
import { realmUserUpdate } from '../user-entries.js'
import { type Account, requireUser, setFullName, setRole } from './account-changes.js'
import { checkRole } from './account-rights.js'

/** The new values of a bot; an absent one does not change. */
export interface BotUpdate extends RequestedDefaults {
  full_name?: string | undefined
  role?: number | undefined
  bot_owner_id?: number | undefined
  service_payload_url?: string | undefined
  /** counts only with `service_payload_url` */
  service_interface: number
  config_data?: BotRow['config_data'] | undefined
}

/**
 * The steps that change a bot which the caller administers. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL for values
 * that the caller may not give it.
 */
export const changeBot = (
  state: RealmState,
  caller: UserRow,
  bot: UserRow,
  account: Account,
  update: BotUpdate,
): Step[] => {
  const { role, bot_owner_id, service_payload_url, service_interface, config_data } = update
  const steps: Step[] = []
  const name = update.full_name?.trim()
  if (name !== undefined && name !== bot.full_name) {
    const full_name = validateFullName(state, name, bot.id)
    checkBotName(state, full_name, bot.id)
    steps.push(setFullName(account, full_name))
  }
  if (role !== undefined) {
    checkRole(state, caller, bot, role)
    steps.push(setRole(account, role))
  }
  if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
    steps.push(setBotOwner(bot.id, validateBotOwner(state, bot_owner_id)))
  }
  const service = service_payload_url !== undefined && bot.bot_type === BotType.outgoingWebhook
  if (service) checkInterface(service_interface)
  const patch: Partial<BotRow> = {
    ...resolveDefaults(state, caller, update),
    ...(service ? { service_url: service_payload_url, service_interface } : {}),
    ...(config_data === undefined ? {} : { config_data }),
  }
  if (Object.keys(patch).length > 0) steps.push(setBotDetails(bot.id, patch))
  return steps
}

/** The account with this id, if it may own a bot. Throws BAD_REQUEST. */
const validateBotOwner = (state: RealmState, owner_id: number): UserRow => {
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
const setBotOwner =
  (bot_id: number, owner: UserRow): Step =>
  (state) => {
    const bot = requireUser(state, bot_id)
    const row = composeUpdate('users', bot, { bot_owner_id: owner.id })
    if (row === undefined) return []
    const owned = { ...bot, bot_owner_id: owner.id }
    const previous = bot.bot_owner_id === null ? undefined : state.users.get(bot.bot_owner_id)
    const entries: NewEntry[] = []
    if (previous !== undefined && canAdministerBot(previous, bot) && !canAdministerBot(previous, owned)) {
      entries.push(realmBotDeleted({ user_id: bot_id, viewers: onlyUsers(previous.id) }))
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
        realmUserUpdate({ person: { user_id: bot_id, bot_owner_id: owner.id }, viewers: AllUsers }),
      ],
    )
  }

/** Changes the bot's default channels, and its outgoing webhook service. */
const setBotDetails =
  (bot_id: number, patch: Partial<Omit<BotRow, 'user_id'>>): Step =>
  (state) => {
    const bot = requireUser(state, bot_id)
    const previous = botRow(state, bot_id)
    const details = { ...previous, ...patch }
    const row = state.bots.has(bot_id) ? composeUpdate('bots', previous, patch) : composeInsert('bots', details)
    if (row === undefined) return []
    const shared = { realm_id: state.realm.id, user_id: bot_id, viewers: botAdministrators(state, bot) }
    const entries = compareDefaults(state, previous, details).map((values) => realmBotUpdated({ ...shared, values }))
    const services = botServices(bot, details)
    if (JSON.stringify(services) !== JSON.stringify(botServices(bot, previous))) {
      entries.push(realmBotUpdated({ ...shared, services }))
    }
    return entries.length === 0 ? [composeSilentEntry([row])] : attachRowChanges([row], entries)
  }

/** One object per changed default, in the form of an event. */
const compareDefaults = (state: RealmState, previous: BotRow, present: BotRow) => [
  ...(previous.default_sending_channel_id === present.default_sending_channel_id
    ? []
    : [{ default_sending_stream: channelName(state, present.default_sending_channel_id) }]),
  ...(previous.default_events_register_channel_id === present.default_events_register_channel_id
    ? []
    : [{ default_events_register_stream: channelName(state, present.default_events_register_channel_id) }]),
  ...(previous.default_all_public_streams === present.default_all_public_streams
    ? []
    : [{ default_all_public_streams: present.default_all_public_streams }]),
]
