/**
 * The bot object that users who administer a bot receive: API key, default channels, services.
 *
 * Source: protocol/events.md 2.5 and 2.6 (`BOT-ADMIN`), protocol/permissions.md 10.2, protocol/endpoints.md 3.8.
 */
import { z } from 'zod'
import { mayInRealm } from '#rules/permissions.js'
import { isAdministrator, isOwner } from '#rules/roles.js'
import type { Keys } from '../../deployment/keys.js'
import type { Audience } from '../../log/entry.js'
import { type BotRow, BotType, Role, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { errors } from '../../protocol/errors.js'
import { findUserLike } from '../name-and-email-rules.js'
import { listUsers } from '../user-lists.js'
import { avatarUrl } from '../users.js'

/** Where an outgoing webhook sends its requests. */
export const serviceObject = z.object({ base_url: z.string(), interface: z.int(), token: z.string() })

export const botObject = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  bot_type: z.int(),
  is_active: z.boolean(),
  api_key: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
  avatar_url: z.string(),
  owner_id: z.int().nullable(),
  services: z.array(serviceObject),
})

export type BotObject = z.infer<typeof botObject>

/** The format of an outgoing webhook's requests: the generic one, or that of Slack. */
export const ServiceInterface = { generic: 1, slack: 2 } as const

/** The row of a bot without settings of its own. */
export const defaultBotRow = (user_id: number): BotRow => ({
  user_id,
  default_sending_channel_id: null,
  default_events_register_channel_id: null,
  default_all_public_streams: false,
  service_name: '',
  service_url: '',
  service_interface: ServiceInterface.generic,
  config_data: {},
})

/** The bot's row. A bot whose settings were never changed has none, and gets the defaults. */
export const botRow = (state: RealmState, user_id: number): BotRow => state.bots.get(user_id) ?? defaultBotRow(user_id)

/** A bot object without secrets, as an entry stores it; `unsealBot` derives them. */
export interface SealedBot extends Omit<BotObject, 'api_key' | 'services'> {
  realm_id: number
  key_version: number
  services: SealedService[]
}

export type SealedService = Omit<z.infer<typeof serviceObject>, 'token'>

/** The bot object without its secrets. @param row default: the stored one */
export const composeSealedBot = (state: RealmState, user: UserRow, row = botRow(state, user.id)): SealedBot => ({
  user_id: user.id,
  email: user.email,
  full_name: user.full_name,
  bot_type: user.bot_type ?? BotType.generic,
  is_active: user.is_active,
  default_sending_stream: channelName(state, row.default_sending_channel_id),
  default_events_register_stream: channelName(state, row.default_events_register_channel_id),
  default_all_public_streams: row.default_all_public_streams,
  avatar_url: avatarUrl(user, true),
  owner_id: user.bot_owner_id,
  services: botServices(user, row),
  realm_id: state.realm.id,
  key_version: user.key_version,
})

/** Returns the services of an outgoing webhook bot, without their tokens. Other bots have none. */
export const botServices = (user: UserRow, row: BotRow): SealedService[] =>
  user.bot_type === BotType.outgoingWebhook ? [{ base_url: row.service_url, interface: row.service_interface }] : []

/** The bot object that a client receives, with API key and service tokens. */
export const unsealBot = (keys: Keys, { realm_id, key_version, services, ...bot }: SealedBot): BotObject => ({
  ...bot,
  api_key: keys.apiKey(realm_id, bot.user_id, key_version),
  services: services.map((service) => addToken(keys, realm_id, bot.user_id, service)),
})

/** The service with the token by which the bot's server recognizes this server. */
export const addToken = (
  keys: Keys,
  realm_id: number,
  user_id: number,
  service: SealedService,
): z.infer<typeof serviceObject> => ({
  ...service,
  token: keys.webhookToken(realm_id, user_id),
})

/** The channel's name; null when there is no such channel. */
export const channelName = (state: RealmState, id: number | null): string | null =>
  id === null ? null : (state.channels.get(id)?.name ?? null)

/**
 * Finds the users who administer the bot, in the state after the change. These are its owner, and every administrator
 * who is not a bot. Of a bot with the role of owner, the owners of the organization (account-rights.ts, 3).
 */
export const botAdministrators = (state: RealmState, bot: UserRow): Audience => {
  const adminBots = [...state.users.values()].filter((user) => user.is_bot && isAdministrator(user)).map(({ id }) => id)
  const isBotOwnerNamed = bot.bot_owner_id !== null && !isOwner(bot)
  return {
    roles: [Role.owner, isOwner(bot) ? Role.owner : Role.administrator],
    users: isBotOwnerNamed ? [bot.bot_owner_id as number] : [],
    ...(adminBots.length > 0 ? { except: adminBots } : {}),
  }
}

/** Whether the user may administer the bot, and so sees its API key. */
export const canAdministerBot = (user: UserRow, bot: UserRow): boolean => {
  if (isOwner(bot)) return isOwner(user) && !user.is_bot
  return bot.bot_owner_id === user.id || (isAdministrator(user) && !user.is_bot)
}

/** The bots that the user administers, including deactivated ones, by id. */
export const administeredBots = (state: RealmState, user: UserRow): UserRow[] =>
  listUsers(state).bots.filter((bot) => canAdministerBot(user, bot))

/** Whether the user may create a bot of this type. A second setting grants incoming webhooks to more users. */
export const canCreateBot = (state: RealmState, user: UserRow, bot_type: number): boolean =>
  mayInRealm(state, user, 'can_create_bots_group') ||
  (bot_type === BotType.incomingWebhook && mayInRealm(state, user, 'can_create_write_only_bots_group'))

/** Refuses a name of another active account: users distinguish bots by their names. Throws BAD_REQUEST. */
export const checkBotName = (state: RealmState, full_name: string, own_id?: number): void => {
  if (findUserLike(state, full_name, own_id) !== undefined) {
    throw errors.badRequest('There is a bot with this name already: choose another one.')
  }
}
