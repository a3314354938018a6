/**
 * The inverse of an act's row changes, as the steps of the ordinary calls.
 *
 * 1. Each table declares how its changes are taken back, with the functions that the endpoints of the table use. So the
 *    permissions, the refusals, the events and the audit log are those of the ordinary call, as of now.
 * 2. Steps have two phases, as the endpoints have: those that tell all their consequences by themselves, and those
 *    whose consequences for system groups and access to channels are told for all of them together. Those of the first
 *    phase come first: a channel leaves the archive before a setting names it.
 * 3. Subscriptions are no steps: their writes need the database (store/channels/subscriptions.ts).
 */
import { hasContentAccess, mayAddSubscribers, mayRemoveSubscribers } from '#rules/channel-access.js'
import { isAdministrator, isOwner } from '#rules/roles.js'
import { archiveChannel, setDefaultChannel, updateChannel } from '../channels/channel-changes.js'
import { foldersReordered } from '../channels/channel-entries.js'
import { updateFolder } from '../channels/channel-folders.js'
import {
  type ChannelUpdate,
  checkChannelUpdate,
  requireAdministeredChannel,
  requireDefaultable,
} from '../channels/channel-update-checks.js'
import { defaultChannelGroupsChanged } from '../channels/default-channel-group-entries.js'
import { groupsOnWire } from '../channels/default-channel-groups.js'
import type { MembershipChanges } from '../channels/membership.js'
import { runStepsWithConsequences } from '../groups/consequences.js'
import { changeGroup, deactivateGroup, type GroupUpdate, requireManageableGroup } from '../groups/group-changes.js'
import { changeMembers, type MemberChanges } from '../groups/group-members.js'
import { findGroup } from '../groups/user-groups.js'
import type { NewEntry } from '../log/entry.js'
import { composeDelete, composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { ChannelRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { runSteps, type Step } from '../log/steps.js'
import type { Rows, TableName } from '../log/tables.js'
import { findVisibleChannel } from '../permissions/channel-access.js'
import { errors } from '../protocol/errors.js'
import type { OtherWays } from '../realm/authentication.js'
import { customEmojiOnWire } from '../realm/custom-emoji.js'
import { customEmojiChanged } from '../realm/custom-emoji-entries.js'
import { linkifiersChanged } from '../realm/linkifier-entries.js'
import { linkifiersOnWire } from '../realm/linkifiers.js'
import { playgroundsChanged } from '../realm/playground-entries.js'
import { playgroundsOnWire } from '../realm/playgrounds.js'
import { domainAdded, domainChanged, domainRemoved } from '../realm/realm-domain-entries.js'
import { deactivateAccount, reactivateAccount } from '../users/accounts/account-activation.js'
import type { Account } from '../users/accounts/account-changes.js'
import {
  checkOutranks,
  requireAdministered,
  requireAdministeredBot,
  requireDeactivatable,
} from '../users/accounts/account-rights.js'
import { changeAccount, checkReactivation, ownerAfterReactivation } from '../users/accounts/account-updates.js'
import { profileFieldsChanged } from '../users/profiles/profile-field-entries.js'
import { profileFieldsOnWire } from '../users/profiles/profile-fields.js'
import { findRow } from './row-conflicts.js'
import { undoSettings } from './undo-settings.js'

/** Who undoes an act, and what only the database knows. */
export interface UndoContext {
  user: UserRow
  /** the accounts whose rows the act changed */
  accounts: ReadonlyMap<number, Account>
  /** which ways to log in there are besides passwords */
  ways: OtherWays
  /** the partners of guests, where an undo changes the pictures of all accounts */
  partners: ReadonlyMap<number, readonly number[]>
}

/** How the changes of a table are taken back. Changes come in the reverse order of the act. */
interface Inverse<T extends TableName> {
  /** the phase (2) */
  isConsequential?: true
  steps(context: UndoContext, changes: readonly RowChange<T>[]): readonly Step[]
}

type Inverses = { readonly [T in TableName]?: Inverse<T> }

const has = <T extends object>(row: Partial<T> | null, column: keyof T): boolean => row !== null && column in row

/** The account that the step changes. Throws BAD_REQUEST if it was not loaded, which another act explains. */
const requireAccount = ({ accounts }: UndoContext, id: number): Account => {
  const account = accounts.get(id)
  if (account === undefined) throw errors.noSuchUser()
  return account
}

const setActive =
  (context: UndoContext, id: number, is_active: boolean): Step =>
  (state) => {
    const { user: caller } = context
    const account = requireAccount(context, id)
    if (!is_active) {
      const isBot = state.users.get(id)?.is_bot === true
      if (isBot) requireAdministeredBot(state, caller, id)
      else requireDeactivatable(state, caller, id)
      return runSteps(state, deactivateAccount(state, account, false)).entries
    }
    const user = requireAdministered(caller, state.users.get(id))
    checkOutranks(caller, user)
    checkReactivation(state, caller, user)
    return reactivateAccount(account, ownerAfterReactivation(state, caller, user))(state)
  }

const setAccountValues =
  (context: UndoContext, id: number, before: Partial<UserRow>): Step =>
  (state) => {
    const { user: caller } = context
    const user = requireAdministered(caller, state.users.get(id))
    const { role, full_name, delivery_email: new_email } = before
    const account = requireAccount(context, id)
    return runSteps(state, changeAccount(state, caller, user, account, { role, full_name, new_email })).entries
  }

/** The parameters that set a channel's columns to these values. */
const toChannelUpdate = (channel: ChannelRow, before: Partial<ChannelRow>): ChannelUpdate => {
  const { name, description, topics_policy, folder_id, message_retention_days: days } = before
  const groups = Object.entries(before).filter(([column]) => /^can_.*_group$/.test(column))
  return {
    ...(name !== undefined && { new_name: name }),
    ...(description !== undefined && { description }),
    ...(topics_policy !== undefined && { topics_policy }),
    ...(folder_id !== undefined && { folder_id }),
    ...(days !== undefined && { message_retention_days: days === null ? 'realm_default' : toLimit(days) }),
    ...(before.invite_only !== undefined && { is_private: before.invite_only }),
    ...(before.is_web_public !== undefined && { is_web_public: before.is_web_public }),
    // Without it, a new privacy would imply its own.
    ...((before.invite_only !== undefined || before.history_public_to_subscribers !== undefined) && {
      history_public_to_subscribers: before.history_public_to_subscribers ?? channel.history_public_to_subscribers,
    }),
    ...(before.is_archived === false && { is_archived: false }),
    ...Object.fromEntries(groups.map(([column, value]) => [column, { new: value }])),
  }
}

const toLimit = (days: number): number | 'unlimited' => (days === -1 ? 'unlimited' : days)

const restoreChannel =
  ({ user }: UndoContext, id: number, before: Partial<ChannelRow>): Step =>
  (state) => {
    const channel = requireAdministeredChannel(state, user, id)
    const update = toChannelUpdate(channel, before)
    const entries =
      Object.keys(update).length === 0
        ? []
        : updateChannel(state, channel, checkChannelUpdate(state, user, channel, update))
    if (before.is_archived !== true) return entries
    const changed = state.withChanges(entries.flatMap(({ rows }) => rows ?? []))
    return [...entries, ...archiveChannel(changed, changed.channels.get(id) ?? channel)]
  }

const restoreGroup =
  ({ user }: UndoContext, id: number, before: Rows['groups'] | Partial<Rows['groups']>): Step =>
  (state) => {
    requireManageableGroup(state, user, id)
    const { name, description, deactivated } = before
    const groups = Object.entries(before).filter(([column]) => /^can_.*_group$/.test(column))
    const update: GroupUpdate = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(deactivated === false && { deactivated: false }),
      ...Object.fromEntries(groups.map(([column, value]) => [column, { new: value }])),
    }
    const steps = [...changeGroup(id, update), ...(deactivated === true ? [deactivateGroup(id)] : [])]
    return runSteps(state, steps).entries
  }

/** The steps that change the members and subgroups of each group. */
const restoreMembers = (
  { user }: UndoContext,
  changes: readonly (RowChange<'group_members'> | RowChange<'group_subgroups'>)[],
): Step[] => {
  const groups = new Map<number, { [N in keyof MemberChanges]: number[] }>()
  for (const { table, key, before } of changes) {
    const { group_id = 0, ...ids } = key as { group_id: number; user_id?: number; subgroup_id?: number }
    const lists = groups.get(group_id) ?? { add: [], delete: [], add_subgroups: [], delete_subgroups: [] }
    groups.set(group_id, lists)
    if (table === 'group_members') lists[before === null ? 'delete' : 'add'].push(ids.user_id ?? 0)
    else lists[before === null ? 'delete_subgroups' : 'add_subgroups'].push(ids.subgroup_id ?? 0)
  }
  return [...groups].map(
    ([group_id, lists]): Step =>
      (state) =>
        runSteps(state, changeMembers(state, user, findGroup(state, group_id), lists)).entries,
  )
}

/** Refuses a caller who is no administrator. Throws UNAUTHORIZED_PRINCIPAL. */
const checkAdministrator = ({ user }: UndoContext): void => {
  if (!isAdministrator(user)) throw errors.notAdministrator()
}

/** The change that takes another one back. */
const invert = <T extends TableName>(state: RealmState, { table, key, before }: RowChange<T>): RowChange[] => {
  const row = findRow(state, table, key) as Rows[T] | undefined
  if (before === null) return row === undefined ? [] : [composeDelete(table, row) as RowChange]
  if (row === undefined) return [composeInsert(table, before as Rows[T]) as RowChange]
  const change = composeUpdate(table, row, before)
  return change === undefined ? [] : [change as RowChange]
}

/**
 * The inverse for a table that clients get as a whole list.
 * @param identify what two rows may not have in common; undefined: they may
 */
const listInverse = <T extends TableName>(
  identify: (row: Rows[T]) => readonly unknown[],
  rowsOf: (state: RealmState) => Iterable<Rows[T]>,
  composeEntry: (after: RealmState, rows: readonly RowChange[]) => NewEntry,
  check: (context: UndoContext, changes: readonly RowChange<T>[], after: RealmState) => void = checkAdministrator,
): Inverse<T> => ({
  steps: (context, changes) => [
    (state) => {
      const rows = changes.flatMap((change) => invert(state, change))
      const after = state.withChanges(rows)
      check(context, changes, after)
      const seen = new Set<string>()
      for (const row of rowsOf(after)) {
        for (const [i, part] of identify(row).entries()) {
          if (part === undefined) continue
          const text = JSON.stringify([i, part])
          if (seen.has(text)) throw errors.badRequest('Something else has the name or the place of this by now.')
          seen.add(text)
        }
      }
      return [composeEntry(after, rows)]
    },
  ],
})

/** Refuses channels that cannot be in a group of default channels by now. Throws BAD_REQUEST. */
const checkDefaultGroups = (
  { user }: UndoContext,
  changes: readonly RowChange<'default_channel_groups'>[],
  after: RealmState,
): void => {
  if (!isAdministrator(user)) throw errors.cannotChangeDefaultChannels()
  for (const id of changes.flatMap(({ key }) => after.defaultChannelGroups.get(key.id ?? 0)?.channel_ids ?? [])) {
    const channel = after.channels.get(id)
    const isFree = channel !== undefined && !channel.is_archived && !channel.invite_only
    if (!isFree || after.defaultChannels.has(id)) throw errors.invalidChannelId()
  }
}

const inverses: Inverses = {
  channels: {
    steps: (context, changes) => changes.map(({ key, before }) => restoreChannel(context, key.id ?? 0, before ?? {})),
  },
  users: {
    steps: (context, changes) =>
      changes.flatMap(({ key, before }) =>
        has(before, 'is_active') ? [setActive(context, key.id ?? 0, before?.is_active === true)] : [],
      ),
  },
  groups: {
    steps: (context, changes) => changes.map(({ key, before }) => restoreGroup(context, key.id ?? 0, before ?? {})),
  },
  default_channels: {
    steps: (context, changes) =>
      changes.map(({ key, before }) => (state) => {
        if (!isAdministrator(context.user)) throw errors.cannotChangeDefaultChannels()
        const channel = requireDefaultable(state, context.user, key.channel_id ?? 0, before !== null)
        return setDefaultChannel(state, channel.id, before !== null)
      }),
  },
  default_channel_groups: listInverse(
    ({ name }) => [name],
    ({ defaultChannelGroups }) => defaultChannelGroups.values(),
    (after, rows) => defaultChannelGroupsChanged({ default_stream_groups: groupsOnWire(after) }, rows),
    checkDefaultGroups,
  ),
  channel_folders: {
    steps: (context, changes) => [
      (state) => {
        checkAdministrator(context)
        const { user } = context
        const updates = changes.map(
          ({ key, before }): Step =>
            (now) => {
              const { name, description, is_archived } = before ?? {}
              return updateFolder(now, user, key.id ?? 0, { name, description, is_archived })
            },
        )
        return runSteps(state, [...updates, (now) => restoreOrder(now, changes)]).entries
      },
    ],
  },
  emoji: listInverse(
    ({ name, deactivated }) => [deactivated ? undefined : name],
    ({ emoji }) => emoji.values(),
    (after, rows) => customEmojiChanged({ realm_emoji: customEmojiOnWire(after) }, rows),
    ({ user }, changes, { emoji }) => {
      const areOwn = changes.every(({ key }) => emoji.get(key.id ?? 0)?.author_id === user.id)
      if (!areOwn && !isAdministrator(user)) throw errors.notAdministrator()
    },
  ),
  profile_fields: listInverse(
    ({ name }) => [name],
    ({ profileFields }) => profileFields.values(),
    (after, rows) => profileFieldsChanged({ fields: profileFieldsOnWire(after) }, rows),
  ),
  playgrounds: listInverse(
    ({ name, pygments_language }) => [[name, pygments_language]],
    ({ playgrounds }) => playgrounds.values(),
    (after, rows) => playgroundsChanged({ realm_playgrounds: playgroundsOnWire(after) }, rows),
  ),
  linkifiers: listInverse(
    ({ pattern, position }) => [pattern, position],
    ({ linkifiers }) => linkifiers.values(),
    (after, rows) => linkifiersChanged({ realm_linkifiers: linkifiersOnWire(after) }, rows),
  ),
  realm_domains: {
    steps: ({ user }, changes) =>
      changes.map((change) => (state) => {
        if (!isOwner(user)) throw errors.notOwner()
        return restoreDomain(state, change)
      }),
  },
  realms: {
    isConsequential: true,
    steps: ({ user, ways, partners }, changes) => changes.map((change) => undoSettings(user, change, ways, partners)),
  },
  group_members: { isConsequential: true, steps: restoreMembers },
  group_subgroups: { isConsequential: true, steps: restoreMembers },
}

/** A second entry for accounts: the values whose consequences are told together (2). */
const accountValues: Inverse<'users'> = {
  isConsequential: true,
  steps: (context, changes) =>
    changes.flatMap(({ key, before }) => {
      const values = before ?? {}
      const isChanged = has(values, 'role') || has(values, 'full_name') || has(values, 'delivery_email')
      return isChanged ? [setAccountValues(context, key.id ?? 0, values)] : []
    }),
}

/** The order of the folders as it was. */
const restoreOrder = (state: RealmState, changes: readonly RowChange<'channel_folders'>[]): readonly NewEntry[] => {
  const rows = changes.flatMap(({ key, before }) => {
    const folder = state.folders.get(key.id ?? 0)
    const position = before?.position
    return (folder && position !== undefined && composeUpdate('channel_folders', folder, { position })) || []
  })
  if (rows.length === 0) return []
  const folders = [...state.withChanges(rows).folders.values()]
  const order = folders.sort((a, b) => a.position - b.position || a.id - b.id).map(({ id }) => id)
  return [foldersReordered({ order }, rows)]
}

const restoreDomain = (state: RealmState, change: RowChange<'realm_domains'>): readonly NewEntry[] => {
  const { before, after } = change
  const domain = (before ?? after)?.domain ?? state.domains.get(change.key.id ?? 0)?.domain ?? ''
  const rows = invert(state, change)
  if (before === null) return [domainRemoved({ domain }, rows)]
  if (after !== null) return [domainChanged({ domain, allow_subdomains: before.allow_subdomains === true }, rows)]
  for (const row of state.domains.values()) {
    if (row.domain === domain) throw errors.badRequest('The organization has the domain {domain} already.', { domain })
  }
  return [domainAdded({ domain, allow_subdomains: before.allow_subdomains === true }, rows)]
}

/** Who is subscribed again, and who no more. */
export interface MembershipUndo {
  joins: MembershipChanges
  leaves: MembershipChanges
}

/** The memberships that are taken back. Throws BAD_REQUEST for a caller who may not make these changes. */
const undoMemberships = (
  state: RealmState,
  caller: UserRow,
  changes: readonly RowChange<'subscriptions'>[],
): MembershipUndo => {
  const lists = { joins: new Map<ChannelRow, UserRow[]>(), leaves: new Map<ChannelRow, UserRow[]>() }
  for (const { key, after } of changes) {
    const channel = findVisibleChannel(state, caller, key.channel_id ?? 0)
    const user = state.users.get(key.user_id ?? 0)
    if (channel === undefined || user === undefined) throw errors.invalidChannelId()
    const list = after?.active === true ? lists.leaves : lists.joins
    const users = list.get(channel)
    if (users === undefined) list.set(channel, [user])
    else users.push(user)
  }
  const isOwn = (users: readonly UserRow[]) => users.every(({ id }) => id === caller.id)
  for (const [channel, users] of lists.joins) {
    const isPermitted = isOwn(users)
      ? hasContentAccess(state, caller, channel)
      : mayAddSubscribers(state, caller, channel)
    if (!isPermitted || channel.is_archived) throw errors.insufficientPermission()
  }
  for (const [channel, users] of lists.leaves) {
    if (!isOwn(users) && !mayRemoveSubscribers(state, caller, [channel])) throw errors.insufficientPermission()
  }
  const toChanges = (list: ReadonlyMap<ChannelRow, UserRow[]>): MembershipChanges =>
    [...list].map(([channel, users]) => ({ channel, users }))
  return { joins: toChanges(lists.joins), leaves: toChanges(lists.leaves) }
}

/** What an undo does, on one state. `after` is valid for one tick, and lacks the memberships. */
export interface ComposedUndo extends MembershipUndo {
  entries: readonly NewEntry[]
  after: RealmState
}

const ofTable = <T extends TableName>(changes: readonly RowChange[], table: T): RowChange<T>[] =>
  changes.filter((change): change is RowChange<T> => change.table === table)

const listSteps = <T extends TableName>(
  context: UndoContext,
  changes: readonly RowChange[],
  table: T,
  inverse: Inverse<T>,
): readonly Step[] => {
  const theirs = ofTable(changes, table)
  return theirs.length === 0 ? [] : inverse.steps(context, theirs)
}

/** Composes the inverse of these changes. Throws BAD_REQUEST and the other refusals of the ordinary calls (1). */
export const composeInverse = (
  state: RealmState,
  context: UndoContext,
  changes: readonly RowChange[],
): ComposedUndo => {
  const reversed = [...changes].reverse()
  const select = (isConsequential: boolean) =>
    (Object.keys(inverses) as TableName[]).flatMap((table) => {
      const inverse = inverses[table] as Inverse<TableName>
      return (inverse.isConsequential === true) === isConsequential ? listSteps(context, reversed, table, inverse) : []
    })
  const first = runSteps(state, select(false))
  const second = runStepsWithConsequences(first.after, [
    ...listSteps(context, reversed, 'users', accountValues),
    ...select(true),
  ])
  const { after } = second
  const memberships = undoMemberships(after, context.user, ofTable(reversed, 'subscriptions'))
  return { entries: [...first.entries, ...second.entries], after, ...memberships }
}
