/**
 * Moves the policies of users for a topic whose messages were all moved to another topic.
 *
 * Into a topic without messages a policy moves unchanged. When two topics are merged, equal policies stay, unmuted wins
 * over other policies, and any other pair of policies is removed. Source: protocol/messages.md 4.4.
 */

import { secondsNow } from '#rules/time.js'
import { TopicPolicy } from '#rules/topic-policies.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { ChannelRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import { mutedTopicsChanged, userTopicChanged } from '../../../domain/messages/user-topic-entries.js'
import type { Transaction } from '../../sql.js'
import { loadMutedTopics } from '../following/topic-policies.js'
import { keepsAccess } from './moved-flag-rows.js'

export interface TopicMove {
  from: ChannelRow
  to: ChannelRow
  old_topic: string
  topic: string
  /** no message was there before */
  into_empty: boolean
}

interface Policies {
  user_id: number
  /** the policies for the old topic and for the new one */
  old: number
  now: number
}

/** Moves the policies. @returns the entries of the change. Index: user_topics_topic. */
export const moveTopicPolicies = async (tx: Transaction, state: RealmState, move: TopicMove): Promise<NewEntry[]> => {
  const { from, to, old_topic, topic } = move
  const realm_id = state.realm.id
  if (from.id === to.id && old_topic.toLowerCase() === topic.toLowerCase()) return []
  const policies = await tx<Policies[]>`
    select user_id,
      coalesce(max(visibility_policy) filter (where channel_id = ${from.id} and lower(topic) = lower(${old_topic})), 0)
        as old,
      coalesce(max(visibility_policy) filter (where channel_id = ${to.id} and lower(topic) = lower(${topic})), 0) as now
    from user_topics
    where realm_id = ${realm_id} and (
      (channel_id = ${from.id} and lower(topic) = lower(${old_topic}))
      or (channel_id = ${to.id} and lower(topic) = lower(${topic}))
    )
    group by user_id order by user_id`
  const after = policies.map((policy) => ({
    ...policy,
    result: keepsAccess(state, policy.user_id, to) ? mergePolicies(policy, move.into_empty) : TopicPolicy.inherit,
  }))
  const changed = after.filter(({ now, result }) => now !== result)
  const last_updated = secondsNow()
  await tx`
    delete from user_topics
    where realm_id = ${realm_id} and channel_id = ${from.id} and lower(topic) = lower(${old_topic})`
  await tx`
    delete from user_topics
    where realm_id = ${realm_id} and channel_id = ${to.id} and lower(topic) = lower(${topic})
      and user_id = any(${changed.map(({ user_id }) => user_id)}::int[])`
  const kept = changed.filter(({ result }) => result !== TopicPolicy.inherit)
  await tx`
    insert into user_topics (realm_id, user_id, channel_id, topic, visibility_policy, last_updated)
    select ${realm_id}, user_id, ${to.id}, ${topic}, policy, ${last_updated}
    from unnest(${kept.map(({ user_id }) => user_id)}::int[], ${kept.map(({ result }) => result)}::int[])
      as p (user_id, policy)`
  const composeEntries = (
    channel: ChannelRow,
    topic_name: string,
    policy: number,
    policies: readonly Policies[],
  ): NewEntry[] =>
    policies.length === 0
      ? []
      : [
          userTopicChanged({
            users: policies.map(({ user_id }) => user_id),
            stream_id: channel.id,
            topic_name,
            last_updated,
            visibility_policy: policy,
          }),
        ]
  const isAboutMuted = ({ old, now, result }: (typeof after)[number]) => [old, now, result].includes(TopicPolicy.muted)
  const muted: NewEntry[] = []
  for (const { user_id } of after.filter(isAboutMuted)) {
    muted.push(mutedTopicsChanged({ user_id, muted_topics: await loadMutedTopics(tx, state, user_id) }))
  }
  const had = after.filter(({ old }) => old !== TopicPolicy.inherit)
  return [
    ...muted,
    ...composeEntries(from, old_topic, TopicPolicy.inherit, had),
    ...Object.values(TopicPolicy).flatMap((policy) =>
      composeEntries(
        to,
        topic,
        policy,
        changed.filter(({ result }) => result === policy),
      ),
    ),
  ]
}

const mergePolicies = ({ old, now }: Policies, into_empty: boolean): number => {
  if (into_empty || old === now) return old
  return old === TopicPolicy.unmuted || now === TopicPolicy.unmuted ? TopicPolicy.unmuted : TopicPolicy.inherit
}
