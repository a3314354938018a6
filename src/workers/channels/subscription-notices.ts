/**
 * Sends each user one direct message with the channels to which another user subscribed them (protocol/endpoints.md
 * 1.1).
 */

import type { Texts } from '#rules/texts.js'
import type { ChannelRow, UserRow } from '../../domain/log/rows.js'
import { silentMention } from '../../domain/messages/quoting.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { channelLinks, collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const subscriptionNotices: JobHandler<'subscription_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, user_channels } = job.payload
  const actor = state.users.get(actor_id)
  const t = noticeTexts(state)
  const sends = user_channels.map(({ user_id, channel_ids }) => {
    const user = state.users.get(user_id)
    const channels = channel_ids.flatMap((id) => state.channels.get(id) ?? [])
    if (actor === undefined || user?.is_active !== true || channels.length === 0) return undefined
    const content = composeText(t, actor, channels)
    return composeNotice(job, { users: [user] }, content)
  })
  return composeSendEffect(job.realm, await collectSends(sends))
}

const composeText = (t: Texts, actor: UserRow, channels: readonly ChannelRow[]): string => {
  const user = silentMention(actor)
  const { links, others } = channelLinks(channels)
  if (channels.length === 1) return t('{user} subscribed you to {channel}.', { user, channel: links[0] })
  const more = others === 0 ? [] : [t('{count, plural, one {and one more} other {and # more}}', { count: others })]
  const list = [...links, ...more].map((item) => `* ${item}`).join('\n')
  return t('{user} subscribed you to the following channels:\n\n{list}', { user, list })
}
