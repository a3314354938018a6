/**
 * New channels: the options of the request, its checks, and the row changes.
 *
 * Source: protocol/endpoints.md 1.1 (checks 2 to 6 and 11), protocol/permissions.md 5.1, 6.6 and 7.1.
 */

import { hasMetadataAccess, mayCreateChannel } from '#rules/channel-access.js'
import { channelGroupRules } from '#rules/group-settings.js'
import { mayInRealm } from '#rules/permissions.js'
import { isAdministrator } from '#rules/roles.js'
import { secondsNow } from '#rules/time.js'
import { limits } from '../limits/limits.js'
import { composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { ChannelRow, CounterRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { type ChannelGroupSetting, validateGroupSetting } from '../permissions/group-setting-rules.js'
import { errors } from '../protocol/errors.js'
import { notificationBot } from '../realm/notification-bot.js'
import { requireWebAccess } from '../realm/web-access.js'
import { findUnprintable, renderDescription } from '../rendering/names-and-descriptions.js'
import { type GroupSettingValue, normalizeGroupSettingValue, SystemGroup } from '../settings/group-setting-values.js'
import { openNameIndex } from '../text/name-index.js'
import { lookForms, requireVisibleName } from '../text/names.js'
import { checkFolder } from './channel-folders.js'
import { channelGroupSettings, defaultChannelGroups, type topicsPolicies } from './channels.js'

/** The options of a new channel, as the request gives them. */
export interface ChannelOptions extends Partial<Record<ChannelGroupSetting, GroupSettingValue>> {
  invite_only: boolean
  is_web_public: boolean
  is_default_stream: boolean
  history_public_to_subscribers?: boolean
  message_retention_days: number | 'realm_default' | 'unlimited'
  topics_policy: (typeof topicsPolicies)[number]
  folder_id?: number
}

/** The same, before the retention is parsed. */
export interface RequestedOptions extends Omit<ChannelOptions, 'message_retention_days'> {
  message_retention_days: string | number
}

/** The options of new channels. Throws what parseRetention throws. */
export const parseChannelOptions = (requested: RequestedOptions): ChannelOptions => ({
  ...requested,
  message_retention_days: parseRetention(requested.message_retention_days),
})

/** The group settings of the request, each in its normalized form. Throws what validateGroupSetting throws. */
export const validateGroupSettings = (
  state: RealmState,
  options: ChannelOptions,
): Partial<Record<ChannelGroupSetting, GroupSettingValue>> => {
  const checked: Partial<Record<ChannelGroupSetting, GroupSettingValue>> = {}
  for (const name of channelGroupSettings) {
    const value = options[name]
    if (value !== undefined) checked[name] = validateGroupSetting(state, name, channelGroupRules[name], value)
  }
  return checked
}

/** The trimmed name. Throws BAD_REQUEST when it is not a valid channel name. */
export const validateChannelName = (input: string): string => {
  const name = input.trim()
  if (name === '') throw errors.badRequest('A channel needs a name.')
  const limit = limits.max_stream_name_length
  if ([...name].length > limit)
    throw errors.badRequest('A channel name may have at most {max} characters.', { max: limit })
  const position = findUnprintable(name)
  if (position > 0) {
    throw errors.badRequest('The channel name contains a character that is not allowed, at position {position}.', {
      position,
    })
  }
  return name
}

/** Whether the user has each permission that new channels with these options need. */
const creationPermissions = {
  kind: (state: RealmState, user: UserRow, { invite_only }: ChannelOptions) =>
    mayCreateChannel(state, user, invite_only ? 'private' : 'public'),
  default: (_: RealmState, user: UserRow, { is_default_stream }: ChannelOptions) =>
    !is_default_stream || isAdministrator(user),
  webPublic: (state: RealmState, user: UserRow, { is_web_public }: ChannelOptions) =>
    !is_web_public || mayCreateChannel(state, user, 'web-public'),
  retention: (_: RealmState, user: UserRow, { message_retention_days }: ChannelOptions) =>
    message_retention_days === 'realm_default' || isAdministrator(user),
  topicsPolicy: (state: RealmState, user: UserRow, { topics_policy }: ChannelOptions) =>
    topics_policy === 'inherit' || mayInRealm(state, user, 'can_set_topics_policy_group'),
  deleters: (state: RealmState, user: UserRow, options: ChannelOptions) =>
    !choosesDeleters(options) || maySetDeletionPolicy(state, user),
}

/** Whether the user has all permissions that new channels with these options need. */
export const mayCreateWith = (state: RealmState, user: UserRow, options: ChannelOptions): boolean =>
  Object.values(creationPermissions).every((isPermitted) => isPermitted(state, user, options))

/**
 * Refuses a user who may not create channels with these options. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. The
 * order of the checks is that of protocol/endpoints.md 1.1.
 */
export const checkCreation = (state: RealmState, user: UserRow, options: ChannelOptions): void => {
  const { invite_only, is_web_public } = options
  const isPermitted = (permission: keyof typeof creationPermissions) =>
    creationPermissions[permission](state, user, options)
  if (!isPermitted('kind')) throw errors.insufficientPermission()
  if (options.is_default_stream) {
    if (!isPermitted('default')) throw errors.insufficientPermission()
    if (invite_only) throw errors.badRequest('Remove the channel from the default channels before you make it private.')
  }
  if (is_web_public) {
    if (invite_only) throw errors.badRequest('Only private channels can keep their history from new subscribers.')
    requireWebAccess(state)
    if (!isPermitted('webPublic')) throw errors.insufficientPermission()
  }
  if (!isPermitted('retention')) throw errors.notAdministrator()
  if (!isPermitted('topicsPolicy')) throw errors.insufficientPermission()
  if (!isPermitted('deleters')) throw errors.insufficientPermission()
  checkTopicCreators(options)
  if (options.folder_id !== undefined) checkFolder(state, options.folder_id)
}

/** Who may delete messages in a channel. */
export const deletionSettings = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const

const choosesDeleters = (options: ChannelOptions): boolean =>
  deletionSettings.some((name) => {
    const value = options[name]
    return value !== undefined && normalizeGroupSettingValue(value) !== SystemGroup.nobody
  })

/** Whether the user may choose who deletes messages in a channel. The user administers the channel. */
export const maySetDeletionPolicy = (state: RealmState, user: UserRow): boolean =>
  isAdministrator(user) || mayInRealm(state, user, 'can_set_delete_message_policy_group')

/**
 * Throws BAD_REQUEST if some subscribers may not begin topics in the channel. This applies to a channel whose history
 * is protected: such subscribers would learn from the refusal which topics it has.
 */
export const checkTopicCreators = (
  channel: Pick<ChannelOptions, 'invite_only' | 'history_public_to_subscribers' | 'can_create_topic_group'>,
): void => {
  const isProtected = channel.invite_only && channel.history_public_to_subscribers !== true
  const creators = normalizeGroupSettingValue(channel.can_create_topic_group ?? SystemGroup.everyone)
  if (isProtected && creators !== SystemGroup.everyone) {
    throw errors.badRequest('In a private channel with protected history, everyone must be allowed to begin topics.')
  }
}

const findChannelLike = openNameIndex<ChannelRow>({
  tables: ['channels'],
  rows: (state) => state.channels.values(),
  nameOf: ({ name }) => name,
  ignoresCase: true,
})

/**
 * Throws BAD_REQUEST unless a channel may get this name. Readers must see the name, and it must look like no other
 * name.
 */
export const checkNewName = (state: RealmState, name: string, own_id?: number): void => {
  requireVisibleName(name, 'channel')
  const other = findChannelLike(state, name, own_id)
  if (other !== undefined) throw errors.badRequest('There is a channel with this name already: choose another one.')
}

/**
 * Refuses to create a channel whose name another one has. Who may not create a channel does not learn that a hidden one
 * has the name. Throws CHANNEL_ALREADY_EXISTS, and what checkCreation throws.
 */
export const checkNotTaken = (state: RealmState, user: UserRow, name: string, options: RequestedOptions): void => {
  const taken = state.channelByName(name)
  if (taken === undefined) return
  if (!hasMetadataAccess(state, user, taken)) checkCreation(state, user, parseChannelOptions(options))
  throw errors.channelExists({ channel_name: name })
}

/** Throws BAD_REQUEST unless new channels may have these names. */
export const checkNewNames = (state: RealmState, requested: readonly { name: string }[]): void => {
  const taken = new Set<string>()
  for (const { name } of requested) {
    checkNewName(state, name)
    const forms = lookForms(name, true)
    if (forms.some((form) => taken.has(form))) {
      throw errors.badRequest(
        'Two of the new channels have names that look alike: choose another name than “{name}”.',
        { name },
      )
    }
    for (const form of forms) taken.add(form)
  }
}

/** The rows of new channels, with the next ids. */
export const composeChannels = (
  state: RealmState,
  creator: UserRow | undefined,
  requested: readonly { name: string; description: string }[],
  options: ChannelOptions,
  groups: Partial<Record<ChannelGroupSetting, GroupSettingValue>> = {},
): ChannelRow[] => {
  const first = state.nextId('channels')
  const now = secondsNow()
  const author = creator ?? notificationBot(state)
  return requested.map((channel, i) => ({
    id: first + i,
    name: channel.name,
    description: channel.description,
    rendered_description: author === undefined ? '' : renderDescription(state, author, channel.description),
    date_created: now,
    creator_id: creator?.id ?? null,
    invite_only: options.invite_only,
    is_web_public: options.is_web_public,
    // Every non-guest may read a public channel, so its history is always shared.
    history_public_to_subscribers: !options.invite_only || options.history_public_to_subscribers === true,
    message_retention_days: retentionDays(options.message_retention_days),
    is_archived: false,
    is_recently_active: true,
    stream_weekly_traffic: null,
    topics_policy: options.topics_policy,
    folder_id: options.folder_id ?? null,
    ...defaultChannelGroups(creator),
    ...groups,
  }))
}

/** The days of a retention, or one of its words, plain or in quotes. Throws REQUEST_VARIABLE_INVALID. */
export const parseRetention = (input: string | number): ChannelOptions['message_retention_days'] => {
  const value = typeof input === 'string' ? input.replace(/^"(.*)"$/, '$1') : input
  if (value === 'realm_default' || value === 'unlimited') return value
  const days = /^\d+$/.test(String(value)) ? Number(value) : 0
  if (days < 1 || days > MOST_DAYS) throw errors.badValue({ var_name: 'message_retention_days', bad_value: value })
  return days
}

/** The largest value of the column. */
const MOST_DAYS = 2_147_483_647

/** The days as the row keeps them. */
export const retentionDays = (input: ChannelOptions['message_retention_days']): number | null => {
  if (input === 'realm_default') return null
  return input === 'unlimited' ? -1 : input
}

/**
 * Composes the row changes that add channels. The ids of the channels follow one another. The changes also raise the
 * counter of channel ids.
 */
export const channelRows = (
  state: RealmState,
  channels: readonly ChannelRow[],
  areDefault: boolean,
): readonly RowChange[] => {
  const last = channels.at(-1)
  if (last === undefined) return []
  const counter: CounterRow = { name: 'channels', value: last.id }
  const before = state.counters.get('channels')
  const raised =
    before === undefined
      ? composeInsert('counters', counter)
      : composeUpdate('counters', { ...counter, value: before }, counter)
  return [
    ...channels.map((channel) => composeInsert('channels', channel)),
    ...(raised === undefined ? [] : [raised]),
    ...(areDefault ? channels.map(({ id }) => composeInsert('default_channels', { channel_id: id })) : []),
  ]
}
