/** Permissions to change the group settings and the topics policy of a channel (protocol/permissions.md 4.1, 6.4). */
import { describe } from 'vitest'
import type { ChannelRow } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { administering, administrators, change, readingAdministrators } from '../setup/realm/channel-administration.js'
import { type Cell, channelMatrix, channelsOf } from '../setup/realm/channel-matrix.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const matrix = channelMatrix(administering)

describe('Group settings of a channel', () => {
  const holder = ({ world }: Cell) => ({ new: { direct_members: [world.founder.user_id], direct_subgroups: [] } })
  const toHolder = (name: string) => change((cell) => ({ [name]: holder(cell) }))

  // 4.1 "Change needs: metadata access + CA".
  for (const name of [
    'can_administer_channel_group',
    'can_resolve_topics_group',
    'can_remove_subscribers_group',
    'can_send_message_group',
    'can_move_messages_out_of_channel_group',
    'can_move_messages_within_channel_group',
  ])
    matrix(`Only channel administrators can change ${name}.`, { ...toHolder(name), table: administrators })

  matrix('Only channel administrators can change can_create_topic_group, and only where the history is shared.', {
    ...toHolder('can_create_topic_group'),
    table: administrators.replaceAll(/yes( +)yes( +)yes( +)yes {3}/g, 'yes$1yes$2yes$3topics'),
  })

  // Beside administrators, only holders of can_set_delete_message_policy_group may choose who deletes messages. No
  // moderator administers a channel here.
  for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group'])
    matrix(`Only administrators of the organization and permitted channel administrators can change ${name}.`, {
      ...toHolder(name),
      table: administrators
        .replace(/^( +administers {2}.*)$/m, (line) => line.replaceAll('yes   ', 'denied').replaceAll('yes', 'denied'))
        .replace('sub administrator, sub administers  ', 'sub administrator                   ')
        .replace(
          /^ +adds, joins/m,
          (line) =>
            `  sub administers                           denied      denied   denied   denied     denied    denied\n${line}`,
        ),
    })

  // 4.1 "Change needs: content access + CA", because these settings give users access to the channel.
  for (const name of ['can_add_subscribers_group', 'can_subscribe_group'])
    matrix(`Only channel administrators who can read the channel can change ${name}.`, {
      ...toHolder(name),
      table: readingAdministrators,
    })
})

describe('The topics policy of a channel', () => {
  /** Sets can_set_topics_policy_group of the organization, and this topics policy in all channels. */
  const where = (can_set_topics_policy_group: number | 'stewards', topics_policy: ChannelRow['topics_policy']) => ({
    prepare: async (cells: readonly Cell[]) => {
      const [{ world }] = cells as [Cell]
      const group = can_set_topics_policy_group === 'stewards' ? world.stewards : can_set_topics_policy_group
      await updateRealmSettings(world.realm, { can_set_topics_policy_group: group })
      await world.updateRows(channelsOf(cells), { topics_policy })
    },
  })

  // 6.4: inheriting the organization's policy requires only channel administration.
  matrix('Channel administrators can make a channel inherit the topics policy without another permission.', {
    ...change({ topics_policy: 'inherit' }),
    ...where('stewards', 'disable_empty_topic'),
    table: administrators,
  })

  // 6.4: any other policy requires can_set_topics_policy_group and channel administration.
  matrix('Channel administrators who are not in can_set_topics_policy_group cannot set another topics policy.', {
    ...change({ topics_policy: 'disable_empty_topic' }),
    ...where('stewards', 'inherit'),
    table: administrators.replaceAll('yes   ', 'denied').replaceAll('yes', 'denied'),
  })

  matrix('Channel administrators can set another topics policy when can_set_topics_policy_group is role:members.', {
    ...change({ topics_policy: 'disable_empty_topic' }),
    ...where(SystemGroup.members, 'inherit'),
    table: administrators,
  })
})
