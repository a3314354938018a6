/**
 * Bots: listing one's own, creating, changing and deactivating them. Their keys: api-keys.ts.
 *
 * SEAM: there are no uploads yet, so a picture sent along is passed over; and no integrations, so no service of an
 * incoming webhook is known. Source: endpoints.md 3.8, permissions.md 10.2.
 */
import { z } from 'zod'
import { hasContentAccess, visibleChannelNamed } from '../../domain/access.js'
import { rename, setRole } from '../../domain/account-changes.js'
import { administers, checkRole } from '../../domain/account-rights.js'
import { checkedFullName, isEmailAddress } from '../../domain/account-rules.js'
import { checkedOwner, setBotDetails, setOwner } from '../../domain/bot-changes.js'
import { botRow, channelName, checkBotName, mayCreateBot, ServiceInterface } from '../../domain/bots.js'
import { errors } from '../../domain/errors.js'
import { keyOf } from '../../domain/keyring.js'
import { type BotRow, BotType, type UserRow } from '../../domain/rows.js'
import type { RealmState } from '../../domain/state.js'
import type { Step } from '../../domain/steps.js'
import { avatarUrl } from '../../domain/users.js'
import { accountOf } from '../../store/accounts.js'
import { createUser } from '../../store/users.js'
import { endpoint } from '../http/endpoint.js'
import { realmHostOf } from '../http/host.js'
import { bool, either, idInPath, int, json, str } from '../http/params.js'
import { inTurn } from './turn.js'
import { commitSteps, deactivate, roleParam } from './user-updates.js'

const url = () => either(z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), 'Not a URL'))
const config = () => json(z.record(z.string(), z.string()))
const channel = () => str().describe('a channel by name; empty for none')

const defaultParams = {
  default_sending_stream: channel().optional(),
  default_events_register_stream: channel().optional(),
  default_all_public_streams: bool().optional(),
}

const defaults = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
})

export const getBots = endpoint({
  method: 'GET',
  path: '/bots',
  summary: "Lists the caller's own active bots, with their keys.",
  who: 'member',
  params: {},
  response: z.object({
    bots: z.array(
      defaults.extend({ username: z.string(), full_name: z.string(), api_key: z.string(), avatar_url: z.string() }),
    ),
  }),
  handle({ state, caller, realm }) {
    const own = [...state.users.values()].filter((bot) => bot.bot_owner_id === caller.id && bot.is_active)
    return {
      bots: own
        .sort((a, b) => a.id - b.id)
        .map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          api_key: keyOf(realm.id, bot.id, bot.key_version),
          avatar_url: avatarUrl(bot, true),
          ...defaultsOnWire(state, botRow(state, bot.id)),
        })),
    }
  },
})

export const createBot = endpoint({
  method: 'POST',
  path: '/bots',
  summary: 'Creates a bot of the caller.',
  who: 'member',
  params: {
    full_name: str(),
    short_name: str().describe('the address is made of it'),
    bot_type: int().default(BotType.generic),
    service_name: str().default(''),
    payload_url: url().optional().describe('where an outgoing webhook is sent'),
    interface_type: int().default(ServiceInterface.generic),
    config_data: config().default({}),
    ...defaultParams,
  },
  response: defaults.extend({ user_id: z.int(), api_key: z.string(), avatar_url: z.string() }),
  handle: (call) =>
    inTurn(call, async (guard) => {
      const { app, state, caller, params, realm } = call
      const { bot_type, service_name, interface_type } = params
      const host = realmHostOf(state.realm.string_id, app.config)
      const full_name = checkedFullName(state, params.full_name)
      const email = botAddress(params.short_name, host)
      if (state.userByEmail(email) !== undefined) throw errors.badRequest('Email is already in use.')
      if (!mayCreateBot(state, caller.user, bot_type)) throw errors.insufficientPermission()
      checkType(bot_type, service_name)
      checkBotName(state, full_name)
      if (bot_type === BotType.outgoingWebhook) checkInterface(interface_type)
      const details: Partial<BotRow> = {
        ...defaultsGiven(state, caller.user, params),
        service_name,
        service_url: params.payload_url ?? '',
        service_interface: interface_type,
        config_data: params.config_data,
      }
      const account = { email, full_name, bot: { type: bot_type, owner_id: caller.id, details } }
      const user_id = await createUser(app.store.writer, realm, guard, host, account)
      const bot = state.users.get(user_id) as UserRow
      return {
        user_id,
        api_key: keyOf(realm.id, user_id, bot.key_version),
        avatar_url: avatarUrl(bot, true),
        ...defaultsOnWire(state, botRow(state, user_id)),
      }
    }),
})

export const updateBot = endpoint({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Changes a bot.',
  who: 'member',
  params: {
    bot_id: idInPath(),
    full_name: str().optional(),
    role: roleParam().optional(),
    bot_owner_id: int().optional(),
    service_payload_url: url().optional(),
    service_interface: int().default(ServiceInterface.generic),
    config_data: config().optional(),
    ...defaultParams,
  },
  response: defaults.extend({
    full_name: z.string(),
    avatar_url: z.string(),
    service_interface: z.int(),
    service_payload_url: z.string().nullable(),
    config_data: z.record(z.string(), z.string()),
    bot_owner: z.string().optional().describe("the owner's API address"),
  }),
  errors: [errors.notOwner, errors.notAdministrator],
  handle: (call) =>
    inTurn(call, async (guard) => {
      const { app, state, caller, params } = call
      const bot = botNamed(state, caller.user, params.bot_id)
      const { role, bot_owner_id, service_payload_url, service_interface, config_data } = params
      const account = await accountOf(app.store.sql, state, bot, realmHostOf(state.realm.string_id, app.config))
      const steps: Step[] = []
      const name = params.full_name?.trim()
      if (name !== undefined && name !== bot.full_name) {
        const full_name = checkedFullName(state, name, bot.id)
        checkBotName(state, full_name, bot.id)
        steps.push(rename(account, full_name))
      }
      if (role !== undefined) {
        checkRole(state, caller.user, bot, role)
        steps.push(setRole(account, role))
      }
      if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
        steps.push(setOwner(bot.id, checkedOwner(state, bot_owner_id)))
      }
      const service = service_payload_url !== undefined && bot.bot_type === BotType.outgoingWebhook
      if (service) checkInterface(service_interface)
      const patch: Partial<BotRow> = {
        ...defaultsGiven(state, caller.user, params),
        ...(service ? { service_url: service_payload_url, service_interface } : {}),
        ...(config_data === undefined ? {} : { config_data }),
      }
      if (Object.keys(patch).length > 0) steps.push(setBotDetails(bot.id, patch))
      await commitSteps(call, guard, steps, { user_id: bot.id, partners: [] })
      return botAnswer(state, bot.id)
    }),
})

export const deactivateBot = endpoint({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivates a bot.',
  who: 'member',
  params: { bot_id: idInPath() },
  response: z.object({}),
  handle: (call) =>
    inTurn(call, async (guard) => {
      const bot = botNamed(call.state, call.caller.user, call.params.bot_id)
      return bot.is_active ? deactivate(call, guard, bot) : {}
    }),
})

/** The bot, if there is one that the caller administers. Throws BAD_REQUEST. */
export const botNamed = (state: RealmState, caller: UserRow, bot_id: number): UserRow => {
  const bot = state.users.get(bot_id)
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw errors.noSuchBot()
  if (!administers(caller, bot)) throw errors.insufficientPermission()
  return bot
}

/** A bot's address, out of the name that its maker gave it. A colon would end it in a header of credentials. */
const botAddress = (short_name: string, host: string): string => {
  const email = `${short_name.trim()}-bot@${host}`
  if (!/^[\w.+-]+$/.test(short_name.trim()) || !isEmailAddress(email)) throw errors.badRequest('Bad name or username')
  return email
}

const checkType = (bot_type: number, service_name: string): void => {
  if (!(Object.values(BotType) as number[]).includes(bot_type)) throw errors.badRequest('Invalid bot type')
  if (bot_type === BotType.embedded) throw errors.badRequest('Embedded bots are not enabled.')
  if (bot_type === BotType.incomingWebhook && service_name !== '') {
    throw errors.badRequest(`Invalid integration '${service_name}'.`)
  }
}

const checkInterface = (interface_type: number): void => {
  if (!(Object.values(ServiceInterface) as number[]).includes(interface_type)) {
    throw errors.badRequest('Invalid interface type')
  }
}

interface Defaults {
  readonly default_sending_stream?: string | undefined
  readonly default_events_register_stream?: string | undefined
  readonly default_all_public_streams?: boolean | undefined
}

/** The defaults that were given, as they are kept. Throws BAD_REQUEST for a channel that the caller cannot read. */
const defaultsGiven = (state: RealmState, caller: UserRow, given: Defaults): Partial<BotRow> => {
  const channelOf = (name: string): number | null => {
    if (name === '') return null
    const found = visibleChannelNamed(state, caller, name.trim())
    if (found === undefined || !hasContentAccess(state, caller, found)) throw errors.invalidChannelName({ name })
    return found.id
  }
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = given
  return {
    ...(default_sending_stream === undefined ? {} : { default_sending_channel_id: channelOf(default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: channelOf(default_events_register_stream) }),
    ...(default_all_public_streams === undefined ? {} : { default_all_public_streams }),
  }
}

const defaultsOnWire = (state: RealmState, row: BotRow): z.infer<typeof defaults> => ({
  default_sending_stream: channelName(state, row.default_sending_channel_id),
  default_events_register_stream: channelName(state, row.default_events_register_channel_id),
  default_all_public_streams: row.default_all_public_streams,
})

/** A bot as it is after a change. */
const botAnswer = (state: RealmState, bot_id: number) => {
  const bot = state.users.get(bot_id) as UserRow
  const row = botRow(state, bot_id)
  const owner = bot.bot_owner_id === null ? undefined : state.users.get(bot.bot_owner_id)
  return {
    full_name: bot.full_name,
    avatar_url: avatarUrl(bot, true),
    service_interface: row.service_interface,
    service_payload_url: row.service_url === '' ? null : row.service_url,
    config_data: row.config_data,
    ...defaultsOnWire(state, row),
    ...(owner === undefined ? {} : { bot_owner: owner.email }),
  }
}
