/**
 * How many things an account or an organization may have, where nothing else bounds them. The numbers
 * are far above what users and integrations need: they keep a hostile account from filling the
 * database and the memory of every replica.
 *
 * A count is checked in the transaction that adds, so concurrent requests do not exceed it together: of structural rows
 * in every commit (row-counts.ts), of others in store/limits/stored-rows.ts.
 */
import { type ApiError, errors } from '../protocol/errors.js'

/** A limit, and the words of its error. */
export interface CountLimit {
  readonly most: number
  readonly things: string
  /** what the user can do */
  readonly remedy: string
}

/** What one account may have. */
export const accountLimits = {
  alert_words: { most: 1_000, things: 'alert words', remedy: 'remove some first' },
  bot_storage: { most: 100_000, things: 'keys in your storage', remedy: 'delete some first' },
  bots: { most: 1_000, things: 'bots, deactivated ones included', remedy: 'use one of them again' },
  channels: { most: 5_000, things: 'channels that you created', remedy: 'use one of them again' },
  drafts: { most: 5_000, things: 'drafts', remedy: 'delete some first' },
  emoji: { most: 5_000, things: 'custom emoji, deactivated ones included', remedy: 'use one of them' },
  groups: { most: 5_000, things: 'user groups that you created', remedy: 'use one of them again' },
  invitation_links: { most: 500, things: 'invitation links', remedy: 'revoke some first' },
  muted_topics: { most: 2_000, things: 'muted topics', remedy: 'unmute some first' },
  muted_users: { most: 1_000, things: 'muted users', remedy: 'unmute some first' },
  navigation_views: { most: 200, things: 'navigation views', remedy: 'remove some first' },
  push_devices: { most: 200, things: 'devices with push notifications', remedy: 'remove some first' },
  /** to one message */
  reactions: { most: 100, things: 'reactions to a message', remedy: 'remove one first' },
  reminders: { most: 2_000, things: 'reminders', remedy: 'delete one first' },
  saved_snippets: { most: 2_000, things: 'saved snippets', remedy: 'delete some first' },
  scheduled_messages: { most: 2_000, things: 'scheduled messages', remedy: 'delete some first' },
  /** also those that follow from the user's settings, which are never refused */
  topic_policies: { most: 50_000, things: 'muted, unmuted and followed topics', remedy: 'reset some first' },
} as const satisfies Record<string, CountLimit>

/** What one organization may have. */
export const realmLimits = {
  bots: { most: 20_000, things: 'bots, deactivated ones included', remedy: 'use one of them again' },
  channel_folders: { most: 1_000, things: 'channel folders, archived ones included', remedy: 'use one of them again' },
  channels: { most: 20_000, things: 'channels, archived ones included', remedy: 'use one of them again' },
  default_channel_groups: { most: 500, things: 'groups of default channels', remedy: 'remove one first' },
  emoji: { most: 20_000, things: 'custom emoji, deactivated ones included', remedy: 'use one of them' },
  groups: { most: 10_000, things: 'user groups, deactivated ones included', remedy: 'use one of them again' },
  linkifiers: { most: 500, things: 'linkifiers', remedy: 'remove one first' },
  playgrounds: { most: 500, things: 'code playgrounds', remedy: 'remove one first' },
  profile_fields: { most: 200, things: 'profile fields', remedy: 'remove one first' },
  realm_domains: { most: 1_000, things: 'domains', remedy: 'remove one first' },
} as const satisfies Record<string, CountLimit>

/** The refusal of one thing more than an account may have. */
export const accountHasTooMany = ({ most, things, remedy }: CountLimit): ApiError =>
  errors.badRequest('You can have at most {most} {things}: {remedy}.', { most, things, remedy })

/** The refusal of one thing more than an organization may have. */
export const realmHasTooMany = ({ most, things, remedy }: CountLimit): ApiError =>
  errors.badRequest('An organization can have at most {most} {things}: {remedy}.', { most, things, remedy })
