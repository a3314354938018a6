/** The participants of a topic. */
import type { Db } from '../sql.js'

/** Users who sent a message to the topic, reacted to one or used a widget in it. Indexes: messages_topic, then keys. */
export const loadTopicParticipants = async (
  db: Db,
  realm_id: number,
  channel_id: number,
  topic: string,
): Promise<number[]> => {
  const rows = await db<{ user_id: number }[]>`
    with those as materialized (
      select id, sender_id from messages
      where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    )
    select sender_id as user_id from those
    union
    select r.user_id from those join reactions r on r.realm_id = ${realm_id} and r.message_id = those.id
    union
    select s.sender_id from those join submessages s on s.realm_id = ${realm_id} and s.message_id = those.id`
  return rows.map(({ user_id }) => user_id)
}
