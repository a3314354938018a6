/**
 * The topics of a channel.
 *
 * They are found one after another, each by a probe of the index behind the one before: so a channel costs as much as
 * it has topics, not messages.
 */

import type { ChannelRow } from '../../../domain/log/rows.js'
import { readsHistory } from '../../../domain/messages/reading.js'
import { hasOwnRow, type ReadContext, wasReaderRecipient } from './conditions.js'

export interface ChannelTopic {
  name: string
  max_id: number
}

/**
 * The topics in which the reader can read something, the latest first, each as its newest message spells it.
 * Index: messages_topic.
 */
export const loadTopics = (reading: ReadContext, channel: ChannelRow): Promise<ChannelTopic[]> => {
  const { sql, state, reader } = reading
  const realm_id = state.realm.id
  const mayReadAll = reader === undefined ? channel.is_web_public : readsHistory(state, reader, channel)
  const isReceived = mayReadAll ? sql`` : sql`and (${wasReaderRecipient(reading)} or ${hasOwnRow(reading)})`
  return sql<ChannelTopic[]>`
    with recursive found (key) as (
      (
        select lower(topic) from messages
        where realm_id = ${realm_id} and channel_id = ${channel.id}
        order by lower(topic) limit 1
      )
      union all
      select (
        select lower(topic) from messages
        where realm_id = ${realm_id} and channel_id = ${channel.id} and lower(topic) > found.key
        order by lower(topic) limit 1
      )
      from found where found.key is not null
    )
    select newest.topic as name, newest.id as max_id
    from found cross join lateral (
      select m.topic, m.id from messages m
      where m.realm_id = ${realm_id} and m.channel_id = ${channel.id} and lower(m.topic) = found.key ${isReceived}
      order by m.id desc limit 1
    ) newest
    order by max_id desc`
}
