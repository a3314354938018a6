/**
 * The texts of a realm's channels in registrations and lists. They are encoded once for all viewers.
 *
 * 1. A text contains the channel's row, the number of its subscribers, its first message, and its group settings
 *    without deactivated accounts. When one of these may have changed, the text is checked before its next use, and
 *    encoded again if it has.
 * 2. The common list is what users see who are no guests: all public channels. A run of it is encoded, and compressed,
 *    once, if it has no private channel. Other lists get parts of its bytes.
 */
import { openDerivedValues } from '../log/derived-values.js'
import type { ChannelRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { SharedObjects } from '../protocol/raw-json.js'
import { channelGroupSettings, channelOnWire, compareByName } from './channels.js'

/** Channels in one run of the common list. */
const RUN_LENGTH = 64

export interface ChannelText {
  channel: ChannelRow
  /** the channel object */
  json: string
  /** it is in the common list (2) */
  isPublic: boolean
}

export interface ChannelRun {
  channels: readonly ChannelText[]
  /** the objects of all channels; undefined: the run has a private channel */
  common: SharedObjects | undefined
}

export interface ChannelTexts {
  /** the channels by name, in runs */
  runs: readonly ChannelRun[]
}

interface KnownText extends ChannelText {
  subscriber_count: number
  first_message_id: number | undefined
  /** deactivated accounts that its settings name, which clients do not see there */
  absent: string
}

/** By state too, because a text has facts of the state that its row does not have (1). */
const knownTexts = new WeakMap<RealmState, WeakMap<ChannelRow, KnownText>>()
const findLists = openDerivedValues<ChannelTexts>()

/** All channels of the realm, with or without the archived ones. */
export const listChannelTexts = (state: RealmState, archived: boolean): ChannelTexts => {
  const version = `${state.versionOf(['channels', 'users'])} ${state.subscribersVersion} ${state.firstMessagesSeq}`
  return findLists(state, String(archived), version, (former) => {
    const sorted = [...state.channels.values()].filter((row) => archived || !row.is_archived).sort(compareByName)
    return {
      runs: splitIntoRuns(
        sorted.map((channel) => findChannelText(state, channel)),
        former?.runs,
      ),
    }
  })
}

/** The texts of one channel (1). */
export const findChannelText = (state: RealmState, channel: ChannelRow): ChannelText => {
  let texts = knownTexts.get(state)
  if (texts === undefined) {
    texts = new WeakMap()
    knownTexts.set(state, texts)
  }
  const known = texts.get(channel)
  const text = updateText(state, channel, known)
  if (text !== known) texts.set(channel, text)
  return text
}

const updateText = (state: RealmState, channel: ChannelRow, known: KnownText | undefined): KnownText => {
  const subscriber_count = state.subscribers(channel.id).size
  const first_message_id = state.firstMessage.get(channel.id)
  const absent = listAbsentUsers(state, channel)
  const isSame =
    known?.subscriber_count === subscriber_count &&
    known.first_message_id === first_message_id &&
    known.absent === absent
  if (isSame) return known
  return {
    channel,
    json: JSON.stringify(channelOnWire(state, channel, subscriber_count)),
    isPublic: channel.is_web_public || !channel.invite_only,
    subscriber_count,
    first_message_id,
    absent,
  }
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

/** Splits the list into runs. A former run is kept if its texts are the same. */
const splitIntoRuns = (channels: readonly ChannelText[], former: readonly ChannelRun[] = []): ChannelRun[] => {
  const runs: ChannelRun[] = []
  for (let from = 0; from < channels.length; from += RUN_LENGTH) {
    const own = channels.slice(from, from + RUN_LENGTH)
    const same = former[runs.length]
    const isSame = same?.channels.length === own.length && same.channels.every((text, i) => text === own[i])
    runs.push(same !== undefined && isSame ? same : { channels: own, common: encodeRun(own) })
  }
  return runs
}

const encodeRun = (channels: readonly ChannelText[]): SharedObjects | undefined =>
  channels.every(({ isPublic }) => isPublic) ? new SharedObjects(channels.map(({ json }) => json)) : undefined
