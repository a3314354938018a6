/**
 * The policies of users for topics. Changes of one user run one after the other (lockUserTopics), so the list of muted
 * topics, which older clients receive with each change, is never an outdated one.
 *
 * Topics are the same whatever their case; the latest spelling is kept.
 */

import { secondsNow } from '#rules/time.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { RealmState } from '../../../domain/log/state.js'
import { type MutedTopic, mutedTopicsChanged, userTopicChanged } from '../../../domain/messages/user-topic-entries.js'
import { checkAddedRows } from '../../limits/stored-rows.js'
import { commit } from '../../log/change.js'
import type { WriteContext } from '../../log/write-context.js'
import type { Db, Transaction } from '../../sql.js'
import { lockUserTopics } from '../message-locks.js'

export interface TopicPolicyChange {
  user_id: number
  channel_id: number
  topic: string
  visibility_policy: number
}

/**
 * Sets a policy; one that holds already changes nothing. Throws BAD_REQUEST above the limits of policies and of muted
 * topics, and StaleStateError.
 * @returns whether it changed
 */
export const setTopicPolicy = (context: WriteContext, policyChange: TopicPolicyChange): Promise<boolean> => {
  const { realm } = context
  const last_updated = secondsNow()
  const { user_id, channel_id, topic, visibility_policy } = policyChange
  return commit(context, async (tx) => {
    await lockUserTopics(tx, realm.id, user_id)
    if (!(await writePolicy(tx, realm.id, policyChange, last_updated))) return { entries: [], result: false }
    const owner = { realm_id: realm.id, user_id }
    if (visibility_policy !== TopicPolicy.inherit) await checkAddedRows(tx, 'topic_policies', owner)
    if (visibility_policy === TopicPolicy.muted) await checkAddedRows(tx, 'muted_topics', owner)
    const muted_topics = await loadMutedTopics(tx, realm.state, user_id)
    const policyData = { stream_id: channel_id, topic_name: topic, last_updated, visibility_policy }
    return {
      entries: [mutedTopicsChanged({ user_id, muted_topics }), userTopicChanged({ users: [user_id], ...policyData })],
      result: true,
    }
  })
}

const writePolicy = async (
  tx: Transaction,
  realm_id: number,
  { user_id, channel_id, topic, visibility_policy }: TopicPolicyChange,
  now: number,
): Promise<boolean> => {
  const rows =
    visibility_policy === TopicPolicy.inherit
      ? await tx`
          delete from user_topics
          where realm_id = ${realm_id} and user_id = ${user_id} and channel_id = ${channel_id}
            and lower(topic) = lower(${topic})
          returning 1`
      : await tx`
          insert into user_topics as t (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
          values (${realm_id}, ${user_id}, ${channel_id}, ${topic}, ${visibility_policy}, ${now})
          on conflict (realm_id, user_id, channel_id, lower(topic)) do update set topic = excluded.topic,
            visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated
          where t.visibility_policy <> excluded.visibility_policy
          returning 1`
  return rows.length > 0
}

/** Deletes all users' policies for a deleted topic. @returns their entries. Index: user_topics_topic. */
export const deleteTopicPolicies = async (
  tx: Transaction,
  state: RealmState,
  channel_id: number,
  topic: string,
): Promise<NewEntry[]> => {
  const deletedPolicies = await tx<{ user_id: number; topic: string; visibility_policy: number }[]>`
    delete from user_topics
    where realm_id = ${state.realm.id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    returning user_id, topic, visibility_policy`
  if (deletedPolicies.length === 0) return []
  const entries: NewEntry[] = []
  for (const { user_id, visibility_policy } of deletedPolicies) {
    if (visibility_policy !== TopicPolicy.muted) continue
    entries.push(mutedTopicsChanged({ user_id, muted_topics: await loadMutedTopics(tx, state, user_id) }))
  }
  const users = deletedPolicies.map(({ user_id }) => user_id).sort((a, b) => a - b)
  const policyData = { stream_id: channel_id, topic_name: topic, last_updated: secondsNow(), visibility_policy: 0 }
  return [...entries, userTopicChanged({ users, ...policyData })]
}

/** The muted topics of a user, in the older form. */
export const loadMutedTopics = async (db: Db, state: RealmState, user_id: number): Promise<MutedTopic[]> => {
  const rows = await db<{ channel_id: number; topic: string; last_updated: number }[]>`
    select channel_id, topic, last_updated from user_topics
    where realm_id = ${state.realm.id} and user_id = ${user_id} and visibility_policy = ${TopicPolicy.muted}
    order by channel_id, lower(topic) collate "C"`
  return rows.flatMap(({ channel_id, topic, last_updated }) => {
    const channel = state.channels.get(channel_id)
    return channel === undefined || channel.is_archived ? [] : [[channel.name, topic, last_updated] as const]
  })
}
