/**
 * The access rules of endpoints, by the name that an endpoint's declaration uses and the reference page prints.
 *
 * The call pipeline checks these rules before it parses parameters. A permission that depends on a single object is
 * checked by the handler, which looks the object up among those that the caller may see.
 * Source: protocol/errors.md 4 and 6, protocol/permissions.md 10.
 */

import { BotType, Role, type UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { hasWebAccess } from '../../domain/realm/web-access.js'
import { getSetting } from '../../domain/settings/user-settings.js'

interface AccessRule {
  /** text for the reference page */
  title: string
  /** the error for a caller who may not call; undefined when they may */
  refusal(user: UserRow, state: RealmState): ApiError | undefined
}

const allowAll = () => undefined
const isGuest = (user: UserRow) => user.role === Role.guest
const allowIf =
  (isAllowed: (user: UserRow, state: RealmState) => boolean, error: () => ApiError) =>
  (user: UserRow, state: RealmState) =>
    isAllowed(user, state) ? undefined : error()

/** The rules. Incoming webhook bots may call only what `anyone` and `webhookBot` allow. */
export const accessRules = {
  anyone: { title: 'Anyone: credentials are not read', refusal: allowAll },
  spectator: {
    title: 'Every account; in organizations with public access, also callers without credentials',
    refusal: allowAll,
  },
  account: { title: 'Every account', refusal: allowAll },
  webhookBot: { title: 'Every account, incoming webhook bots included', refusal: allowAll },
  human: { title: 'Every account but bots', refusal: allowIf((user) => !user.is_bot, errors.notForBots) },
  member: {
    title: 'Every account but guests and bots',
    refusal: (user) => {
      if (isGuest(user)) return errors.notForGuests()
      return user.is_bot ? errors.notForBots() : undefined
    },
  },
  nonGuest: { title: 'Every account but guests', refusal: allowIf((user) => !isGuest(user), errors.notForGuests) },
  administrator: {
    title: 'Organization administrators',
    refusal: allowIf((user) => user.role <= Role.administrator, errors.notAdministrator),
  },
  owner: { title: 'Organization owners', refusal: allowIf((user) => user.role <= Role.owner, errors.notOwner) },
  defaultChannelEditor: {
    title: 'Organization administrators (default channels)',
    refusal: allowIf((user) => user.role <= Role.administrator, errors.cannotChangeDefaultChannels),
  },
  draftSynchronizer: {
    title: 'Every account that synchronizes its drafts',
    refusal: allowIf((user) => getSetting(user, 'enable_drafts_synchronization'), errors.draftsDisabled),
  },
} as const satisfies Record<string, AccessRule>

export type AccessRuleName = keyof typeof accessRules

/**
 * Returns the error for an authenticated caller whom the rule does not allow. Returns undefined when the rule allows
 * the call.
 */
export const accessError = (name: AccessRuleName, user: UserRow, state: RealmState): ApiError | undefined => {
  if (user.bot_type === BotType.incomingWebhook && user.is_bot && name !== 'webhookBot')
    return errors.notForWebhookBots()
  return (accessRules[name] as AccessRule).refusal(user, state)
}

/**
 * Whether callers without credentials may read the organization's public channels. See protocol/permissions.md 10.4.
 */
export const hasSpectatorAccess = (state: RealmState): boolean => {
  if (!state.realm.is_active || !hasWebAccess(state)) return false
  for (const channel of state.channels.values()) if (channel.is_web_public && !channel.is_archived) return true
  return false
}
