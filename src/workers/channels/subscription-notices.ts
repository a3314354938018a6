/**
 * Sends each user one direct message with the channels to which another user subscribed them (protocol/endpoints.md
 * 1.1).
 */

import { silentMention } from '../../domain/messages/quoting.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { channelLinks, collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const subscriptionNotices: JobHandler<'subscription_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, user_channels } = job.payload
  const actor = state.users.get(actor_id)
  const sends = user_channels.map(({ user_id, channel_ids }) => {
    const user = state.users.get(user_id)
    const channels = channel_ids.flatMap((id) => state.channels.get(id) ?? [])
    if (actor === undefined || user?.is_active !== true || channels.length === 0) return undefined
    const content =
      channels.length === 1
        ? `${silentMention(actor)} subscribed you to ${channelLinks(channels, '')}.`
        : `${silentMention(actor)} subscribed you to the following channels:\n\n* ${channelLinks(channels, '\n* ')}`
    return composeNotice(job, { users: [user] }, content)
  })
  return composeSendEffect(job.realm, await collectSends(sends))
}
