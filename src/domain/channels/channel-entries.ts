/**
 * Entries about channels: created, changed, archived, no longer visible, made default, put into folders.
 *
 * 1. The caller computes the audience (`to`), because it depends on the change: the users who saw the channel before
 *    it, the users who see it after, or both.
 * 2. For a queue without the `archived_channels` capability an archived channel does not exist: archiving is a
 *    deletion, unarchiving is a creation, and the queue gets no event about the channel in between.
 *
 * Source: protocol/events.md 3.2, 4.6; protocol/permissions.md 9.1.
 */
import { z } from 'zod'
import { AllUsers, type Audience, NonGuests } from '../log/entry.js'
import { entry, type FirstMessages } from '../log/entry-kind.js'
import type { EventForm } from '../log/profile.js'
import type { RealmState } from '../log/state.js'
import { since } from '../protocol/later-levels.js'
import { groupSettingValue } from '../settings/group-setting-values.js'
import { type ChannelObject, channelObject } from './channels.js'

interface WithAudience {
  to: Audience
}

const to = ({ to }: WithAudience): Audience => to

/** The channels of a list that exist for queues of this form (2). */
export const channelsForForm = <C extends { is_archived: boolean }>(
  channels: readonly C[],
  form: EventForm,
): readonly C[] => (form.archived_channels ? channels : channels.filter((channel) => !channel.is_archived))

/** The event that channels exist for the user from now on. */
export const createdChannels = z.object({
  type: z.literal('stream'),
  op: z.literal('create'),
  streams: z.array(channelObject),
})

/** The event that channels do not exist for the user any more. */
export const deletedChannels = z.object({
  type: z.literal('stream'),
  op: z.literal('delete'),
  streams: z.array(z.object({ stream_id: z.int() })),
  stream_ids: z.array(z.int()),
})

/** The event that one property of a channel changed. */
export const updatedChannel = z.object({
  type: z.literal('stream'),
  op: z.literal('update'),
  stream_id: z.int(),
  name: z.string(),
  property: z.string(),
  value: z.union([z.string(), z.boolean(), z.int(), groupSettingValue, z.null()]),
  rendered_description: z.string().optional(),
  history_public_to_subscribers: z.boolean().optional(),
  is_web_public: z.boolean().optional(),
})

const createEvent = (streams: readonly ChannelObject[]) => ({ type: 'stream', op: 'create', streams })

const deleteEvent = (stream_ids: readonly number[]) => ({
  type: 'stream',
  op: 'delete',
  // An older form of the same list.
  streams: stream_ids.map((stream_id) => ({ stream_id })),
  stream_ids,
})

const updateEvent = (change: Omit<ChannelChange, 'to'>) => ({ type: 'stream', op: 'update', ...change })

/**
 * Fills in the first messages of the channels. These are messages that the state knows, or that the same change stores.
 */
export const fillFirstMessages = <C extends { stream_id: number; first_message_id: number | null }>(
  channels: readonly C[],
  state: RealmState,
  begun: FirstMessages,
): readonly C[] =>
  channels.map((channel) => {
    const { stream_id } = channel
    const first_message_id = state.firstMessage.get(stream_id) ?? begun.get(stream_id) ?? null
    return first_message_id === channel.first_message_id ? channel : { ...channel, first_message_id }
  })

/** Channels became visible. They were created, or the recipient gained access to their metadata. */
export const channelsCreated = entry<WithAudience & { streams: readonly ChannelObject[] }>({
  kind: 'stream/create',
  type: 'stream',
  description: 'Channels became visible to the user: new ones, or ones that the user may see from now on.',
  event: createdChannels,
  audience: to,
  complete: (data, state, begun) => ({ ...data, streams: fillFirstMessages(data.streams, state, begun) }),
  project({ streams }, form) {
    const seen = channelsForForm(streams, form)
    return seen.length === 0 ? null : createEvent(seen)
  },
})

/** Channels stopped being visible: the recipient lost access to their metadata. */
export const channelsDeleted = entry<
  WithAudience & { streams: readonly { stream_id: number; is_archived: boolean }[] }
>({
  kind: 'stream/delete',
  type: 'stream',
  description: 'Channels are gone for the user: they may not see them any more.',
  event: deletedChannels,
  audience: to,
  project({ streams }, form) {
    const seen = channelsForForm(streams, form)
    return seen.length === 0 ? null : deleteEvent(seen.map(({ stream_id }) => stream_id))
  },
})

/** The new value of one property of a channel, and the fields that the event has beside it. */
export interface ChannelChange extends WithAudience {
  stream_id: number
  /** the name before the change */
  name: string
  property: string
  value: z.infer<typeof updatedChannel>['value']
  rendered_description?: string
  history_public_to_subscribers?: boolean
  is_web_public?: boolean
}

/** A channel has a new value in one property. */
export const channelUpdated = entry<ChannelChange & { is_archived: boolean; only_shown?: boolean }>({
  kind: 'stream/update',
  type: 'stream',
  description: 'One property of a channel changed. `property` names it and `value` is the new value.',
  event: updatedChannel,
  audience: to,
  // Releases before first messages were shown to all viewers wrote `only_shown`: a value that changed for some viewers.
  project({ to: _, is_archived, only_shown: __, ...change }, form) {
    return is_archived && !form.archived_channels ? null : updateEvent(change)
  },
  updateState({ stream_id, property, value, only_shown }, state, seq) {
    if (property !== 'first_message_id' || only_shown === true) return
    state.setFirstMessage(stream_id, typeof value === 'number' ? value : undefined, seq)
  },
})

/** A channel was archived; `to` are the users who saw it before. */
export const channelArchived = entry<WithAudience & { stream_id: number; name: string }>({
  kind: 'stream/archive',
  type: 'stream',
  description: 'A channel was archived: nobody can post in it. Clients move it out of the list of channels.',
  noExample: 'Clients receive it as `stream/update` or `stream/delete`.',
  event: z.union([updatedChannel, deletedChannels]),
  audience: to,
  project: ({ stream_id, name }, { archived_channels }) =>
    archived_channels
      ? updateEvent({ stream_id, name, property: 'is_archived', value: true })
      : deleteEvent([stream_id]),
})

/** A channel was taken out of the archive. */
export const channelUnarchived = entry<WithAudience & { stream: ChannelObject }>({
  kind: 'stream/unarchive',
  type: 'stream',
  description: 'An archived channel is in use again.',
  noExample: 'Clients receive it as `stream/create` or `stream/update`.',
  event: z.union([updatedChannel, createdChannels]),
  audience: to,
  project: ({ stream }, { archived_channels }) =>
    archived_channels
      ? updateEvent({ stream_id: stream.stream_id, name: stream.name, property: 'is_archived', value: false })
      : createEvent([stream]),
})

/** The list of channels that new accounts are subscribed to. */
export const defaultChannelsChanged = entry<{ default_streams: readonly number[] }>({
  kind: 'default_streams',
  type: 'default_streams',
  description: 'The list of channels to which new users are subscribed changed. It replaces the former list.',
  event: z.object({ type: z.literal('default_streams'), default_streams: z.array(z.int()) }),
  audience: () => NonGuests,
  project: ({ default_streams }) => ({ type: 'default_streams', default_streams }),
})

/** A folder of channels. Its `order` is a field of later levels. */
export const folderObject = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
  order: since(414, z.int()),
})

export type FolderObject = z.infer<typeof folderObject>

const folderData = folderObject
  .pick({ name: true, description: true, rendered_description: true, is_archived: true })
  .partial()

export type FolderData = z.infer<typeof folderData>

/** A channel folder was created. */
export const folderAdded = entry<{ folder: z.infer<typeof folderObject> }>({
  kind: 'channel_folder/add',
  type: 'channel_folder',
  description: 'A folder of channels was created.',
  event: z.object({ type: z.literal('channel_folder'), op: z.literal('add'), channel_folder: folderObject }),
  audience: () => AllUsers,
  project: ({ folder }) => ({ type: 'channel_folder', op: 'add', channel_folder: folder }),
})

/** The order of the folders changed. Existing servers have this event since level 414. */
export const foldersReordered = entry<{ order: readonly number[] }>({
  kind: 'channel_folder/reorder',
  type: 'channel_folder',
  description: 'The order of the folders changed. It replaces the former order.',
  event: z.object({ type: z.literal('channel_folder'), op: z.literal('reorder'), order: z.array(z.int()) }),
  audience: () => AllUsers,
  project: ({ order }) => ({ type: 'channel_folder', op: 'reorder', order }),
})

/** A channel folder was renamed, described, archived or unarchived. */
export const folderUpdated = entry<{ channel_folder_id: number; data: FolderData }>({
  kind: 'channel_folder/update',
  type: 'channel_folder',
  description: 'Some properties of a folder changed; `data` has those.',
  event: z.object({
    type: z.literal('channel_folder'),
    op: z.literal('update'),
    channel_folder_id: z.int(),
    data: folderData,
  }),
  audience: () => AllUsers,
  project: ({ channel_folder_id, data }) => ({ type: 'channel_folder', op: 'update', channel_folder_id, data }),
})
