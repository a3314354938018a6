/**
 * Members become full members when the organization's waiting period has passed, without a request.
 *
 * Permission checks read the clock, so they need no change. Clients need events, about the group and about the channels
 * that the group makes visible. A counter of the realm holds the time (UNIX seconds) up to which the events were sent.
 * Source: protocol/permissions.md 1, "Change of class".
 */

import { DAY } from '#rules/time.js'
import { announceAccessChanges, compareAccess } from '../channels/access-changes.js'
import { attachRowChanges, type NewEntry } from '../log/entry.js'
import { composeUpdate } from '../log/row-changes.js'
import { Role } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { composePromotionTimeChange, TOLD } from '../realm/waiting-period.js'
import { SystemGroup } from '../settings/group-setting-values.js'
import { groupMembersAdded } from './group-entries.js'

/**
 * Composes the entries for users who became full members since the last run. Composes none when there are no such
 * users.
 */
export const announcePromotions = (state: RealmState, now: number): NewEntry[] => {
  const wait = state.settings.waiting_period_threshold * DAY
  const announcedUpTo = state.counters.get(TOLD) ?? 0
  const promoted = [...state.users.values()].filter(
    ({ role, is_active, is_system_bot, date_joined }) =>
      role === Role.member &&
      is_active &&
      !is_system_bot &&
      date_joined + wait <= now &&
      date_joined + wait > announcedUpTo,
  )
  const row = composePromotionTimeChange(state, now)
  if (wait === 0 || promoted.length === 0 || row === undefined) return []
  const ids = promoted.map(({ id }) => id).sort((a, b) => a - b)
  // Compared with a state in which they have just joined: the difference is what the promotion makes visible.
  const before = state.withChanges(promoted.flatMap((user) => composeUpdate('users', user, { date_joined: now }) ?? []))
  return attachRowChanges(
    [row],
    [
      groupMembersAdded({ group_id: SystemGroup.fullmembers, deactivated: false, ids }),
      ...announceAccessChanges(state, compareAccess(before, state)),
    ],
  )
}
