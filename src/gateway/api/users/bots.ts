/**
 * Bots: listing the caller's own, creating, changing and deactivating them. For their keys see api-keys.ts.
 *
 * A request can contain an avatar as a file with any field name. Source: protocol/endpoints.md 3.8,
 * protocol/permissions.md 10.2.
 */
import { z } from 'zod'
import { realmHost } from '../../../config/hosts.js'
import { BotType, type UserRow } from '../../../domain/log/rows.js'
import { runSteps } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { requireAdministeredBot } from '../../../domain/users/accounts/account-rights.js'
import { changeBot } from '../../../domain/users/accounts/bot-changes.js'
import {
  composeBotSettings,
  composeDefaults,
  defaultsObject,
  validateNewBot,
} from '../../../domain/users/bots/bot-settings.js'
import {
  botRow,
  canAdministerBot,
  canCreateBot,
  defaultBotRow,
  ServiceInterface,
} from '../../../domain/users/bots/bots.js'
import { setAvatar } from '../../../domain/users/profiles/avatar-changes.js'
import { avatarUrl } from '../../../domain/users/users.js'
import { storeAvatar } from '../../../store/files/stored-avatars.js'
import { commitAccountSteps, loadAccount } from '../../../store/users/account-changes.js'
import { createUsers } from '../../../store/users/users.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, int, str } from '../../call/params.js'
import { avatarBody, configParam, defaultParams, makeUploadedAvatar, urlParam } from './bot-params.js'
import { deactivate, endCredentials, roleParam } from './user-updates.js'

export const getBots = endpoint({
  method: 'GET',
  path: '/bots',
  summary: "Lists the caller's own active bots, with their keys.",
  callers: 'member',
  keyScope: 'administer',
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
  callers: 'member',
  condition: 'The caller needs `can_create_bots_group`, or for incoming webhooks `can_create_write_only_bots_group`.',
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
  example: { full_name: 'Build bot', short_name: 'build', bot_type: 1 },
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
    const host = realmHost(state.realm.string_id, app.config)
    const account = validateNewBot(state, caller.user, params, host)
    if (avatar !== undefined) await storeAvatar(app.store.files, realm.id, state.nextId('users'), 1, avatar)
    const picture = avatar === undefined ? {} : { avatar_source: 'U' as const }
    const composeAnswer = ([user]: readonly UserRow[]) => {
      const bot = user as UserRow
      const defaults = composeDefaults(state, { ...defaultBotRow(bot.id), ...account.bot.details })
      return {
        user_id: bot.id,
        email: bot.email,
        api_key: state.deployment.keys.apiKey(realm.id, bot.id, bot.key_version),
        avatar_url: avatarUrl(bot, true),
        ...defaults,
      }
    }
    return write.answering(composeAnswer, (keyed) => createUsers(keyed, host, [{ ...account, ...picture }]))
  },
})

export const updateBot = endpoint({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Changes a bot.',
  callers: 'member',
  condition: 'The caller owns the bot or is an administrator. Only administrators change its role.',
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
  example: { full_name: 'Release bot' },
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
    const account = await loadAccount(write, state, bot, realmHost(state.realm.string_id, app.config))
    const steps = changeBot(state, caller.user, bot, account, params)
    if (avatar !== undefined) {
      await storeAvatar(app.store.files, realm.id, bot.id, bot.avatar_version + 1, avatar)
      steps.push(setAvatar(account, 'U'))
    }
    const { after } = runSteps(state, steps)
    const composeAnswer = () => composeBotSettings(after, after.users.get(bot.id) as UserRow)
    const target = { id: bot.id, partners: [] }
    return write.answering(composeAnswer, (keyed) =>
      commitAccountSteps(keyed, app.store.queues, caller.user, steps, target),
    )
  },
})

export const deactivateBot = endpoint({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivates a bot.',
  callers: 'member',
  condition: 'The caller owns the bot or is an administrator. Only owners do this to a bot with the role of owner.',
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
