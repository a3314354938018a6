/**
 * Groups of default channels: named sets of channels that new people may choose from.
 *
 * 1. A channel in a group is public and not archived, and not a default by itself when it is put there.
 * 2. A channel that is archived or made private leaves its groups.
 *
 * Source: endpoints.md 3.5; events.md 3.2.
 */

import type { z } from 'zod'
import { limits } from '../limits/limits.js'
import type { NewEntry } from '../log/entry.js'
import { takeId } from '../log/next-id.js'
import { deleted, inserted, type RowChange, updated } from '../log/row-changes.js'
import type { ChannelRow, DefaultChannelGroupRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { visibleChannelNamed } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import { type defaultChannelGroupObject, defaultChannelGroupsChanged } from './default-channel-group-entries.js'

/** All groups, by id. */
export const groupsOnWire = (state: RealmState): z.infer<typeof defaultChannelGroupObject>[] =>
  [...state.defaultChannelGroups.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, description, channel_ids }) => ({ id, name, description, streams: channel_ids }))

/** Makes a group, with the next id. Throws BAD_REQUEST. */
export const createGroup =
  (name: string, description: string, channels: readonly ChannelRow[]): Step =>
  (state) => {
    const { id, rows } = takeId(state, 'default_channel_groups')
    const group = {
      id,
      name: checkedName(state, name),
      description: checkedDescription(description),
      channel_ids: idsOf(channels.map((channel) => addable(state, channel, name))),
    }
    return [told(state, [inserted('default_channel_groups', group), ...rows])]
  }

/** Gives a group another name or description. Throws BAD_REQUEST. */
export const renameGroup =
  (group: DefaultChannelGroupRow, name: string | undefined, description: string | undefined): Step =>
  (state) =>
    replaced(state, group, {
      ...(name === undefined ? {} : { name: checkedName(state, name, group.id) }),
      ...(description === undefined ? {} : { description: checkedDescription(description) }),
    })

/** Puts channels into a group. Throws BAD_REQUEST for one that is there. */
export const addToGroup =
  (group: DefaultChannelGroupRow, channels: readonly ChannelRow[]): Step =>
  (state) => {
    for (const channel of channels) {
      addable(state, channel, group.name)
      if (group.channel_ids.includes(channel.id)) {
        throw errors.badRequest(`The channel '${channel.name}' is in the group '${group.name}' already.`)
      }
    }
    return replaced(state, group, { channel_ids: [...group.channel_ids, ...idsOf(channels)].sort(ascending) })
  }

/** Takes channels out of a group. Throws BAD_REQUEST for one that is not there. */
export const takeFromGroup =
  (group: DefaultChannelGroupRow, channels: readonly ChannelRow[]): Step =>
  (state) => {
    const absent = channels.find(({ id }) => !group.channel_ids.includes(id))
    if (absent !== undefined) {
      throw errors.badRequest(`The channel '${absent.name}' is not in the group '${group.name}'.`)
    }
    const gone = new Set(channels.map(({ id }) => id))
    return replaced(state, group, { channel_ids: group.channel_ids.filter((id) => !gone.has(id)) })
  }

export const removeGroup =
  (group: DefaultChannelGroupRow): Step =>
  (state) => [told(state, [deleted('default_channel_groups', group)])]

/** The group of this id. Throws BAD_REQUEST. */
export const groupWithId = (state: RealmState, id: number): DefaultChannelGroupRow => {
  const group = state.defaultChannelGroups.get(id)
  if (group === undefined) throw errors.badRequest(`There is no group of default channels with id ${id}.`)
  return group
}

/** The channels of these names, as the user knows them. Throws BAD_REQUEST. */
export const channelsNamed = (state: RealmState, user: UserRow, names: readonly string[]): ChannelRow[] => {
  const channels = names.map((name) => {
    const channel = visibleChannelNamed(state, user, name.trim())
    if (channel === undefined || channel.is_archived) throw errors.invalidChannelName({ name })
    return channel
  })
  return [...new Set(channels)]
}

/** What it changes that a channel can be in no group any more (2). */
export const withoutChannel = (state: RealmState, channel_id: number): NewEntry[] => {
  const rows = [...state.defaultChannelGroups.values()].flatMap((group) => {
    const channel_ids = group.channel_ids.filter((id) => id !== channel_id)
    return updated('default_channel_groups', group, { channel_ids }) ?? []
  })
  return rows.length === 0 ? [] : [told(state, rows)]
}

const told = (state: RealmState, rows: readonly RowChange[]): NewEntry =>
  defaultChannelGroupsChanged({ default_stream_groups: groupsOnWire(state.after(rows)) }, rows)

const replaced = (state: RealmState, group: DefaultChannelGroupRow, patch: Partial<DefaultChannelGroupRow>) => {
  const row = updated('default_channel_groups', group, patch)
  return row === undefined ? [] : [told(state, [row])]
}

const ascending = (a: number, b: number): number => a - b

const idsOf = (channels: readonly ChannelRow[]): number[] => channels.map(({ id }) => id).sort(ascending)

const addable = (state: RealmState, channel: ChannelRow, group: string): ChannelRow => {
  if (channel.invite_only) throw errors.badRequest('A private channel cannot be a default channel.')
  if (state.defaultChannels.has(channel.id)) {
    throw errors.badRequest(`'${channel.name}' is a default channel, and cannot be in the group '${group}' too.`)
  }
  return channel
}

const checkedName = (state: RealmState, given: string, own_id?: number): string => {
  const name = given.trim()
  if (name === '') throw errors.badRequest('A group of default channels needs a name.')
  if ([...name].length > limits.max_stream_name_length) {
    throw errors.badRequest(`The name is too long (limit: ${limits.max_stream_name_length} characters).`)
  }
  const isTaken = [...state.defaultChannelGroups.values()].some((group) => group.name === name && group.id !== own_id)
  if (isTaken) throw errors.badRequest(`There is a group of default channels called '${name}' already.`)
  return name
}

const checkedDescription = (description: string): string => {
  const most = limits.max_stream_description_length
  if ([...description].length > most) throw errors.badRequest(`description may have at most ${most} characters.`)
  return description
}
