/**
 * The channels of a request to subscribe: which of them exist, and to which the caller may subscribe users.
 *
 * Channels that do not exist are created. When authorization errors are not fatal, the channels for which the caller
 * lacks a permission are left out, and the answer lists them.
 * Source: the API document, endpoint 1; protocol/endpoints.md 1.1; protocol/permissions.md 7.1.
 */
import { hasContentAccess, hasMetadataAccess, mayAddSubscribers } from '#rules/channel-access.js'
import { isGuest } from '#rules/roles.js'
import { limits } from '../limits/limits.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { errors } from '../protocol/errors.js'
import { joinLines } from '../rendering/names-and-descriptions.js'
import { normalizeColor } from './channels.js'
import { findMembershipChanges, findUnchangedMemberships, type MembershipChanges } from './membership.js'
import {
  type ChannelOptions,
  checkCreation,
  checkNewNames,
  composeChannels,
  mayCreateWith,
  validateChannelName,
  validateGroupSettings,
} from './new-channels.js'

/** One channel of a request to subscribe. If the request creates it, it gets the description and the color. */
export interface RequestedChannel {
  name: string
  description?: string | undefined
  color?: string | undefined
}

/** The same, with name and description as they are stored. */
export interface NormalizedChannel {
  name: string
  description: string
  color: string | undefined
}

/**
 * Normalizes the requested channels, each name once (compared without case).
 * Throws BAD_REQUEST for a name that is not valid.
 */
export const normalizeChannels = (requested: readonly RequestedChannel[]): NormalizedChannel[] => {
  const channels = new Map<string, NormalizedChannel>()
  for (const { name: givenName, description, color } of requested) {
    const name = validateChannelName(givenName)
    const key = name.toLowerCase()
    if (channels.has(key)) continue
    channels.set(key, {
      name,
      description: joinLines(description ?? ''),
      color: color === undefined ? undefined : normalizeColor(color),
    })
  }
  return [...channels.values()]
}

/** The requested channels for which the caller has every permission, and the names of the others. */
export interface Authorized {
  existing: ChannelRow[]
  missing: NormalizedChannel[]
  unauthorized: string[]
}

/** For whom a request to subscribe is, and what a missing permission means for it. */
export interface Authorization {
  /** the request subscribes only the caller */
  isForSelf: boolean
  /** a missing permission is an error */
  isFatal: boolean
}

/**
 * Divides the channels. Throws BAD_REQUEST for a channel that the caller may not use, if that is fatal, for options
 * that exclude each other, and for too many new channels.
 */
export const selectAuthorized = (
  state: RealmState,
  user: UserRow,
  requested: readonly NormalizedChannel[],
  options: ChannelOptions,
  { isForSelf, isFatal }: Authorization,
): Authorized => {
  if (isFatal) requireAuthorized(state, user, requested, options, isForSelf)
  const mayCreate = mayCreateWith(state, user, options)
  const chosen: Authorized = { existing: [], missing: [], unauthorized: [] }
  for (const channel of requested) {
    const row = state.channelByName(channel.name)
    if (isGuest(user)) chosen.unauthorized.push(channel.name)
    else if (row === undefined && mayCreate) chosen.missing.push(channel)
    else if (row !== undefined && maySubscribeUsers(state, user, row, isForSelf)) chosen.existing.push(row)
    else chosen.unauthorized.push(channel.name)
  }
  if (chosen.missing.length > 0) checkCreation(state, user, options)
  if (chosen.missing.length > limits.max_new_channels_at_once) {
    throw errors.badRequest('At most {max} channels can be created at once.', {
      max: limits.max_new_channels_at_once,
    })
  }
  return chosen
}

/** Users and channels of a request, or of a part of it. */
export interface RequestedMemberships {
  channels: readonly NormalizedChannel[]
  /** accounts that are deactivated meanwhile are left out */
  user_ids: readonly number[]
  /** ids of channels that an earlier part created: their creator chooses their first subscribers */
  begun: ReadonlySet<number>
}

/** What a request, or a part of it, does on one state. */
export interface MembershipDecision {
  /** channels that were there before the request, and those that an earlier part created */
  existing: ChannelRow[]
  begun: ChannelRow[]
  /** rows of the channels that are created, with the next ids */
  created: ChannelRow[]
  users: UserRow[]
  /** who is subscribed to which channel, and who was subscribed already */
  added: MembershipChanges
  unchanged: MembershipChanges
  /** names of channels that are left out */
  unauthorized: string[]
  /** the colors that the caller chose, by channel */
  colors: ReadonlyMap<number, string>
}

/**
 * Decides which channels a request creates, and who is subscribed to which.
 * Throws what selectAuthorized throws, and BAD_REQUEST for names that new channels may not get.
 */
export const decideMemberships = (
  state: RealmState,
  caller: UserRow,
  { channels: requested, user_ids, begun: begunIds }: RequestedMemberships,
  options: ChannelOptions,
  authorization: Authorization,
): MembershipDecision => {
  const groups = validateGroupSettings(state, options)
  const isBegun = ({ name }: NormalizedChannel) => begunIds.has(state.channelByName(name)?.id ?? 0)
  const others = requested.filter((channel) => !isBegun(channel))
  const { existing, missing, unauthorized } = selectAuthorized(state, caller, others, options, authorization)
  const begun = requested.filter(isBegun).flatMap(({ name }) => state.channelByName(name) ?? [])
  const users = user_ids.flatMap((id) => state.users.get(id) ?? []).filter(({ is_active }) => is_active)
  checkNewNames(state, missing)
  const created = composeChannels(state, caller, missing, options, groups)
  const channels = [...existing, ...begun, ...created]
  const added = findMembershipChanges(state, channels, users, false)
  const unchanged = findUnchangedMemberships(channels, users, added)
  return { existing, begun, created, users, added, unchanged, unauthorized, colors: indexColors(requested, channels) }
}

const indexColors = (requested: readonly NormalizedChannel[], channels: readonly ChannelRow[]): Map<number, string> => {
  const chosen = new Map(requested.map(({ name, color }) => [name.toLowerCase(), color]))
  return new Map(
    channels.flatMap(({ id, name }) => {
      const color = chosen.get(name.toLowerCase())
      return color === undefined ? [] : [[id, color] as const]
    }),
  )
}

const maySubscribeUsers = (state: RealmState, user: UserRow, channel: ChannelRow, isForSelf: boolean): boolean =>
  isForSelf ? hasContentAccess(state, user, channel) : mayAddSubscribers(state, user, channel)

/** Throws the first refusal of a permission. */
const requireAuthorized = (
  state: RealmState,
  user: UserRow,
  requested: readonly NormalizedChannel[],
  options: ChannelOptions,
  isForSelf: boolean,
): void => {
  if (isGuest(user)) throw errors.notForGuests()
  const rows = requested.map(({ name }) => ({ name, row: state.channelByName(name) }))
  // A channel that the caller does not see is refused as a new one is, which takes no permission to see it.
  const isUnseen = (row: ChannelRow | undefined) => row === undefined || !hasMetadataAccess(state, user, row)
  if (rows.some(({ row }) => isUnseen(row))) checkCreation(state, user, options)
  const existing = rows.flatMap(({ name, row }) => (row === undefined ? [] : [{ name, row }]))
  const unread = existing.find(({ row }) => !hasContentAccess(state, user, row))
  if (unread !== undefined) {
    throw errors.badRequest('You do not have permission to subscribe users to this channel: {name}', {
      name: unread.name,
    })
  }
  if (!existing.every(({ row }) => maySubscribeUsers(state, user, row, isForSelf))) {
    throw errors.insufficientPermission()
  }
}
