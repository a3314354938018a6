/**
 * Members become full members when the organization's waiting period has passed, without anybody doing anything.
 *
 * Permissions need nobody to notice: they ask the clock. But clients have to be told, of the group and of the channels
 * that it lets people see. A counter of the realm holds up to when (UNIX seconds) everyone has been told.
 * Source: permissions.md section 1, "Change of class".
 */
import { accessChanges, accessEntries } from '../channels/access-changes.js'
import { carrying, type NewEntry } from '../log/entry.js'
import { updated } from '../log/row-changes.js'
import { Role } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { DAY } from '../permissions/permissions.js'
import { TOLD, toldUpTo } from '../realm/waiting-period.js'
import { SystemGroup } from '../settings/group-setting-values.js'
import { groupMembersAdded } from './group-entries.js'

/** The entries that tell of those who became full members since the last time; none when nobody did. */
export const promotions = (state: RealmState, now: number): NewEntry[] => {
  const wait = state.settings.waiting_period_threshold * DAY
  const told = state.counters.get(TOLD) ?? 0
  const promoted = [...state.users.values()].filter(
    ({ role, is_active, is_system_bot, date_joined }) =>
      role === Role.member && is_active && !is_system_bot && date_joined + wait <= now && date_joined + wait > told,
  )
  const row = toldUpTo(state, now)
  if (wait === 0 || promoted.length === 0 || row === undefined) return []
  const ids = promoted.map(({ id }) => id).sort((a, b) => a - b)
  // As if they had joined just now: what they see since then is what the promotion shows them.
  const before = state.after(promoted.flatMap((user) => updated('users', user, { date_joined: now }) ?? []))
  return carrying(
    [row],
    [
      groupMembersAdded({ group_id: SystemGroup.fullmembers, deactivated: false, ids }),
      ...accessEntries(state, accessChanges(before, state)),
    ],
  )
}
