/**
 * Fetch names `subscription`, `stream`, `default_streams`, `default_stream_groups`, `channel_folders`: the channels
 * that exist for the viewer. Source: protocol/register.md 5.3 and 5.4.
 */
import { z } from 'zod'
import { hasMetadataAccess } from '#rules/channel-access.js'
import { isGuest } from '#rules/roles.js'
import { folderObject } from '../channels/channel-entries.js'
import { foldersOnWire } from '../channels/channel-folders.js'
import { type ChannelText, listChannelTexts } from '../channels/channel-texts.js'
import { channelObject, subscriptionObject } from '../channels/channels.js'
import { defaultChannelGroupObject } from '../channels/default-channel-group-entries.js'
import { groupsOnWire } from '../channels/default-channel-groups.js'
import { type StreamDefaults, settingsText, subscriberList } from '../channels/subscription-texts.js'
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { legacySubscriptionFields } from '../protocol/aliases.js'
import { type Fragment, RawJson } from '../protocol/raw-json.js'
import type { UserSettings } from '../settings/user-settings.js'
import { sharedSection } from './shared-sections.js'
import { field, type SnapshotRequest } from './snapshot-request.js'

const more = {
  subscribers: z.array(z.int()).optional(),
  email_address: z.string().optional().describe('deprecated: for clients that have older names'),
}

/** A subscription in the registration. */
export const listedSubscription = subscriptionObject.extend(more)

export const subscriptionSection = {
  subscriptions: field(z.array(listedSubscription), (request) => listChannels(request).subscribed),
  unsubscribed: field(z.array(listedSubscription), (request) => listChannels(request).unsubscribed),
  never_subscribed: field(z.array(channelObject.extend(more)), (request) => listChannels(request).neverSubscribed),
}

export const channelSection = {
  streams: field(z.array(channelObject).optional(), listVisibleChannels),
}

export const defaultChannelSection = sharedSection({
  realm_default_streams: field(z.array(z.int()), ({ state, viewer }) =>
    viewer === null || viewer.role >= Role.guest ? [] : [...state.defaultChannels].sort((a, b) => a - b),
  ),
})

export const defaultChannelGroupSection = sharedSection({
  realm_default_stream_groups: field(z.array(defaultChannelGroupObject), ({ state, viewer }) =>
    viewer === null || viewer.role >= Role.guest ? [] : groupsOnWire(state),
  ),
})

export const folderSection = sharedSection({
  channel_folders: field(z.array(folderObject), ({ state, viewer }) =>
    viewer === null ? [] : foldersOnWire(state, true),
  ),
})

/** The channel's text for this viewer; undefined when the channel does not exist for them. */
const findTextForViewer = (state: RealmState, viewer: UserRow | null, text: ChannelText): string | undefined => {
  const { channel, json, isPublic } = text
  const isForAll = isPublic && viewer !== null && !isGuest(viewer)
  const isVisible = viewer === null ? channel.is_web_public : isForAll || hasMetadataAccess(state, viewer, channel)
  return isVisible ? json : undefined
}

function listVisibleChannels({ state, viewer, profile }: SnapshotRequest): RawJson | undefined {
  if (viewer === null) return undefined
  const parts: Fragment[] = []
  const add = (fragment: Fragment) => parts.push(...(parts.length === 0 ? [fragment] : [',', fragment]))
  for (const { items, common } of listChannelTexts(state, profile.archived_channels)) {
    if (common !== undefined && !isGuest(viewer)) {
      add(common.text)
      continue
    }
    for (const channel of items) {
      const text = findTextForViewer(state, viewer, channel)
      if (text !== undefined) add(text)
    }
  }
  return new RawJson('[]', parts)
}

interface ChannelLists {
  subscribed: RawJson
  unsubscribed: RawJson
  neverSubscribed: RawJson
}

const composedLists = new WeakMap<SnapshotRequest, ChannelLists>()

/** The visible channels in three lists, by the viewer's subscription: composed once for the three fields. */
const listChannels = (request: SnapshotRequest): ChannelLists => {
  const composed = composedLists.get(request)
  if (composed !== undefined) return composed
  const { state, viewer, profile, client, include_subscribers } = request
  const legacyFields = JSON.stringify(legacySubscriptionFields(client)).slice(1, -1)
  const older = legacyFields === '' ? '' : `,${legacyFields}`
  const subscriptions = viewer === null ? undefined : state.userSubscriptions(viewer.id)
  const inherited = viewer === null || profile.notification_settings_null ? undefined : streamDefaults(state, viewer)
  const subscribed: Fragment[] = []
  const unsubscribed: Fragment[] = []
  const neverSubscribed: Fragment[] = []
  const add = (list: Fragment[], ...fragments: readonly Fragment[]) => {
    if (list.length > 0) list.push(',')
    list.push(...fragments)
  }
  const hasPlainItems = !include_subscribers && older === '' && viewer !== null && !isGuest(viewer)
  for (const { items, common } of listChannelTexts(state, profile.archived_channels)) {
    const shared = hasPlainItems ? common : undefined
    /** the position of the first of consecutive channels that are sent as a part of the shared text; -1: none */
    let start = -1
    const endSlice = (end: number) => {
      if (start >= 0 && shared !== undefined) add(neverSubscribed, shared.slice(start, end))
      start = -1
    }
    for (const [i, known] of items.entries()) {
      const { id } = known.channel
      const settings = subscriptions?.get(id)
      if (settings === undefined && shared !== undefined) {
        if (start < 0) start = i
        continue
      }
      endSlice(i)
      if (settings !== undefined && shared !== undefined) {
        const list = settings.active ? subscribed : unsubscribed
        add(list, shared.open(i), `,${settingsText(settings, inherited)}}`)
        continue
      }
      const text = findTextForViewer(state, viewer, known)
      if (text === undefined) continue
      const personal = settings === undefined ? '' : `,${settingsText(settings, inherited)}`
      const subscribers = include_subscribers ? `,"subscribers":[${subscriberList(state, id)}]` : ''
      const added = `${personal}${subscribers}${older}`
      const item = added === '' ? text : `${text.slice(0, -1)}${added}}`
      add(settings === undefined ? neverSubscribed : settings.active ? subscribed : unsubscribed, item)
    }
    endSlice(items.length)
  }
  const lists = {
    subscribed: new RawJson('[]', subscribed),
    unsubscribed: new RawJson('[]', unsubscribed),
    neverSubscribed: new RawJson('[]', neverSubscribed),
  }
  composedLists.set(request, lists)
  return lists
}

const streamDefaults = (state: RealmState, user: UserRow): StreamDefaults => {
  const settings: UserSettings = state.userSettings(user)
  return {
    desktop_notifications: settings.enable_stream_desktop_notifications,
    audible_notifications: settings.enable_stream_audible_notifications,
    push_notifications: settings.enable_stream_push_notifications,
    email_notifications: settings.enable_stream_email_notifications,
  }
}
