/**
 * Checks the numbers of structural rows that a change would leave.
 *
 * Archived and deactivated rows count, because they stay in the memory of every replica.
 */
import type { RowChange } from '../log/row-changes.js'
import type { RealmState } from '../log/state.js'
import { type MappedTable, mapsOfRows, type Rows } from '../log/tables.js'
import { accountLimits, type CountLimit, hasTooMany, realmLimits } from './counts.js'

interface RowLimits<Row> {
  readonly realm: CountLimit
  readonly account?: CountLimit
  /** the column with the account that is counted against `account` */
  readonly owner?: keyof Row & string
  /** whether a row counts; missing: every row */
  isCounted?(row: Row): boolean
}

const limitsByTable: { readonly [T in MappedTable]?: RowLimits<Rows[T]> } = {
  users: {
    realm: realmLimits.bots,
    account: accountLimits.bots,
    owner: 'bot_owner_id',
    isCounted: ({ is_bot, is_system_bot }) => is_bot && !is_system_bot,
  },
  channels: { realm: realmLimits.channels, account: accountLimits.channels, owner: 'creator_id' },
  groups: {
    realm: realmLimits.groups,
    account: accountLimits.groups,
    owner: 'creator_id',
    isCounted: ({ is_system_group }) => !is_system_group,
  },
  emoji: { realm: realmLimits.emoji, account: accountLimits.emoji, owner: 'author_id' },
  channel_folders: { realm: realmLimits.channel_folders },
  default_channel_groups: { realm: realmLimits.default_channel_groups },
  linkifiers: { realm: realmLimits.linkifiers },
  log_in_methods: { realm: realmLimits.log_in_methods },
  playgrounds: { realm: realmLimits.playgrounds },
  profile_fields: { realm: realmLimits.profile_fields },
  realm_domains: { realm: realmLimits.realm_domains },
}

const limitedTables = Object.entries(limitsByTable) as [MappedTable, RowLimits<object>][]

/** Whether a change could exceed a limit. Such a change adds rows, or gives a bot to another owner. */
export const canExceedRowCounts = (changes: readonly RowChange[]): boolean =>
  changes.some((change) => limitedTables.some(([table, limits]) => change.table === table && addsTo(limits, change)))

/**
 * Throws BAD_REQUEST when the changes would leave too many rows. The limits are those of an organization or an account.
 */
export const checkRowCounts = (state: RealmState, changes: readonly RowChange[]): void => {
  for (const [table, limits] of limitedTables) {
    const adding = changes.filter((change) => change.table === table && addsTo(limits, change))
    if (adding.length > 0) checkTable(limits, [...rowsOf(state, table)], adding)
  }
}

const addsTo = ({ owner }: RowLimits<object>, { before, after }: RowChange): boolean =>
  after !== null && (before === null || (owner !== undefined && owner in after))

const rowsOf = (state: RealmState, table: MappedTable): Iterable<object> =>
  (state[mapsOfRows[table].field] as ReadonlyMap<number, object>).values()

const checkTable = (
  { realm, account, owner, isCounted }: RowLimits<object>,
  existing: readonly object[],
  adding: readonly RowChange[],
): void => {
  const inserted = adding.flatMap(({ before, after }) => (before === null ? [after as object] : []))
  const counted = [...existing, ...inserted].filter((row) => isCounted?.(row) ?? true)
  if (inserted.some((row) => isCounted?.(row) ?? true) && counted.length > realm.most) throw hasTooMany(realm)
  if (account === undefined || owner === undefined) return
  const ownerOf = (row: object) => (row as Record<string, number | null>)[owner]
  const gained = new Map<number, number>()
  for (const { before, after } of adding) {
    const id = ownerOf(after as object)
    const isNew = before !== null || (isCounted?.(after as object) ?? true)
    if (typeof id === 'number' && isNew) gained.set(id, (gained.get(id) ?? 0) + 1)
  }
  for (const [id, more] of gained) {
    const present = existing.filter((row) => ownerOf(row) === id && (isCounted?.(row) ?? true)).length
    if (present + more > account.most) throw hasTooMany(account)
  }
}
