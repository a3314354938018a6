/** Fetch name `realm_user_groups`: every group and who is in it. Source: register.md 5.5. */
import { z } from 'zod'
import { activeMembers, groupObject, groupOnWire, systemGroupMembers } from '../groups/user-groups.js'
import { type RawJson, rawArray } from '../protocol/raw-json.js'
import { field, type SnapshotRequest } from './asked.js'

export const groupSection = { realm_user_groups: field(z.array(groupObject), groups) }

function groups({ state, profile, now }: SnapshotRequest): RawJson {
  const system = systemGroupMembers(state, Math.floor(now / 1000))
  const shown = [...state.groups.values()]
    .filter((group) => profile.include_deactivated_groups || !group.deactivated)
    .sort((a, b) => a.id - b.id)
  return rawArray(
    shown.map((group) => {
      const members = system.get(group.id) ?? activeMembers(state, group.id)
      return JSON.stringify(groupOnWire(state, group, members))
    }),
  )
}
