/**
 * The columns of structural rows as an undo sees them: which have an inverse, and which follow from others.
 *
 * 1. Changes of settings are compared one by one: another setting that was changed since does not matter.
 * 2. A derived column follows from others, or only grows (the version of a key): no undo sets it.
 * 3. A subscription that an act added stays as an ended one: to clients it is gone.
 */
import type { RowChange } from '../log/row-changes.js'
import type { TableName } from '../log/tables.js'
import { defaultRealmSettings } from '../settings/realm-settings.js'
import { defaultUserSettings } from '../settings/user-settings.js'

/** Which changes of a table have an inverse. */
interface ReversibleChanges {
  /** the columns whose update has one; `all`: every column */
  columns?: readonly string[] | 'all'
  /** the group settings, too */
  hasGroupSettings?: true
  isInsertReversible?: true
  isDeleteReversible?: true
}

const whole = { columns: 'all', isInsertReversible: true, isDeleteReversible: true } as const
const presence = { isInsertReversible: true, isDeleteReversible: true } as const

const reversible: { readonly [T in TableName]?: ReversibleChanges } = {
  realms: { columns: ['name', 'description', 'settings', 'user_settings_defaults'] },
  users: { columns: ['role', 'is_active', 'full_name', 'delivery_email'] },
  channels: {
    columns: [
      'name',
      'description',
      'invite_only',
      'is_web_public',
      'history_public_to_subscribers',
      'message_retention_days',
      'is_archived',
      'topics_policy',
      'folder_id',
    ],
    hasGroupSettings: true,
  },
  subscriptions: { columns: ['active'], isInsertReversible: true },
  groups: { columns: ['name', 'description', 'deactivated'], hasGroupSettings: true },
  group_members: presence,
  group_subgroups: presence,
  default_channels: presence,
  default_channel_groups: whole,
  channel_folders: { columns: ['name', 'description', 'is_archived', 'position'] },
  emoji: { columns: ['deactivated'] },
  profile_fields: { columns: 'all' },
  playgrounds: whole,
  linkifiers: whole,
  realm_domains: whole,
}

const derived: { readonly [T in TableName]?: readonly string[] } = {
  users: ['email', 'key_version', 'avatar_version', 'uses_gravatar'],
  channels: ['rendered_description', 'is_recently_active', 'stream_weekly_traffic'],
  channel_folders: ['rendered_description'],
  subscriptions: ['color'],
}

const isDerivedColumn = (table: TableName, column: string): boolean => derived[table]?.includes(column) === true

/** Whether an update changes nothing but derived columns (2). */
export const isDerived = ({ table, before, after }: RowChange): boolean =>
  before !== null && after !== null && Object.keys(after).every((column) => isDerivedColumn(table, column))

/** Whether a change has an inverse. */
export const hasInverse = ({ table, before, after }: RowChange): boolean => {
  const rules = reversible[table]
  if (rules === undefined) return false
  if (before === null) return rules.isInsertReversible === true
  if (after === null) return rules.isDeleteReversible === true
  const columns = Object.keys(after).filter((column) => !isDerivedColumn(table, column))
  return columns.every((column) => {
    if (rules.hasGroupSettings === true && /^can_.*_group$/.test(column)) return true
    return rules.columns === 'all' || rules.columns?.includes(column) === true
  })
}

/** One value that a change set. */
export interface ChangedValue {
  /** a column, or `settings.name` */
  column: string
  before: unknown
  after: unknown
}

const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  settings: defaultRealmSettings,
  user_settings_defaults: defaultUserSettings,
}

/** The values that an update set. Those of settings are listed one by one (1), derived ones are not (2). */
export const listChangedValues = ({ table, before, after }: RowChange): ChangedValue[] => {
  const [old, set] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>]
  const columns = Object.keys(set).filter((column) => !isDerivedColumn(table, column))
  return columns.flatMap((column): ChangedValue[] => {
    const initial = table === 'realms' ? defaults[column] : undefined
    if (initial === undefined) return [{ column, before: old[column], after: set[column] }]
    const [was, is] = [old[column], set[column]].map((values) => ({ ...initial, ...(values as object) })) as [
      Record<string, unknown>,
      Record<string, unknown>,
    ]
    return Object.keys(is)
      .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
      .map((name) => ({ column: `${column}.${name}`, before: was[name], after: is[name] }))
  })
}

/** A value of a row by the name of `listChangedValues`. */
export const readValue = (row: object, column: string): unknown => {
  const [name = '', setting] = column.split('.')
  const value = (row as Record<string, unknown>)[name]
  if (setting === undefined) return value
  return { ...defaults[name], ...(value as object) }[setting]
}

/** The columns of a row that count when two rows are compared. */
export const listComparedColumns = (table: TableName, row: object): string[] =>
  Object.keys(row).filter((column) => !isDerivedColumn(table, column))
