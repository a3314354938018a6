/**
 * Reports in the affected topics that messages were moved, or that a topic was resolved (protocol/messages.md 4.5).
 */

import { messageFragment, topicLink } from '#rules/links.js'
import { secondsNow } from '#rules/time.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import { silentMention } from '../../domain/messages/quoting.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import { prepareDeletion } from '../../store/messages/editing/delete-messages.js'
import { findNoticeRecipients, findNoticeToUndo, resolveNotices } from '../../store/messages/moving/resolve-notices.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import type { JobContext, JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect, markAsReadExceptFor } from './notices.js'

export const moveNotices: JobHandler<'move_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, old, new: now, resolves, notify, first_id, count, takes_all, into_empty } = job.payload
  const actor = state.users.get(actor_id)
  const [from, to] = [state.channels.get(old.channel_id), state.channels.get(now.channel_id)]
  if (actor === undefined || from === undefined || to === undefined) return noEffect
  if (resolves !== null) return composeResolveEffect(job, actor, to, resolves)
  const t = noticeTexts(state)
  const user = silentMention(actor)
  const compose = (channel: ChannelRow, topic: string, content: string) =>
    composeNotice(job, { channel: channel.id, topic }, content)
  const composeOld = () => {
    const topic = topicLink(to, now.topic)
    return takes_all
      ? t('This topic was moved to {topic} by {user}.', { topic, user })
      : t(
          '{count, plural, one {A message was moved from this topic to {topic} by {user}.} other {# messages were moved from this topic to {topic} by {user}.}}',
          { count, topic, user },
        )
  }
  const composeNew = () => {
    const topic = topicLink(from, old.topic)
    if (takes_all && into_empty) return t('This topic was moved here from {topic} by {user}.', { topic, user })
    // In a channel with protected history, some readers of the notice subscribed too late to see the message.
    if (count === 1 && (to.history_public_to_subscribers || from.id !== to.id)) {
      const link = messageFragment(to, now.topic, first_id)
      return t('[A message]({link}) was moved here from {topic} by {user}.', { link, topic, user })
    }
    return t(
      '{count, plural, one {A message was moved here from {topic} by {user}.} other {# messages were moved here from {topic} by {user}.}}',
      { count, topic, user },
    )
  }
  return composeSendEffect(
    job.realm,
    await collectSends([
      notify.old_thread ? compose(from, old.topic, composeOld()) : undefined,
      notify.new_thread ? compose(to, now.topic, composeNew()) : undefined,
    ]),
  )
}

/**
 * Reports that a topic was resolved or reopened, or deletes a recent notice of the opposite.
 * The notice is unread only for participants of the topic.
 */
const composeResolveEffect = async (
  job: JobContext<'move_notices'>,
  actor: UserRow,
  channel: ChannelRow,
  outcome: 'resolved' | 'unresolved',
): Promise<Effect> => {
  const { write, realm, payload } = job
  const { state } = realm
  const location = { channel_id: channel.id, topic: payload.new.topic }
  const undone = await findNoticeToUndo(write.sql, state, location, secondsNow())
  if (undone !== undefined) {
    const notice = { channel_id: channel.id, user_ids: null, message_ids: [undone] }
    return { change: await prepareDeletion(write.sql, realm, notice) }
  }
  const content = noticeTexts(state)(resolveNotices[outcome], { user: silentMention(actor) })
  const message = composeNotice(job, { channel: channel.id, topic: location.topic }, content)
  const recipients = await findNoticeRecipients(write.sql, state, location)
  return composeSendEffect(
    realm,
    (await collectSends([message])).map((send) => markAsReadExceptFor(send, recipients)),
  )
}
