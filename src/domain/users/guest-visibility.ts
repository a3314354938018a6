/**
 * What people are told of accounts that they may know from now on, or no longer: the account, and what it says of itself.
 *
 * 1. A guest who is kept apart knows the people met in channels and direct conversations (user-access.ts). Whom a change
 *    introduces is a comparison of what they know before it and after it, whatever the change is.
 * 2. Accounts that come, go, or change their role are told of by those changes themselves (account-activation.ts,
 *    role-change-visibility.ts), so they are passed over here, as viewers and as people met.
 */

import { type Audience, type NewEntry, only } from '../log/entry.js'
import type { RowChange } from '../log/row-changes.js'
import { Role, type SubscriptionRow, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { userStatus } from './status-entries.js'
import { statusOnWire } from './statuses.js'
import { collectContacts, contactSources, hasRestrictedGuests } from './user-access.js'
import { realmUserAdd, realmUserRemove } from './user-entries.js'
import { canSeeAddress, composeUser } from './users.js'

/** The entries that introduce the account to one viewer. */
export const composeIntroduction = (state: RealmState, viewer: UserRow, user: UserRow): NewEntry[] =>
  composeUserEntries(state, viewer, user, only(viewer.id))

/** What the account says of itself, if it is there and says anything. */
export const composeStatusEntries = (state: RealmState, user: UserRow, viewers: Audience): NewEntry[] => {
  const status = user.is_active ? statusOnWire(state, user) : undefined
  return status === undefined ? [] : [userStatus({ user_id: user.id, viewers, ...status })]
}

/** @param viewer one of the viewers, who all see the account alike */
const composeUserEntries = (state: RealmState, viewer: UserRow, user: UserRow, viewers: Audience): NewEntry[] => {
  const view = { address: canSeeAddress(viewer, user), client_gravatar: false, profile_data: true }
  return [realmUserAdd({ person: composeUser(user, view), viewers }), ...composeStatusEntries(state, user, viewers)]
}

/** What a guest knows before and after a change, direct conversations aside; undefined: everybody. */
export interface GuestVisibilityChange {
  guest: UserRow
  had: ReadonlySet<number> | undefined
  has: ReadonlySet<number> | undefined
}

/** Whether such a change can introduce anybody: in most organizations none does. */
export const canChangeVisibility = (state: RealmState, rows: readonly RowChange[]): boolean =>
  rows.some(({ table }) => table === 'realms' || (table === 'subscriptions' && hasRestrictedGuests(state)))

/** The guests for whom the change makes a difference (1). */
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
  const contactsIn = (state: RealmState, guest: UserRow) => collectContacts(state, contactSources(state, guest, []))

  const sights: GuestVisibilityChange[] = []
  for (const guest of after.users.values()) {
    const former = before.users.get(guest.id)
    if (!isSameAccountState(former, guest) || guest.role !== Role.guest || !guest.is_active || !isAffected(guest.id))
      continue
    const had = wereRestricted ? contactsIn(before, former) : undefined
    const has = areRestricted ? contactsIn(after, guest) : undefined
    if (had === undefined || has === undefined || !isSame(had, has)) sights.push({ guest, had, has })
  }
  return sights
}

/** Whether the account was there before, and neither came back, went, nor changed its role (2). */
const isSameAccountState = (former: UserRow | undefined, user: UserRow): former is UserRow =>
  former !== undefined && former.is_active === user.is_active && former.role === user.role

const isSame = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id))

/** What is told of people who come into sight, and of those who go out of it. */
export interface VisibilityEntries {
  gained: NewEntry[]
  lost: NewEntry[]
}

/**
 * What these guests are told, one entry for all who gain, or lose, the same person.
 * @param partners the others in each guest's direct conversations
 */
export const composeVisibilityEntries = (
  before: RealmState,
  after: RealmState,
  sights: readonly GuestVisibilityChange[],
  partners: ReadonlyMap<number, ReadonlySet<number>>,
): VisibilityEntries => {
  const gained = new Map<UserRow, UserRow[]>()
  const lost = new Map<UserRow, UserRow[]>()
  for (const { guest, had, has } of sights) {
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

/** Somebody whose role changed is known or not all the same. */
const hasSameActivity = (former: UserRow | undefined, person: UserRow): boolean =>
  former?.is_active === person.is_active

/** What guests in a direct conversation are told of the others, whom they do not know otherwise. */
export const composeConversationEntries = (
  state: RealmState,
  people: readonly UserRow[],
  partners: ReadonlyMap<number, ReadonlySet<number>>,
): VisibilityEntries => {
  const strangers = new Map<UserRow, UserRow[]>()
  for (const guest of people) {
    if (guest.role !== Role.guest || !guest.is_active) continue
    const met = collectContacts(state, contactSources(state, guest, partners.get(guest.id) ?? []))
    for (const person of people) {
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

/** These guests, named one by one, or as all but the others where that is shorter. */
const composeGuestAudience = (state: RealmState, guests: readonly UserRow[]): Audience => {
  const users = guests.map(({ id }) => id)
  if (users.length < MAX_LISTED_GUESTS) return { users }
  const named = new Set(users)
  const others = [...state.users.values()].filter(({ id, role }) => role === Role.guest && !named.has(id))
  if (others.length > users.length) return { users }
  return { roles: [Role.guest, Role.guest], except: others.map(({ id }) => id) }
}

const MAX_LISTED_GUESTS = 20
