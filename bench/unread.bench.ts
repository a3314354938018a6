/**
 * What do 40,000 unread messages cost their reader, and what does marking all of them as read cost other senders?
 *
 * 50,000 messages are in a hundred topics of twenty channels. The reader has read every fifth message by going to it,
 * so it is read by a row of flags, and no read pointer has moved. First, a registration over HTTP that fetches the
 * unread messages. Baseline: a query that groups the ids of the same messages by topic and does not know a reader. Then
 * all of them are marked as read, at once or page by page, while other users send in the same realm: the response times
 * of sends. Baseline: the same sends without that.
 *
 * Not measured: the first registrations, before the messages of the realm are in the gateway's memory; delivery of the
 * events to clients.
 */
import { composeSubscription } from '../src/domain/channels/channels.js'
import { composeInsert } from '../src/domain/log/row-changes.js'
import { Flag } from '../src/domain/messages/flags.js'
import { writeRows } from '../src/store/log/row-tables.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm, startSenders } from './fleet/realm.js'
import { median, percentile, readCpuSeconds, readCpuSecondsOfTree } from './harness/measure.js'
import { readPostmasterPid } from './harness/postmaster.js'
import { connectHttp, formatRequest, type HttpConnection, parseSuccess } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const ROUNDS = 5
/** per round */
const REGISTRATIONS = 20
const SENDERS = 4
const CHANNELS = 20
const TOPICS = 5
/** Every fifth message is read. */
const READ_EVERY = 5
/** Sends start this long before messages are marked. */
const LEAD_MS = 300
const LIMIT_MS = 50
/** In this time the gateway loads the messages of the realm. */
const LOADING_MS = 1_000

/** A user with unread messages, and the connection over which they mark them as read. */
interface Reader {
  realm: BenchRealm
  user_id: number
  connection: HttpConnection
}

export const unreadBench: Bench = {
  question: 'What do 40,000 unread messages cost their reader, and what does marking them as read cost other senders?',
  async run(environment) {
    const { size } = environment
    const messages = size(50_000, { short: 10_000, smoke: 500 })
    const load = { rate: 100, count: size(150, { smoke: 4 }) }
    const unread = messages - messages / READ_EVERY
    const realm = await createBenchRealm(environment, SENDERS + 1)
    const [user_id = 0, ...others] = realm.user_ids
    await insertChannels(environment, realm, user_id)
    await insertMessages(environment, realm, others, messages)
    await resetReads(environment, realm, user_id)
    const gateway = await environment.startGateway({ ANTI_ENTROPY_MS: '3600000' })
    const reader = { realm, user_id, connection: await connectHttp(gateway.port) }

    // The first registration makes the gateway load the newest messages of the realm into its memory.
    for (let i = 0; i < 3; i++) {
      await register(reader, unread)
      await new Promise((resolve) => setTimeout(resolve, LOADING_MS))
    }
    await groupByTopic(environment, realm)
    const [server] = await environment.sql`select current_setting('data_directory') as data`
    const postmaster = readPostmasterPid(server?.data)
    const registrations = await runRounds(environment, ROUNDS, async () => {
      const before = [readCpuSeconds(gateway.pid), readCpuSecondsOfTree(postmaster)] as const
      const times: number[] = []
      for (let i = 0; i < REGISTRATIONS; i++) times.push(await measureMilliseconds(() => register(reader, unread)))
      return {
        registering: median(times),
        gatewayCpu: ((readCpuSeconds(gateway.pid) - before[0]) * 1000) / REGISTRATIONS,
        postgresCpu: ((readCpuSecondsOfTree(postmaster) - before[1]) * 1000) / REGISTRATIONS,
        grouping: await measureMilliseconds(() => groupByTopic(environment, realm)),
      }
    })

    const senders = startSenders(environment, realm, gateway.port, others)
    const measureP99 = async () => percentile(await senders.measureResponseTimes(load), 0.99)
    await measureP99()
    const measureMarking = async (mark: (reader: Reader) => Promise<void>) => {
      await resetReads(environment, realm, user_id)
      const p99 = measureP99()
      await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
      const milliseconds = await measureMilliseconds(() => mark(reader))
      return { milliseconds, during: await p99, without: await measureP99() }
    }
    const markings = [
      { name: 'mark_all_as_read', rounds: await runRounds(environment, ROUNDS, () => measureMarking(markAllAsRead)) },
      {
        name: 'marking pages of 5,000 as read',
        rounds: await runRounds(environment, ROUNDS, () => measureMarking(markPagesAsRead)),
      },
    ]
    reader.connection.close()
    await Promise.all([senders.stop(), gateway.stop()])

    const count = unread.toLocaleString('en')
    const formatMedian = (select: (round: (typeof registrations)[number]) => number) =>
      formatNumber(median(registrations.map(select)))
    return [
      {
        label: `one registration with ${count} unread messages`,
        measured: `${formatMedian(({ registering }) => registering)} ms, CPU: gateway ${formatMedian(({ gatewayCpu }) => gatewayCpu)} ms, Postgres ${formatMedian(({ postgresCpu }) => postgresCpu)} ms`,
        baseline: `${formatNumber(median(registrations.map(({ grouping }) => grouping)))} ms (query that groups their ids by topic)`,
        ratios: registrations.map(({ registering, grouping }) => registering / grouping),
      },
      ...markings.map(({ name, rounds }): BenchResult => {
        const result = median(rounds.map(({ during }) => during))
        const milliseconds = formatNumber(median(rounds.map((round) => round.milliseconds)))
        return {
          label: `one send during ${name}, ${count} unread messages: p99`,
          measured: `${formatNumber(result)} ms (marked in ${milliseconds} ms)`,
          baseline: `${formatNumber(median(rounds.map(({ without }) => without)))} ms (without marking)`,
          ratios: rounds.map(({ during, without }) => during / without),
          bound: { text: `< ${LIMIT_MS} ms`, isMet: result < LIMIT_MS, isRequired: true },
        }
      }),
    ]
  },
}

const measureMilliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const register = async ({ realm, user_id, connection }: Reader, unread: number): Promise<void> => {
  const fields = { fetch_event_types: '["message","update_message_flags"]', event_types: '["heartbeat"]' }
  const response = parseSuccess<{ unread_msgs: { count: number } }>(
    await connection.send(formatRequest('POST', '/register', realm.identify(user_id), fields)),
  )
  const { count } = response.unread_msgs
  if (count !== unread) throw new Error(`${count} messages are unread, and not ${unread}`)
}

const groupByTopic = async ({ sql }: BenchEnvironment, { id: realm_id }: BenchRealm): Promise<void> => {
  await sql`
    select channel_id, lower(topic), json_agg(id order by id) from messages
    where realm_id = ${realm_id} and channel_id > 1 and id % ${READ_EVERY} > 0 group by channel_id, lower(topic)`
}

const markAllAsRead = async ({ realm, user_id, connection }: Reader): Promise<void> => {
  parseSuccess(await connection.send(formatRequest('POST', '/mark_all_as_read', realm.identify(user_id), {})))
}

const markPagesAsRead = async ({ realm, user_id, connection }: Reader): Promise<void> => {
  const narrow = JSON.stringify([{ operator: 'is', operand: 'unread' }])
  const page = { anchor: 'oldest', num_before: '0', num_after: '5000', narrow, op: 'add', flag: 'read' }
  const request = formatRequest('POST', '/messages/flags/narrow', realm.identify(user_id), page)
  for (let isDone = false; !isDone; ) {
    isDone = parseSuccess<{ found_newest: boolean }>(await connection.send(request)).found_newest
  }
}

/** Inserts the reader's channels. The other users send to the realm's first channel, which the reader does not read. */
const insertChannels = async (
  { sql }: BenchEnvironment,
  { id: realm_id }: BenchRealm,
  user_id: number,
): Promise<void> => {
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

/** Inserts the messages directly into the table, topic by topic in turn. */
const insertMessages = async (
  { sql }: BenchEnvironment,
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

/** Resets the read pointers of the reader, and marks every fifth message as read by a row of flags. */
const resetReads = async ({ sql }: BenchEnvironment, { id: realm_id }: BenchRealm, user_id: number): Promise<void> => {
  await sql`delete from channel_reads where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`
    insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`delete from message_flags where realm_id = ${realm_id} and user_id = ${user_id}`
  await sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select ${realm_id}, ${user_id}, id, ${Flag.read} from messages
    where realm_id = ${realm_id} and channel_id > 1 and id % ${READ_EVERY} = 0`
  await sql`vacuum analyze message_flags`
}
