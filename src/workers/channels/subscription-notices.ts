/** Sends each user one direct message with the channels to which another user subscribed them (endpoints.md 1.1). */

import type { JobHandler } from '../jobs/job-handler.js'
import { channelLink, collectSends, composeNotice, composeSendEffect, mention } from '../messages/notices.js'

export const subscriptionNotices: JobHandler<'subscription_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, user_channels } = job.payload
  const actor = state.users.get(actor_id)
  const sends = user_channels.map(({ user_id, channel_ids }) => {
    const user = state.users.get(user_id)
    const links = channel_ids.flatMap((id) => {
      const channel = state.channels.get(id)
      return channel === undefined ? [] : [channelLink(channel)]
    })
    if (actor === undefined || user?.is_active !== true || links.length === 0) return undefined
    const content =
      links.length === 1
        ? `${mention(actor)} subscribed you to ${links[0]}.`
        : `${mention(actor)} subscribed you to the following channels:\n\n${links.map((link) => `* ${link}`).join('\n')}`
    return composeNotice(job, { users: [user] }, content)
  })
  return composeSendEffect(job.realm, await collectSends(sends))
}
