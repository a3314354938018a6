/**
 * The weekly traffic of a channel, and whether it is recently active: counted once a day.
 *
 * Both are columns of the channel and are not computed per request, so that the values of a client's registration stay
 * true until an event changes them.
 * Source: protocol/events.md 2.1, 3.2 (`is_recently_active`, `stream_weekly_traffic`); protocol/endpoints.md 1.18.
 */

import { DAY } from '#rules/time.js'
import type { NewEntry } from '../log/entry.js'
import { composeUpdate } from '../log/row-changes.js'
import type { ChannelRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { metadataAudience } from '../permissions/channel-access.js'
import { channelUpdated } from './channel-entries.js'

/** Days over which the traffic is averaged. */
export const TRAFFIC_DAYS = 28
/** A younger channel has no average yet. */
const YOUNG_DAYS = 7
/** A channel without messages for so many days is inactive. */
const QUIET_DAYS = 180

/** The counts of one channel. */
export interface ChannelCount {
  channel_id: number
  /** messages of the last days */
  recent: number
  /** when its newest message was sent, in UNIX seconds */
  last: number | null
}

/** Messages per week; null in a channel that is too young. Two digits are enough, and change seldom. */
export const weeklyTraffic = (recent: number, date_created: number, now: number): number | null => {
  const days = Math.floor((now - date_created) / DAY)
  if (days < YOUNG_DAYS) return null
  const average = Math.floor((recent * 7) / Math.min(days, TRAFFIC_DAYS))
  if (average === 0) return recent > 0 ? 1 : 0
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(average)) - 1)
  return Math.round(average / unit) * unit
}

type Activity = Pick<ChannelRow, 'stream_weekly_traffic' | 'is_recently_active'>

/** The columns that follow from the counts. */
export const computeActivity = (
  channel: Pick<ChannelRow, 'date_created'>,
  { recent, last }: Omit<ChannelCount, 'channel_id'>,
  now: number,
): Activity => ({
  stream_weekly_traffic: weeklyTraffic(recent, channel.date_created, now),
  is_recently_active: Math.max(last ?? 0, channel.date_created) >= now - QUIET_DAYS * DAY,
})

/** The entries for the columns that change; none when nothing does. */
export const activityEntries = (state: RealmState, channel: ChannelRow, activity: Partial<Activity>): NewEntry[] => {
  const { id: stream_id, name, is_archived } = channel
  const to = metadataAudience(state, channel)
  return (Object.keys(activity) as (keyof Activity)[]).flatMap((property) => {
    const value = activity[property]
    const row = composeUpdate('channels', channel, { [property]: value })
    if (row === undefined || value === undefined) return []
    return [channelUpdated({ to, stream_id, name, is_archived, property, value }, [row])]
  })
}
