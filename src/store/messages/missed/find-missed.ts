/**
 * Finds the users who missed messages: they want mails about such messages (domain/messages/missed/missed-messages.ts)
 * and were away.
 *
 * A user has at most MAX_WAITING waiting messages that do not mention them: so a user who follows a busy topic has no
 * row for each of its messages. Direct messages and personal mentions are not limited.
 *
 * A mail that would be due in the quiet hours of its user is due when they end.
 */

import { quietUntil } from '#rules/quiet-hours.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import { limits } from '../../../domain/limits/limits.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { anyMention, everySubscriber } from '../../../domain/messages/flags.js'
import { shouldMail, subscribersNotifiedOfAll } from '../../../domain/messages/missed/missed-messages.js'
import { getSetting } from '../../../domain/settings/user-settings.js'
import type { Db, Transaction } from '../../sql.js'
import { loadPresence } from '../../users/presence.js'
import type { ReaderRow } from '../narrow/load-messages.js'

/** Waiting messages per user that do not mention them. */
const MAX_WAITING = 20
/** Seconds after their last presence from which a user counts as away. */
const AWAY_AFTER = limits.server_presence_offline_threshold_seconds

/** The columns of a message that decide who missed it. */
export interface SentMessage {
  id: number
  sender_id: number
  channel_id: number | null
  dm_id: number | null
  /** folded */
  topic: string
  timestamp: number
}

interface MissedMessage {
  user_id: number
  message_id: number
  due_at: number
}

/**
 * The users who missed these messages, and when their mail is due.
 * Indexes: keys, message_flags_message, user_topics_topic.
 */
export const findMissedMessages = async (
  tx: Transaction,
  state: RealmState,
  sent: readonly SentMessage[],
): Promise<MissedMessage[]> => {
  const [recipients, waiting, mentions, policies] = await Promise.all([
    loadConversationMembers(tx, state, sent),
    countWaiting(tx, state),
    loadMentions(tx, state, sent),
    loadTopicPolicies(tx, state, sent),
  ])
  const listeners = memoize((channel_id) => subscribersNotifiedOfAll(state, channel_id))
  const missed: (MissedMessage & { timestamp: number })[] = []
  for (const { id, sender_id, channel_id, dm_id, topic, timestamp } of sent) {
    const named = mentions.get(id) ?? new Map<number, number>()
    const forAll = named.get(everySubscriber) ?? 0
    const set = policies.get(`${channel_id} ${topic}`) ?? new Map<number, StoredPolicy>()
    const concerned =
      channel_id === null
        ? (recipients.get(dm_id ?? 0) ?? [])
        : [...named.keys(), ...set.keys(), ...listeners(channel_id), ...(forAll ? state.subscribers(channel_id) : [])]
    for (const user_id of new Set(concerned)) {
      const own = named.get(user_id) ?? 0
      const count = waiting.get(user_id) ?? 0
      if (channel_id !== null && own === 0 && count >= MAX_WAITING) continue
      const user = state.users.get(user_id)
      const policy = policyAt(set.get(user_id), timestamp)
      const addressed = { channel_id: channel_id ?? undefined, sender_id, mentions: own | forAll, policy }
      if (user === undefined || !shouldMail(state, user, addressed)) continue
      missed.push({ user_id, message_id: id, due_at: mailTime(state, user, timestamp), timestamp })
      waiting.set(user_id, count + 1)
    }
  }
  const seen = await loadPresence(tx, state.realm.id, [...new Set(missed.map(({ user_id }) => user_id))])
  const lastActive = new Map(seen.map(({ user_id, active_at }) => [user_id, active_at]))
  return missed
    .filter(({ user_id, timestamp }) => (lastActive.get(user_id) ?? 0) < timestamp - AWAY_AFTER)
    .map(({ timestamp: _, ...missed }) => missed)
}

/** When the mail about a message that was sent now is due. */
const mailTime = (state: RealmState, user: UserRow, timestamp: number): number => {
  const time = timestamp + getSetting(user, 'email_notifications_batching_period_seconds')
  return quietUntil(state.userSettings(user), time, user.timezone) ?? time
}

/**
 * Selects those of the messages about which the user still wants a mail. Since they were recorded, a mention may have
 * been edited out, or a topic muted. Index: user_topics_key.
 */
export const selectWanted = async (
  sql: Db,
  state: RealmState,
  user: UserRow,
  rows: readonly ReaderRow[],
): Promise<ReaderRow[]> => {
  const channels = [...new Set(rows.flatMap(({ channel_id }) => channel_id ?? []))]
  const policies = await sql<(StoredPolicy & { channel_id: number; topic: string })[]>`
    select channel_id, lower(topic) as topic, visibility_policy, last_updated from user_topics
    where realm_id = ${state.realm.id} and user_id = ${user.id} and channel_id = any(${channels}::int[])`
  const byTopic = new Map(policies.map((set) => [`${set.channel_id} ${set.topic}`, set]))
  return rows.filter(({ channel_id, sender_id, topic, timestamp, flags }) => {
    const policy = policyAt(byTopic.get(`${channel_id} ${topic.toLowerCase()}`), timestamp)
    return shouldMail(state, user, {
      channel_id: channel_id ?? undefined,
      sender_id,
      mentions: flags & anyMention,
      policy,
    })
  })
}

/** How many messages wait to be mailed, by account. Index: the key. */
const countWaiting = async (tx: Transaction, state: RealmState) => {
  const rows = await tx<{ user_id: number; count: number }[]>`
    select user_id, count(*)::int as count from missed_messages where realm_id = ${state.realm.id} group by user_id`
  return new Map(rows.map(({ user_id, count }) => [user_id, count]))
}

/** The participants of the conversations, by conversation. */
const loadConversationMembers = async (tx: Transaction, state: RealmState, sent: readonly SentMessage[]) => {
  const ids = [...new Set(sent.flatMap(({ dm_id }) => dm_id ?? []))]
  const rows = await tx<{ id: number; user_ids: number[] }[]>`
    select id, user_ids from dm_conversations where realm_id = ${state.realm.id} and id = any(${ids}::int[])`
  return new Map(rows.map(({ id, user_ids }) => [id, user_ids]))
}

/** How messages mention users, by message and account. Index: message_flags_message. */
const loadMentions = async (tx: Transaction, state: RealmState, sent: readonly SentMessage[]) => {
  const rows = await tx<{ message_id: number; user_id: number; flags: number }[]>`
    select message_id, user_id, flags & ${anyMention} as flags from message_flags
    where realm_id = ${state.realm.id} and message_id = any(${sent.map(({ id }) => id)}::bigint[])
      and flags & ${anyMention} <> 0`
  const found = new Map<number, Map<number, number>>()
  for (const { message_id, user_id, flags } of rows) put(found, message_id, user_id, flags)
  return found
}

interface StoredPolicy {
  visibility_policy: number
  last_updated: number
}

/** The policy when the message was sent: a mention, for example, can make its user follow the topic from then on. */
const policyAt = (set: StoredPolicy | undefined, timestamp: number): number | undefined =>
  set?.visibility_policy === TopicPolicy.followed && set.last_updated >= timestamp ? undefined : set?.visibility_policy

/** The policies of users for the topics, by channel and topic. Index: user_topics_topic. */
const loadTopicPolicies = async (tx: Transaction, state: RealmState, sent: readonly SentMessage[]) => {
  const topics = new Map(
    sent.flatMap(({ channel_id, topic }) =>
      channel_id === null ? [] : [[`${channel_id} ${topic}`, { channel_id, topic }]],
    ),
  )
  const rows = await tx<(StoredPolicy & { channel_id: number; topic: string; user_id: number })[]>`
    select t.channel_id, lower(t.topic) as topic, t.user_id, t.visibility_policy, t.last_updated
    from json_to_recordset(${JSON.stringify([...topics.values()])}::text::json) as s (channel_id int, topic text)
      join user_topics t on t.realm_id = ${state.realm.id} and t.channel_id = s.channel_id and lower(t.topic) = s.topic`
  const found = new Map<string, Map<number, StoredPolicy>>()
  for (const row of rows) put(found, `${row.channel_id} ${row.topic}`, row.user_id, row)
  return found
}

const put = <K, V>(found: Map<K, Map<number, V>>, key: K, user_id: number, value: V): void => {
  const inner = found.get(key)
  if (inner === undefined) found.set(key, new Map([[user_id, value]]))
  else inner.set(user_id, value)
}

const memoize = <T>(find: (id: number) => T): ((id: number) => T) => {
  const known = new Map<number, T>()
  return (id) => {
    if (!known.has(id)) known.set(id, find(id))
    return known.get(id) as T
  }
}
