/**
 * Checks of a request that changes a channel, and the columns that it sets.
 *
 * The checks have the order of the protocol. All of them run before anything changes, so a request succeeds or fails
 * as a whole. Source: protocol/endpoints.md 1.5, protocol/permissions.md 5.1, 6.4 and 7.3.
 */

import { hasContentAccess, isChannelAdministrator, mayCreateChannel } from '#rules/channel-access.js'
import { channelGroupRules } from '#rules/group-settings.js'
import { mayInRealm } from '#rules/permissions.js'
import { isAdministrator } from '#rules/roles.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { findVisibleChannel } from '../permissions/channel-access.js'
import { type ChannelGroupSetting, type GroupSettingUpdate, updatedValue } from '../permissions/group-setting-rules.js'
import { errors } from '../protocol/errors.js'
import { requireWebAccess } from '../realm/web-access.js'
import { joinLines, renderDescription } from '../rendering/names-and-descriptions.js'
import { checkFolder } from './channel-folders.js'
import { channelGroupSettings, type topicsPolicies } from './channels.js'
import {
  checkNewName,
  checkTopicCreators,
  deletionSettings,
  maySetDeletionPolicy,
  parseRetention,
  retentionDays,
  validateChannelName,
} from './new-channels.js'

/** The parameters of a request; a column without a parameter keeps its value. */
export interface ChannelUpdate extends Partial<Record<ChannelGroupSetting, GroupSettingUpdate | undefined>> {
  is_private?: boolean | undefined
  is_web_public?: boolean | undefined
  history_public_to_subscribers?: boolean | undefined
  is_default_stream?: boolean | undefined
  /** days or a word, unparsed */
  message_retention_days?: string | number | undefined
  /** either value takes an archived channel out of the archive: the document sends true, existing clients send false */
  is_archived?: boolean | undefined
  topics_policy?: (typeof topicsPolicies)[number] | undefined
  description?: string | undefined
  new_name?: string | undefined
  /** null takes the channel out of its folder */
  folder_id?: number | null | undefined
}

/** The channel, if the user may administer it. Throws BAD_REQUEST. */
export const requireAdministeredChannel = (state: RealmState, user: UserRow, channel_id: number): ChannelRow => {
  const channel = state.channels.get(channel_id)
  if (channel !== undefined && isChannelAdministrator(state, user, channel)) return channel
  if (channel !== undefined && hasContentAccess(state, user, channel)) throw errors.cannotAdministerChannel()
  throw errors.invalidChannelId()
}

/** The channel with this id, if it can be made a default channel, or none any more. Throws BAD_REQUEST. */
export const requireDefaultable = (
  state: RealmState,
  user: UserRow,
  channel_id: number,
  isDefault: boolean,
): ChannelRow => {
  const channel = findVisibleChannel(state, user, channel_id)
  if (channel === undefined || channel.is_archived) throw errors.invalidChannelId()
  if (isDefault && channel.invite_only) throw errors.badRequest('A private channel cannot be a default channel.')
  return channel
}

/** The columns that the request sets. Throws the refusals 2 to 15 of protocol/endpoints.md 1.5, in that order. */
export const checkChannelUpdate = (
  state: RealmState,
  user: UserRow,
  channel: ChannelRow,
  input: ChannelUpdate,
): Partial<ChannelRow> => {
  const patch: Partial<ChannelRow> = checkPrivacy(state, user, channel, input)
  if (input.is_default_stream !== undefined && !isAdministrator(user)) throw errors.cannotChangeDefaultChannels()
  // As POST /default_streams.
  if (input.is_default_stream === true && channel.is_archived && input.is_archived === undefined) {
    throw errors.badRequest('New users cannot be subscribed to an archived channel: unarchive it first.')
  }
  if (input.message_retention_days !== undefined) {
    if (!isAdministrator(user)) throw errors.notAdministrator()
    patch.message_retention_days = retentionDays(parseRetention(input.message_retention_days))
  }
  if (input.is_archived === false || (input.is_archived === true && channel.is_archived)) {
    checkUnarchiving(state, { ...channel, ...patch })
    patch.is_archived = false
  }
  const { topics_policy } = input
  if (topics_policy !== undefined && topics_policy !== channel.topics_policy) {
    if (topics_policy !== 'inherit' && !mayInRealm(state, user, 'can_set_topics_policy_group')) {
      throw errors.insufficientPermission()
    }
    patch.topics_policy = topics_policy
  }
  if (input.description !== undefined) {
    const description = joinLines(input.description)
    // The same text is not rendered again: a mentioned user may have another name by now, and no event would say so.
    if (description !== channel.description) {
      patch.description = description
      patch.rendered_description = renderDescription(state, user, description)
    }
  }
  if (input.new_name !== undefined) patch.name = validateNewName(state, channel, input.new_name)
  if (input.folder_id !== undefined) {
    if (input.folder_id !== null && input.folder_id !== channel.folder_id) checkFolder(state, input.folder_id)
    patch.folder_id = input.folder_id
  }
  const result = { ...patch, ...validateGroupUpdates(state, user, channel, input) }
  checkTopicCreators({ ...channel, ...result })
  return result
}

const checkPrivacy = (
  state: RealmState,
  user: UserRow,
  channel: ChannelRow,
  input: ChannelUpdate,
): Pick<ChannelRow, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'> => {
  const { is_private } = input
  const invite_only = is_private ?? channel.invite_only
  const is_web_public = input.is_web_public ?? channel.is_web_public
  const implied = is_private === undefined ? channel.history_public_to_subscribers : !is_private
  const history_public_to_subscribers = input.history_public_to_subscribers ?? implied
  if ((is_web_public && invite_only) || (!invite_only && !history_public_to_subscribers)) {
    throw errors.badRequest('Only private channels can keep their history from new subscribers.')
  }
  if (invite_only && (input.is_default_stream ?? state.defaultChannels.has(channel.id))) {
    throw errors.badRequest('Remove the channel from the default channels before you make it private.')
  }
  if (!invite_only && state.settings.moderation_request_channel_id === channel.id) {
    throw errors.badRequest('The channel for reports to moderators must be private.')
  }
  const touches = [is_private, input.is_web_public, input.history_public_to_subscribers].some((v) => v !== undefined)
  if (touches && !hasContentAccess(state, user, channel)) throw errors.contentAccessRequired()
  if (is_private !== undefined && !mayCreateChannel(state, user, is_private ? 'private' : 'public')) {
    throw errors.insufficientPermission()
  }
  if (input.is_web_public === true) {
    requireWebAccess(state)
    if (!mayInRealm(state, user, 'can_create_web_public_channel_group')) throw errors.insufficientPermission()
  }
  return { invite_only, is_web_public, history_public_to_subscribers }
}

/** An archived channel keeps its name, so unarchiving never meets a taken name. */
const checkUnarchiving = (state: RealmState, channel: ChannelRow): void => {
  if (!channel.is_archived) throw errors.badRequest('This channel is not archived.')
  if (channel.invite_only && state.subscribers(channel.id).size === 0) {
    throw errors.badRequest('This private channel has no subscribers: it cannot be unarchived.')
  }
}

const validateNewName = (state: RealmState, channel: ChannelRow, input: string): string => {
  const name = validateChannelName(input)
  if (name === channel.name) throw errors.badRequest('The channel has this name already.')
  const other = state.channelByName(name)
  if (other !== undefined && other.id !== channel.id)
    throw errors.badRequest('There is a channel with this name already: choose another one.')
  checkNewName(state, name, channel.id)
  return name
}

/** These settings give access to the content, so a user who sets them must have that access. */
const grantsContent: readonly ChannelGroupSetting[] = ['can_add_subscribers_group', 'can_subscribe_group']

const validateGroupUpdates = (state: RealmState, user: UserRow, channel: ChannelRow, input: ChannelUpdate) => {
  const patch: Partial<Pick<ChannelRow, ChannelGroupSetting>> = {}
  for (const name of channelGroupSettings) {
    const update = input[name]
    if (update === undefined) continue
    if (grantsContent.includes(name) && !hasContentAccess(state, user, channel)) throw errors.contentAccessRequired()
    const value = updatedValue(state, name, channelGroupRules[name], channel[name], update)
    if (value === undefined) continue
    if (deletionSettings.some((one) => one === name) && !maySetDeletionPolicy(state, user)) {
      throw errors.insufficientPermission()
    }
    patch[name] = value
  }
  return patch
}
