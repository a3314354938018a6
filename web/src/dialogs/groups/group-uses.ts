/** Why a group cannot be deactivated, in words. */

import { ApiError } from '@parley/client'
import { listNames } from '../../languages/lists.js'
import { t } from '../../languages/t.js'
import type { Chat } from '../../realm/chat.js'
import { groupName } from '../../realm/groups.js'
import { channelName } from '../../realm/names.js'

/** A use of a group, as the server tells it. */
type Use =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'channel'; channel_id: number }
  | { type: 'user_group'; group_id: number }
  | { type: 'realm' }

/** The error that says by what the group is used; any other error as it is. */
export const explainUses = (chat: Chat, error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.code !== 'CANNOT_DEACTIVATE_GROUP_IN_USE') return error
  const uses = error.body.objections as readonly Use[]
  const names = new Set(uses.flatMap((use) => describeUse(chat, use)))
  return new Error(t('The group is in use. Take it out of: {places}.', { places: listNames([...names]) }))
}

const describeUse = (chat: Chat, use: Use): string[] => {
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => chat.groups.value.get(id) ?? []).map(groupName)
  switch (use.type) {
    case 'subgroup':
      return namesOf(use.supergroup_ids).map((name) => t('the group {name}', { name }))
    case 'channel':
      return [t('the permissions of #{channel}', { channel: channelName(chat, use.channel_id) })]
    case 'user_group':
      return namesOf([use.group_id]).map((name) => t('the permissions of the group {name}', { name }))
    default:
      return [t('the permissions of the organization')]
  }
}
