/** A realm's state built in memory, for tests of rules that need no database. */
import { composeSubscription } from '../../../src/domain/channels/channels.js'
import { composeInsert } from '../../../src/domain/log/row-changes.js'
import type { ChannelRow, GroupRow, RealmRow, UserRow } from '../../../src/domain/log/rows.js'
import { RealmState } from '../../../src/domain/log/state.js'
import type { Rows, TableName } from '../../../src/domain/log/tables.js'
import { composeNewRealmRow } from '../../../src/domain/realm/new-realm-row.js'
import { SystemGroup, systemGroups } from '../../../src/domain/settings/group-setting-values.js'
import { testDeployment } from './deployment.js'

import { channelRow, userRow } from './rows.js'

const realmRow = composeNewRealmRow({ id: 1, string_id: 'test', name: 'Test' })

/** Builds a state row by row. Ids count from 1 unless a row names its own. */
export class StateBuilder {
  readonly state: RealmState

  constructor(settings: RealmRow['settings'] = {}) {
    this.state = new RealmState(testDeployment(), { ...realmRow, settings }, 0)
    for (const { id, name } of systemGroups) this.group({ id, name, is_system_group: true })
  }

  put<T extends TableName>(table: T, row: Rows[T]): Rows[T] {
    this.state.apply(composeInsert(table, row))
    return row
  }

  user(given: Partial<UserRow> = {}): UserRow {
    return this.put('users', userRow(given.id ?? this.state.users.size + 1, given))
  }

  channel(given: Partial<ChannelRow> = {}): ChannelRow {
    return this.put('channels', channelRow(given.id ?? this.state.channels.size + 1, given))
  }

  group(given: Partial<GroupRow> = {}, members: readonly UserRow[] = [], subgroups: readonly number[] = []): GroupRow {
    const id = given.id ?? this.state.groups.size + 1
    for (const user of members) this.put('group_members', { group_id: id, user_id: user.id })
    for (const subgroup_id of subgroups) this.put('group_subgroups', { group_id: id, subgroup_id })
    return this.put('groups', {
      id,
      name: `group ${id}`,
      description: '',
      is_system_group: false,
      creator_id: null,
      date_created: 0,
      deactivated: false,
      can_add_members_group: SystemGroup.nobody,
      can_join_group: SystemGroup.nobody,
      can_leave_group: SystemGroup.everyone,
      can_manage_group: SystemGroup.nobody,
      can_mention_group: SystemGroup.everyone,
      can_remove_members_group: SystemGroup.nobody,
      ...given,
    })
  }

  subscribe(user: UserRow, ...channels: readonly ChannelRow[]): void {
    for (const channel of channels) this.put('subscriptions', composeSubscription(user.id, channel.id, '#c2c2c2'))
  }
}
