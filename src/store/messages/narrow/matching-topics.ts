/**
 * Topics whose names begin with a text, in the channels of a reader: what a search field proposes while the user types.
 *
 * As in channel-topics.ts, each topic is one probe of the index behind the topic before; of each channel only the first
 * few are looked at. So the cost grows with the number of the reader's channels, and not with topics or messages.
 */

import { hasContentAccess } from '#rules/channel-access.js'
import type { ChannelRow } from '../../../domain/log/rows.js'
import { canReadHistory } from '../../../domain/messages/reading.js'
import { hasOwnRow, type ReadContext, wasReaderRecipient } from './conditions.js'

/** Channels that are looked at, and topics of each. */
const MAX_CHANNELS = 300
const TOPICS_OF_CHANNEL = 4

export interface MatchingTopic {
  stream_id: number
  name: string
  max_id: number
}

/**
 * Loads topics with a message that the reader may read, the latest first. A topic is spelled as in the newest one of
 * these messages.
 * Index: messages_topic.
 * @param channel only its topics; undefined: those of the channels to which the reader is subscribed
 */
export const loadMatchingTopics = async (
  context: ReadContext,
  begin: string,
  { channel, limit }: { channel?: ChannelRow | undefined; limit: number },
): Promise<MatchingTopic[]> => {
  const { sql, state, reader } = context
  if (reader === undefined) return []
  const subscribed = [...state.userSubscriptions(reader.id)].flatMap(([id, { active }]) =>
    active ? (state.channels.get(id) ?? []) : [],
  )
  const channels = (channel === undefined ? subscribed : [channel])
    .filter((one) => !one.is_archived && hasContentAccess(state, reader, one))
    .slice(0, MAX_CHANNELS)
    .map((one) => ({ id: one.id, is_open: canReadHistory(state, reader, one) }))
  if (channels.length === 0) return []
  const realm_id = state.realm.id
  return sql<MatchingTopic[]>`
    with given as materialized (select lower(${begin}::text) as begin)
    select c.id as stream_id, newest.topic as name, newest.id as max_id
    from given, json_to_recordset(${JSON.stringify(channels)}::text::json) as c (id int, is_open bool)
    cross join lateral (
      with recursive found (key) as (
        (
          select lower(topic) from messages
          where realm_id = ${realm_id} and channel_id = c.id and lower(topic) >= given.begin
          order by lower(topic) limit 1
        )
        union all
        select (
          select lower(topic) from messages
          where realm_id = ${realm_id} and channel_id = c.id and lower(topic) > found.key
          order by lower(topic) limit 1
        )
        from found where starts_with(found.key, given.begin)
      )
      select key from found where starts_with(key, given.begin) limit ${TOPICS_OF_CHANNEL}
    ) k
    cross join lateral (
      select m.topic, m.id from messages m
      where m.realm_id = ${realm_id} and m.channel_id = c.id and lower(m.topic) = k.key
        and (c.is_open or ${wasReaderRecipient(context)} or ${hasOwnRow(context)})
      order by m.id desc limit 1
    ) newest
    order by newest.id desc limit ${limit}`
}
