/**
 * What does a registration cost in a large organization, and what do 500 registrations at once cost?
 *
 * The organization has 10,000 users, 1,000 channels and 100,000 messages, which all users have read, and each user has
 * 200 subscriptions. First, one registration after the other: CPU time of the gateway, length of the response, and
 * number of statements. Baseline: encoding the same response as JSON once. The same for clients that accept gzip, as
 * nearly all do, and for sockets that register in their handshake. Then 500 registrations at once with gzip through one
 * gateway, as after a restart, while users send: the time until the last response, the response times of sends compared
 * with sends before, and the growth of the process.
 *
 * Not measured: loading the realm into a gateway; users with a large backlog of unread messages (see unread).
 */
import { countingProxy } from '../test/setup/proxies/counting-proxy.js'
import type { BenchEnvironment } from './fleet/environment.js'
import { type BenchRealm, createBenchRealm, startSenders } from './fleet/realm.js'
import { median, percentile, readCpuSeconds, readResidentBytes } from './harness/measure.js'
import { createFrameReader } from './load/frames.js'
import { connectHttp, formatRequest, sendAll } from './load/http.js'
import { openWebSocket } from './load/websocket.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 5
const CONCURRENT_ROUNDS = 3

export const registerBench: Bench = {
  question: 'What does a registration cost in a large organization, and what do 500 registrations at once cost?',
  async run(environment) {
    const { size } = environment
    const [users = 0, channels = 0, subscriptions = 0, messages = 0] = size([10_000, 1_000, 200, 100_000], {
      short: [2_000, 200, 40, 20_000],
      smoke: [60, 10, 5, 100],
    })
    /** per round, one after the other */
    const calls = size(40, { smoke: 4 })
    const concurrency = size(500, { smoke: 10 })
    const load = { rate: 50, count: size(150, { smoke: 4 }) }
    const realm = await createBenchRealm(environment, users)
    await insertChannels(environment, realm, channels, subscriptions)
    await insertReadMessages(environment, realm, channels, messages)
    const gateway = await environment.startGateway({ ANTI_ENTROPY_MS: '3600000' })
    const plain = realm.user_ids.map((id) => formatRegistration(realm, id))
    const requests = realm.user_ids.map((id) => formatRegistration(realm, id, ['Accept-Encoding: gzip']))
    const connection = await connectHttp(gateway.port)
    const { body } = await connection.send(plain[0] ?? '')
    const compressed = await connection.send(requests[0] ?? '')
    const response = JSON.parse(body) as unknown

    let from = 0
    const measureCpu = async (all: readonly string[]) => {
      from += calls
      const before = readCpuSeconds(gateway.pid)
      for (const request of all.slice(from, from + calls)) await connection.send(request)
      return ((readCpuSeconds(gateway.pid) - before) * 1000) / calls
    }
    const measureHandshakes = async () => {
      from += calls
      const before = readCpuSeconds(gateway.pid)
      for (const user_id of realm.user_ids.slice(from, from + calls)) await registerInHandshake(realm, gateway, user_id)
      return ((readCpuSeconds(gateway.pid) - before) * 1000) / calls
    }
    const measureRound = async () => {
      const registering = await measureCpu(plain)
      const compressing = await measureCpu(requests)
      const opening = await measureHandshakes()
      const encodingStart = process.cpuUsage()
      for (let i = 0; i < calls; i++) JSON.stringify(response)
      const { user, system } = process.cpuUsage(encodingStart)
      return { registering, compressing, opening, encoding: (user + system) / 1000 / calls }
    }
    await measureRound()
    const costs = await runRounds(environment, ROUNDS, measureRound)
    connection.close()

    const senders = startSenders(environment, realm, gateway.port, realm.user_ids.slice(0, 4))
    const baselineTimes = await runRounds(environment, CONCURRENT_ROUNDS, () => senders.measureResponseTimes(load))
    const concurrent: { seconds: number; sendTimes: number[] }[] = []
    const residentBefore = readResidentBytes(gateway.pid)
    for (let round = 0; round < CONCURRENT_ROUNDS; round++) {
      const sendTimes = senders.measureResponseTimes(load)
      const start = performance.now()
      const batch = requests.slice(round * concurrency, (round + 1) * concurrency)
      await sendAll(gateway.port, batch, concurrency)
      const seconds = (performance.now() - start) / 1000
      concurrent.push({ seconds, sendTimes: await sendTimes })
    }
    const growth = (readResidentBytes(gateway.pid) - residentBefore) / 1e6
    await Promise.all([senders.stop(), gateway.stop()])

    const statements = [await countStatements(environment, requests.slice(0, calls))]
    const p99 = (times: readonly number[]) => percentile(times, 0.99)
    const registering = median(costs.map((cost) => cost.registering))
    const compressing = median(costs.map((cost) => cost.compressing))
    const encoding = `${formatNumber(median(costs.map((cost) => cost.encoding)))} ms CPU (JSON.stringify of the response)`
    const realmSize = `${users.toLocaleString('en')} users, ${channels.toLocaleString('en')} channels`
    return [
      {
        label: `one registration, ${realmSize}`,
        measured: `${formatNumber(registering)} ms CPU, ${formatNumber(body.length / 1e6)} MB`,
        baseline: encoding,
        ratios: costs.map((cost) => cost.registering / cost.encoding),
      },
      {
        label: `one registration, ${realmSize}, gzip`,
        measured: `${formatNumber(compressing)} ms CPU, ${formatNumber(compressed.body.length / 1e6)} MB`,
        baseline: encoding,
        ratios: costs.map((cost) => cost.compressing / cost.encoding),
      },
      {
        label: `one registration in the handshake of a socket, ${realmSize}`,
        measured: `${formatNumber(median(costs.map((cost) => cost.opening)))} ms CPU, ${formatNumber(body.length / 1e6)} MB`,
        baseline: encoding,
        ratios: costs.map((cost) => cost.opening / cost.encoding),
      },
      {
        label: 'one registration: statements',
        measured: formatNumber(median(statements)),
        baseline: '1 statement',
        ratios: statements,
        bound: requireAtMost(2, statements),
      },
      {
        label: `${concurrency} registrations at once`,
        measured: `${formatNumber(median(concurrent.map(({ seconds }) => seconds)))} s to the last response, ${formatNumber(growth)} MB growth`,
        baseline: `${formatNumber((compressing * concurrency) / 1000)} s (CPU of as many one after the other)`,
        ratios: concurrent.map(
          ({ seconds }, i) => seconds / (((costs[i]?.compressing ?? Number.NaN) * concurrency) / 1000),
        ),
      },
      {
        label: `one send during ${concurrency} registrations: p99`,
        measured: `${formatNumber(median(concurrent.map(({ sendTimes }) => p99(sendTimes))))} ms`,
        baseline: `${formatNumber(median(baselineTimes.map(p99)))} ms (without registrations)`,
        ratios: concurrent.map(({ sendTimes }, i) => p99(sendTimes) / p99(baselineTimes[i] ?? [])),
      },
    ] satisfies BenchResult[]
  },
}

/** Counts the statements per call that a gateway sends to Postgres. */
const countStatements = async (environment: BenchEnvironment, requests: readonly string[]): Promise<number> => {
  await using proxy = await countingProxy(environment.database_url)
  const gateway = await environment.startGateway({ DATABASE_URL: proxy.url, ANTI_ENTROPY_MS: '3600000' })
  await sendAll(gateway.port, requests, 1)
  const before = proxy.statements().length
  await sendAll(gateway.port, requests, 1)
  // Rounded down, because timers of the gateway send some meanwhile.
  const statements = Math.floor((proxy.statements().length - before) / requests.length)
  await gateway.stop()
  return statements
}

/** The parameters with which a current client registers. */
const registrationFields = {
  apply_markdown: 'true',
  client_gravatar: 'true',
  slim_presence: 'true',
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  }),
}

const formatRegistration = (realm: BenchRealm, user_id: number, headers: readonly string[] = []): string =>
  formatRequest('POST', '/register', realm.identify(user_id), registrationFields, headers)

/** Opens a socket that registers in its handshake, receives the answer, and closes it. */
const registerInHandshake = async (realm: BenchRealm, { port }: { port: number }, user_id: number): Promise<void> => {
  const { host, credentials } = realm.identify(user_id)
  const path = `/api/v1/events?${new URLSearchParams(registrationFields)}`
  const handshake = { path, headers: [`Authorization: ${credentials}`] }
  let onAnswer = () => {}
  const answer = new Promise<void>((resolve) => {
    onAnswer = resolve
  })
  const socket = await openWebSocket({ port, host, handshake }, createFrameReader(onAnswer))
  await answer
  socket.close()
}

/** Inserts channels, and `subscriptions` subscriptions per user to them, directly into the tables. */
const insertChannels = async (
  { sql }: BenchEnvironment,
  { id: realm_id }: BenchRealm,
  channels: number,
  subscriptions: number,
): Promise<void> => {
  await sql`
    insert into channels select (json_populate_record(c, json_build_object('id', n, 'name', 'channel ' || n))).*
    from channels c, generate_series(2, ${channels}::int) as n where c.realm_id = ${realm_id} and c.id = 1`
  await sql`update counters set value = ${channels} where realm_id = ${realm_id} and name = 'channels'`
  await sql`
    insert into subscriptions select (json_populate_record(s, json_build_object('channel_id', n))).*
    from subscriptions s, lateral (
      select distinct 2 + (s.user_id * 7 + k * k * 3 + k) % ${channels - 1}::int as n
      from generate_series(1, ${subscriptions}::int) as k
    ) channel
    where s.realm_id = ${realm_id} and s.channel_id = 1`
  await sql`
    insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}
    on conflict do nothing`
  await sql`
    insert into membership_spans (realm_id, user_id, channel_id, from_message)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}
    on conflict do nothing`
}

/** Inserts messages in all channels, which all users have read, directly into the tables. */
const insertReadMessages = async (
  { sql }: BenchEnvironment,
  { id: realm_id, user_ids }: BenchRealm,
  channels: number,
  messages: number,
): Promise<void> => {
  await sql`
    insert into messages (
      realm_id, id, sender_id, channel_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment
    )
    select ${realm_id}, n, ${user_ids[0] ?? 0}, 1 + n % ${channels}::int, 'topic ' || n % 7, 'text', '<p>text</p>', 1,
      'bench', false, true, false, false, false
    from generate_series(1, ${messages}::int) as n`
  await sql`update log_heads set last_message_id = ${messages} where realm_id = ${realm_id}`
  await sql`update channel_reads set read_up_to = ${messages} where realm_id = ${realm_id}`
  await sql`vacuum analyze`
}
