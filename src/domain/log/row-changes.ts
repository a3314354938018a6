/**
 * Changes of structural rows: what a log entry carries, and what every replica applies to its memory.
 */
import type {
  AlertWordsRow,
  BotRow,
  ChannelRow,
  CounterRow,
  DefaultChannelGroupRow,
  DefaultChannelRow,
  EmojiRow,
  FolderRow,
  GroupMemberRow,
  GroupRow,
  GroupSubgroupRow,
  LinkifierRow,
  PlaygroundRow,
  ProfileFieldRow,
  RealmDomainRow,
  RealmRow,
  SubscriptionRow,
  UserMutesRow,
  UserRow,
  UserStatusRow,
} from './rows.js'

/** The tables, by name. */
export interface Rows {
  realms: RealmRow
  users: UserRow
  bots: BotRow
  channels: ChannelRow
  subscriptions: SubscriptionRow
  groups: GroupRow
  group_members: GroupMemberRow
  group_subgroups: GroupSubgroupRow
  default_channels: DefaultChannelRow
  default_channel_groups: DefaultChannelGroupRow
  channel_folders: FolderRow
  emoji: EmojiRow
  profile_fields: ProfileFieldRow
  playgrounds: PlaygroundRow
  linkifiers: LinkifierRow
  realm_domains: RealmDomainRow
  alert_words: AlertWordsRow
  user_mutes: UserMutesRow
  user_statuses: UserStatusRow
  counters: CounterRow
}

export type TableName = keyof Rows

/** The key columns of each structural table, after `realm_id`; `realms` is keyed by `id` alone. */
export const keyColumns: { readonly [T in TableName]: readonly (keyof Rows[T] & string)[] } = {
  realms: ['id'],
  users: ['id'],
  bots: ['user_id'],
  channels: ['id'],
  subscriptions: ['user_id', 'channel_id'],
  groups: ['id'],
  group_members: ['group_id', 'user_id'],
  group_subgroups: ['group_id', 'subgroup_id'],
  default_channels: ['channel_id'],
  default_channel_groups: ['id'],
  channel_folders: ['id'],
  emoji: ['id'],
  profile_fields: ['id'],
  playgrounds: ['id'],
  linkifiers: ['id'],
  realm_domains: ['id'],
  alert_words: ['user_id'],
  user_mutes: ['user_id'],
  user_statuses: ['user_id'],
  counters: ['name'],
}

/**
 * One change of one structural row. `before` null inserts, `after` null deletes; in an update both hold only the
 * columns that changed, so the change can be undone as well as done.
 */
export interface RowChange<T extends TableName = TableName> {
  table: T
  key: Partial<Rows[T]>
  before: Partial<Rows[T]> | null
  after: Partial<Rows[T]> | null
}

const keyOf = <T extends TableName>(table: T, row: Rows[T]): Partial<Rows[T]> => {
  const key: Partial<Rows[T]> = {}
  for (const column of keyColumns[table]) key[column] = row[column]
  return key
}

/** The change that adds `row`. */
export const inserted = <T extends TableName>(table: T, row: Rows[T]): RowChange<T> => ({
  table,
  key: keyOf(table, row),
  before: null,
  after: row,
})

/** The change that removes `row`. */
export const deleted = <T extends TableName>(table: T, row: Rows[T]): RowChange<T> => ({
  table,
  key: keyOf(table, row),
  before: row,
  after: null,
})

/** The change that sets the columns of `patch` in `row`; undefined when they already hold. */
export const updated = <T extends TableName>(
  table: T,
  row: Rows[T],
  patch: Partial<Rows[T]>,
): RowChange<T> | undefined => {
  const before: Partial<Rows[T]> = {}
  const after: Partial<Rows[T]> = {}
  for (const column of Object.keys(patch) as (keyof Rows[T])[]) {
    if (JSON.stringify(row[column]) === JSON.stringify(patch[column])) continue
    before[column] = row[column]
    after[column] = patch[column]
  }
  if (Object.keys(after).length === 0) return undefined
  return { table, key: keyOf(table, row), before, after }
}
