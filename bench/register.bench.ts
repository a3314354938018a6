/**
 * What does a registration cost in a large organization, and what do 500 of them at once?
 *
 * 10,000 users, 1,000 channels, 200 subscriptions each. One after the other: CPU time of the gateway per call, bytes,
 * and statements as Postgres counts them; the baseline is encoding that very answer as JSON once. Then 500 at once
 * through one gateway, as after a restart, with somebody sending beside: the time until the last has its answer, how
 * late sends are against the same sends without that, and what the process grows by.
 *
 * Not measured: loading the realm when a gateway first hears of it; people with a large backlog of unread messages.
 */
import { countingProxy } from '../test/setup/counting-proxy.js'
import { type Answer, type Bench, figure, required, rounds } from './bench.js'
import { askAll, connectHttp, request } from './load/http.js'
import { cpuSeconds, median, percentile, residentBytes } from './measure.js'
import { type BenchRealm, benchRealm, posters } from './realm.js'
import type { Setting } from './setting.js'

const CALLS = 40
const ROUNDS = 5
const AT_ONCE = 500
const STORMS = 3
const PACE = { rate: 50, count: 150 }

export const registering: Bench = {
  question: 'What does a registration cost in a large organization, and what do 500 of them at once?',
  async run(setting) {
    const [users, channels, each] = setting.isShort ? [2_000, 200, 40] : [10_000, 1_000, 200]
    const realm = await benchRealm(setting, users)
    await join(setting, realm, channels, each)
    const gateway = await setting.gateway({ ANTI_ENTROPY_MS: '3600000' })
    const texts = realm.user_ids.map((id) => registration(realm, id))
    const connection = await connectHttp(gateway.port)
    const { body } = await connection.ask(texts[0] ?? '')
    const answer = JSON.parse(body) as unknown

    const turn = async (from: number) => {
      const used = cpuSeconds(gateway.pid)
      for (const text of texts.slice(from, from + CALLS)) await connection.ask(text)
      const ours = ((cpuSeconds(gateway.pid) - used) * 1000) / CALLS
      const began = process.cpuUsage()
      for (let i = 0; i < CALLS; i++) JSON.stringify(answer)
      const { user, system } = process.cpuUsage(began)
      return { ours, encoding: (user + system) / 1000 / CALLS }
    }
    await turn(0)
    let at = 0
    const turns = await rounds(ROUNDS, () => {
      at += CALLS
      return turn(at)
    })
    connection.close()

    const senders = posters(setting, realm, gateway.port, realm.user_ids.slice(0, 4))
    const calm = await rounds(STORMS, () => senders.timed(PACE))
    const storms = []
    const grown = residentBytes(gateway.pid)
    for (let storm = 0; storm < STORMS; storm++) {
      const sends = senders.timed(PACE)
      const began = performance.now()
      await askAll(gateway.port, texts.slice(storm * AT_ONCE, (storm + 1) * AT_ONCE), AT_ONCE)
      const seconds = (performance.now() - began) / 1000
      storms.push({ seconds, sends: await sends })
    }
    const growth = (residentBytes(gateway.pid) - grown) / 1e6
    await Promise.all([senders.stop(), gateway.stop()])

    const statements = [await statementsOf(setting, texts.slice(0, CALLS))]
    const late = (sends: readonly number[]) => percentile(sends, 0.99)
    const size = `${users.toLocaleString('en')} users, ${channels.toLocaleString('en')} channels`
    return [
      {
        what: `a registration, ${size}`,
        ours: `${figure(median(turns.map(({ ours }) => ours)))} ms CPU, ${figure(body.length / 1e6)} MB`,
        baseline: `${figure(median(turns.map(({ encoding }) => encoding)))} ms CPU (JSON.stringify of the answer)`,
        ratios: turns.map(({ ours, encoding }) => ours / encoding),
      },
      {
        what: 'a registration: statements',
        ours: figure(median(statements)),
        baseline: '1 statement',
        ratios: statements,
        expected: required.atMost(2, statements),
      },
      {
        what: `${AT_ONCE} registrations at once`,
        ours: `${figure(median(storms.map(({ seconds }) => seconds)))} s to the last, ${figure(growth)} MB grown`,
        baseline: `${figure((median(turns.map(({ ours }) => ours)) * AT_ONCE) / 1000)} s (CPU of as many one by one)`,
        ratios: storms.map(({ seconds }, i) => seconds / (((turns[i]?.ours ?? Number.NaN) * AT_ONCE) / 1000)),
      },
      {
        what: `a send beside ${AT_ONCE} registrations: p99`,
        ours: `${figure(median(storms.map(({ sends }) => late(sends))))} ms`,
        baseline: `${figure(median(calm.map(late)))} ms (without them)`,
        ratios: storms.map(({ sends }, i) => late(sends) / late(calm[i] ?? [])),
      },
    ] satisfies Answer[]
  },
}

/** Statements per call, as they are counted on the wire between a gateway and Postgres. */
const statementsOf = async (setting: Setting, texts: readonly string[]): Promise<number> => {
  await using proxy = await countingProxy(setting.database_url)
  const gateway = await setting.gateway({ DATABASE_URL: proxy.url, ANTI_ENTROPY_MS: '3600000' })
  await askAll(gateway.port, texts, 1)
  const before = proxy.statements().length
  await askAll(gateway.port, texts, 1)
  const statements = (proxy.statements().length - before) / texts.length
  await gateway.stop()
  return statements
}

const registration = (realm: BenchRealm, user_id: number): string =>
  request('POST', '/register', realm.who(user_id), {
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
  })

/** Channels beside the realm's first, and subscriptions spread over them, made straight in the tables. */
const join = async ({ sql }: Setting, { id: realm_id }: BenchRealm, channels: number, each: number): Promise<void> => {
  await sql`
    insert into channels select (json_populate_record(c, json_build_object('id', n, 'name', 'channel ' || n))).*
    from channels c, generate_series(2, ${channels}::int) as n where c.realm_id = ${realm_id} and c.id = 1`
  await sql`update counters set value = ${channels} where realm_id = ${realm_id} and name = 'channels'`
  await sql`
    insert into subscriptions select (json_populate_record(s, json_build_object('channel_id', n))).*
    from subscriptions s, lateral (
      select distinct 2 + (s.user_id * 7 + k * k * 3 + k) % ${channels - 1}::int as n from generate_series(1, ${each}::int) as k
    ) place
    where s.realm_id = ${realm_id} and s.channel_id = 1`
  await sql`
    insert into channel_reads (realm_id, user_id, channel_id, read_up_to)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}
    on conflict do nothing`
  await sql`
    insert into membership_spans (realm_id, user_id, channel_id, from_message)
    select realm_id, user_id, channel_id, 0 from subscriptions where realm_id = ${realm_id}
    on conflict do nothing`
  await sql`analyze`
}
