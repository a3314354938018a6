/**
 * The personal settings of an account. One row of `rows` says everything about a setting: who acts on it, its type, its
 * value in a new account, under which older name clients know it, and whether an organization may choose its default.
 *
 * A user's row keeps only what differs from here. `timezone` is a column of its own, because profiles show it.
 * Source: protocol/register.md 5.8 and protocol/endpoints.md 1.4, which has the defaults.
 */
import { z } from 'zod'
import { describeLevel, since } from '../protocol/later-levels.js'
import { integerChoice } from './integer-choice.js'
import type { Reader } from './reader.js'

/** Image sets under the names of the API document. Existing clients know them by other names (aliases.ts). */
export const emojisets = ['set_a', 'set_b', 'set_c', 'text'] as const

/** Names of sounds that an account may choose, beside `none`. */
export const notificationSounds = ['ding', 'zulip'] as const

const participation = integerChoice(1, 2, 3, 4)
const minuteOfDay = z.int().min(0).max(1439)

interface Options {
  /** older clients know it as a display setting or as a notification setting, too */
  readonly legacy?: 'display' | 'notification'
  /** an organization cannot choose its value for new accounts: it is personal, or found out anew for each account */
  readonly isPersonal?: true
}

const none = {} as const

const row = <const R extends Reader, S extends z.ZodType, const O extends Options = typeof none>(
  reader: R,
  schema: S,
  initial: z.output<S>,
  options?: O,
) => ({ reader, schema, initial, ...(options as O) })
const flag = <const R extends Reader, const O extends Options = typeof none>(
  reader: R,
  initial: boolean,
  options?: O,
) => row(reader, z.boolean(), initial, options)

const rows = {
  twenty_four_hour_time: flag('page', false, { legacy: 'display' }),
  starred_message_counts: flag('page', true, { legacy: 'display' }),
  receives_typing_notifications: flag('server', true),
  send_private_typing_notifications: flag('server', true),
  send_stream_typing_notifications: flag('server', true),
  send_read_receipts: flag('server', true),
  presence_enabled: flag('server', true, { legacy: 'notification' }),
  fluid_layout_width: flag('page', false, { legacy: 'display' }),
  high_contrast_mode: flag('page', false, { legacy: 'display' }),
  translate_emoticons: flag('server', false, { legacy: 'display' }),
  left_side_userlist: flag('page', false, { legacy: 'display' }),
  enter_sends: flag('page', false, { legacy: 'display' }),
  display_emoji_reaction_users: flag('page', true),
  color_scheme: row('page', integerChoice(1, 2, 3), 1, { legacy: 'display' }),
  web_font_size_px: row('page', z.int().min(8).max(64), 16),
  web_line_height_percent: row('page', z.int().min(80).max(300), 140),
  default_language: row('page', z.string(), 'en', { legacy: 'display', isPersonal: true }),
  web_home_view: row('page', z.enum(['inbox', 'recent_topics', 'all_messages']), 'inbox', { legacy: 'display' }),
  web_escape_navigates_to_home_view: flag('page', true),
  web_channel_default_view: row('page', integerChoice(1, 2, 3, 4).describe(`4: ${describeLevel(401)}`), 1),
  web_mark_read_on_scroll_policy: row('page', integerChoice(1, 2, 3), 1),
  web_navigate_to_sent_message: flag('page', true),
  web_suggest_update_timezone: flag('page', true),
  web_animate_image_previews: row('page', z.enum(['always', 'on_hover', 'never']), 'on_hover'),
  web_stream_unreads_count_display_policy: row('page', integerChoice(1, 2, 3), 2),
  web_left_sidebar_unreads_count_summary: flag('page', true),
  web_left_sidebar_show_channel_folders: row('page', since(411, z.boolean()), true),
  web_inbox_show_channel_folders: row('page', since(431, z.boolean()), true),
  hide_ai_features: flag('none', false),
  resolved_topic_notice_auto_read_policy: row(
    'server',
    z.enum(['always', 'except_followed', 'never']),
    'except_followed',
  ),
  emojiset: row('page', z.enum(emojisets), 'set_a', { legacy: 'display' }),
  user_list_style: row('page', integerChoice(1, 2, 3), 3),
  demote_inactive_streams: row('page', integerChoice(1, 2, 3), 1, { legacy: 'display' }),
  enable_drafts_synchronization: flag('server', true, { legacy: 'display' }),
  email_address_visibility: row('server', integerChoice(1, 2, 3, 4, 5), 1),
  allow_private_data_export: flag('server', false, { isPersonal: true }),
  enable_stream_desktop_notifications: flag('page', false, { legacy: 'notification' }),
  enable_stream_email_notifications: flag('server', false, { legacy: 'notification' }),
  enable_stream_push_notifications: flag('none', false, { legacy: 'notification' }),
  enable_stream_audible_notifications: flag('page', false, { legacy: 'notification' }),
  wildcard_mentions_notify: flag('page', true, { legacy: 'notification' }),
  enable_followed_topic_desktop_notifications: flag('page', true),
  enable_followed_topic_email_notifications: flag('server', true),
  enable_followed_topic_push_notifications: flag('none', true),
  enable_followed_topic_audible_notifications: flag('page', true),
  enable_followed_topic_wildcard_mentions_notify: flag('page', true),
  enable_desktop_notifications: flag('page', true, { legacy: 'notification' }),
  enable_sounds: flag('page', true, { legacy: 'notification' }),
  enable_offline_email_notifications: flag('server', true, { legacy: 'notification' }),
  enable_offline_push_notifications: flag('none', true, { legacy: 'notification' }),
  enable_online_push_notifications: flag('none', true, { legacy: 'notification' }),
  pm_content_in_desktop_notifications: flag('page', true, { legacy: 'notification' }),
  message_content_in_email_notifications: flag('server', true, { legacy: 'notification' }),
  notification_sound: row('page', z.string(), 'zulip', { legacy: 'notification' }),
  // Extensions of this server (rules/src/quiet-hours.ts).
  quiet_hours_enabled: flag('server', false),
  quiet_hours_start: row(
    'server',
    minuteOfDay.describe('minutes after midnight, in the time zone of the account'),
    22 * 60,
  ),
  quiet_hours_end: row(
    'server',
    minuteOfDay.describe('minutes after midnight; not after the start: on the next day'),
    7 * 60,
  ),
  quiet_hours_days: row(
    'server',
    z.int().min(0).max(127).describe('the days on which they begin, as bits: 1 is Monday, 64 is Sunday'),
    127,
  ),
  desktop_icon_count_display: row('page', integerChoice(1, 2, 3, 4), 1, { legacy: 'notification' }),
  email_notifications_batching_period_seconds: row('server', z.int().min(1).max(604_800), 120, {
    legacy: 'notification',
  }),
  enable_digest_emails: flag('none', true, { legacy: 'notification' }),
  enable_login_emails: flag('server', true, { legacy: 'notification', isPersonal: true }),
  enable_marketing_emails: flag('none', true, { legacy: 'notification', isPersonal: true }),
  realm_name_in_email_notifications_policy: row('server', integerChoice(1, 2, 3), 1, { legacy: 'notification' }),
  automatically_follow_topics_policy: row('server', participation, 3),
  automatically_unmute_topics_in_muted_streams_policy: row('server', participation, 2),
  automatically_follow_topics_where_mentioned: flag('server', true),
} as const

type Rows = typeof rows
type SettingName = keyof Rows
type NamesWith<Part> = { [N in SettingName]: Rows[N] extends Part ? N : never }[SettingName]

export type UserSettings = { -readonly [N in SettingName]: z.output<Rows[N]['schema']> }

const names = Object.keys(rows) as SettingName[]
const getOptions = (name: SettingName) => rows[name] as Options
const legacySettings = <const L extends 'display' | 'notification'>(legacy: L) =>
  names.filter((name) => getOptions(name).legacy === legacy) as NamesWith<{ legacy: L }>[]

/** The schema of all settings of a user, as they are stored. */
export const userSettings = z.object(
  Object.fromEntries(names.map((name) => [name, rows[name].schema])) as { [N in SettingName]: Rows[N]['schema'] },
)

/** The settings of a new user in an organization that has no defaults of its own. */
export const defaultUserSettings = Object.fromEntries(names.map((name) => [name, rows[name].initial])) as UserSettings

/** Settings that older clients know as display settings, each under its own name. */
export const displaySettings = legacySettings('display')

/** Settings that older clients know as notification settings. */
export const notificationSettings = legacySettings('notification')

/** Who acts on each setting. */
export const settingReaders = Object.fromEntries(names.map((name) => [name, rows[name].reader])) as {
  readonly [N in SettingName]: Rows[N]['reader']
}

/** Image sets that the web client does not have: it draws the emoji of the device, or their names. */
const absentEmojisets: ReadonlySet<unknown> = new Set(['set_b', 'set_c'] satisfies (typeof emojisets)[number][])

/** Whether nothing here acts on this value of a setting, as it is stored. */
export const isWithoutEffect = (name: SettingName, value: unknown): boolean =>
  settingReaders[name] === 'none' || (name === 'emojiset' && absentEmojisets.has(value))

/** Settings whose value in a new account no organization can choose. */
export const withoutDefault = names.filter((name) => getOptions(name).isPersonal === true) as NamesWith<{
  isPersonal: true
}>[]

/** One setting of an account, or its default. For all settings at once see `userSettings` of the state. */
export const getSetting = <N extends keyof UserSettings>(
  { settings }: { readonly settings: Partial<UserSettings> },
  name: N,
): UserSettings[N] => settings[name] ?? defaultUserSettings[name]

/** The settings that a row stores: those that differ from a new account's. */
export const omitDefaultUserSettings = (settings: UserSettings): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== defaultUserSettings[name as keyof UserSettings]),
  )
