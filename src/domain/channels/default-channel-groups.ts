/**
 * Groups of default channels: named sets of channels that new users may choose from.
 *
 * 1. A channel in a group is public and not archived. When it is added, it is not a default channel by itself.
 * 2. Archiving a channel, or making it private, removes it from its groups.
 *
 * Source: protocol/endpoints.md 3.5; protocol/events.md 3.2.
 */

import type { z } from 'zod'
import { isGuest } from '#rules/roles.js'
import { limits } from '../limits/limits.js'
import type { NewEntry } from '../log/entry.js'
import { allocateId } from '../log/next-id.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { ChannelRow, DefaultChannelGroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { findVisibleChannelByName } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import { openNameIndex } from '../text/name-index.js'
import { requireVisibleName } from '../text/names.js'
import { type defaultChannelGroupObject, defaultChannelGroupsChanged } from './default-channel-group-entries.js'

/** All groups, by id. */
export const groupsOnWire = (state: RealmState): z.infer<typeof defaultChannelGroupObject>[] =>
  [...state.defaultChannelGroups.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, description, channel_ids }) => ({ id, name, description, streams: channel_ids }))

/** Creates a group with the next id. Throws BAD_REQUEST. */
export const createGroup =
  (name: string, description: string, channels: readonly ChannelRow[]): Step =>
  (state) => {
    const { id, rows } = allocateId(state, 'default_channel_groups')
    const group = {
      id,
      name: checkGroupName(state, name),
      description: checkGroupDescription(description),
      channel_ids: sortedIds(channels.map((channel) => requireAddable(state, channel, name))),
    }
    return [groupsEntry(state, [composeInsert('default_channel_groups', group), ...rows])]
  }

/** Changes a group's name or description. Throws BAD_REQUEST. */
export const renameGroup =
  (group: DefaultChannelGroupRow, name: string | undefined, description: string | undefined): Step =>
  (state) =>
    updateGroup(state, group, {
      ...(name === undefined ? {} : { name: checkGroupName(state, name, group.id) }),
      ...(description === undefined ? {} : { description: checkGroupDescription(description) }),
    })

/** Adds channels to a group. Throws BAD_REQUEST for one that is in it. */
export const addToGroup =
  (group: DefaultChannelGroupRow, channels: readonly ChannelRow[]): Step =>
  (state) => {
    for (const channel of channels) {
      requireAddable(state, channel, group.name)
      if (group.channel_ids.includes(channel.id)) {
        throw errors.badRequest('The channel “{name}” is in the group “{group}” already.', {
          name: channel.name,
          group: group.name,
        })
      }
    }
    return updateGroup(state, group, { channel_ids: [...group.channel_ids, ...sortedIds(channels)].sort(ascending) })
  }

/** Removes channels from a group. Throws BAD_REQUEST for one that is not in it. */
export const removeFromGroup =
  (group: DefaultChannelGroupRow, channels: readonly ChannelRow[]): Step =>
  (state) => {
    const absent = channels.find(({ id }) => !group.channel_ids.includes(id))
    if (absent !== undefined) {
      throw errors.badRequest('The channel “{name}” is not in the group “{group}”.', {
        name: absent.name,
        group: group.name,
      })
    }
    const removed = new Set(channels.map(({ id }) => id))
    return updateGroup(state, group, { channel_ids: group.channel_ids.filter((id) => !removed.has(id)) })
  }

/** Deletes the group. Its channels remain. */
export const removeGroup =
  (group: DefaultChannelGroupRow): Step =>
  (state) => [groupsEntry(state, [composeDelete('default_channel_groups', group)])]

/**
 * The groups that a new user may choose from, by id. Guests choose none: they see only channels to which others add
 * them.
 */
export const groupsForNewUser = (state: RealmState, role: number): DefaultChannelGroupRow[] =>
  isGuest({ role }) ? [] : [...state.defaultChannelGroups.values()].sort((a, b) => a.id - b.id)

/** The channels of the groups with these names, which a new user chose. Throws BAD_REQUEST. */
export const requireGroupChannels = (state: RealmState, role: number, names: readonly string[]): number[] => {
  const groups = groupsForNewUser(state, role)
  return names.flatMap((name) => {
    const group = groups.find((each) => each.name === name)
    if (group === undefined) throw errors.badRequest('There is no group of default channels called “{name}”.', { name })
    return group.channel_ids
  })
}

/** The group of this id. Throws BAD_REQUEST. */
export const requireDefaultChannelGroup = (state: RealmState, id: number): DefaultChannelGroupRow => {
  const group = state.defaultChannelGroups.get(id)
  if (group === undefined) throw errors.badRequest('There is no group of default channels with id {id}.', { id })
  return group
}

/** The channels with these names among those that the user sees. Throws BAD_REQUEST. */
export const requireChannelsByName = (state: RealmState, user: UserRow, names: readonly string[]): ChannelRow[] => {
  const channels = names.map((name) => {
    const channel = findVisibleChannelByName(state, user, name.trim())
    if (channel === undefined || channel.is_archived) throw errors.invalidChannelName({ name })
    return channel
  })
  return [...new Set(channels)]
}

/** Composes the entry that removes a channel from every group (2). Composes none when it is in no group. */
export const removeFromAllGroups = (state: RealmState, channel_id: number): NewEntry[] => {
  const rows = [...state.defaultChannelGroups.values()].flatMap((group) => {
    const channel_ids = group.channel_ids.filter((id) => id !== channel_id)
    return composeUpdate('default_channel_groups', group, { channel_ids }) ?? []
  })
  return rows.length === 0 ? [] : [groupsEntry(state, rows)]
}

const groupsEntry = (state: RealmState, rows: readonly RowChange[]): NewEntry =>
  defaultChannelGroupsChanged({ default_stream_groups: groupsOnWire(state.withChanges(rows)) }, rows)

const updateGroup = (state: RealmState, group: DefaultChannelGroupRow, patch: Partial<DefaultChannelGroupRow>) => {
  const row = composeUpdate('default_channel_groups', group, patch)
  return row === undefined ? [] : [groupsEntry(state, [row])]
}

const ascending = (a: number, b: number): number => a - b

const sortedIds = (channels: readonly ChannelRow[]): number[] => channels.map(({ id }) => id).sort(ascending)

const requireAddable = (state: RealmState, channel: ChannelRow, group: string): ChannelRow => {
  if (channel.invite_only) throw errors.badRequest('A private channel cannot be a default channel.')
  if (state.defaultChannels.has(channel.id)) {
    throw errors.badRequest('“{name}” is a default channel, and cannot be in the group “{group}” too.', {
      name: channel.name,
      group,
    })
  }
  return channel
}

const findGroupLike = openNameIndex<DefaultChannelGroupRow>({
  tables: ['default_channel_groups'],
  rows: (state) => state.defaultChannelGroups.values(),
  nameOf: ({ name }) => name,
  ignoresCase: false,
})

const checkGroupName = (state: RealmState, input: string, own_id?: number): string => {
  const name = input.trim()
  if (name === '') throw errors.badRequest('A group of default channels needs a name.')
  if ([...name].length > limits.max_stream_name_length) {
    throw errors.badRequest('The name is too long (limit: {max} characters).', {
      max: limits.max_stream_name_length,
    })
  }
  if (state.defaultChannelGroups.get(own_id ?? 0)?.name !== name) requireVisibleName(name, 'user')
  if (findGroupLike(state, name, own_id) !== undefined)
    throw errors.badRequest('There is a group of default channels called “{name}” already.', { name })
  return name
}

const checkGroupDescription = (description: string): string => {
  const max = limits.max_stream_description_length
  if ([...description].length > max) {
    throw errors.badRequest('{name} may have at most {max} characters.', { name: 'description', max })
  }
  return description
}
