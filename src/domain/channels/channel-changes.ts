/**
 * The entries of a changed channel: its properties, its archiving, whether it is a default channel.
 *
 * 1. All columns change in one row change, which is attached to the first entry. Then follow the updates, one per
 *    property, for the users who see the channel before and after; then the entries for users who gain or lose access
 *    (access-changes.ts).
 * 2. For a client without the `archived_channels` capability an unarchived channel is a new channel: the entries send
 *    the channel without subscribers first, then its subscriptions and subscribers.
 *
 * Source: protocol/events.md 3.2, 4.6 and 4.10; protocol/permissions.md 7.4, 9.1 and 9.2.
 */

import { type Audience, attachRowChanges, type NewEntry } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { ChannelRow } from '../log/rows.js'
import type { RealmState, SubscriptionSettings } from '../log/state.js'
import { metadataAudience } from '../permissions/channel-access.js'
import { wireValue } from '../permissions/group-setting-rules.js'
import { realmUpdatedTogether } from '../realm/realm-entries.js'
import { channelSettings, omitDefaultRealmSettings, type RealmSettings } from '../settings/realm-settings.js'
import { type AccessChange, announceAccessChanges, compareAccess } from './access-changes.js'
import {
  type ChannelChange,
  channelArchived,
  channelUnarchived,
  channelUpdated,
  defaultChannelsChanged,
} from './channel-entries.js'
import { channelGroupSettings, channelOnWire, PostPolicy, settingsOnWire, toPostPolicy } from './channels.js'
import { removeFromAllGroups } from './default-channel-groups.js'
import { peersReturned, subscriptionsReturned } from './subscription-entries.js'

/**
 * Composes the entries that set these columns of a channel. They also make the channel a default channel or not.
 * @param patch the result of checkChannelUpdate; a column that has its value already makes no entry
 */
export const updateChannel = (
  state: RealmState,
  was: ChannelRow,
  patch: Partial<ChannelRow>,
  isDefault = state.defaultChannels.has(was.id),
): NewEntry[] => {
  const row = composeUpdate('channels', was, patch)
  const defaultRow = defaultChannelChange(state, was.id, isDefault)
  const rows = [row, defaultRow].filter((change) => change !== undefined)
  const after = state.withChanges(rows)
  const channel = after.channels.get(was.id) ?? was
  const changes = compareAccess(state, after)
  const to = unaffectedViewers(state, was, after, channel, changes[0])
  const composeUpdates = (changed: PropertyUpdate[], now = channel): NewEntry[] =>
    changed.map((update) =>
      channelUpdated({ to, stream_id: was.id, name: was.name, is_archived: now.is_archived, ...update }),
    )
  const entries = [
    ...composeUpdates(privacyUpdates(was, channel), was),
    ...(defaultRow === undefined ? [] : [defaultChannelsEntry(after)]),
    ...composeUpdates(plainUpdates(was, channel, 'message_retention_days'), was),
    ...(was.is_archived && !channel.is_archived ? unarchiveEntries(after, channel, to) : []),
    ...composeUpdates(plainUpdates(was, channel, 'topics_policy')),
    ...composeUpdates(descriptionUpdates(was, channel)),
    ...composeUpdates(plainUpdates(was, channel, 'name')),
    ...composeUpdates(plainUpdates(was, channel, 'folder_id').map((update) => ({ ...update, name: channel.name }))),
    ...composeUpdates(groupSettingUpdates(after, was, channel).map((update) => ({ ...update, name: channel.name }))),
  ]
  const leaving = channel.invite_only && !was.invite_only ? removeFromAllGroups(after, channel.id) : []
  return [...attachRowChanges(rows, [...entries, ...announceAccessChanges(after, changes)]), ...leaving]
}

/** The users who see the channel before and after. A user who gains access gets the whole channel object instead. */
const unaffectedViewers = (
  before: RealmState,
  was: ChannelRow,
  after: RealmState,
  channel: ChannelRow,
  change: AccessChange | undefined,
): Audience => {
  if (change === undefined || change.gained.length === 0) return metadataAudience(after, channel)
  // Symbolic where possible: without losses, every user who saw the channel before still sees it.
  if (change.lost.length === 0) return metadataAudience(before, was)
  return { ...metadataAudience(after, channel), except: change.gained.map(({ id }) => id) }
}

type PropertyUpdate = Omit<ChannelChange, 'to' | 'stream_id' | 'name'> & { name?: string }

const isDifferent = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)

/** One event for all three columns. */
const privacyUpdates = (was: ChannelRow, now: ChannelRow): PropertyUpdate[] => {
  const { invite_only, history_public_to_subscribers, is_web_public } = now
  const isSame =
    was.invite_only === invite_only &&
    was.history_public_to_subscribers === history_public_to_subscribers &&
    was.is_web_public === is_web_public
  return isSame ? [] : [{ property: 'invite_only', value: invite_only, history_public_to_subscribers, is_web_public }]
}

const plainUpdates = (
  was: ChannelRow,
  now: ChannelRow,
  property: 'message_retention_days' | 'topics_policy' | 'name' | 'folder_id',
): PropertyUpdate[] => (was[property] === now[property] ? [] : [{ property, value: now[property] }])

const descriptionUpdates = (was: ChannelRow, { description, rendered_description }: ChannelRow): PropertyUpdate[] =>
  was.description === description ? [] : [{ property: 'description', value: description, rendered_description }]

const groupSettingUpdates = (state: RealmState, was: ChannelRow, now: ChannelRow): PropertyUpdate[] =>
  channelGroupSettings.flatMap((property): PropertyUpdate[] => {
    if (!isDifferent(was[property], now[property])) return []
    const updates: PropertyUpdate[] = [{ property, value: wireValue(state, now[property]) }]
    if (property !== 'can_send_message_group') return updates
    // Older forms of the same.
    const [previous, present] = [toPostPolicy(was[property]), toPostPolicy(now[property])]
    if (previous !== present) updates.push({ property: 'stream_post_policy', value: present })
    const announces = present === PostPolicy.administrators
    if ((previous === PostPolicy.administrators) !== announces) {
      updates.push({ property: 'is_announcement_only', value: announces })
    }
    return updates
  })

/** The channel is unarchived: a changed property for some clients, a new channel for the others (2). */
const unarchiveEntries = (state: RealmState, channel: ChannelRow, to: Audience): NewEntry[] => {
  const stream = channelOnWire(state, channel)
  const subscribers = toRanges(state.subscribers(channel.id))
  const bySettings = new Map<SubscriptionSettings, number[]>()
  for (const user_id of state.subscribers(channel.id)) {
    // Subscriptions with the same settings share one object (log/state.ts).
    const settings = state.userSubscriptions(user_id).get(channel.id)
    if (settings === undefined) continue
    const users = bySettings.get(settings)
    if (users === undefined) bySettings.set(settings, [user_id])
    else users.push(user_id)
  }
  const streams = [{ stream_id: channel.id, is_archived: false }]
  return [
    channelUnarchived({ to, stream: { ...stream, subscriber_count: 0 } }),
    ...[...bySettings].map(([settings, users]) =>
      subscriptionsReturned({ users, subscriptions: [{ ...stream, ...settingsOnWire(settings), subscribers }] }),
    ),
    ...(bySettings.size === 0 ? [] : [peersReturned({ to, streams, users: subscribers })]),
  ]
}

/**
 * Composes the entries that archive the channel. They also remove it from the default channels and the realm's
 * settings.
 */
export const archiveChannel = (state: RealmState, channel: ChannelRow): NewEntry[] => {
  const row = composeUpdate('channels', channel, { is_archived: true })
  const { id: stream_id, name } = channel
  return [
    ...clearChannelSettings(state, channel.id),
    ...setDefaultChannel(state, channel.id, false),
    ...removeFromAllGroups(state, channel.id),
    channelArchived({ to: metadataAudience(state, channel), stream_id, name }, row === undefined ? [] : [row]),
  ]
}

/** Realm settings that name the channel get -1, which means none. */
const clearChannelSettings = ({ realm, settings }: RealmState, channel_id: number): NewEntry[] => {
  const names = channelSettings.filter((name) => settings[name] === channel_id)
  const data: Partial<RealmSettings> = Object.fromEntries(names.map((name) => [name, -1]))
  const row = composeUpdate('realms', realm, { settings: omitDefaultRealmSettings({ ...settings, ...data }) })
  return row === undefined || names.length === 0
    ? []
    : [realmUpdatedTogether({ data: data as Parameters<typeof realmUpdatedTogether>[0]['data'] }, [row])]
}

/** Composes the entry that makes the channel a default channel or not. Composes none when nothing changes. */
export const setDefaultChannel = (state: RealmState, channel_id: number, isDefault: boolean): NewEntry[] => {
  const row = defaultChannelChange(state, channel_id, isDefault)
  return row === undefined ? [] : attachRowChanges([row], [defaultChannelsEntry(state.withChanges([row]))])
}

const defaultChannelChange = (state: RealmState, channel_id: number, isDefault: boolean): RowChange | undefined => {
  if (state.defaultChannels.has(channel_id) === isDefault) return undefined
  return isDefault
    ? composeInsert('default_channels', { channel_id })
    : composeDelete('default_channels', { channel_id })
}

const defaultChannelsEntry = ({ defaultChannels }: RealmState): NewEntry =>
  defaultChannelsChanged({ default_streams: [...defaultChannels].sort((a, b) => a - b) })
