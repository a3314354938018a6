/**
 * Messages that people missed, until they are told of them by mail.
 *
 * 1. Nothing of this is done when a message is sent: a worker looks at what is new, up to a mark, a batch at a time.
 * 2. Somebody missed a message if they want mails about such and were not there when it was sent
 *    (domain/messages/missed.ts). That they read it later is seen when the mail is written (workers/missed-mail.ts).
 * 3. The first of somebody's missed messages whose time has come takes all the others along, into one mail. Of those
 *    that are for many it holds no more than MOST: who follows a lively topic has no row for each of its messages.
 */
import { Policy } from '../../domain/entries/user-topics.js'
import { limits } from '../../domain/limits.js'
import { anyMention, everybody } from '../../domain/messages/flags.js'
import { wantEverything, wantsMail } from '../../domain/messages/missed.js'
import type { RealmState } from '../../domain/state.js'
import { settingOf } from '../../domain/users/user-settings.js'
import { transaction, type Writer } from '../change.js'
import { type QueuedJob, writeJobs } from '../jobs-table.js'
import type { Realm } from '../realm.js'
import type { Sql, Transaction } from '../sql.js'
import { seenOf } from '../users/presence.js'

/** Messages per transaction. */
const BATCH = 500
/** What is older than this, in seconds, is news to nobody: an import, or a worker that was away for long. */
const NEWS_SECS = 86_400
/** Messages of a mail that do not name who gets it (3). */
const MOST = 20

/** Organizations in which there are messages that nobody has looked at. */
export const realmsToLookAt = async (sql: Sql): Promise<number[]> => {
  const rows = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join mail_marks m on m.realm_id = h.realm_id
    where h.last_message_id > coalesce(m.looked_up_to, 0)`
  return rows.map(({ realm_id }) => realm_id)
}

interface Sent {
  id: number
  sender_id: number
  channel_id: number | null
  dm_id: number | null
  /** folded */
  topic: string
  timestamp: number
}

/**
 * Notes who missed what of the next batch (1, 2). Index: the key of messages.
 * @param now UNIX seconds
 * @returns whether there may be more; false also where another worker is at it
 */
export const noteMissed = (sql: Sql, realm: Realm, now: number): Promise<boolean> =>
  sql.begin(async (tx) => {
    const realm_id = realm.id
    await tx`insert into mail_marks (realm_id, looked_up_to) values (${realm_id}, 0) on conflict do nothing`
    const [mark] = await tx<{ from: number; to: number }[]>`
      select m.looked_up_to as from, h.last_message_id as to
      from mail_marks m join log_heads h on h.realm_id = m.realm_id
      where m.realm_id = ${realm_id}
      for update of m skip locked`
    if (mark === undefined || mark.from >= mark.to) return false
    const sent = await tx<Sent[]>`
      select id, sender_id, channel_id, dm_id, lower(topic) as topic, timestamp from messages
      where realm_id = ${realm_id} and id > ${mark.from} and id <= ${mark.to} and timestamp > ${now - NEWS_SECS}
      order by id limit ${BATCH}`
    await realm.barrier()
    const missed = await missedBy(tx, realm.state, sent)
    await tx`
      insert into missed_messages (realm_id, user_id, message_id, due_at)
      select ${realm_id}, user_id, message_id, due_at
      from json_to_recordset(${JSON.stringify(missed)}::text::json) as r (user_id int, message_id bigint, due_at bigint)
      on conflict do nothing`
    const to = sent.length < BATCH ? mark.to : (sent.at(-1)?.id ?? mark.to)
    await tx`update mail_marks set looked_up_to = ${to} where realm_id = ${realm_id}`
    return to < mark.to
  }) as Promise<boolean>

interface Missed {
  user_id: number
  message_id: number
  due_at: number
}

const missedBy = async (tx: Transaction, state: RealmState, sent: readonly Sent[]): Promise<Missed[]> => {
  const [people, waiting, mentions, policies] = await Promise.all([
    peopleOf(tx, state, sent),
    waitingOf(tx, state),
    mentionsIn(tx, state, sent),
    policiesOf(tx, state, sent),
  ])
  const listeners = remembered((channel_id) => wantEverything(state, channel_id))
  const missed: (Missed & { timestamp: number })[] = []
  for (const { id, sender_id, channel_id, dm_id, topic, timestamp } of sent) {
    const named = mentions.get(id) ?? new Map<number, number>()
    const forAll = named.get(everybody) ?? 0
    const set = policies.get(`${channel_id} ${topic}`) ?? new Map<number, TopicPolicy>()
    const concerned =
      channel_id === null
        ? (people.get(dm_id ?? 0) ?? [])
        : [...named.keys(), ...set.keys(), ...listeners(channel_id), ...(forAll ? state.subscribers(channel_id) : [])]
    for (const user_id of new Set(concerned)) {
      const own = named.get(user_id) ?? 0
      const count = waiting.get(user_id) ?? 0
      if (channel_id !== null && own === 0 && count >= MOST) continue
      const user = state.users.get(user_id)
      const policy = policyAt(set.get(user_id), timestamp)
      const addressed = { channel_id: channel_id ?? undefined, sender_id, mentions: own | forAll, policy }
      if (user === undefined || !wantsMail(state, user, addressed)) continue
      const wait = settingOf(user, 'email_notifications_batching_period_seconds')
      missed.push({ user_id, message_id: id, due_at: timestamp + wait, timestamp })
      waiting.set(user_id, count + 1)
    }
  }
  const seen = await seenOf(tx, state.realm.id, [...new Set(missed.map(({ user_id }) => user_id))])
  const lastActive = new Map(seen.map(({ user_id, active_at }) => [user_id, active_at]))
  return missed
    .filter(({ user_id, timestamp }) => (lastActive.get(user_id) ?? 0) < timestamp - AWAY_AFTER)
    .map(({ timestamp: _, ...one }) => one)
}

/** So long after their last sign of life somebody is away, in seconds. */
const AWAY_AFTER = limits.server_presence_offline_threshold_seconds

/** How many messages wait to be mailed, by account. Index: the key. */
const waitingOf = async (tx: Transaction, state: RealmState) => {
  const rows = await tx<{ user_id: number; count: number }[]>`
    select user_id, count(*)::int as count from missed_messages where realm_id = ${state.realm.id} group by user_id`
  return new Map(rows.map(({ user_id, count }) => [user_id, count]))
}

/** The participants of the conversations, by conversation. */
const peopleOf = async (tx: Transaction, state: RealmState, sent: readonly Sent[]) => {
  const ids = [...new Set(sent.flatMap(({ dm_id }) => dm_id ?? []))]
  const rows = await tx<{ id: number; user_ids: number[] }[]>`
    select id, user_ids from dm_conversations where realm_id = ${state.realm.id} and id = any(${ids}::int[])`
  return new Map(rows.map(({ id, user_ids }) => [id, user_ids]))
}

/** How messages mention people, by message and account. Index: message_flags_message. */
const mentionsIn = async (tx: Transaction, state: RealmState, sent: readonly Sent[]) => {
  const rows = await tx<{ message_id: number; user_id: number; flags: number }[]>`
    select message_id, user_id, flags & ${anyMention} as flags from message_flags
    where realm_id = ${state.realm.id} and message_id = any(${sent.map(({ id }) => id)}::bigint[])
      and flags & ${anyMention} <> 0`
  const found = new Map<number, Map<number, number>>()
  for (const { message_id, user_id, flags } of rows) put(found, message_id, user_id, flags)
  return found
}

interface TopicPolicy {
  visibility_policy: number
  last_updated: number
}

/** What held when the message was sent: being mentioned, for example, lets people follow its topic from then on. */
const policyAt = (set: TopicPolicy | undefined, timestamp: number): number | undefined =>
  set?.visibility_policy === Policy.followed && set.last_updated >= timestamp ? undefined : set?.visibility_policy

/** What people have set for the topics, by channel and topic. Index: user_topics_topic. */
const policiesOf = async (tx: Transaction, state: RealmState, sent: readonly Sent[]) => {
  const topics = new Map(
    sent.flatMap(({ channel_id, topic }) =>
      channel_id === null ? [] : [[`${channel_id} ${topic}`, { channel_id, topic }]],
    ),
  )
  const rows = await tx<(TopicPolicy & { channel_id: number; topic: string; user_id: number })[]>`
    select t.channel_id, lower(t.topic) as topic, t.user_id, t.visibility_policy, t.last_updated
    from json_to_recordset(${JSON.stringify([...topics.values()])}::text::json) as s (channel_id int, topic text)
      join user_topics t on t.realm_id = ${state.realm.id} and t.channel_id = s.channel_id and lower(t.topic) = s.topic`
  const found = new Map<string, Map<number, TopicPolicy>>()
  for (const row of rows) put(found, `${row.channel_id} ${row.topic}`, row.user_id, row)
  return found
}

const put = <K, V>(found: Map<K, Map<number, V>>, key: K, user_id: number, value: V): void => {
  const inner = found.get(key)
  if (inner === undefined) found.set(key, new Map([[user_id, value]]))
  else inner.set(user_id, value)
}

const remembered = <T>(find: (id: number) => T): ((id: number) => T) => {
  const known = new Map<number, T>()
  return (id) => {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id) as T
  }
}

/** Hands what is due to jobs that mail it (3). @returns how many people get one. Index: missed_messages_due. */
export const mailMissed = async (
  { sql, jobsWritten }: Pick<Writer, 'sql' | 'jobsWritten'>,
  now: number,
  most = 200,
): Promise<number> => {
  const jobs = await transaction(sql, async (tx) => {
    const due = await tx<{ realm_id: number; user_id: number; message_ids: number[] }[]>`
      with due as (
        select distinct realm_id, user_id from (
          select realm_id, user_id from missed_messages where due_at <= ${now} order by due_at limit ${most}
          for update skip locked
        ) ripe
      ), gone as (
        delete from missed_messages m using due
        where m.realm_id = due.realm_id and m.user_id = due.user_id
        returning m.realm_id, m.user_id, m.message_id
      )
      select realm_id, user_id, array_agg(message_id order by message_id) as message_ids from gone
      group by realm_id, user_id`
    const jobs: QueuedJob[] = []
    for (const { realm_id, ...payload } of due)
      jobs.push(...(await writeJobs(tx, realm_id, [{ kind: 'missed_mail', payload }])))
    return jobs
  })
  jobsWritten(jobs)
  return jobs.length
}
