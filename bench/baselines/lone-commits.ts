/**
 * Sends without a combiner: each message is a transaction of its own, in the shortest form that has the same effect.
 *
 * One statement takes the place in the log, stores the message and writes its entry: one round trip, one commit. There
 * is no HTTP, no Markdown, no Redis and no fan-out here, so this is the most that one transaction per send can give.
 */
import { openSql } from '../../src/store/sql.js'
import { atPace, now } from '../measure.js'
import { serve } from '../part.js'

let sql: ReturnType<typeof openSql>
let realm_id = 0
let channel_id = 0
let sender_id = 0

const send = (i: number): Promise<unknown> => {
  const content = `message ${i} ${'lorem ipsum dolor sit amet '.repeat(4)}`
  const rendered = `<p>${content}</p>`
  const data = JSON.stringify({ ...entryData, content, rendered_content: rendered })
  return sql`
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
    select ${realm_id}, log_seq, 'message', ${`{"channel":${channel_id}}`}::text::json, ${data}::text::json, last_message_id
    from head`
}

/** About as long as the data of a real entry. */
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

const jobs = {
  open(given: { database_url: string; pool: number; realm_id: number; channel_id: number; sender_id: number }): void {
    sql = openSql(given.database_url, given.pool)
    realm_id = given.realm_id
    channel_id = given.channel_id
    sender_id = given.sender_id
  },

  /** As many senders, each sending again when its last one is committed. */
  async run({ senders, seconds }: { senders: number; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const latencies: number[] = []
    const sender = async () => {
      for (let began = now(); began < end; began = now()) {
        await send(latencies.length)
        latencies.push(now() - began)
      }
    }
    await Promise.all(Array.from({ length: senders }, sender))
    return { count: latencies.length, seconds: (now() - start) / 1000, latencies }
  },

  /** Sends at a steady pace. @returns milliseconds from when each was due to its commit */
  async pace({ rate, count }: { rate: number; count: number }) {
    const latencies: number[] = []
    const all: Promise<unknown>[] = []
    await atPace(rate, count, (i, due) => {
      all.push(send(i).then(() => latencies.push(now() - due)))
    })
    await Promise.all(all)
    return latencies
  },
}

export type LoneJobs = typeof jobs
serve(jobs)
