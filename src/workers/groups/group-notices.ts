/** Notifies users whom another user added to a user group, or removed from it (permissions.md 12.4). */

import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect, mention } from '../messages/notices.js'

export const groupNotices: JobHandler<'group_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, group_id, added, removed } = job.payload
  const [actor, group] = [state.users.get(actor_id), state.groups.get(group_id)]
  if (actor === undefined || group === undefined) return noEffect
  const name = `@_*${group.name}*`
  const compose = (ids: readonly number[], content: string) =>
    ids.map((id) => {
      const user = state.users.get(id)
      return user?.is_active === true ? composeNotice(job, { users: [user] }, content) : undefined
    })
  return composeSendEffect(
    job.realm,
    await collectSends([
      ...compose(added, `${mention(actor)} made you a member of the group ${name}.`),
      ...compose(removed, `${mention(actor)} took you out of the group ${name}.`),
    ]),
  )
}
