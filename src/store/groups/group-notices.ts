/** The job that tells users who were added to a group, or removed from it. */
import type { MemberChanges } from '../../domain/groups/group-members.js'
import type { GroupRow, UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import type { JobSpec } from '../jobs/job-table.js'

/** The job that notifies the users whom the actor added or removed. It notifies neither the actor nor bots. */
export const composeGroupNoticeJobs = (
  state: RealmState,
  actor: UserRow,
  group: GroupRow,
  changes: MemberChanges,
): JobSpec[] => {
  const selectNotified = (ids: readonly number[]) =>
    [...new Set(ids)].filter((id) => id !== actor.id && state.users.get(id)?.is_bot === false)
  const payload = {
    actor_id: actor.id,
    group_id: group.id,
    added: selectNotified(changes.add),
    removed: selectNotified(changes.delete),
  }
  return payload.added.length + payload.removed.length === 0 ? [] : [{ kind: 'group_notices', payload }]
}
