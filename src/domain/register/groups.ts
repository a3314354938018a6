/** Fetch name `realm_user_groups`: every group and who is in it. Source: register.md 5.5. */
import { z } from 'zod'
import { activeMembers, groupObject, groupOnWire, systemGroupMembers } from '../groups/user-groups.js'
import { openDerivedValues } from '../log/derived-values.js'
import { RawJson, SharedText } from '../protocol/raw-json.js'
import { field, type SnapshotRequest } from './asked.js'
import { fullMembersVersion } from './full-members.js'

export const groupSection = { realm_user_groups: field(z.array(groupObject), groups) }

/** The groups by id; a text is kept as long as its group has not changed. */
type EncodedGroups = ReadonlyMap<number, { json: string; text: SharedText }>

const findGroups = openDerivedValues<EncodedGroups>()

function groups({ state, profile, now }: SnapshotRequest): RawJson {
  const { include_deactivated_groups } = profile
  const rows = state.versionOf(['users', 'groups', 'group_members', 'group_subgroups'])
  const version = `${rows} ${fullMembersVersion(state, now)}`
  const encoded = findGroups(state, String(include_deactivated_groups), version, (former) => {
    const system = systemGroupMembers(state, Math.floor(now / 1000))
    const shown = [...state.groups.values()]
      .filter((group) => include_deactivated_groups || !group.deactivated)
      .sort((a, b) => a.id - b.id)
    return new Map(
      shown.map((group, i) => {
        const members = system.get(group.id) ?? activeMembers(state, group.id)
        const json = `${i === 0 ? '' : ','}${JSON.stringify(groupOnWire(state, group, members))}`
        const same = former?.get(group.id)
        return [group.id, same?.json === json ? same : { json, text: new SharedText(json) }]
      }),
    )
  })
  return new RawJson(
    '[]',
    [...encoded.values()].map(({ text }) => text),
  )
}
