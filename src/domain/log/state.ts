/**
 * RealmState: a realm's structural rows in memory, with the indexes that routing and permission checks use.
 *
 * The rows of most tables are in maps that tables.ts declares; this file adds the indexes and the other forms.
 *
 * 1. It changes in one way only: `apply` takes the row changes of log entries, in log order. `before` in each change
 *    makes it reversible, which audience.ts uses to look back.
 * 2. It is a pure value of the log: two replicas at the same seq hold equal state.
 * 3. Rows are replaced, never mutated, so a row object can key a cache of what was computed from it.
 * 4. Subscriptions with equal settings share one object: a realm with millions of them needs little memory.
 * 5. A state that `withChanges` makes shares every map that its changes do not touch with the state it came from. So
 *    it is valid for one tick: the next entry that is applied to the older state would change it too.
 * 6. What was computed from a state belongs to it (`own`), and is no part of its value. A state that `withChanges`
 *    makes begins without any.
 */

import type { Deployment } from '../deployment/deployment.js'
import { defaultRealmSettings, type RealmSettings } from '../settings/realm-settings.js'
import { defaultUserSettings, type UserSettings } from '../settings/user-settings.js'
import { type OwnedKey, OwnedValues } from './owned-values.js'
import type { RowChange } from './row-changes.js'
import type {
  ChannelRow,
  DefaultChannelRow,
  GroupMemberRow,
  GroupRow,
  GroupSubgroupRow,
  RealmRow,
  SubscriptionRow,
  UserRow,
} from './rows.js'
import {
  composeInsertedRow,
  type MappedTable,
  mapsOfRows,
  type RowMaps,
  type Rows,
  type TableName,
  tableNames,
  tables,
} from './tables.js'

/** A subscription without its ids, shared by all that have the same settings. */
export type SubscriptionSettings = Readonly<Omit<SubscriptionRow, 'user_id' | 'channel_id'>>

const none: ReadonlySet<number> = new Set()
const noSubscriptions: ReadonlyMap<number, SubscriptionSettings> = new Map()

/** The state that a new one comes from, and the tables whose maps it must not share with that one (5). */
interface Base<State> {
  state: State
  touched: ReadonlySet<TableName>
}

/** The fields that tables.ts declares: the maps of rows. */
const RowMapFields = class {
  constructor(base?: Base<RowMaps>) {
    const maps = this as unknown as Record<keyof RowMaps, unknown>
    for (const table of tableNames) {
      const field = mapsOfRows[table]?.field
      if (field === undefined) continue
      if (base === undefined) maps[field] = new Map()
      else maps[field] = base.touched.has(table) ? new Map<number, unknown>(base.state[field]) : base.state[field]
    }
  }
} as new (
  base?: Base<RowMaps>,
) => RowMaps

type OtherTable = Exclude<TableName, MappedTable>

/** The structural rows of one realm in memory (see above). */
export class RealmState extends RowMapFields {
  /** the last entry applied */
  seq: number
  realm: RealmRow
  settings: RealmSettings
  /** the operator's decisions; the same for every realm of a process */
  readonly deployment: Deployment
  readonly defaultChannels = new Set<number>()
  readonly counters = new Map<string, number>()
  /** id of the oldest message of a channel; kept from message entries, no column of its own */
  readonly firstMessage = new Map<number, number>()
  /** seq of the last entry that changed a channel's first message */
  firstMessagesSeq: number
  /** counts changes of `subscribers` */
  subscribersVersion = 0

  readonly #userByAddress = new Map<string, number>()
  readonly #channelByName = new Map<string, number>()
  readonly #groupByName = new Map<string, number>()
  readonly #subscriptions = new Map<number, Map<number, SubscriptionSettings>>()
  readonly #subscribers = new Map<number, Set<number>>()
  readonly #members = new Map<number, Set<number>>()
  readonly #subgroups = new Map<number, Set<number>>()
  readonly #usersByName = new Map<string, Set<number>>()
  readonly #settingsPool = new Map<string, SubscriptionSettings>()
  /** how many row changes of each table were applied to this object */
  readonly #versions = new Map<TableName, number>()
  readonly #ownedValues = new OwnedValues()
  /** The sets and maps inside the indexes that this state does not share; undefined: it shares none (5). */
  readonly #owned: WeakSet<object> | undefined

  constructor(deployment: Deployment, realm: RealmRow, seq: number, base?: Base<RealmState>) {
    super(base)
    this.deployment = deployment
    this.realm = realm
    this.seq = seq
    this.firstMessagesSeq = seq
    this.settings = { ...defaultRealmSettings, ...realm.settings }
    if (base === undefined) return
    const { state, touched } = base
    const copyIfTouched = <K, V>(map: Map<K, V>, ...tables: TableName[]) =>
      tables.some((table) => touched.has(table)) ? new Map(map) : map
    this.defaultChannels = touched.has('default_channels') ? new Set(state.defaultChannels) : state.defaultChannels
    this.counters = copyIfTouched(state.counters, 'counters')
    this.firstMessage = state.firstMessage
    this.#userByAddress = copyIfTouched(state.#userByAddress, 'users')
    this.#channelByName = copyIfTouched(state.#channelByName, 'channels')
    this.#groupByName = copyIfTouched(state.#groupByName, 'groups')
    this.#subscriptions = copyIfTouched(state.#subscriptions, 'subscriptions')
    this.#subscribers = copyIfTouched(state.#subscribers, 'subscriptions', 'users')
    this.#members = copyIfTouched(state.#members, 'group_members')
    this.#subgroups = copyIfTouched(state.#subgroups, 'group_subgroups')
    this.#usersByName = copyIfTouched(state.#usersByName, 'users')
    this.#settingsPool = state.#settingsPool
    this.#owned = new WeakSet()
  }

  /** The state as it would be after these changes, valid for one tick (5). */
  withChanges(changes: readonly RowChange[]): RealmState {
    const touched = new Set(changes.map(({ table }) => table))
    const next = new RealmState(this.deployment, this.realm, this.seq, { state: this, touched })
    for (const change of changes) next.apply(change)
    return next
  }

  /** The account with this API address or real address, compared without case. */
  userByEmail(email: string): UserRow | undefined {
    const id = this.#userByAddress.get(email.toLowerCase())
    return id === undefined ? undefined : this.users.get(id)
  }

  /** The accounts with this full name, compared without case. */
  usersByName(name: string): UserRow[] {
    return [...(this.#usersByName.get(name.toLowerCase()) ?? none)].flatMap((id) => this.users.get(id) ?? [])
  }

  /** The channel with this name, compared without case, archived ones included. */
  channelByName(name: string): ChannelRow | undefined {
    const id = this.#channelByName.get(name.toLowerCase())
    return id === undefined ? undefined : this.channels.get(id)
  }

  groupByName(name: string): GroupRow | undefined {
    const id = this.#groupByName.get(name)
    return id === undefined ? undefined : this.groups.get(id)
  }

  /** The user's subscriptions by channel id, the ended ones (`active` false) included. */
  userSubscriptions(user_id: number): ReadonlyMap<number, SubscriptionSettings> {
    return this.#subscriptions.get(user_id) ?? noSubscriptions
  }

  isSubscribed(user_id: number, channel_id: number): boolean {
    return this.#subscriptions.get(user_id)?.get(channel_id)?.active === true
  }

  /** Active accounts with an active subscription to the channel. */
  subscribers(channel_id: number): ReadonlySet<number> {
    return this.#subscribers.get(channel_id) ?? none
  }

  /** Direct members of a custom group, deactivated accounts included; system groups follow from roles. */
  directMembers(group_id: number): ReadonlySet<number> {
    return this.#members.get(group_id) ?? none
  }

  directSubgroups(group_id: number): ReadonlySet<number> {
    return this.#subgroups.get(group_id) ?? none
  }

  /** A number that increases with each row change of one of these tables: equal numbers, equal rows. */
  versionOf(tables: readonly TableName[]): number {
    let version = 0
    for (const table of tables) version += this.#versions.get(table) ?? 0
    return version
  }

  /** What a part of the program computed from this state, under its key (6). */
  own<Value extends object>(key: OwnedKey<Value>, create: () => NoInfer<Value>): Value {
    return this.#ownedValues.get(key, create)
  }

  /** all that was computed from this state (6) */
  get ownedValues(): OwnedValues {
    return this.#ownedValues
  }

  userSettings(user: UserRow): UserSettings {
    return { ...defaultUserSettings, ...user.settings }
  }

  /** The next id of a table. It stays free until a structural change is applied; guarded writes fail after one. */
  nextId(name: string): number {
    return (this.counters.get(name) ?? 0) + 1
  }

  /**
   * Sets a channel's oldest message, which no row holds.
   * @param message_id undefined when the channel has no messages
   * @param seq of the entry that sets it
   */
  setFirstMessage(channel_id: number, message_id: number | undefined, seq: number): void {
    if (message_id === undefined) this.firstMessage.delete(channel_id)
    else this.firstMessage.set(channel_id, message_id)
    this.firstMessagesSeq = seq
  }

  /**
   * Applies one row change. Callers apply changes in the order of the log. Throws an Error for a change that lacks the
   * key of the row.
   */
  apply(change: RowChange): void {
    const { table, key } = change
    // During an upgrade, the next release changes tables that this one does not have.
    if (!Object.hasOwn(tables, table)) return
    const isInserted = change.before === null && change.after !== null
    const after = isInserted ? composeInsertedRow(tables[table].addedColumns, change.after as object) : change.after
    this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    const map = mapsOfRows[table]
    if (map === undefined) {
      RealmState.#otherForms[table as OtherTable](this, { ...change, after } as never)
      return
    }
    const rows = this[map.field] as Map<number, object>
    const id = (key as Record<string, unknown>)[map.column]
    if (typeof id !== 'number') throw new Error(`a change of ${table} has no key`)
    const previous = rows.get(id)
    const row = after === null ? undefined : { ...previous, ...after }
    if (row === undefined) rows.delete(id)
    else rows.set(id, row)
    RealmState.#indexes[table as MappedTable]?.(this, previous as never, row as never)
  }

  /** What the state keeps beside a map of rows. Each function runs after the map has the new row. */
  static readonly #indexes: {
    readonly [T in MappedTable]?: (state: RealmState, before: Rows[T] | undefined, after: Rows[T] | undefined) => void
  } = {
    users: (state, before, after) => state.#indexUser(before, after),
    channels: (state, before, after) => {
      if (before !== undefined) state.#channelByName.delete(before.name.toLowerCase())
      if (after !== undefined) state.#channelByName.set(after.name.toLowerCase(), after.id)
    },
    groups: (state, before, after) => {
      if (before !== undefined) state.#groupByName.delete(before.name)
      if (after !== undefined) state.#groupByName.set(after.name, after.id)
    },
  }

  /** How a change of a table is applied that the state keeps in another form than a map of rows. */
  static readonly #otherForms: { readonly [T in OtherTable]: (state: RealmState, change: RowChange<T>) => void } = {
    realms: (state, { after }) => {
      state.realm = { ...state.realm, ...after }
      state.settings = { ...defaultRealmSettings, ...state.realm.settings }
    },
    subscriptions: (state, change) => state.#putSubscription(change),
    group_members: (state, { key, after }) => {
      const { group_id, user_id } = key as GroupMemberRow
      state.#setMember(state.#members, group_id, user_id, after !== null)
    },
    group_subgroups: (state, { key, after }) => {
      const { group_id, subgroup_id } = key as GroupSubgroupRow
      state.#setMember(state.#subgroups, group_id, subgroup_id, after !== null)
    },
    default_channels: ({ defaultChannels }, { key, after }) => {
      const { channel_id } = key as DefaultChannelRow
      if (after === null) defaultChannels.delete(channel_id)
      else defaultChannels.add(channel_id)
    },
    counters: ({ counters }, { key, after }) => {
      counters.set(key.name as string, after?.value ?? 0)
    },
  }

  #indexUser(before: UserRow | undefined, after: UserRow | undefined): void {
    const id = (after ?? before)?.id
    if (id === undefined) return
    if (before !== undefined) {
      this.#userByAddress.delete(before.email.toLowerCase())
      this.#userByAddress.delete(before.delivery_email.toLowerCase())
      this.#setMember(this.#usersByName, before.full_name.toLowerCase(), id, false)
    }
    if (after !== undefined) {
      this.#userByAddress.set(after.email.toLowerCase(), id)
      this.#userByAddress.set(after.delivery_email.toLowerCase(), id)
      this.#setMember(this.#usersByName, after.full_name.toLowerCase(), id, true)
    }
    // Subscriptions outlive a deactivation but do not count during it (protocol/permissions.md 10.3).
    if ((before?.is_active ?? false) !== (after?.is_active ?? false)) {
      this.subscribersVersion += 1
      for (const [channel_id, settings] of this.userSubscriptions(id)) {
        if (settings.active) this.#setMember(this.#subscribers, channel_id, id, after?.is_active === true)
      }
    }
  }

  #putSubscription({ key, after }: RowChange<'subscriptions'>): void {
    const { user_id, channel_id } = key as SubscriptionRow
    let own = this.#subscriptions.get(user_id)
    const before = own?.get(channel_id)
    const full = after === null ? undefined : ({ ...before, ...after } as SubscriptionRow)
    if (own !== undefined && this.#isShared(own)) {
      own = this.#markOwned(new Map(own))
      this.#subscriptions.set(user_id, own)
    }
    if (full === undefined) {
      own?.delete(channel_id)
    } else {
      if (own === undefined) {
        own = this.#markOwned(new Map())
        this.#subscriptions.set(user_id, own)
      }
      own.set(channel_id, this.#internSettings(full))
    }
    const counts = full?.active === true && this.users.get(user_id)?.is_active === true
    if (this.subscribers(channel_id).has(user_id) !== counts) this.subscribersVersion += 1
    this.#setMember(this.#subscribers, channel_id, user_id, counts)
  }

  #setMember<K>(index: Map<K, Set<number>>, key: K, member: number, present: boolean): void {
    let members = index.get(key)
    if (members !== undefined && this.#isShared(members)) {
      members = this.#markOwned(new Set(members))
      index.set(key, members)
    }
    if (present) {
      if (members === undefined) index.set(key, this.#markOwned(new Set([member])))
      else members.add(member)
    } else if (members?.delete(member) && members.size === 0) {
      index.delete(key)
    }
  }

  #isShared(part: object): boolean {
    return this.#owned !== undefined && !this.#owned.has(part)
  }

  /** Records that this state does not share this part of an index. */
  #markOwned<P extends object>(part: P): P {
    this.#owned?.add(part)
    return part
  }

  #internSettings(row: SubscriptionRow): SubscriptionSettings {
    const settings: SubscriptionSettings = {
      active: row.active,
      color: row.color,
      is_muted: row.is_muted,
      pin_to_top: row.pin_to_top,
      desktop_notifications: row.desktop_notifications,
      audible_notifications: row.audible_notifications,
      push_notifications: row.push_notifications,
      email_notifications: row.email_notifications,
      wildcard_mentions_notify: row.wildcard_mentions_notify,
    }
    const key = JSON.stringify(settings)
    const cached = this.#settingsPool.get(key)
    if (cached !== undefined) return cached
    this.#settingsPool.set(key, settings)
    return settings
  }
}
