/**
 * Automatic following: users follow topics in which they take part (domain/messages/sending/following.ts).
 *
 * 1. The policy is written in the transaction of the user's action, and its entry precedes the action's entry in the
 *    log (protocol/events.md 4.10).
 * 2. A message that makes a user follow its topic has its own transaction (own-transaction-sends.ts). For other
 *    messages the check that no policy changes is mostly answered from memory, otherwise from the users' policies.
 * 3. Only one message begins a topic. Two concurrent messages may both seem to be the first: the one that is stored
 *    later finds the other one, and its send runs again.
 */

import { secondsNow } from '#rules/time.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { UserRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import {
  automaticPolicy,
  findAutomaticFollowers,
  type Participation,
} from '../../../domain/messages/sending/following.js'
import { mutedTopicsChanged, userTopicChanged } from '../../../domain/messages/user-topic-entries.js'
import { StaleStateError } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { Db, Transaction } from '../../sql.js'
import { lockUserTopics } from '../message-locks.js'
import { isNewTopic, type Topic } from './new-topics.js'
import { loadMutedTopics } from './topic-policies.js'

/**
 * Raises the policies of these users to `policy`: a missing policy, and a policy that is lower than `policy` and higher
 * than `above`.
 */
interface PolicyRaise {
  user_ids: readonly number[]
  policy: number
  above: number
}

/** The policies that a message in a topic raises. */
export interface FollowRequest {
  topic: Topic
  raisings: readonly PolicyRaise[]
  /** the message is the first of its topic; if it is not at commit, the send runs again (3) */
  begins: boolean
}

/** The result of following. */
export interface FollowResult {
  entries: NewEntry[]
  /** the new policies, by user */
  policies: Map<number, number>
}

/** The policies that a message of the sender raises; undefined: none. */
export const planFollowing = async (
  db: Db,
  realm: Realm,
  sender: UserRow,
  topic: Topic,
  mentioned: Iterable<number>,
): Promise<FollowRequest | undefined> => {
  const { state } = realm
  const { channel_id } = topic
  const [first, later] = [
    automaticPolicy(state, sender, channel_id, 'starts'),
    automaticPolicy(state, sender, channel_id, 'sends'),
  ]
  const begins = first !== later && (await isNewTopic(db, realm, topic))
  const lower = []
  for (const raising of [
    {
      user_ids: findAutomaticFollowers(state, sender, channel_id, mentioned),
      policy: TopicPolicy.followed,
      above: TopicPolicy.muted,
    },
    ...raiseForUser(sender, begins ? first : later),
  ]) {
    const user_ids = await findUsersToRaise(db, realm.id, topic, raising)
    if (user_ids.length > 0) lower.push({ ...raising, user_ids })
  }
  return lower.length === 0 ? undefined : { topic, raisings: lower, begins }
}

/** Raises the policies, before the message is stored. Takes the locks of the users' topic policies. */
export const followTopic = async (
  tx: Transaction,
  state: RealmState,
  { topic, raisings }: Pick<FollowRequest, 'topic' | 'raisings'>,
): Promise<FollowResult> => {
  const concerned = raisings.flatMap(({ user_ids }) => user_ids).sort((a, b) => a - b)
  for (const id of concerned) await lockUserTopics(tx, state.realm.id, id)
  const followed: FollowResult = { entries: [], policies: new Map() }
  for (const raising of raisings) {
    const user_ids = await findUsersToRaise(tx, state.realm.id, topic, raising)
    if (user_ids.length === 0) continue
    followed.entries.push(...(await writePolicies(tx, state, topic, { ...raising, user_ids })))
    for (const id of user_ids) followed.policies.set(id, raising.policy)
  }
  return followed
}

/**
 * Throws StaleStateError if the message is not the first of its topic (3). The caller found it to be the first before.
 * Index: messages_topic.
 */
export const checkFirstMessage = async (
  tx: Transaction,
  realm_id: number,
  { channel_id, topic }: Topic,
  message_id: number,
): Promise<void> => {
  const [earlier] = await tx`
    select from messages
    where realm_id = ${realm_id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
      and id < ${message_id}
    limit 1`
  if (earlier !== undefined) throw new StaleStateError()
}

/** Raises the policy of a user who acts on a message of a topic. @returns the entries */
export const followAfterAction = async (
  tx: Transaction,
  state: RealmState,
  user: UserRow,
  { channel_id, topic }: { channel_id: number | null; topic: string },
  part: Participation,
): Promise<NewEntry[]> => {
  if (channel_id === null) return []
  const raisings = raiseForUser(user, automaticPolicy(state, user, channel_id, part))
  if (raisings.length === 0) return []
  return (await followTopic(tx, state, { topic: { channel_id, topic }, raisings })).entries
}

const raiseForUser = ({ id }: UserRow, policy: number | undefined): PolicyRaise[] =>
  policy === undefined ? [] : [{ user_ids: [id], policy, above: TopicPolicy.inherit }]

/** The users whose policy would be raised, by id. Index: user_topics_key. */
const findUsersToRaise = async (
  db: Db,
  realm_id: number,
  { channel_id, topic }: Topic,
  { user_ids, policy, above }: PolicyRaise,
): Promise<number[]> => {
  if (user_ids.length === 0) return []
  const rows = await db<{ user_id: number; visibility_policy: number }[]>`
    select user_id, visibility_policy from user_topics
    where realm_id = ${realm_id} and user_id = any(${user_ids as number[]}::int[]) and channel_id = ${channel_id}
      and lower(topic) = lower(${topic})`
  const known = new Map(rows.map((row) => [row.user_id, row.visibility_policy]))
  return [...user_ids]
    .filter((id) => {
      const now = known.get(id)
      return now === undefined || (now > above && now < policy)
    })
    .sort((a, b) => a - b)
}

/** Writes the policy of these users. @returns their entries */
const writePolicies = async (
  tx: Transaction,
  state: RealmState,
  { channel_id, topic }: Topic,
  { user_ids, policy }: PolicyRaise,
): Promise<NewEntry[]> => {
  const realm_id = state.realm.id
  const users = [...user_ids]
  const last_updated = secondsNow()
  const muters = await tx<{ user_id: number }[]>`
    select user_id from user_topics
    where realm_id = ${realm_id} and user_id = any(${users}::int[]) and channel_id = ${channel_id}
      and lower(topic) = lower(${topic}) and visibility_policy = ${TopicPolicy.muted}
    order by user_id`
  await tx`
    insert into user_topics (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
    select ${realm_id}, user_id, ${channel_id}, ${topic}, ${policy}, ${last_updated}
    from unnest(${users}::int[]) as raised (user_id)
    on conflict (realm_id, user_id, channel_id, lower(topic)) do update set topic = excluded.topic,
      visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated`
  const muted: NewEntry[] = []
  for (const { user_id } of muters) {
    muted.push(mutedTopicsChanged({ user_id, muted_topics: await loadMutedTopics(tx, state, user_id) }))
  }
  const policyData = { stream_id: channel_id, topic_name: topic, last_updated, visibility_policy: policy }
  return [...muted, userTopicChanged({ users, ...policyData })]
}
