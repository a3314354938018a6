/**
 * Queries for the notices that a topic was resolved or unresolved.
 *
 * Source: protocol/messages.md 4.5.
 */

import { TopicPolicy } from '#rules/topic-policies.js'
import { msg } from '../../../domain/languages/texts.js'
import type { RealmState } from '../../../domain/log/state.js'
import { isNotice } from '../../../domain/readers/notice-texts.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { getSetting } from '../../../domain/settings/user-settings.js'
import type { Db } from '../../sql.js'
import type { Topic } from '../following/new-topics.js'
import { loadTopicParticipants } from '../participants.js'

/** Seconds within which the opposite action deletes a notice. */
const UNDONE_WITHIN = 60

/** Such notices. No other notice has one of these texts, in any language. */
export const resolveNotices = {
  resolved: msg('{user} has marked this topic as resolved.'),
  unresolved: msg('{user} has marked this topic as unresolved.'),
}

/** The topic's last message, if it is such a notice that the opposite takes back. Index: messages_topic. */
export const findNoticeToUndo = async (
  db: Db,
  state: RealmState,
  { channel_id, topic }: Topic,
  now: number,
): Promise<number | undefined> => {
  const [last] = await db<{ id: number; sender_id: number; content: string; timestamp: number }[]>`
    select id, sender_id, content, timestamp from messages
    where realm_id = ${state.realm.id} and channel_id = ${channel_id} and lower(topic) = lower(${topic})
    order by id desc limit 1`
  if (last === undefined || last.sender_id !== notificationBot(state)?.id) return undefined
  const { content } = last
  const isToUndo = Object.values(resolveNotices).some((message) => isNotice(content, message, ['user']))
  return isToUndo && now - last.timestamp <= UNDONE_WITHIN ? last.id : undefined
}

/** Finds the users who get the notice as unread. They are participants of the topic whose setting says so. */
export const findNoticeRecipients = async (db: Db, state: RealmState, conversation: Topic): Promise<Set<number>> => {
  const { channel_id, topic } = conversation
  const participants = await loadTopicParticipants(db, state.realm.id, channel_id, topic)
  const followers = await db<{ user_id: number }[]>`
    select user_id from user_topics
    where realm_id = ${state.realm.id} and user_id = any(${participants}::int[]) and channel_id = ${channel_id}
      and lower(topic) = lower(${topic}) and visibility_policy = ${TopicPolicy.followed}`
  const follows = new Set(followers.map(({ user_id }) => user_id))
  const wants = (id: number): boolean => {
    const user = state.users.get(id)
    const policy = user && getSetting(user, 'resolved_topic_notice_auto_read_policy')
    return policy === 'never' || (policy === 'except_followed' && follows.has(id))
  }
  return new Set(participants.filter((id) => state.isSubscribed(id, channel_id) && wants(id)))
}
