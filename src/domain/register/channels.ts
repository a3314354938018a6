/**
 * Fetch names `subscription`, `stream`, `default_streams`, `default_stream_groups`, `channel_folders`: the channels
 * that exist for the viewer. Source: register.md 5.3 and 5.4.
 */
import { z } from 'zod'
import { folderObject } from '../channels/channel-entries.js'
import { foldersOnWire } from '../channels/channel-folders.js'
import {
  channelGroupSettings,
  channelObject,
  channelOnWire,
  settingsOnWire,
  subscriptionObject,
} from '../channels/channels.js'
import { defaultChannelGroupObject } from '../channels/default-channel-group-entries.js'
import { groupsOnWire } from '../channels/default-channel-groups.js'
import { showsFirstMessage } from '../channels/first-messages.js'
import { type ChannelRow, Role, type UserRow } from '../log/rows.js'
import type { RealmState, SubscriptionSettings } from '../log/state.js'
import { hasMetadataAccess } from '../permissions/channel-access.js'
import { legacySubscriptionFields } from '../protocol/aliases.js'
import { type RawJson, rawArray } from '../protocol/raw-json.js'
import type { UserSettings } from '../settings/user-settings.js'
import { field, type SnapshotRequest } from './asked.js'

const more = {
  subscribers: z.array(z.int()).optional(),
  email_address: z.string().optional().describe('deprecated: for clients that have older names'),
}

export const subscriptionSection = {
  subscriptions: field(z.array(subscriptionObject.extend(more)), (request) =>
    listChannels(request, (settings) => settings?.active === true),
  ),
  unsubscribed: field(z.array(subscriptionObject.extend(more)), (request) =>
    listChannels(request, (settings) => settings?.active === false),
  ),
  never_subscribed: field(z.array(channelObject.extend(more)), (request) =>
    listChannels(request, (settings) => settings === undefined),
  ),
}

export const channelSection = {
  streams: field(z.array(channelObject).optional(), (request) =>
    request.viewer === null
      ? undefined
      : rawArray(
          findVisibleChannels(request).map((channel) => `{${channelText(request.state, request.viewer, channel)}}`),
        ),
  ),
}

export const defaultChannelSection = {
  realm_default_streams: field(z.array(z.int()), ({ state, viewer }) =>
    viewer === null || viewer.role >= Role.guest ? [] : [...state.defaultChannels].sort((a, b) => a - b),
  ),
}

export const defaultChannelGroupSection = {
  realm_default_stream_groups: field(z.array(defaultChannelGroupObject), ({ state, viewer }) =>
    viewer === null || viewer.role >= Role.guest ? [] : groupsOnWire(state),
  ),
}

export const folderSection = {
  channel_folders: field(z.array(folderObject), ({ state, viewer }) =>
    viewer === null ? [] : foldersOnWire(state, true),
  ),
}

const visibleTo = new WeakMap<SnapshotRequest, ChannelRow[]>()

/** The channels that exist for the viewer, by name: computed once for the four lists that use them. */
const findVisibleChannels = (request: SnapshotRequest): ChannelRow[] => {
  const { state, viewer, profile } = request
  const found = visibleTo.get(request)
  if (found !== undefined) return found
  const channels: ChannelRow[] = []
  for (const channel of state.channels.values()) {
    if (channel.is_archived && !profile.archived_channels) continue
    const isVisible = viewer === null ? channel.is_web_public : hasMetadataAccess(state, viewer, channel)
    if (isVisible) channels.push(channel)
  }
  channels.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  visibleTo.set(request, channels)
  return channels
}

/** One of the three lists: visible channels, filtered by the viewer's subscription. */
const listChannels = (
  request: SnapshotRequest,
  picks: (settings: SubscriptionSettings | undefined) => boolean,
): RawJson => {
  const { state, viewer, profile, client, include_subscribers } = request
  const older = JSON.stringify(legacySubscriptionFields(client)).slice(1, -1)
  const subscriptions = viewer === null ? undefined : state.userSubscriptions(viewer.id)
  const inherited = viewer === null || profile.notification_settings_null ? undefined : streamDefaults(state, viewer)
  const items: string[] = []
  for (const channel of findVisibleChannels(request)) {
    const settings = subscriptions?.get(channel.id)
    if (!picks(settings)) continue
    const personal = settings === undefined ? '' : `,${personalText(settings, inherited)}`
    const subscribers = include_subscribers ? `,"subscribers":[${subscriberList(state, channel.id)}]` : ''
    items.push(`{${channelText(state, viewer, channel)}${personal}${subscribers}${older === '' ? '' : `,${older}`}}`)
  }
  return rawArray(items)
}

interface KnownSubscribers {
  ids: Int32Array
  text: string
}

const knownSubscribers = new WeakMap<ReadonlySet<number>, KnownSubscribers>()

/**
 * Ids of the channel's subscribers, ascending, as text. Comparing them with the cached ones costs less than sorting.
 */
const subscriberList = (state: RealmState, channel_id: number): string => {
  const subscribers = state.subscribers(channel_id)
  const last = knownSubscribers.get(subscribers)
  if (last?.ids.length === subscribers.size && last.ids.every((id) => subscribers.has(id))) return last.text
  const ids = Int32Array.from(subscribers).sort()
  const text = ids.join()
  knownSubscribers.set(subscribers, { ids, text })
  return text
}

interface KnownChannel {
  subscriber_count: number
  first_message_id: number | undefined
  /** deactivated accounts that its settings name, which clients do not see there */
  absent: string
  text: string
}

/** The text with the channel's first message, and the text without it. */
const knownToReaders = new WeakMap<ChannelRow, KnownChannel>()
const knownToOthers = new WeakMap<ChannelRow, KnownChannel>()

/** The members of the channel object as text, kept as long as nothing in it changes. */
const channelText = (state: RealmState, viewer: UserRow | null, channel: ChannelRow): string => {
  const showsFirst = showsFirstMessage(state, viewer, channel)
  const known = showsFirst ? knownToReaders : knownToOthers
  const subscriber_count = state.subscribers(channel.id).size
  const first_message_id = state.firstMessage.get(channel.id)
  const absent = listAbsentUsers(state, channel)
  const last = known.get(channel)
  if (
    last !== undefined &&
    last.subscriber_count === subscriber_count &&
    last.first_message_id === first_message_id &&
    last.absent === absent
  ) {
    return last.text
  }
  const text = JSON.stringify(channelOnWire(state, channel, subscriber_count, showsFirst)).slice(1, -1)
  known.set(channel, { subscriber_count, first_message_id, absent, text })
  return text
}

const listAbsentUsers = (state: RealmState, channel: ChannelRow): string => {
  let absent = ''
  for (const name of channelGroupSettings) {
    const value = channel[name]
    if (typeof value === 'number') continue
    for (const id of value.direct_members) if (state.users.get(id)?.is_active !== true) absent += `${name}:${id},`
  }
  return absent
}

/** What null means in each setting of a subscription, for clients that do not know null there. */
type StreamDefaults = Pick<
  SubscriptionSettings,
  'desktop_notifications' | 'audible_notifications' | 'push_notifications' | 'email_notifications'
>

const streamDefaults = (state: RealmState, user: UserRow): StreamDefaults => {
  const settings: UserSettings = state.userSettings(user)
  return {
    desktop_notifications: settings.enable_stream_desktop_notifications,
    audible_notifications: settings.enable_stream_audible_notifications,
    push_notifications: settings.enable_stream_push_notifications,
    email_notifications: settings.enable_stream_email_notifications,
  }
}

/** Subscriptions of the same settings share one object (state.ts), so there are few of these texts. */
const personalTexts = new WeakMap<SubscriptionSettings, string>()

const personalText = (settings: SubscriptionSettings, inherited: StreamDefaults | undefined): string => {
  if (inherited !== undefined) {
    const filled = { ...settings }
    for (const name of Object.keys(inherited) as (keyof StreamDefaults)[]) filled[name] ??= inherited[name]
    return JSON.stringify(settingsOnWire(filled)).slice(1, -1)
  }
  let text = personalTexts.get(settings)
  if (text === undefined) {
    text = JSON.stringify(settingsOnWire(settings)).slice(1, -1)
    personalTexts.set(settings, text)
  }
  return text
}
