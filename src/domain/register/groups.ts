/** Fetch name `realm_user_groups`: every group and who is in it. Source: protocol/register.md 5.5. */
import { z } from 'zod'
import { activeMembers, groupObject, groupOnWire, systemGroupMembers } from '../groups/user-groups.js'
import { cachedJson } from '../log/cached-json.js'
import { RawJson, type SharedText } from '../protocol/raw-json.js'
import { countFullMembers, fullMemberTables } from './promotion-times.js'
import { field, type SnapshotRequest } from './snapshot-request.js'

export const groupSection = { realm_user_groups: field(z.array(groupObject), groups) }

/** The groups by id: a text of each, with the comma before it. */
const findTexts = cachedJson<readonly SharedText[], SnapshotRequest>({
  name: 'groups',
  tables: [...fullMemberTables, 'groups', 'group_members', 'group_subgroups'],
  version: (state, { now }) => countFullMembers(state, now),
  form: ({ profile }) => String(profile.include_deactivated_groups),
  compose(state, { profile, now }, reuse) {
    const system = systemGroupMembers(state, Math.floor(now / 1000))
    return [...state.groups.values()]
      .filter((group) => profile.include_deactivated_groups || !group.deactivated)
      .sort((a, b) => a.id - b.id)
      .map((group, i) => {
        const members = system.get(group.id) ?? activeMembers(state, group.id)
        const comma = i === 0 ? '' : ','
        return reuse.text(group.id, `${comma}${JSON.stringify(groupOnWire(state, group, members))}`)
      })
  },
})

function groups(request: SnapshotRequest): RawJson {
  return new RawJson('[]', findTexts(request.state, request))
}
