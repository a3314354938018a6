/**
 * Who may call an endpoint, by the names that declarations use and the reference page prints.
 *
 * These are the refusals that come before parameters are looked at; what depends on the thing itself is a look-up
 * through the caller. Source: errors.md sections 4 and 6, permissions.md section 10.
 */

import { BotType, Role, type UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { type ApiError, errors } from '../../domain/protocol/errors.js'
import { hasWebAccess } from '../../domain/realm/web-access.js'
import { settingOf } from '../../domain/settings/user-settings.js'

interface Rule {
  /** for the reference page */
  title: string
  /** undefined: may call */
  refusal(user: UserRow, state: RealmState): ApiError | undefined
}

const all = () => undefined
const isGuest = (user: UserRow) => user.role === Role.guest
const only =
  (isAllowed: (user: UserRow, state: RealmState) => boolean, error: () => ApiError) =>
  (user: UserRow, state: RealmState) =>
    isAllowed(user, state) ? undefined : error()

export const who = {
  anyone: { title: 'Anyone: credentials are not looked at', refusal: all },
  spectator: {
    title: 'Every account; in organizations with public access, also callers without credentials',
    refusal: all,
  },
  account: { title: 'Every account', refusal: all },
  webhookBot: { title: 'Every account, incoming webhook bots included', refusal: all },
  human: { title: 'Every account but bots', refusal: only((user) => !user.is_bot, errors.notForBots) },
  member: {
    title: 'Every account but guests and bots',
    refusal: (user) => {
      if (isGuest(user)) return errors.notForGuests()
      return user.is_bot ? errors.notForBots() : undefined
    },
  },
  nonGuest: { title: 'Every account but guests', refusal: only((user) => !isGuest(user), errors.notForGuests) },
  administrator: {
    title: 'Organization administrators',
    refusal: only((user) => user.role <= Role.administrator, errors.notAdministrator),
  },
  owner: { title: 'Organization owners', refusal: only((user) => user.role <= Role.owner, errors.notOwner) },
  defaultChannelEditor: {
    title: 'Organization administrators (default channels)',
    refusal: only((user) => user.role <= Role.administrator, errors.cannotChangeDefaultChannels),
  },
  draftSynchronizer: {
    title: 'Every account that synchronizes its drafts',
    refusal: only((user) => settingOf(user, 'enable_drafts_synchronization'), errors.draftsDisabled),
  },
} as const satisfies Record<string, Rule>

export type Who = keyof typeof who

/** The refusal of a caller with credentials, before parameters; undefined when they may call. */
export const refusalOf = (name: Who, user: UserRow, state: RealmState): ApiError | undefined => {
  if (user.bot_type === BotType.incomingWebhook && user.is_bot && name !== 'webhookBot')
    return errors.notForWebhookBots()
  return (who[name] as Rule).refusal(user, state)
}

/** Whether those without credentials may look around (permissions.md 10.4). */
export const hasSpectatorAccess = (state: RealmState): boolean => {
  if (!hasWebAccess(state)) return false
  for (const channel of state.channels.values()) if (channel.is_web_public && !channel.is_archived) return true
  return false
}
