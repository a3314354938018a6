/**
 * The topics of a channel.
 *
 * A recursive query finds them one after another, each by one probe of the index behind the topic before. So the cost
 * grows with the number of topics of a channel, not of messages.
 */

import type { ChannelRow } from '../../../domain/log/rows.js'
import { canReadHistory } from '../../../domain/messages/reading.js'
import type { Sql } from '../../sql.js'
import { hasOwnRow, type ReadContext, wasReaderRecipient } from './conditions.js'

export interface ChannelTopic {
  name: string
  max_id: number
}

/**
 * Loads the topics with a message that the reader may read, the latest first. They are spelled as in the newest
 * message.
 * Index: messages_topic.
 */
export const loadTopics = (context: ReadContext, channel: ChannelRow): Promise<ChannelTopic[]> => {
  const { sql, state, reader } = context
  const realm_id = state.realm.id
  const mayReadAll = reader === undefined ? channel.is_web_public : canReadHistory(state, reader, channel)
  const isReceived = mayReadAll ? sql`` : sql`and (${wasReaderRecipient(context)} or ${hasOwnRow(context)})`
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

/** Whether a message of the channel has a topic that is not empty. Index: messages_topic. */
export const hasNamedTopics = async (sql: Sql, realm_id: number, channel_id: number): Promise<boolean> => {
  const [row] = await sql`
    select from messages where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) > '' limit 1`
  return row !== undefined
}
