/**
 * A message that is stored without the send combiner: in a transaction of its own.
 *
 * One statement increments the head of the log, stores the message and writes its entry: one round trip, one commit.
 */
import { openSql } from '../../src/store/sql.js'

export interface StoreOptions {
  database_url: string
  /** connections */
  pool: number
  realm_id: number
  channel_id: number
  sender_id: number
}

/** Opens a pool. @returns a function that stores a message with this content, and returns the data of its entry */
export const openStore = ({ database_url, pool, realm_id, channel_id, sender_id }: StoreOptions) => {
  const sql = openSql(database_url, pool)
  const audience = JSON.stringify({ channel: channel_id })
  return async (content: string): Promise<string> => {
    const rendered = `<p>${content}</p>`
    const data = JSON.stringify({ ...entryData, content, rendered_content: rendered })
    await sql`
      with head as (
        update log_heads set log_seq = log_seq + 1, last_message_id = last_message_id + 1
        where realm_id = ${realm_id} and state_seq <= ${Number.MAX_SAFE_INTEGER}
        returning log_seq, last_message_id
      ), stored as (
        insert into messages (
          realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
          sender_read, has_link, has_image, has_attachment
        )
        select ${realm_id}, last_message_id, ${sender_id}, ${channel_id}, null, 'bench', ${content}, ${rendered}, 1, 'bench',
          false, true, false, false, false
        from head
      )
      insert into log (realm_id, seq, kind, audience, data, message_id)
      select ${realm_id}, log_seq, 'message', ${audience}::text::json, ${data}::text::json, last_message_id
      from head`
    return data
  }
}

/** About as long as the data of an entry that a gateway writes. */
const entryData = {
  stream_id: 1,
  public: true,
  everyone: 0,
  flags: { 2: 1 },
  display_recipient: 'bench',
  sender_full_name: 'A Sender of the Bench',
  sender_email: 'user2@bench.invalid',
  avatar_url: 'https://secure.gravatar.com/avatar/0123456789abcdef0123456789abcdef?d=identicon&version=1',
  topic: 'bench',
  topic_links: [],
  client: 'bench',
  timestamp: 1_700_000_000,
}
