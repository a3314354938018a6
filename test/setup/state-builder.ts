/** A realm's state built in memory, for tests of rules that need no database. */
import { defaultChannelGroups, newSubscription } from '../../src/domain/channels/channels.js'
import { inserted } from '../../src/domain/log/row-changes.js'
import { type ChannelRow, type GroupRow, type RealmRow, Role, type UserRow } from '../../src/domain/log/rows.js'
import { RealmState } from '../../src/domain/log/state.js'
import type { Rows, TableName } from '../../src/domain/log/tables.js'
import { SystemGroup, systemGroups } from '../../src/domain/settings/group-setting-values.js'
import { testDeployment } from './deployment.js'

const realmRow: RealmRow = {
  id: 1,
  string_id: 'test',
  name: 'Test',
  description: '',
  date_created: 0,
  is_active: true,
  settings: {},
  user_settings_defaults: {},
  pictures: {},
  upload_quota_mib: null,
}

export class StateBuilder {
  readonly state: RealmState

  constructor(settings: RealmRow['settings'] = {}) {
    this.state = new RealmState(testDeployment(), { ...realmRow, settings }, 0)
    for (const { id, name } of systemGroups) this.group({ id, name, is_system_group: true })
  }

  put<T extends TableName>(table: T, row: Rows[T]): Rows[T] {
    this.state.apply(inserted(table, row))
    return row
  }

  user(given: Partial<UserRow> = {}): UserRow {
    const id = given.id ?? this.state.users.size + 1
    const email = `user${id}@test.invalid`
    return this.put('users', {
      id,
      email,
      delivery_email: email,
      full_name: `User ${id}`,
      role: Role.member,
      is_active: true,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      is_system_bot: false,
      date_joined: 0,
      timezone: '',
      avatar_source: 'G',
      avatar_version: 1,
      key_version: 1,
      can_create_users: true,
      can_change_user_emails: true,
      settings: {},
      profile_data: {},
      ...given,
    })
  }

  channel(given: Partial<ChannelRow> = {}): ChannelRow {
    const id = given.id ?? this.state.channels.size + 1
    return this.put('channels', {
      id,
      name: `channel ${id}`,
      description: '',
      rendered_description: '',
      date_created: 0,
      creator_id: null,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      is_archived: false,
      is_recently_active: true,
      stream_weekly_traffic: null,
      topics_policy: 'inherit',
      folder_id: null,
      ...defaultChannelGroups(undefined),
      ...given,
    })
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
    for (const channel of channels) this.put('subscriptions', newSubscription(user.id, channel.id, '#c2c2c2'))
  }
}
