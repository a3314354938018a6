/**
 * Which users have access to which accounts.
 *
 * 1. Every user has access to every account, unless `can_access_all_users_group` excludes guests.
 * 2. Then a guest is a restricted guest, with access to bots, to their own account, and to their contacts: the users
 *    with whom they share a channel or a direct conversation.
 *
 * Direct conversations are not in memory, so callers pass the ids of the partners.
 * Source: protocol/permissions.md 10.1, protocol/events.md 2.6 (`CAN-SEE`).
 */
import { AllUsers, type Audience } from '../log/entry.js'
import { Role, type UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { SystemGroup } from '../settings/group-setting-values.js'
import { maxRoleSeeingAddress } from './users.js'

/** Whether guests of this organization are restricted guests. */
export const hasRestrictedGuests = (state: RealmState): boolean =>
  state.settings.can_access_all_users_group !== SystemGroup.everyone

/** Whether this user is a restricted guest. */
export const isRestrictedGuest = (state: RealmState, user: UserRow): boolean =>
  user.role >= Role.guest && hasRestrictedGuests(state)

/**
 * Whether a conversation of these users can make an account visible to a guest. It becomes visible by the first
 * message.
 */
export const canIntroduceGuests = (state: RealmState, participants: readonly UserRow[]): boolean =>
  hasRestrictedGuests(state) && participants.some(({ role }) => role === Role.guest) && participants.length > 1

/** What makes other users contacts: channel ids, and user ids of partners in direct conversations. */
export interface ContactSources {
  channels: Iterable<number>
  partners: Iterable<number>
}

/** The account's contact sources now. A deactivated account counts as a subscriber of no channel. */
export const contactSources = (state: RealmState, user: UserRow, partners: Iterable<number>): ContactSources => ({
  channels: user.is_active
    ? [...state.userSubscriptions(user.id)].flatMap(([id, { active }]) => (active ? [id] : []))
    : [],
  partners,
})

/** Ids of the contacts; the account itself may be among them. */
export const collectContacts = (state: RealmState, { channels, partners }: ContactSources): Set<number> => {
  const met = new Set(partners)
  for (const channel_id of channels) for (const id of state.subscribers(channel_id)) met.add(id)
  return met
}

/** How an audience sees an account: with its real address, without it, or not at all. */
export type AccountVisibility = 'address' | 'plain' | 'unknown'

export interface ViewerGroup {
  visibility: AccountVisibility
  audience: Audience
}

/**
 * All users, grouped by how they see the account. The audiences are disjoint, so each can receive its own entry.
 */
export const groupViewers = (state: RealmState, user: UserRow, sources: ContactSources): ViewerGroup[] =>
  groupViewersByContacts(state, user, () => filterGuests(state, collectContacts(state, sources), user.id))

/** As `groupViewers`. @param findGuests the ids of the guests who are contacts; called where guests are restricted */
export const groupViewersByContacts = (
  state: RealmState,
  user: UserRow,
  findGuests: () => readonly number[],
): ViewerGroup[] => {
  const reach = maxRoleSeeingAddress(user)
  const apart = hasRestrictedGuests(state) && !user.is_bot
  const self = user.id
  const guests = apart ? findGuests() : []
  const last = apart ? Role.member : Role.guest
  const seeAddress = reach >= Role.guest ? guests : []
  const viewers: ViewerGroup[] = [
    { visibility: 'address', audience: { roles: [0, Math.min(reach, last)], users: [self, ...seeAddress] } },
  ]
  if (reach < Role.guest) {
    viewers.push({ visibility: 'plain', audience: { roles: [reach + 1, last], users: guests, except: [self] } })
  }
  if (apart) {
    viewers.push({ visibility: 'unknown', audience: { roles: [Role.guest, Role.guest], except: [self, ...guests] } })
  }
  return viewers
}

/** The users who have access to the account. */
export const audienceWithAccess = (state: RealmState, user: UserRow, sources: ContactSources): Audience => {
  if (user.is_bot || !hasRestrictedGuests(state)) return AllUsers
  return {
    roles: [0, Role.member],
    users: [user.id, ...filterGuests(state, collectContacts(state, sources), user.id)],
  }
}

/** Users with access to an account, by whether they see its real address before and after a change. */
export interface AddressViewerGroup {
  before: boolean
  after: boolean
  audience: Audience
}

/**
 * Groups users with access to an account by whether they see its real address. The audiences are disjoint.
 * @param before `maxRoleSeeingAddress` before the change
 * @param after  `maxRoleSeeingAddress` after the change
 */
export const groupAddressViewers = (
  state: RealmState,
  user: UserRow,
  sources: ContactSources,
  before: number,
  after: number,
): AddressViewerGroup[] => {
  const apart = hasRestrictedGuests(state) && !user.is_bot
  const last = apart ? Role.member : Role.guest
  const met = apart ? filterGuests(state, collectContacts(state, sources), user.id) : []
  const [low, high] = [Math.min(before, after), Math.max(before, after)]
  const composeRoleRange = (from: number, to: number): Audience => ({
    roles: [from + 1, Math.min(to, last)],
    users: from < Role.guest && to >= Role.guest ? met : [],
    except: [user.id],
  })
  const inside: Audience = { roles: [0, Math.min(low, last)], users: [user.id, ...(low >= Role.guest ? met : [])] }
  return [
    { before: true, after: true, audience: inside },
    ...(low === high ? [] : [{ before: before > after, after: after > before, audience: composeRoleRange(low, high) }]),
    ...(high >= Role.guest ? [] : [{ before: false, after: false, audience: composeRoleRange(high, Role.guest) }]),
  ]
}

const filterGuests = (state: RealmState, ids: Iterable<number>, self: number): number[] =>
  [...ids].filter((id) => id !== self && state.users.get(id)?.role === Role.guest).sort((a, b) => a - b)
