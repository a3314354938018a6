/**
 * Counts messages per channel (domain/channels/channel-activity.ts). Several workers may run it at once: a worker
 * claims a realm before it counts, and a count that is lost is repeated the next day.
 */

import { DAY, secondsNow } from '#rules/time.js'
import {
  activityEntries,
  type ChannelCount,
  computeActivity,
  TRAFFIC_DAYS,
} from '../../domain/channels/channel-activity.js'
import type { ChannelRow } from '../../domain/log/rows.js'
import { commitEntries } from '../log/change.js'
import { loadNewestMessageId } from '../log/log.js'
import type { MaybePromise } from '../log/maybe-promise.js'
import type { Realm } from '../log/realm.js'
import { WriteContext, type WriteDependencies } from '../log/write-context.js'
import type { Sql } from '../sql.js'

/** Claims a realm that was not counted today; undefined when there is none. Realms younger than a day are skipped. */
export const claimRealmToCount = async (sql: Sql, now = secondsNow()): Promise<number | undefined> => {
  const [claimed] = await sql<{ realm_id: number }[]>`
    insert into channel_counts (realm_id, counted_at)
    select r.id, now() from realms r
    where r.is_active and r.date_created < ${now - DAY} and not exists (
      select from channel_counts c where c.realm_id = r.id and c.counted_at > now() - interval '1 day'
    )
    limit 1
    on conflict (realm_id) do update set counted_at = now()
      where channel_counts.counted_at <= now() - interval '1 day'
    returning realm_id`
  return claimed?.realm_id
}

/** Channels per change, so that tens of thousands of channels are not one transaction. */
const BATCH = 200

/** Counts a realm's messages per channel, and commits what changed. `getRealm` is called only if something did. */
export const countChannels = async (
  dependencies: WriteDependencies,
  realm_id: number,
  getRealm: () => MaybePromise<Realm | undefined>,
  now = secondsNow(),
): Promise<void> => {
  const { sql } = dependencies
  const counted = await loadChannelCounts(
    sql,
    realm_id,
    await findFirstMessageSince(sql, realm_id, now - TRAFFIC_DAYS * DAY),
  )
  const found = counted.flatMap((row) => {
    const activity = computeActivity(row, row, now)
    const isNew =
      activity.is_recently_active !== row.is_recently_active ||
      activity.stream_weekly_traffic !== row.stream_weekly_traffic
    return isNew ? [{ channel_id: row.channel_id, activity }] : []
  })
  const realm = found.length === 0 ? undefined : await getRealm()
  for (let i = 0; realm !== undefined && i < found.length; i += BATCH) {
    await WriteContext.open(dependencies, realm).withStructureLock(async (locked) => {
      const entries = found.slice(i, i + BATCH).flatMap(({ channel_id, activity }) => {
        const channel = realm.state.channels.get(channel_id)
        return channel === undefined ? [] : activityEntries(realm.state, channel, activity)
      })
      if (entries.length > 0) await commitEntries(locked, entries)
    })
  }
}

/** Marks an inactive channel as active after a message was sent there. If this fails, the daily count repeats it. */
export const markChannelActive = async (context: WriteContext, channel_id: number): Promise<void> => {
  try {
    await context.withStructureLock(async (locked) => {
      const { state } = locked.realm
      const channel = state.channels.get(channel_id)
      const entries = channel === undefined ? [] : activityEntries(state, channel, { is_recently_active: true })
      if (entries.length > 0) await commitEntries(locked.withActor(undefined), entries)
    })
  } catch {
    // The message is stored, so the sender's request must not fail.
  }
}

type CountedRow = ChannelCount & Pick<ChannelRow, 'date_created' | 'is_recently_active' | 'stream_weekly_traffic'>

/** Indexes: key of messages, messages_channel. */
const loadChannelCounts = (sql: Sql, realm_id: number, first_id: number): Promise<CountedRow[]> => sql<CountedRow[]>`
  with recent as (
    select channel_id, count(*)::int as messages from messages
    where realm_id = ${realm_id} and id >= ${first_id} and channel_id is not null
    group by channel_id
  )
  select c.id as channel_id, c.date_created, c.is_recently_active, c.stream_weekly_traffic,
    coalesce(r.messages, 0) as recent, (
      select m.timestamp from messages m
      where m.realm_id = ${realm_id} and m.channel_id = c.id order by m.id desc limit 1
    ) as last
  from channels c left join recent r on r.channel_id = c.id
  where c.realm_id = ${realm_id}`

/** The first message since a time. Ids increase with time, so a binary search finds it without an index on time. */
const findFirstMessageSince = async (sql: Sql, realm_id: number, since: number): Promise<number> => {
  let low = 1
  let high = (await loadNewestMessageId(sql, realm_id)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = await sql<{ id: number; timestamp: number }[]>`
      select id, timestamp from messages where realm_id = ${realm_id} and id >= ${middle} order by id limit 1`
    if (row === undefined || row.id >= high || row.timestamp >= since) high = middle
    else low = row.id + 1
  }
  return low
}
