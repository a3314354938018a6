/**
 * The settings of a bot: as a request gives them, as they are stored, and as answers contain them.
 *
 * This server has no integrations, so an incoming webhook has no service. Source: protocol/endpoints.md 3.8,
 * protocol/permissions.md 10.2.
 */
import { z } from 'zod'
import { hasContentAccess } from '#rules/channel-access.js'
import { type BotRow, BotType, type UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { findVisibleChannelByName } from '../../permissions/channel-access.js'
import { errors } from '../../protocol/errors.js'
import { checkAddressIsFree, isEmailAddress, validateFullName } from '../name-and-email-rules.js'
import { avatarUrl } from '../users.js'
import { botRow, canCreateBot, channelName, checkBotName, ServiceInterface } from './bots.js'

/** A new bot, as its owner requests it. */
export interface RequestedBot extends RequestedDefaults {
  full_name: string
  /** the first part of the address */
  short_name: string
  bot_type: number
  service_name: string
  payload_url?: string | undefined
  interface_type: number
  config_data: BotRow['config_data']
}

/**
 * The account of a new bot. Throws BAD_REQUEST.
 * @param host the organization's host name
 */
export const validateNewBot = (state: RealmState, owner: UserRow, requested: RequestedBot, host: string) => {
  const { bot_type, service_name, interface_type } = requested
  const full_name = validateFullName(state, requested.full_name)
  const email = validateBotAddress(requested.short_name, host)
  checkAddressIsFree(state, email)
  if (!canCreateBot(state, owner, bot_type)) throw errors.insufficientPermission()
  checkBotType(bot_type, service_name)
  checkBotName(state, full_name)
  if (bot_type === BotType.outgoingWebhook) checkInterface(interface_type)
  const details: Partial<BotRow> = {
    ...resolveDefaults(state, owner, requested),
    service_name,
    service_url: requested.payload_url ?? '',
    // The other types of bots call nothing, and may send any number.
    service_interface: bot_type === BotType.outgoingWebhook ? interface_type : ServiceInterface.generic,
    config_data: requested.config_data,
  }
  return { email, full_name, bot: { type: bot_type, owner_id: owner.id, details } }
}

/**
 * The address of a bot with this short name. A colon is refused, because it ends the user name in Basic credentials.
 * Throws BAD_REQUEST.
 */
const validateBotAddress = (short_name: string, host: string): string => {
  const email = `${short_name.trim()}-bot@${host}`
  if (!/^[\w.+-]+$/.test(short_name.trim()) || !isEmailAddress(email))
    throw errors.badRequest('short_name may contain only letters, digits and the characters . _ + -')
  return email
}

/** Refuses types of bots that this server does not support. Throws BAD_REQUEST. */
const checkBotType = (bot_type: number, service_name: string): void => {
  if (!(Object.values(BotType) as number[]).includes(bot_type))
    throw errors.badRequest('Unknown bot_type: send 1, 2 or 3.')
  if (bot_type === BotType.embedded) throw errors.badRequest('This server does not support embedded bots.')
  if (bot_type === BotType.incomingWebhook && service_name !== '') {
    throw errors.badRequest('There is no integration named “{service_name}”.', { service_name })
  }
}

/** Refuses unknown formats of an outgoing webhook's requests. Throws BAD_REQUEST. */
export const checkInterface = (interface_type: number): void => {
  if (!(Object.values(ServiceInterface) as number[]).includes(interface_type)) {
    throw errors.badRequest('Unknown interface type: send 1 (generic) or 2 (Slack).')
  }
}

/** The default channels that a request gives to a bot; an absent one does not change. */
export interface RequestedDefaults {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams?: boolean | undefined
}

/** The requested default channels as columns. Throws BAD_REQUEST for a channel that the caller cannot read. */
export const resolveDefaults = (state: RealmState, caller: UserRow, requested: RequestedDefaults): Partial<BotRow> => {
  const findChannelId = (name: string): number | null => {
    if (name === '') return null
    const found = findVisibleChannelByName(state, caller, name.trim())
    if (found === undefined || !hasContentAccess(state, caller, found)) throw errors.invalidChannelName({ name })
    return found.id
  }
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = requested
  return {
    ...(default_sending_stream === undefined
      ? {}
      : { default_sending_channel_id: findChannelId(default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: findChannelId(default_events_register_stream) }),
    ...(default_all_public_streams === undefined ? {} : { default_all_public_streams }),
  }
}

/** The default channels of a bot in an answer. */
export const defaultsObject = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
})

/** The default channels of a bot, as answers contain them. */
export const composeDefaults = (
  state: RealmState,
  row: Pick<BotRow, 'default_sending_channel_id' | 'default_events_register_channel_id' | 'default_all_public_streams'>,
): z.infer<typeof defaultsObject> => ({
  default_sending_stream: channelName(state, row.default_sending_channel_id),
  default_events_register_stream: channelName(state, row.default_events_register_channel_id),
  default_all_public_streams: row.default_all_public_streams,
})

/** The present settings of a bot, as the answer to a change contains them. */
export const composeBotSettings = (state: RealmState, bot: UserRow) => {
  const row = botRow(state, bot.id)
  const owner = bot.bot_owner_id === null ? undefined : state.users.get(bot.bot_owner_id)
  return {
    full_name: bot.full_name,
    avatar_url: avatarUrl(bot, true),
    service_interface: row.service_interface,
    service_payload_url: row.service_url === '' ? null : row.service_url,
    config_data: row.config_data,
    ...composeDefaults(state, row),
    ...(owner === undefined ? {} : { bot_owner: owner.email }),
  }
}
