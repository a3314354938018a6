/**
 * The structural tables. One line of `declared` says how a table is keyed, loaded, kept in memory and sent.
 *
 * A new table is a row type in rows.ts, a line in `Rows`, a line in `declared`, and a migration. What RealmState keeps
 * beside the rows (indexes, versions), and tables that it keeps in another form, are in state.ts.
 */
import { SystemGroup } from '../settings/group-setting-values.js'
import type {
  AlertWordsRow,
  ApiKeyRow,
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
  LogInMethodRow,
  PlaygroundRow,
  ProfileFieldRow,
  RealmDomainRow,
  RealmRow,
  SessionRow,
  SubscriptionRow,
  UserMutesRow,
  UserRow,
  UserStatusRow,
} from './rows.js'

/** The type of a table's rows, by the table's name. */
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
  log_in_methods: LogInMethodRow
  alert_words: AlertWordsRow
  user_mutes: UserMutesRow
  user_statuses: UserStatusRow
  sessions: SessionRow
  api_keys: ApiKeyRow
  counters: CounterRow
}

/** The name of a structural table. */
export type TableName = keyof Rows

/** The declaration of a table. */
export interface Table<Row = object> {
  /** the key columns after `realm_id`; `realms` is keyed by `id` alone */
  readonly key: readonly (keyof Row & string)[]
  /** the field of RealmState with a map of the rows by their only key column; missing: state.ts keeps another form */
  readonly field?: string
  /**
   * Rows are loaded in the order of `id`, because clients get them as lists in the order of memory. A replica that
   * applied the changes has them by id; without an order, Postgres returns the row that was changed last at the end.
   */
  readonly isOrderedById?: true
  /** many changes that are equal but for `user_id` are logged and sent as one (compact-row-changes.ts) */
  readonly isCompactedByUser?: true
  /**
   * Columns that migrations added after the first release, with their defaults in the database. During an upgrade, the
   * entries of the previous release insert rows without them.
   */
  readonly addedColumns?: Partial<Row>
}

/** Composes a row that an entry inserts. It adds the columns that the release which wrote the entry did not know. */
export const composeInsertedRow = (addedColumns: object | undefined, row: object): object =>
  addedColumns === undefined ? row : { ...addedColumns, ...row }

/** The tables, in the order in which they are loaded. */
const declared = {
  realms: {
    key: ['id'],
    addedColumns: { is_moving: false, user_quota: null, message_quota: null, call_quota: null },
  },
  users: { key: ['id'], field: 'users', isOrderedById: true, addedColumns: { uses_gravatar: false } },
  bots: { key: ['user_id'], field: 'bots' },
  channels: {
    key: ['id'],
    field: 'channels',
    isOrderedById: true,
    addedColumns: {
      can_create_topic_group: SystemGroup.everyone,
      can_delete_any_message_group: SystemGroup.nobody,
      can_delete_own_message_group: SystemGroup.nobody,
      can_resolve_topics_group: SystemGroup.nobody,
    },
  },
  subscriptions: { key: ['user_id', 'channel_id'], isCompactedByUser: true },
  groups: { key: ['id'], field: 'groups', isOrderedById: true },
  group_members: { key: ['group_id', 'user_id'], isCompactedByUser: true },
  group_subgroups: { key: ['group_id', 'subgroup_id'] },
  default_channels: { key: ['channel_id'] },
  default_channel_groups: { key: ['id'], field: 'defaultChannelGroups', isOrderedById: true },
  channel_folders: { key: ['id'], field: 'folders', isOrderedById: true },
  emoji: { key: ['id'], field: 'emoji', isOrderedById: true },
  profile_fields: { key: ['id'], field: 'profileFields', isOrderedById: true },
  playgrounds: { key: ['id'], field: 'playgrounds', isOrderedById: true },
  linkifiers: { key: ['id'], field: 'linkifiers', isOrderedById: true },
  realm_domains: { key: ['id'], field: 'domains', isOrderedById: true },
  log_in_methods: { key: ['id'], field: 'logInMethods', isOrderedById: true },
  alert_words: { key: ['user_id'], field: 'alertWords' },
  user_mutes: { key: ['user_id'], field: 'mutes' },
  user_statuses: { key: ['user_id'], field: 'statuses', addedColumns: { ends_at: null } },
  sessions: { key: ['id'], field: 'sessions' },
  api_keys: { key: ['id'], field: 'apiKeys', isOrderedById: true },
  counters: { key: ['name'] },
} as const satisfies { readonly [T in TableName]: Table<Rows[T]> }

/** The structural tables by name. */
export const tables: { readonly [T in TableName]: Table<Rows[T]> } = declared

/** The names of the structural tables, in the order in which they are loaded. */
export const tableNames = Object.keys(declared) as TableName[]

/** The tables whose rows RealmState keeps in a map. */
export type MappedTable = { [T in TableName]: (typeof declared)[T] extends { field: string } ? T : never }[TableName]

/** The fields of RealmState that hold them. */
export type RowMaps = { readonly [T in MappedTable as (typeof declared)[T]['field']]: Map<number, Rows[T]> }

interface MapOfRows {
  readonly field: keyof RowMaps
  /** the key column */
  readonly column: string
}

/** How RealmState keeps a table's rows in a map. The value is undefined for a table that it keeps in another form. */
export const mapsOfRows = Object.fromEntries(
  tableNames.map((name) => {
    const { field, key }: Pick<Table<never>, 'field' | 'key'> = tables[name]
    return [name, field === undefined ? undefined : { field, column: key[0] }]
  }),
) as { readonly [T in TableName]: T extends MappedTable ? MapOfRows : undefined }
