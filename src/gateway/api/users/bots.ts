/**
 * Bots: listing the caller's own, creating, changing and deactivating them. For their keys see api-keys.ts.
 *
 * A request can contain an avatar as a file with any field name. This server has no integrations, so an incoming
 * webhook has no service. Source: protocol/endpoints.md 3.8, protocol/permissions.md 10.2.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { type BotRow, BotType, type UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import type { Step } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { setFullName, setRole } from '../../../domain/users/accounts/account-changes.js'
import { checkAdministers, checkRole } from '../../../domain/users/accounts/account-rights.js'
import { setBotDetails, setBotOwner, validateBotOwner } from '../../../domain/users/accounts/bot-changes.js'
import {
  botRow,
  canAdministerBot,
  canCreateBot,
  checkBotName,
  ServiceInterface,
} from '../../../domain/users/bots/bots.js'
import { validateFullName } from '../../../domain/users/name-and-email-rules.js'
import { setAvatar } from '../../../domain/users/profiles/avatar-changes.js'
import { avatarUrl } from '../../../domain/users/users.js'
import { storeAvatar } from '../../../store/files/stored-avatars.js'
import { commitAccountSteps, loadAccount } from '../../../store/users/account-changes.js'
import { createUser } from '../../../store/users/users.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, int, str } from '../../call/params.js'
import {
  avatarBody,
  checkBotType,
  checkInterface,
  composeBotAddress,
  composeDefaults,
  configParam,
  defaultParams,
  defaultsObject,
  makeUploadedAvatar,
  parseDefaults,
  urlParam,
} from './bot-params.js'
import { deactivate, endCredentials, roleParam } from './user-updates.js'

export const getBots = endpoint({
  method: 'GET',
  path: '/bots',
  summary: "Lists the caller's own active bots, with their keys.",
  access: 'member',
  params: {},
  response: z.object({
    bots: z.array(
      defaultsObject.extend({
        username: z.string(),
        full_name: z.string(),
        api_key: z.string(),
        avatar_url: z.string(),
      }),
    ),
  }),
  handle({ state, caller, realm }) {
    const own = [...state.users.values()].filter(
      (bot) => bot.bot_owner_id === caller.id && bot.is_active && canAdministerBot(caller.user, bot),
    )
    return {
      bots: own
        .sort((a, b) => a.id - b.id)
        .map((bot) => ({
          username: bot.email,
          full_name: bot.full_name,
          api_key: state.deployment.keys.apiKey(realm.id, bot.id, bot.key_version),
          avatar_url: avatarUrl(bot, true),
          ...composeDefaults(state, botRow(state, bot.id)),
        })),
    }
  },
})

export const createBot = endpoint({
  method: 'POST',
  path: '/bots',
  summary: 'Creates a bot of the caller.',
  access: 'member',
  params: {
    full_name: str(),
    short_name: str().describe('the first part of the address'),
    bot_type: int().default(BotType.generic),
    service_name: str().default(''),
    payload_url: urlParam().optional().describe('the URL to which an outgoing webhook is sent'),
    interface_type: int().default(ServiceInterface.generic),
    config_data: configParam().default({}),
    ...defaultParams,
  },
  response: defaultsObject.extend({
    user_id: z.int(),
    email: z.string().describe('the address with which the bot logs in'),
    api_key: z.string(),
    avatar_url: z.string(),
  }),
  errors: [errors.badImage, errors.imageTooLarge],
  body: avatarBody,
  changesStructure: true,
  async prepare(call) {
    if (!canCreateBot(call.state, call.caller.user, call.params.bot_type)) throw errors.insufficientPermission()
    return { avatar: await makeUploadedAvatar(call) }
  },
  async handle(call) {
    const { app, state, caller, params, realm, write, prepared } = call
    const { avatar } = prepared
    const { bot_type, service_name, interface_type } = params
    const host = realmHost(state.realm.string_id, app.config)
    const full_name = validateFullName(state, params.full_name)
    const email = composeBotAddress(params.short_name, host)
    if (state.userByEmail(email) !== undefined)
      throw errors.badRequest('An account with this email address already exists.')
    if (!canCreateBot(state, caller.user, bot_type)) throw errors.insufficientPermission()
    checkBotType(bot_type, service_name)
    checkBotName(state, full_name)
    if (bot_type === BotType.outgoingWebhook) checkInterface(interface_type)
    const details: Partial<BotRow> = {
      ...parseDefaults(state, caller.user, params),
      service_name,
      service_url: params.payload_url ?? '',
      // The other types of bots call nothing, and may send any number.
      service_interface: bot_type === BotType.outgoingWebhook ? interface_type : ServiceInterface.generic,
      config_data: params.config_data,
    }
    if (avatar !== undefined) await storeAvatar(app.store.files, realm.id, state.nextId('users'), 1, avatar)
    const kind = { type: bot_type, owner_id: caller.id, details }
    const account = { email, full_name, bot: kind, ...(avatar === undefined ? {} : { avatar_source: 'U' as const }) }
    const user_id = await createUser(write, host, account)
    // The state has the account only when all earlier entries are applied, those of other replicas included.
    await realm.barrier()
    const bot = state.users.get(user_id) as UserRow
    return {
      user_id,
      email: bot.email,
      api_key: state.deployment.keys.apiKey(realm.id, user_id, bot.key_version),
      avatar_url: avatarUrl(bot, true),
      ...composeDefaults(state, botRow(state, user_id)),
    }
  },
})

export const updateBot = endpoint({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Changes a bot.',
  access: 'member',
  params: {
    bot_id: idInPath(),
    full_name: str().optional(),
    role: roleParam().optional(),
    bot_owner_id: int().optional(),
    service_payload_url: urlParam().optional(),
    service_interface: int().default(ServiceInterface.generic),
    config_data: configParam().optional(),
    ...defaultParams,
  },
  response: defaultsObject.extend({
    full_name: z.string(),
    avatar_url: z.string(),
    service_interface: z.int(),
    service_payload_url: z.string().nullable(),
    config_data: z.record(z.string(), z.string()),
    bot_owner: z.string().optional().describe("the owner's API address"),
  }),
  errors: [errors.notOwner, errors.notAdministrator, errors.badImage, errors.imageTooLarge],
  body: avatarBody,
  changesStructure: true,
  async prepare(call) {
    requireAdministeredBot(call.state, call.caller.user, call.params.bot_id)
    return { avatar: await makeUploadedAvatar(call) }
  },
  async handle(call) {
    const { app, state, caller, params, realm, write, prepared } = call
    const { avatar } = prepared
    const bot = requireAdministeredBot(state, caller.user, params.bot_id)
    const { role, bot_owner_id, service_payload_url, service_interface, config_data } = params
    const account = await loadAccount(write, state, bot, realmHost(state.realm.string_id, app.config))
    const steps: Step[] = []
    const name = params.full_name?.trim()
    if (name !== undefined && name !== bot.full_name) {
      const full_name = validateFullName(state, name, bot.id)
      checkBotName(state, full_name, bot.id)
      steps.push(setFullName(account, full_name))
    }
    if (role !== undefined) {
      checkRole(state, caller.user, bot, role)
      steps.push(setRole(account, role))
    }
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) {
      steps.push(setBotOwner(bot.id, validateBotOwner(state, bot_owner_id)))
    }
    const service = service_payload_url !== undefined && bot.bot_type === BotType.outgoingWebhook
    if (service) checkInterface(service_interface)
    const patch: Partial<BotRow> = {
      ...parseDefaults(state, caller.user, params),
      ...(service ? { service_url: service_payload_url, service_interface } : {}),
      ...(config_data === undefined ? {} : { config_data }),
    }
    if (Object.keys(patch).length > 0) steps.push(setBotDetails(bot.id, patch))
    if (avatar !== undefined) {
      await storeAvatar(app.store.files, realm.id, bot.id, bot.avatar_version + 1, avatar)
      steps.push(setAvatar(account, 'U'))
    }
    await commitAccountSteps(write, app.store.queues, caller.user, steps, { id: bot.id, partners: [] })
    // The state has the change only when all earlier entries are applied, those of other replicas included.
    await realm.barrier()
    return composeBotAnswer(state, bot.id)
  },
})

export const deactivateBot = endpoint({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivates a bot.',
  access: 'member',
  params: { bot_id: idInPath(), end_credentials: endCredentials() },
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle(call) {
    const bot = requireAdministeredBot(call.state, call.caller.user, call.params.bot_id)
    const endsCredentials = call.params.end_credentials
    return bot.is_active ? deactivate(call, bot, { endsCredentials }) : {}
  },
})

/** The bot with this id, if the caller may administer it. Throws BAD_REQUEST and UNAUTHORIZED_PRINCIPAL. */
export const requireAdministeredBot = (state: RealmState, caller: UserRow, bot_id: number): UserRow => {
  const bot = state.users.get(bot_id)
  if (bot === undefined || !bot.is_bot || bot.is_system_bot) throw errors.noSuchBot()
  checkAdministers(caller, bot)
  return bot
}

/** The answer to a change: the bot's present values. */
const composeBotAnswer = (state: RealmState, bot_id: number) => {
  const bot = state.users.get(bot_id) as UserRow
  const row = botRow(state, bot_id)
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
