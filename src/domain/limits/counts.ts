/**
 * How many things an account or an organization may have, where nothing else bounds them. The numbers
 * are far above what users and integrations need: they keep a hostile account from filling the
 * database and the memory of every replica.
 *
 * A count is checked in the transaction that adds, so concurrent requests do not exceed it together: of structural rows
 * in every commit (row-counts.ts), of others in store/limits/stored-rows.ts.
 */
import { msg } from '../languages/texts.js'
import { type ApiError, errors } from '../protocol/errors.js'

/** A limit, and the text of its error, which says what the user can do. */
export interface CountLimit {
  readonly most: number
  /** their name in SECURITY.md */
  readonly things: string
  readonly refusal: string
}

/** What one account may have. */
export const accountLimits = {
  alert_words: {
    most: 1_000,
    things: 'alert words',
    refusal: msg('You can have at most {most} alert words: remove some first.'),
  },
  bot_storage: {
    most: 100_000,
    things: 'keys in your storage',
    refusal: msg('You can have at most {most} keys in your storage: delete some first.'),
  },
  bots: {
    most: 1_000,
    things: 'bots, deactivated ones included',
    refusal: msg('You can have at most {most} bots, deactivated ones included: use one of them again.'),
  },
  channels: {
    most: 5_000,
    things: 'channels that you created',
    refusal: msg('You can have at most {most} channels that you created: use one of them again.'),
  },
  drafts: { most: 5_000, things: 'drafts', refusal: msg('You can have at most {most} drafts: delete some first.') },
  emoji: {
    most: 5_000,
    things: 'custom emoji, deactivated ones included',
    refusal: msg('You can have at most {most} custom emoji, deactivated ones included: use one of them.'),
  },
  event_subscriptions: {
    most: 20,
    things: 'event subscriptions, those of your bots included',
    refusal: msg('You can have at most {most} event subscriptions, those of your bots included: delete one first.'),
  },
  groups: {
    most: 5_000,
    things: 'user groups that you created',
    refusal: msg('You can have at most {most} user groups that you created: use one of them again.'),
  },
  invitation_links: {
    most: 500,
    things: 'invitation links',
    refusal: msg('You can have at most {most} invitation links: revoke some first.'),
  },
  muted_topics: {
    most: 2_000,
    things: 'muted topics',
    refusal: msg('You can have at most {most} muted topics: unmute some first.'),
  },
  muted_users: {
    most: 1_000,
    things: 'muted users',
    refusal: msg('You can have at most {most} muted users: unmute some first.'),
  },
  navigation_views: {
    most: 200,
    things: 'navigation views',
    refusal: msg('You can have at most {most} navigation views: remove some first.'),
  },
  push_devices: {
    most: 200,
    things: 'devices with push notifications',
    refusal: msg('You can have at most {most} devices with push notifications: remove some first.'),
  },
  /** to one message */
  reactions: {
    most: 100,
    things: 'reactions to a message',
    refusal: msg('You can have at most {most} reactions to a message: remove one first.'),
  },
  reminders: {
    most: 2_000,
    things: 'reminders',
    refusal: msg('You can have at most {most} reminders: delete one first.'),
  },
  saved_snippets: {
    most: 2_000,
    things: 'saved snippets',
    refusal: msg('You can have at most {most} saved snippets: delete some first.'),
  },
  scheduled_messages: {
    most: 2_000,
    things: 'scheduled messages',
    refusal: msg('You can have at most {most} scheduled messages: delete some first.'),
  },
  /** also those that follow from the user's settings, which are never refused */
  topic_policies: {
    most: 50_000,
    things: 'muted, unmuted and followed topics',
    refusal: msg('You can have at most {most} muted, unmuted and followed topics: reset some first.'),
  },
} as const satisfies Record<string, CountLimit>

/** What one organization may have. */
export const realmLimits = {
  bots: {
    most: 20_000,
    things: 'bots, deactivated ones included',
    refusal: msg('An organization can have at most {most} bots, deactivated ones included: use one of them again.'),
  },
  channel_folders: {
    most: 1_000,
    things: 'channel folders, archived ones included',
    refusal: msg(
      'An organization can have at most {most} channel folders, archived ones included: use one of them again.',
    ),
  },
  channels: {
    most: 20_000,
    things: 'channels, archived ones included',
    refusal: msg('An organization can have at most {most} channels, archived ones included: use one of them again.'),
  },
  default_channel_groups: {
    most: 500,
    things: 'groups of default channels',
    refusal: msg('An organization can have at most {most} groups of default channels: remove one first.'),
  },
  emoji: {
    most: 20_000,
    things: 'custom emoji, deactivated ones included',
    refusal: msg('An organization can have at most {most} custom emoji, deactivated ones included: use one of them.'),
  },
  event_subscriptions: {
    most: 500,
    things: 'event subscriptions',
    refusal: msg('An organization can have at most {most} event subscriptions: delete one first.'),
  },
  groups: {
    most: 10_000,
    things: 'user groups, deactivated ones included',
    refusal: msg(
      'An organization can have at most {most} user groups, deactivated ones included: use one of them again.',
    ),
  },
  linkifiers: {
    most: 500,
    things: 'linkifiers',
    refusal: msg('An organization can have at most {most} linkifiers: remove one first.'),
  },
  log_in_methods: {
    most: 20,
    things: 'log-in providers',
    refusal: msg('An organization can have at most {most} log-in providers: remove one first.'),
  },
  playgrounds: {
    most: 500,
    things: 'code playgrounds',
    refusal: msg('An organization can have at most {most} code playgrounds: remove one first.'),
  },
  profile_fields: {
    most: 200,
    things: 'profile fields',
    refusal: msg('An organization can have at most {most} profile fields: remove one first.'),
  },
  realm_domains: {
    most: 1_000,
    things: 'domains',
    refusal: msg('An organization can have at most {most} domains: remove one first.'),
  },
} as const satisfies Record<string, CountLimit>

/** The refusal of one thing more than an account or an organization may have. */
export const hasTooMany = ({ most, refusal }: CountLimit): ApiError =>
  errors.badRequest({ text: refusal, values: { most } })
