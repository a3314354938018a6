/** Notifies users whom another user added to a user group, or removed from it (protocol/permissions.md 12.4). */

import { silentGroupMention, silentMention } from '../../domain/messages/quoting.js'
import { noticeTexts } from '../../domain/readers/notice-texts.js'
import type { JobSpec } from '../../store/jobs/job-table.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { collectSends, composeNotice, composeSendEffect } from '../messages/notices.js'

export const groupNotices: JobHandler<'group_notices'> = async (job) => {
  const { state } = job.realm
  const { actor_id, group_id, added, removed } = job.payload
  const [actor, group] = [state.users.get(actor_id), state.groups.get(group_id)]
  if (actor === undefined || group === undefined) return noEffect
  const t = noticeTexts(state)
  const values = { user: silentMention(actor), group: silentGroupMention(group.name) }
  const changes = [
    ...added.map((id) => ({ id, content: t('{user} made you a member of the group {group}.', values) })),
    ...removed.map((id) => ({ id, content: t('{user} took you out of the group {group}.', values) })),
  ]
  const notices = changes.slice(0, NOTICES_PER_JOB).map(({ id, content }) => {
    const user = state.users.get(id)
    return user?.is_active === true ? composeNotice(job, { users: [user] }, content) : undefined
  })
  const rest: JobSpec = {
    kind: 'group_notices',
    payload: {
      actor_id,
      group_id,
      added: added.slice(NOTICES_PER_JOB),
      removed: removed.slice(Math.max(0, NOTICES_PER_JOB - added.length)),
    },
  }
  const isMore = changes.length > NOTICES_PER_JOB
  return composeSendEffect(job.realm, await collectSends(notices), isMore ? rest : undefined)
}

/** Notices that are stored in one transaction: the sends of the organization wait for it. */
const NOTICES_PER_JOB = 50
