/**
 * How late are sends while a topic of 200,000 messages is being deleted, against the same sends without that?
 *
 * A hundred messages a second over HTTP to another channel's topic of the same realm, each due at its own moment, while
 * a worker deletes the topic in its small transactions. Times run from when a send was due to its answer.
 *
 * Not measured: how long the deletion takes is told, and not judged.
 */
import type { Answer, Bench } from './bench.js'
import { figure, rounds } from './bench.js'
import { accepted, askAll, request } from './load/http.js'
import { median, percentile } from './measure.js'
import { benchRealm, posters } from './realm.js'
import type { Setting } from './setting.js'

const SENDERS = 4
const PACE = { rate: 100, count: 400 }
const ROUNDS = 5
const MOST_MS = 50

export const deletion: Bench = {
  question: 'How late are sends while a large topic is being deleted, against the same sends without that?',
  async run(setting) {
    const { sql, tell } = setting
    const messages = setting.isShort ? 50_000 : 200_000
    const realm = await benchRealm(setting, SENDERS)
    const [owner = 0] = realm.user_ids
    await sql`update users set role = 100 where realm_id = ${realm.id} and id = ${owner}`
    await fill(setting, realm.id, owner, messages)
    const gateway = await setting.gateway()
    const worker = await setting.worker()
    const senders = posters(setting, realm, gateway.port, realm.user_ids)
    const times = () => senders.timed(PACE)
    await times()

    const calm = await rounds(ROUNDS, times)
    const began = performance.now()
    const text = request('POST', `/streams/${realm.channel_id}/delete_topic`, realm.who(owner), { topic_name: 'old' })
    // It is answered when the topic is gone.
    const deleted = askAll(gateway.port, [text])
    const left = () => countLeft(setting, realm.id)
    const busy: number[][] = []
    while ((await left()) > 0) busy.push(await times())
    const seconds = (performance.now() - began) / 1000
    for (const answer of await deleted) accepted(answer)
    await Promise.all([senders.stop(), gateway.stop(), worker.stop()])
    if (busy.length === 0) throw new Error('the topic was gone before anything was sent')
    tell(`${messages} messages were deleted in ${figure(seconds)} s, in the time of ${busy.length * PACE.count} sends`)

    return [0.5, 0.99].map((share): Answer => {
      const [ours, baseline] = [busy, calm].map((turns) => turns.map((turn) => percentile(turn, share)))
      const name = share === 0.5 ? 'p50' : 'p99'
      const ratios = (ours ?? []).map((time, i) => time / (baseline?.[i % ROUNDS] ?? Number.NaN))
      const worst = median(ours ?? [])
      return {
        what: `a send beside a deletion of ${messages.toLocaleString('en')}: ${name}`,
        ours: `${figure(worst)} ms`,
        baseline: `${figure(median(baseline ?? []))} ms (${name} without it)`,
        ratios,
        ...(share === 0.99 ? { expected: { bound: `< ${MOST_MS} ms`, met: worst < MOST_MS, required: true } } : {}),
      }
    })
  },
}

const countLeft = async ({ sql }: Setting, realm_id: number): Promise<number> => {
  const rows = await sql`
    select from messages where realm_id = ${realm_id} and channel_id = 1 and lower(topic) = 'old' limit 1`
  return rows.count
}

/** Messages of the topic, made straight in the table. */
const fill = async ({ sql }: Setting, realm_id: number, sender_id: number, messages: number): Promise<void> => {
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
