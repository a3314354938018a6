/**
 * Reports in the affected topics that messages were moved, or that a topic was resolved (protocol/messages.md 4.5).
 */

import { messageFragment, topicLink } from '#rules/links.js'
import { secondsNow } from '#rules/time.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import { silentMention } from '../../domain/messages/quoting.js'
import { prepareDeletion } from '../../store/messages/editing/delete-messages.js'
import {
  findNoticeRecipients,
  findNoticeToUndo,
  resolveNoticeEnding,
} from '../../store/messages/moving/resolve-notices.js'
import { type Effect, noEffect } from '../jobs/effects.js'
import type { JobContext, JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect, markAsReadExceptFor } from './notices.js'

export const moveNotices: JobHandler<'move_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, old, new: now, resolves, notify, first_id, count, takes_all, into_empty } = job.payload
  const actor = state.users.get(actor_id)
  const [from, to] = [state.channels.get(old.channel_id), state.channels.get(now.channel_id)]
  if (actor === undefined || from === undefined || to === undefined) return noEffect
  const by = silentMention(actor)
  const compose = (channel: ChannelRow, topic: string, content: string) =>
    composeNotice(job, { channel: channel.id, topic }, content)
  if (resolves !== null) return composeResolveEffect(job, actor, to, resolves)
  const oldTopicText = `to ${topicLink(to, now.topic)} by ${by}.`
  const newTopicText = `moved here from ${topicLink(from, old.topic)} by ${by}.`
  const messages = count === 1 ? 'A message was' : `${count} messages were`
  // In a channel with protected history, some readers of the notice subscribed too late to see the message.
  const isEverybodys = to.history_public_to_subscribers || from.id !== to.id
  const linked = count === 1 && isEverybodys ? `[A message](${messageFragment(to, now.topic, first_id)}) was` : messages
  const comer = takes_all && into_empty ? 'This topic was' : linked
  return composeSendEffect(
    job.realm,
    await collectSends([
      notify.old_thread
        ? compose(
            from,
            old.topic,
            takes_all ? `This topic was moved ${oldTopicText}` : `${messages} moved from this topic ${oldTopicText}`,
          )
        : undefined,
      notify.new_thread ? compose(to, now.topic, `${comer} ${newTopicText}`) : undefined,
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
  const place = { channel_id: channel.id, topic: payload.new.topic }
  const undone = await findNoticeToUndo(write.sql, state, place, secondsNow())
  if (undone !== undefined) {
    const notice = { channel_id: channel.id, user_ids: null, message_ids: [undone] }
    return { change: await prepareDeletion(write.sql, realm, notice) }
  }
  const message = composeNotice(
    job,
    { channel: channel.id, topic: place.topic },
    `${silentMention(actor)} ${resolveNoticeEnding(outcome)}`,
  )
  const recipients = await findNoticeRecipients(write.sql, state, place)
  return composeSendEffect(
    realm,
    (await collectSends([message])).map((send) => markAsReadExceptFor(send, recipients)),
  )
}
