/**
 * The settings of an organization. One row of `rows` says everything about a setting that does not need its state: who
 * acts on it, its type, its value in a new organization, who may set it, which parameter a client sends, and how a
 * change is sent.
 *
 * A realm's row in the database keeps only what differs from the defaults, so a new setting needs no migration.
 * Source: protocol/register.md 5.1.1 and 5.1.3, protocol/endpoints.md 4, protocol/permissions.md 4.3 and 4.4.
 */
import { z } from 'zod'
import { since } from '../protocol/later-levels.js'
import { groupSettingValue, SystemGroup } from './group-setting-values.js'
import { integerChoice } from './integer-choice.js'
import type { Reader } from './reader.js'

/**
 * What a client sends: `plain` a value that is stored as it is sent, `converted` one that is stored in another form
 * (realm-rules.ts, authentication.ts), `limit` seconds or `unlimited`, `channel` the id of a channel or -1,
 * `permission` an update of a group setting.
 */
type Input = 'flag' | 'limit' | 'channel' | 'permission' | 'plain' | 'converted'

interface Options {
  /** only owners may set it; otherwise administrators may */
  readonly isForOwners?: true
  /** The event of a change; missing: `realm/update`. Clients know some settings only in the other form. */
  readonly event?: 'update_dict'
  /** the feature level that has it, if that is later than the level that the server announces */
  readonly level?: number
}

const forOwners = { isForOwners: true } as const
const none = {} as const

const row =
  <const I extends Input>(input: I) =>
  <S extends z.ZodType, const O extends Options = typeof none>(
    reader: Reader,
    schema: S,
    initial: z.output<S>,
    options?: O,
  ) => ({ input, reader, schema, initial, ...(options as O) })

const plain = row('plain')
const converted = row('converted')
const flag = <const O extends Options = typeof none>(reader: Reader, initial: boolean, options?: O) =>
  row('flag')(reader, z.boolean(), initial, options)
const timeLimit = <const O extends Options = typeof none>(reader: Reader, initial: number | null, options?: O) =>
  row('limit')(reader, z.int().positive().nullable(), initial, options)
/** The channel for a purpose of the organization; none in a new one. */
const channel = (reader: Reader) => row('channel')(reader, z.int(), -1)
/** A permission, and the group that holds it in a new organization. Its rule: `realmGroupRules` of rules/. */
const permission = (reader: Reader, initial: number, options: Pick<Options, 'isForOwners' | 'level'> = none) =>
  row('permission')(reader, groupSettingValue, initial, { ...options, event: 'update_dict' })

/**
 * The most characters of the text for users who join by an invitation. The Notification Bot writes this text to them.
 */
export const MAX_WELCOME_LENGTH = 8_000

const rows = {
  create_multiuse_invite_group: permission('server', SystemGroup.administrators, forOwners),
  can_access_all_users_group: permission('server', SystemGroup.everyone),
  can_add_custom_emoji_group: permission('server', SystemGroup.members),
  can_add_subscribers_group: permission('server', SystemGroup.members),
  can_create_bots_group: permission('server', SystemGroup.members),
  can_create_write_only_bots_group: permission('server', SystemGroup.members),
  can_create_groups: permission('server', SystemGroup.members, forOwners),
  can_create_public_channel_group: permission('server', SystemGroup.members),
  can_create_private_channel_group: permission('server', SystemGroup.members),
  can_create_web_public_channel_group: permission('server', SystemGroup.owners),
  can_delete_any_message_group: permission('server', SystemGroup.administrators),
  can_delete_own_message_group: permission('server', SystemGroup.everyone),
  can_invite_users_group: permission('server', SystemGroup.members, forOwners),
  can_manage_all_groups: permission('server', SystemGroup.owners, forOwners),
  can_manage_billing_group: permission('none', SystemGroup.administrators, forOwners),
  can_mention_many_users_group: permission('server', SystemGroup.administrators),
  can_move_messages_between_channels_group: permission('server', SystemGroup.members),
  can_move_messages_between_topics_group: permission('server', SystemGroup.everyone),
  can_resolve_topics_group: permission('server', SystemGroup.everyone),
  can_set_delete_message_policy_group: permission('server', SystemGroup.moderators, { level: 407 }),
  can_set_topics_policy_group: permission('server', SystemGroup.members),
  can_summarize_topics_group: permission('none', SystemGroup.everyone),
  direct_message_initiator_group: permission('server', SystemGroup.everyone),
  direct_message_permission_group: permission('server', SystemGroup.everyone),
  default_language: converted('server', z.string(), 'en'),
  default_code_block_language: plain('server', z.string(), ''),
  allow_message_editing: flag('server', true, { event: 'update_dict' }),
  message_content_edit_limit_seconds: timeLimit('server', 600, { event: 'update_dict' }),
  message_content_delete_limit_seconds: timeLimit('server', 600),
  move_messages_within_stream_limit_seconds: timeLimit('server', 604_800),
  move_messages_between_streams_limit_seconds: timeLimit('server', 604_800),
  message_edit_history_visibility_policy: plain('server', z.enum(['all', 'moves', 'none']), 'all'),
  topics_policy: plain('server', z.enum(['allow_empty_topic', 'disable_empty_topic']), 'allow_empty_topic', {
    event: 'update_dict',
  }),
  message_retention_days: converted('server', z.int(), -1, forOwners),
  waiting_period_threshold: plain('server', z.int().min(0).describe('days'), 0, forOwners),
  invite_required: flag('server', true, forOwners),
  // Only who signs up without an invitation waits for it.
  sign_up_approval_required: flag('server', false, forOwners),
  second_factor_required_for: plain(
    'server',
    z.enum(['nobody', 'administrators', 'members', 'everyone']),
    'nobody',
    forOwners,
  ),
  emails_restricted_to_domains: flag('server', false, forOwners),
  disallow_disposable_email_addresses: flag('server', true, forOwners),
  // Domains with commas between them. Their subdomains are refused too.
  refused_email_domains: converted('server', z.string(), '', forOwners),
  name_changes_disabled: flag('server', false),
  email_changes_disabled: flag('server', false),
  avatar_changes_disabled: flag('server', false),
  // What accounts without an uploaded picture show: `J` one that the server draws, `G` their Gravatar.
  default_avatar_source: plain('server', z.enum(['G', 'J']), 'J', { level: 456 }),
  require_unique_names: flag('server', false),
  enable_read_receipts: flag('server', true),
  enable_spectator_access: flag('server', false),
  enable_guest_user_indicator: flag('page', true),
  enable_guest_user_dm_warning: flag('page', true),
  inline_image_preview: flag('server', true),
  inline_url_embed_preview: flag('server', false),
  digest_emails_enabled: flag('none', false),
  digest_weekday: plain('none', integerChoice(0, 1, 2, 3, 4, 5, 6).describe('0 is Monday'), 1),
  send_welcome_emails: flag('server', true),
  send_channel_events_messages: flag('server', true, { level: 434 }),
  welcome_message_custom_text: plain('server', z.string().max(MAX_WELCOME_LENGTH), '', { level: 416 }),
  message_content_allowed_in_email_notifications: flag('server', true),
  want_advertise_in_communities_directory: flag('none', false),
  giphy_rating: plain('none', z.int(), 2),
  video_chat_provider: plain('page', z.int(), 1),
  jitsi_server_url: converted('page', z.string().nullable(), null),
  // Only the methods that were turned off (authentication.ts).
  authentication_methods: converted(
    'server',
    z.record(z.string(), z.boolean()),
    {},
    { ...forOwners, event: 'update_dict' },
  ),
  org_type: plain('none', integerChoice(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000), 0),
  new_stream_announcements_stream_id: channel('server'),
  signup_announcements_stream_id: channel('server'),
  zulip_update_announcements_stream_id: channel('none'),
  moderation_request_channel_id: channel('server'),
} as const

type Rows = typeof rows

export type RealmSettings = { -readonly [N in keyof Rows]: z.output<Rows[N]['schema']> }

type SettingName = keyof Rows
type NamesWith<Part> = { [N in SettingName]: Rows[N] extends Part ? N : never }[SettingName]

const names = Object.keys(rows) as SettingName[]
const getOptions = (name: SettingName) => rows[name] as Options
const selectNames = <I extends Input>(input: I) =>
  names.filter((name) => rows[name].input === input) as NamesWith<{ input: I }>[]
/** One part of each of these rows, by name. */
const pick = <N extends SettingName, V>(from: readonly N[], part: (name: N) => V) =>
  Object.fromEntries(from.map((name) => [name, part(name)])) as { [_ in N]: V }

/** The schema of all settings of an organization, as they are stored. */
export const realmSettings = z.object(
  pick(names, (name) => rows[name].schema) as unknown as { [N in SettingName]: Rows[N]['schema'] },
)

/** The settings of a new organization. */
export const defaultRealmSettings = pick(names, (name) => rows[name].initial) as unknown as RealmSettings

export type RealmGroupSetting = NamesWith<{ input: 'permission' }>

/** Permissions: settings whose value is a group-setting value. */
export const realmGroupSettingNames = selectNames('permission')

/** The organization permissions. Each setting has the group that holds it in a new organization. */
export const realmGroupSettings = pick(realmGroupSettingNames, (name) => rows[name].initial as number)

/** Settings that are true or false. */
export const flagSettings = selectNames('flag')
/** Settings that are a time in seconds, or unlimited. */
export const timeLimitSettings = selectNames('limit')
/** Settings that are the id of a channel, or none. */
export const channelSettings = selectNames('channel')
/** Settings that are stored as they are sent. Their schemas are those of the parameters, too. */
export const plainSettings = selectNames('plain')
export type PlainSetting = (typeof plainSettings)[number]

/** Parameters that only owners may give. The address of an organization is not a setting. */
export const ownersSettings = ['string_id' as const, ...names.filter((name) => getOptions(name).isForOwners === true)]

/** Who acts on each setting. */
export const realmSettingReaders = pick(names, (name): Reader => rows[name].reader)

/**
 * Returns the schema of a setting, or of its parameter. The schema has the level of the setting where that is a later
 * one.
 */
export const withLevel = <S extends z.ZodType>(name: SettingName, schema: S): S => {
  const { level } = getOptions(name)
  return level === undefined ? schema : since(level, schema)
}

/** Whether a change is sent as `realm/update_dict`. */
export const isSentInDict = (name: SettingName): boolean => getOptions(name).event === 'update_dict'

/** The settings that a row stores: those that differ from a new organization's. */
export const omitDefaultRealmSettings = (settings: RealmSettings): Partial<RealmSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultRealmSettings[name as keyof RealmSettings]),
    ),
  )

/** Whether the setting is a permission, so that its value is a group-setting value. */
export const isRealmGroupSetting = (name: string): name is RealmGroupSetting => Object.hasOwn(realmGroupSettings, name)
