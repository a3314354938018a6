/**
 * What does it cost somebody to be 50,000 messages behind, and others that all of them are marked as read?
 *
 * A hundred topics in twenty channels. Every fifth message is read, by a row of flags, because the reader went to it
 * and to none before it; so no pointer has moved. A registration over HTTP that asks for what is unread, against
 * Postgres grouping the ids of those very messages by topic without asking who reads. Then they are all marked as
 * read, at once or page by page, while others send to the same realm: how late sends are.
 *
 * Not measured: delivery of the events to clients.
 */
import { composeSubscription } from '../src/domain/channels/channels.js'
import { composeInsert } from '../src/domain/log/row-changes.js'
import { Flag } from '../src/domain/messages/flags.js'
import { writeRows } from '../src/store/log/rows.js'
import { type Answer, type Bench, figure, rounds } from './bench.js'
import { accepted, type Connection, connectHttp, request } from './load/http.js'
import { median, percentile } from './measure.js'
import { type BenchRealm, benchRealm, posters } from './realm.js'
import type { Setting } from './setting.js'

const ROUNDS = 5
const SENDERS = 4
const CHANNELS = 20
const TOPICS = 5
/** One message in so many is read. */
const READ = 5
const PACE = { rate: 100, count: 150 }
/** Sends go on for a while before something is marked. */
const SOON_MS = 300
const MOST_MS = 50

/** Somebody who is behind, and how they say that they have read. */
interface Reader {
  realm: BenchRealm
  user_id: number
  connection: Connection
}

export const unread: Bench = {
  question: 'What does it cost somebody to be 50,000 messages behind, and others that these are marked as read?',
  async run(setting) {
    const messages = setting.isShort ? 10_000 : 50_000
    const unread = messages - messages / READ
    const realm = await benchRealm(setting, SENDERS + 1)
    const [user_id = 0, ...others] = realm.user_ids
    await makeChannels(setting, realm, user_id)
    await fill(setting, realm, others, messages)
    await fallBehind(setting, realm, user_id)
    const gateway = await setting.gateway({ ANTI_ENTROPY_MS: '3600000' })
    const reader = { realm, user_id, connection: await connectHttp(gateway.port) }

    await register(reader, unread)
    await grouped(setting, realm)
    const turns = await rounds(ROUNDS, async () => ({
      ours: await timed(() => register(reader, unread)),
      plain: await timed(() => grouped(setting, realm)),
    }))

    const senders = posters(setting, realm, gateway.port, others)
    const late = (sends: readonly number[]) => percentile(sends, 0.99)
    await senders.timed(PACE)
    const beside = async (mark: (reader: Reader) => Promise<void>) => {
      await fallBehind(setting, realm, user_id)
      const sends = senders.timed(PACE)
      await new Promise((resolve) => setTimeout(resolve, SOON_MS))
      const milliseconds = await timed(() => mark(reader))
      const busy = late(await sends)
      return { milliseconds, busy, calm: late(await senders.timed(PACE)) }
    }
    const marks = [
      { what: 'mark_all_as_read', turns: await rounds(ROUNDS, () => beside(readAll)) },
      { what: 'pages of 5,000 marked as read', turns: await rounds(ROUNDS, () => beside(readPages)) },
    ]
    reader.connection.close()
    await Promise.all([senders.stop(), gateway.stop()])

    const count = messages.toLocaleString('en')
    return [
      {
        what: `a registration of somebody ${count} behind`,
        ours: `${figure(median(turns.map(({ ours }) => ours)))} ms`,
        baseline: `${figure(median(turns.map(({ plain }) => plain)))} ms (Postgres grouping their ids by topic)`,
        ratios: turns.map(({ ours, plain }) => ours / plain),
      },
      ...marks.map(({ what, turns }): Answer => {
        const worst = median(turns.map(({ busy }) => busy))
        return {
          what: `a send beside ${what}, ${count} behind: p99`,
          ours: `${figure(worst)} ms (marked in ${figure(median(turns.map((one) => one.milliseconds)))} ms)`,
          baseline: `${figure(median(turns.map(({ calm }) => calm)))} ms (p99 without it)`,
          ratios: turns.map(({ busy, calm }) => busy / calm),
          expected: { bound: `< ${MOST_MS} ms`, met: worst < MOST_MS, required: true },
        }
      }),
    ]
  },
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const register = async ({ realm, user_id, connection }: Reader, unread: number): Promise<void> => {
  const fields = { fetch_event_types: '["message","update_message_flags"]', event_types: '["heartbeat"]' }
  const answer = accepted<{ unread_msgs: { count: number } }>(
    await connection.ask(request('POST', '/register', realm.who(user_id), fields)),
  )
  if (answer.unread_msgs.count !== unread) throw new Error(`${answer.unread_msgs.count} messages are unread`)
}

const grouped = async ({ sql }: Setting, { id: realm_id }: BenchRealm): Promise<void> => {
  await sql`
    select channel_id, lower(topic), json_agg(id order by id) from messages
    where realm_id = ${realm_id} and channel_id > 1 and id % ${READ} > 0 group by channel_id, lower(topic)`
}

const readAll = async ({ realm, user_id, connection }: Reader): Promise<void> => {
  accepted(await connection.ask(request('POST', '/mark_all_as_read', realm.who(user_id), {})))
}

const readPages = async ({ realm, user_id, connection }: Reader): Promise<void> => {
  const narrow = JSON.stringify([{ operator: 'is', operand: 'unread' }])
  const page = { anchor: 'oldest', num_before: '0', num_after: '5000', narrow, op: 'add', flag: 'read' }
  const text = request('POST', '/messages/flags/narrow', realm.who(user_id), page)
  for (let isDone = false; !isDone; ) {
    isDone = accepted<{ found_newest: boolean }>(await connection.ask(text)).found_newest
  }
}

/** The reader's own channels: what others send meanwhile is in the realm's first, which is not theirs. */
const makeChannels = async ({ sql }: Setting, { id: realm_id }: BenchRealm, user_id: number): Promise<void> => {
  const ids = Array.from({ length: CHANNELS }, (_, i) => i + 2)
  await sql`
    insert into channels select (json_populate_record(c, json_build_object('id', n, 'name', 'channel ' || n))).*
    from channels c, unnest(${ids}::int[]) as n where c.realm_id = ${realm_id} and c.id = 1`
  await sql`update counters set value = ${CHANNELS + 1} where realm_id = ${realm_id} and name = 'channels'`
  await sql`delete from subscriptions where realm_id = ${realm_id} and user_id = ${user_id}`
  const rows = ids.map((id) => composeInsert('subscriptions', composeSubscription(user_id, id, '#40bf65')))
  await sql.begin((tx) => Promise.all(writeRows(tx, realm_id, rows)))
  await sql`
    insert into membership_spans (realm_id, user_id, channel_id, from_message)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}`
}

/** Messages of all topics in turn, made straight in the table. */
const fill = async (
  { sql }: Setting,
  { id: realm_id }: BenchRealm,
  senders: readonly number[],
  messages: number,
): Promise<void> => {
  await sql`
    insert into messages (
      realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment
    )
    select ${realm_id}, i, (${senders as number[]}::int[])[1 + i % ${senders.length}], 2 + i / 2 % ${CHANNELS}, null,
      'Topic ' || i / 7 % ${TOPICS}, 'Note ' || i, '<p>Note ' || i || '</p>', 1, 'bench', false, true, false, false, false
    from generate_series(1, ${messages}::int) as i`
  await sql`update log_heads set last_message_id = ${messages} where realm_id = ${realm_id}`
  await sql`vacuum analyze messages`
}

/** Nothing is read but single messages, by rows. */
const fallBehind = async ({ sql }: Setting, { id: realm_id }: BenchRealm, user_id: number): Promise<void> => {
  await sql`delete from channel_reads where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`
    insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`delete from message_flags where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${user_id}, id, ${Flag.read} from messages
    where realm_id = ${realm_id} and channel_id > 1 and id % ${READ} = 0`
  await sql`vacuum analyze message_flags`
}
