/**
 * How long do sends take while a topic of 200,000 messages is deleted? Baseline: the same sends without a deletion.
 *
 * Users send 100 messages per second over HTTP, each at its due time, to another topic of the same channel. Meanwhile a
 * worker deletes the topic in small transactions. Times are measured from the due time of a send to its response.
 *
 * Not bounded: the duration of the deletion, which is printed.
 */

import type { BenchEnvironment } from './fleet/environment.js'
import { createBenchRealm, startSenders } from './fleet/realm.js'
import { median, percentile } from './harness/measure.js'
import { formatRequest, parseSuccess, sendAll } from './load/http.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const SENDERS = 4
const ROUNDS = 5
const LIMIT_MS = 50

export const deletionBench: Bench = {
  question: 'How long do sends take while a large topic is deleted? Baseline: without a deletion',
  async run(environment) {
    const { sql, print, size } = environment
    const messages = size(200_000, { short: 50_000, smoke: 10_000 })
    const load = { rate: 100, count: size(400, { smoke: 4 }) }
    const realm = await createBenchRealm(environment, SENDERS)
    const [owner = 0] = realm.user_ids
    await sql`update users set role = 100 where realm_id = ${realm.id} and id = ${owner}`
    await insertMessages(environment, realm.id, owner, messages)
    const gateway = await environment.startGateway()
    const worker = await environment.startWorker()
    const senders = startSenders(environment, realm, gateway.port, realm.user_ids)
    const measureRound = () => senders.measureResponseTimes(load)
    await measureRound()

    const without = await runRounds(environment, ROUNDS, measureRound)
    const start = performance.now()
    const path = `/streams/${realm.channel_id}/delete_topic`
    const request = formatRequest('POST', path, realm.identify(owner), { topic_name: 'old' })
    // The gateway responds when the topic is deleted.
    const responses = sendAll(gateway.port, [request])
    const during: number[][] = []
    while (await hasMessages(environment, realm.id)) during.push(await measureRound())
    const seconds = (performance.now() - start) / 1000
    for (const response of await responses) parseSuccess(response)
    await Promise.all([senders.stop(), gateway.stop(), worker.stop()])
    if (during.length === 0) throw new Error('the topic was deleted before the first send')
    print(`${messages} messages were deleted in ${formatNumber(seconds)} s, during ${during.length * load.count} sends`)

    return [0.5, 0.99].map((share): BenchResult => {
      const measured = during.map((times) => percentile(times, share))
      const baseline = without.map((times) => percentile(times, share))
      const name = share === 0.5 ? 'p50' : 'p99'
      const result = median(measured)
      return {
        label: `one send while ${messages.toLocaleString('en')} messages are deleted: ${name}`,
        measured: `${formatNumber(result)} ms`,
        baseline: `${formatNumber(median(baseline))} ms (without a deletion)`,
        ratios: measured.map((time, i) => time / (baseline[i % ROUNDS] ?? Number.NaN)),
        ...(share === 0.99 ? { bound: { text: `< ${LIMIT_MS} ms`, isMet: result < LIMIT_MS, isRequired: true } } : {}),
      }
    })
  },
}

const hasMessages = async ({ sql }: BenchEnvironment, realm_id: number): Promise<boolean> => {
  const rows = await sql`
    select from messages where realm_id = ${realm_id} and channel_id = 1 and lower(topic) = 'old' limit 1`
  return rows.count > 0
}

/** Inserts the messages of the topic directly into the table. */
const insertMessages = async (
  { sql }: BenchEnvironment,
  realm_id: number,
  sender_id: number,
  messages: number,
): Promise<void> => {
  await sql`
    insert into messages (
      realm_id, id, sender_id, channel_id, dm_id, topic, content, rendered_content, timestamp, client, is_me_message,
      sender_read, has_link, has_image, has_attachment
    )
    select ${realm_id}, i, ${sender_id}, 1, null, 'old', 'Note ' || i, '<p>Note ' || i || '</p>', 1, 'bench', false, true,
      false, false, false
    from generate_series(1, ${messages}) as i`
  await sql`update log_heads set last_message_id = ${messages} where realm_id = ${realm_id}`
  await sql`analyze messages`
}
