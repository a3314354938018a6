/** Changes of the status of a user, which the user makes and which a job makes when a status ends by itself. */

import type { NewEntry } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import type { UserRow, UserStatusRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { userStatus } from '../presence/status-entries.js'
import { emptyStatus } from '../presence/statuses.js'
import { audienceWithAccess } from '../user-access.js'
import { type Account, accountContactSources } from './account-changes.js'

/** The columns of a status that change. */
export type StatusPatch = Partial<Omit<UserStatusRow, 'user_id'>>

/** A change of a status: its entries, and when the new status ends by itself. */
interface StatusChange {
  entries: NewEntry[]
  ends_at: number | null
}

/** Composes a change. Without `ends_at`, the new status does not end by itself; an empty one never does. */
export const changeStatus = (state: RealmState, user: UserRow, account: Account, patch: StatusPatch): StatusChange => {
  const row = state.statuses.get(user.id)
  const former = row ?? emptyStatus
  const next = { ...former, ends_at: null, ...patch }
  const isEmpty = next.status_text === '' && next.emoji_name === ''
  const ends_at = isEmpty ? null : next.ends_at
  const columns = { ...patch, ends_at }
  const changed =
    row === undefined
      ? composeInsert('user_statuses', { ...emptyStatus, user_id: user.id, ...columns })
      : composeUpdate('user_statuses', row, columns)
  if (changed === undefined) return { entries: [], ends_at }
  const { ends_at: _, ...shown } = patch
  const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
  const end = ends_at === former.ends_at ? {} : { scheduled_end_time: ends_at }
  return { entries: [userStatus({ user_id: user.id, viewers, ...shown, ...end }, [changed])], ends_at }
}

/** What clears a status. */
export const clearedStatus: StatusPatch = emptyStatus
