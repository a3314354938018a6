/**
 * What changing a channel writes and tells: its properties, its archiving, its being a default.
 *
 * 1. All columns change in one row change, which rides on the first entry. Then come the updates, one per property,
 *    to those who see the channel before and after; then what it means for everybody else (access-changes.ts).
 * 2. A client for which archived channels do not exist learns of an unarchived one as of a new one: the channel
 *    without subscribers, then who is in it.
 *
 * Source: events.md 3.2, 4.6 and 4.10; permissions.md 7.4, 9.1 and 9.2.
 */

import { type Audience, carrying, type NewEntry } from '../log/entry.js'
import { toRanges } from '../log/id-ranges.js'
import { deleted, inserted, type RowChange, updated } from '../log/row-changes.js'
import type { ChannelRow } from '../log/rows.js'
import type { RealmState, SubscriptionSettings } from '../log/state.js'
import { seenBy } from '../permissions/channel-access.js'
import { wireValue } from '../permissions/group-setting-rules.js'
import { realmUpdatedTogether } from '../realm/realm-entries.js'
import { channelSettings } from '../realm/realm-rules.js'
import { keptRealmSettings, type RealmSettings } from '../settings/realm-settings.js'
import { type AccessChange, accessChanges, accessEntries } from './access-changes.js'
import {
  type ChannelChange,
  channelArchived,
  channelUnarchived,
  channelUpdated,
  defaultChannelsChanged,
} from './channel-entries.js'
import { channelGroupSettings, channelOnWire, PostPolicy, postPolicyOf, settingsOnWire } from './channels.js'
import { withoutChannel } from './default-channel-groups.js'
import { firstMessageShown } from './first-messages.js'
import { peersReturned, subscriptionsReturned } from './subscription-entries.js'

/**
 * The entries that give the channel these columns, and make it a default or no default.
 * @param patch as checkedUpdate found it; columns that hold already are told to nobody
 */
export const updateChannel = (
  state: RealmState,
  was: ChannelRow,
  patch: Partial<ChannelRow>,
  isDefault = state.defaultChannels.has(was.id),
): NewEntry[] => {
  const row = updated('channels', was, patch)
  const defaultRow = defaultChange(state, was.id, isDefault)
  const rows = [row, defaultRow].filter((change) => change !== undefined)
  const after = state.after(rows)
  const channel = after.channels.get(was.id) ?? was
  const changes = accessChanges(state, after)
  const to = witnesses(state, was, after, channel, changes[0])
  const tell = (changed: Told[], now = channel): NewEntry[] =>
    changed.map((told) =>
      channelUpdated({ to, stream_id: was.id, name: was.name, is_archived: now.is_archived, ...told }),
    )
  const entries = [
    ...tell(privacyTold(was, channel), was),
    ...(defaultRow === undefined ? [] : [defaultsTold(after)]),
    ...tell(plainTold(was, channel, 'message_retention_days'), was),
    ...(was.is_archived && !channel.is_archived ? unarchived(after, channel, to) : []),
    ...tell(plainTold(was, channel, 'topics_policy')),
    ...tell(descriptionTold(was, channel)),
    ...tell(plainTold(was, channel, 'name')),
    ...tell(plainTold(was, channel, 'folder_id').map((told) => ({ ...told, name: channel.name }))),
    ...tell(groupsTold(after, was, channel).map((told) => ({ ...told, name: channel.name }))),
  ]
  const leaving = channel.invite_only && !was.invite_only ? withoutChannel(after, channel.id) : []
  const shown = firstMessageShown(state, was, after, channel)
  return [...carrying(rows, [...entries, ...shown, ...accessEntries(after, changes)]), ...leaving]
}

/** Those who see the channel before and after: who comes to see it is told of it whole. */
const witnesses = (
  before: RealmState,
  was: ChannelRow,
  after: RealmState,
  channel: ChannelRow,
  change: AccessChange | undefined,
): Audience => {
  if (change === undefined || change.gained.length === 0) return seenBy(after, channel)
  // By symbols where it can be done: whoever saw it before still does.
  if (change.lost.length === 0) return seenBy(before, was)
  return { ...seenBy(after, channel), except: change.gained.map(({ id }) => id) }
}

type Told = Omit<ChannelChange, 'to' | 'stream_id' | 'name'> & { name?: string }

const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)

/** One event for all three columns. */
const privacyTold = (was: ChannelRow, now: ChannelRow): Told[] => {
  const { invite_only, history_public_to_subscribers, is_web_public } = now
  const isSame =
    was.invite_only === invite_only &&
    was.history_public_to_subscribers === history_public_to_subscribers &&
    was.is_web_public === is_web_public
  return isSame ? [] : [{ property: 'invite_only', value: invite_only, history_public_to_subscribers, is_web_public }]
}

const plainTold = (
  was: ChannelRow,
  now: ChannelRow,
  property: 'message_retention_days' | 'topics_policy' | 'name' | 'folder_id',
): Told[] => (was[property] === now[property] ? [] : [{ property, value: now[property] }])

const descriptionTold = (was: ChannelRow, { description, rendered_description }: ChannelRow): Told[] =>
  was.description === description ? [] : [{ property: 'description', value: description, rendered_description }]

const groupsTold = (state: RealmState, was: ChannelRow, now: ChannelRow): Told[] =>
  channelGroupSettings.flatMap((property): Told[] => {
    if (!differs(was[property], now[property])) return []
    const told: Told[] = [{ property, value: wireValue(state, now[property]) }]
    if (property !== 'can_send_message_group') return told
    // Older forms of the same.
    const [former, present] = [postPolicyOf(was[property]), postPolicyOf(now[property])]
    if (former !== present) told.push({ property: 'stream_post_policy', value: present })
    const announces = present === PostPolicy.administrators
    if ((former === PostPolicy.administrators) !== announces) {
      told.push({ property: 'is_announcement_only', value: announces })
    }
    return told
  })

/** The channel is back: for some clients a property, for others a channel that appears (2). */
const unarchived = (state: RealmState, channel: ChannelRow, to: Audience): NewEntry[] => {
  const stream = channelOnWire(state, channel)
  const subscribers = toRanges(state.subscribers(channel.id))
  const bySettings = new Map<SubscriptionSettings, number[]>()
  for (const user_id of state.subscribers(channel.id)) {
    // Subscriptions of the same settings share one object (state.ts).
    const settings = state.subscriptionsOf(user_id).get(channel.id)
    if (settings === undefined) continue
    const users = bySettings.get(settings)
    if (users === undefined) bySettings.set(settings, [user_id])
    else users.push(user_id)
  }
  const streams = [{ stream_id: channel.id, is_archived: false }]
  return [
    // Some see a private channel and do not read it (first-messages.ts).
    channelUnarchived({
      to,
      stream: {
        ...stream,
        subscriber_count: 0,
        first_message_id: channel.invite_only ? null : stream.first_message_id,
      },
    }),
    ...[...bySettings].map(([settings, users]) =>
      subscriptionsReturned({ users, subscriptions: [{ ...stream, ...settingsOnWire(settings), subscribers }] }),
    ),
    ...(bySettings.size === 0 ? [] : [peersReturned({ to, streams, users: subscribers })]),
  ]
}

/** The entries that archive the channel: it is nobody's default and no place for announcements from now on. */
export const archiveChannel = (state: RealmState, channel: ChannelRow): NewEntry[] => {
  const row = updated('channels', channel, { is_archived: true })
  const { id: stream_id, name } = channel
  return [
    ...withoutRole(state, channel.id),
    ...setDefault(state, channel.id, false),
    ...withoutChannel(state, channel.id),
    channelArchived({ to: seenBy(state, channel), stream_id, name }, row === undefined ? [] : [row]),
  ]
}

/** Settings of the organization that name the channel name none. */
const withoutRole = ({ realm, settings }: RealmState, channel_id: number): NewEntry[] => {
  const names = channelSettings.filter((name) => settings[name] === channel_id)
  const data: Partial<RealmSettings> = Object.fromEntries(names.map((name) => [name, -1]))
  const row = updated('realms', realm, { settings: keptRealmSettings({ ...settings, ...data }) })
  return row === undefined || names.length === 0
    ? []
    : [realmUpdatedTogether({ data: data as Parameters<typeof realmUpdatedTogether>[0]['data'] }, [row])]
}

/** The entry that makes the channel a default or no default; none when it is so already. */
export const setDefault = (state: RealmState, channel_id: number, isDefault: boolean): NewEntry[] => {
  const row = defaultChange(state, channel_id, isDefault)
  return row === undefined ? [] : carrying([row], [defaultsTold(state.after([row]))])
}

const defaultChange = (state: RealmState, channel_id: number, isDefault: boolean): RowChange | undefined => {
  if (state.defaultChannels.has(channel_id) === isDefault) return undefined
  return isDefault ? inserted('default_channels', { channel_id }) : deleted('default_channels', { channel_id })
}

const defaultsTold = ({ defaultChannels }: RealmState): NewEntry =>
  defaultChannelsChanged({ default_streams: [...defaultChannels].sort((a, b) => a - b) })
