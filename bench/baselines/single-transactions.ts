/**
 * The baseline of durable sends: without the send combiner, each message in a transaction of its own.
 *
 * One statement increments the head of the log, stores the message and writes its entry: one round trip, one commit.
 * There is no HTTP, Markdown, Redis or fan-out, so this is the upper limit of a design with one transaction per send.
 */
import { openSql } from '../../src/store/sql.js'
import { serveProcedures } from '../child-process.js'
import { now, runAtRate } from '../measure.js'

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

interface Options {
  database_url: string
  /** connections */
  pool: number
  realm_id: number
  channel_id: number
  sender_id: number
}

const procedures = {
  open(options: Options): void {
    sql = openSql(options.database_url, options.pool)
    realm_id = options.realm_id
    channel_id = options.channel_id
    sender_id = options.sender_id
  },

  /** Runs a closed loop: each sender sends its next message when the last one is committed. */
  async sendInClosedLoop({ senders, seconds }: { senders: number; seconds: number }) {
    const start = now()
    const end = start + seconds * 1000
    const responseTimes: number[] = []
    const runSender = async () => {
      for (let sentAt = now(); sentAt < end; sentAt = now()) {
        await send(responseTimes.length)
        responseTimes.push(now() - sentAt)
      }
    }
    await Promise.all(Array.from({ length: senders }, runSender))
    return { count: responseTimes.length, seconds: (now() - start) / 1000, responseTimes }
  },

  /** Sends at a constant rate. @returns the milliseconds from the due time of each message to its commit */
  async sendAtRate({ rate, count }: { rate: number; count: number }) {
    const commitTimes: number[] = []
    const sends: Promise<unknown>[] = []
    await runAtRate(rate, count, (i, due) => {
      sends.push(send(i).then(() => commitTimes.push(now() - due)))
    })
    await Promise.all(sends)
    return commitTimes
  },
}

export type SingleTransactionProcedures = typeof procedures
serveProcedures(procedures)
