/**
 * The entries for accounts that become visible to restricted guests, or stop being visible: the user object and status.
 *
 * 1. A restricted guest has access to the users of their channels and direct conversations (user-access.ts). For any
 *    change of structure, the visible accounts are computed before and after it, and the difference is announced.
 * 2. A change that creates, deactivates or reactivates an account, or changes its role, composes its own entries
 *    (account-activation.ts, role-change-visibility.ts). Such an account is skipped here as a viewer; one that was
 *    created, deactivated or reactivated is also skipped as a visible account.
 */

import { type Audience, type NewEntry, onlyUsers } from '../log/entry.js'
import type { RowChange } from '../log/row-changes.js'
import { Role, type SubscriptionRow, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { userStatus } from './presence/status-entries.js'
import { statusOnWire } from './presence/statuses.js'
import { collectContacts, contactSources, hasRestrictedGuests } from './user-access.js'
import { realmUserAdd, realmUserRemove } from './user-entries.js'
import { canSeeAddress, composeUser } from './users.js'

/** The entries that make the account visible to one viewer. */
export const composeIntroduction = (state: RealmState, viewer: UserRow, user: UserRow): NewEntry[] =>
  composeUserEntries(state, viewer, user, onlyUsers(viewer.id))

/** Composes the entry with the account's status. There is none for a deactivated account or an empty status. */
export const composeStatusEntries = (state: RealmState, user: UserRow, viewers: Audience): NewEntry[] => {
  const status = user.is_active ? statusOnWire(state, user) : undefined
  return status === undefined ? [] : [userStatus({ user_id: user.id, viewers, ...status })]
}

/** @param viewer any one of the viewers: all of them see the same fields */
const composeUserEntries = (state: RealmState, viewer: UserRow, user: UserRow, viewers: Audience): NewEntry[] => {
  const view = { address: canSeeAddress(viewer, user), client_gravatar: false, profile_data: true }
  return [realmUserAdd({ person: composeUser(user, view), viewers }), ...composeStatusEntries(state, user, viewers)]
}

/** Ids of contacts of a guest before and after a change, without direct conversations; undefined: not restricted. */
export interface GuestVisibilityChange {
  guest: UserRow
  had: ReadonlySet<number> | undefined
  has: ReadonlySet<number> | undefined
}

/** Whether these row changes can change what guests see. In most organizations none can. */
export const canChangeVisibility = (state: RealmState, rows: readonly RowChange[]): boolean =>
  rows.some(({ table }) => table === 'realms' || (table === 'subscriptions' && hasRestrictedGuests(state)))

/** The guests for whom the change adds or removes visible accounts (1). */
export const findVisibilityChanges = (
  before: RealmState,
  after: RealmState,
  rows: readonly RowChange[],
): GuestVisibilityChange[] => {
  const [wereRestricted, areRestricted] = [hasRestrictedGuests(before), hasRestrictedGuests(after)]
  if (!wereRestricted && !areRestricted) return []
  const changedSubscriptions = rows.flatMap(({ table, key }) =>
    table === 'subscriptions' ? [key as SubscriptionRow] : [],
  )
  const changedUsers = new Set(changedSubscriptions.map(({ user_id }) => user_id))
  const channels = new Set(changedSubscriptions.map(({ channel_id }) => channel_id))
  const isAffected = (id: number) =>
    wereRestricted !== areRestricted ||
    changedUsers.has(id) ||
    [...channels].some((channel_id) => before.isSubscribed(id, channel_id) || after.isSubscribed(id, channel_id))
  const collectGuestContacts = (state: RealmState, guest: UserRow) =>
    collectContacts(state, contactSources(state, guest, []))

  const visibilityChanges: GuestVisibilityChange[] = []
  for (const guest of after.users.values()) {
    const previous = before.users.get(guest.id)
    if (!isSameAccountState(previous, guest) || guest.role !== Role.guest || !guest.is_active || !isAffected(guest.id))
      continue
    const had = wereRestricted ? collectGuestContacts(before, previous) : undefined
    const has = areRestricted ? collectGuestContacts(after, guest) : undefined
    if (had === undefined || has === undefined || !isSame(had, has)) visibilityChanges.push({ guest, had, has })
  }
  return visibilityChanges
}

/** Whether the account existed before, with the same role and activity (2). */
const isSameAccountState = (previous: UserRow | undefined, user: UserRow): previous is UserRow =>
  previous !== undefined && previous.is_active === user.is_active && previous.role === user.role

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id))

/** Entries for accounts that become visible, and for accounts that stop being visible. */
export interface VisibilityEntries {
  gained: NewEntry[]
  lost: NewEntry[]
}

/**
 * The entries for these guests. All guests who gain, or lose, the same account share one entry.
 * @param partners the others in each guest's direct conversations
 */
export const composeVisibilityEntries = (
  before: RealmState,
  after: RealmState,
  visibilityChanges: readonly GuestVisibilityChange[],
  partners: ReadonlyMap<number, ReadonlySet<number>>,
): VisibilityEntries => {
  const gained = new Map<UserRow, UserRow[]>()
  const lost = new Map<UserRow, UserRow[]>()
  for (const { guest, had, has } of visibilityChanges) {
    const known = partners.get(guest.id)
    const ids = had === undefined || has === undefined ? after.users.keys() : new Set([...had, ...has])
    for (const id of ids) {
      const person = after.users.get(id)
      if (person === undefined || person.is_bot || id === guest.id || known?.has(id) === true) continue
      const [knew, knows] = [had?.has(id) ?? true, has?.has(id) ?? true]
      if (knew === knows || !hasSameActivity(before.users.get(id), person)) continue
      addGuest(knows ? gained : lost, person, guest)
    }
  }
  return composeEntries(after, gained, lost)
}

/** The role does not matter here: whether a guest sees an account does not depend on that account's role. */
const hasSameActivity = (previous: UserRow | undefined, person: UserRow): boolean =>
  previous?.is_active === person.is_active

/**
 * Composes the entries for guests in a direct conversation about its other users. The guests do not see these users
 * otherwise.
 */
export const composeConversationEntries = (
  state: RealmState,
  participants: readonly UserRow[],
  partners: ReadonlyMap<number, ReadonlySet<number>>,
): VisibilityEntries => {
  const strangers = new Map<UserRow, UserRow[]>()
  for (const guest of participants) {
    if (guest.role !== Role.guest || !guest.is_active) continue
    const met = collectContacts(state, contactSources(state, guest, partners.get(guest.id) ?? []))
    for (const person of participants) {
      if (person.id !== guest.id && !person.is_bot && !met.has(person.id)) addGuest(strangers, person, guest)
    }
  }
  return composeEntries(state, strangers, strangers)
}

const composeEntries = (
  state: RealmState,
  gained: ReadonlyMap<UserRow, UserRow[]>,
  lost: ReadonlyMap<UserRow, UserRow[]>,
): VisibilityEntries => ({
  gained: sortById(gained).flatMap(([person, [guest, ...others]]) =>
    guest === undefined
      ? []
      : composeUserEntries(state, guest, person, composeGuestAudience(state, [guest, ...others])),
  ),
  lost: sortById(lost).map(([{ id: user_id }, guests]) =>
    realmUserRemove({ user_id, viewers: composeGuestAudience(state, guests) }),
  ),
})

const sortById = <T>(rows: ReadonlyMap<UserRow, T>): [UserRow, T][] => [...rows].sort(([a], [b]) => a.id - b.id)

const addGuest = (lists: Map<UserRow, UserRow[]>, person: UserRow, guest: UserRow): void => {
  const guests = lists.get(person)
  if (guests === undefined) lists.set(person, [guest])
  else guests.push(guest)
}

/** The audience of these guests: a list of ids, or all guests except the others where that list is shorter. */
const composeGuestAudience = (state: RealmState, guests: readonly UserRow[]): Audience => {
  const users = guests.map(({ id }) => id)
  if (users.length < MAX_LISTED_GUESTS) return { users }
  const named = new Set(users)
  const others = [...state.users.values()].filter(({ id, role }) => role === Role.guest && !named.has(id))
  if (others.length > users.length) return { users }
  return { roles: [Role.guest, Role.guest], except: others.map(({ id }) => id) }
}

const MAX_LISTED_GUESTS = 20
