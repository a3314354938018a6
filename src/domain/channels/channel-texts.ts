/**
 * The texts of a realm's channels in registrations and lists. They are encoded once for all viewers.
 *
 * 1. A text contains the channel's row, the number of its subscribers, its first message, and its group settings
 *    without deactivated accounts. When one of these may have changed, the text is checked before its next use, and
 *    encoded again if it has.
 * 2. The common list is what users see who are no guests: all public channels. A run of it is encoded, and compressed,
 *    once, if it has no private channel. Other lists get parts of its bytes.
 */
import { cachedJson } from '../log/cached-json.js'
import { OwnedKey } from '../log/owned-values.js'
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
  items: readonly ChannelText[]
  /** the objects of all channels; undefined: the run has a private channel */
  common: SharedObjects | undefined
}

interface KnownText extends ChannelText {
  subscriber_count: number
  first_message_id: number | undefined
  /** deactivated accounts that its settings name, which clients do not see there */
  absent: string
}

/** The texts by row. They belong to the state, because a text has facts of the state that its row does not have (1). */
const textsKey = new OwnedKey<WeakMap<ChannelRow, KnownText>>('channel_texts')

/**
 * All channels of the realm, by name, in runs.
 * @param archived whether archived channels are among them
 */
export const listChannelTexts = cachedJson<readonly ChannelRun[], boolean>({
  name: 'channels',
  tables: ['channels', 'users'],
  version: ({ subscribersVersion, firstMessagesSeq }) => `${subscribersVersion} ${firstMessagesSeq}`,
  form: String,
  compose(state, archived, reuse) {
    const texts = [...state.channels.values()]
      .filter((row) => archived || !row.is_archived)
      .sort(compareByName)
      .map((channel) => findChannelText(state, channel))
    const runs: ChannelRun[] = []
    for (let from = 0; from < texts.length; from += RUN_LENGTH) {
      runs.push(reuse.run(from, texts.slice(from, from + RUN_LENGTH), encodeRun))
    }
    return runs
  },
})

/** The texts of one channel (1). */
export const findChannelText = (state: RealmState, channel: ChannelRow): ChannelText => {
  const texts = state.own(textsKey, () => new WeakMap())
  const cached = texts.get(channel)
  const text = updateText(state, channel, cached)
  if (text !== cached) texts.set(channel, text)
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

const encodeRun = (items: readonly ChannelText[]): ChannelRun => {
  const isCommon = items.every(({ isPublic }) => isPublic)
  return { items, common: isCommon ? new SharedObjects(items.map(({ json }) => json)) : undefined }
}
