/**
 * Who may know of whom. Everyone knows everyone, unless the organization keeps its guests apart: then a guest knows
 * bots, themselves, and the people with whom they share a channel or a direct conversation.
 *
 * Conversations are not in memory, so they are given as lists of partners. Source: permissions.md 10.1, events.md 2.6
 * (`CAN-SEE`).
 */
import type { Audience } from './entry.js'
import { SystemGroup } from './groups.js'
import { Role, type UserRow } from './rows.js'
import type { RealmState } from './state.js'
import { addressReach } from './users.js'

/** Whether guests of this organization know only the people they meet. */
export const keepsGuestsApart = (state: RealmState): boolean =>
  state.settings.can_access_all_users_group !== SystemGroup.everyone

/** Whether what this account may know depends on whom it meets. */
export const isKeptApart = (state: RealmState, user: UserRow): boolean =>
  user.role >= Role.guest && keepsGuestsApart(state)

/** Where people meet: channels by id, and the others in one's direct conversations by user id. */
export interface Meetings {
  channels: Iterable<number>
  partners: Iterable<number>
}

/** Where this account meets people now. */
export const meetingsOf = (state: RealmState, user: UserRow, partners: Iterable<number>): Meetings => ({
  channels: [...state.subscriptionsOf(user.id)].flatMap(([id, { active }]) => (active ? [id] : [])),
  partners,
})

/** Ids of the people met, which is whom a guest that is kept apart may know beside bots and themselves. */
export const peopleMet = (state: RealmState, { channels, partners }: Meetings): Set<number> => {
  const met = new Set(partners)
  for (const channel_id of channels) for (const id of state.subscribers(channel_id)) met.add(id)
  return met
}

/** How an audience sees an account: with its address, without, or not at all. */
export type Sight = 'address' | 'plain' | 'unknown'

export interface Viewers {
  sight: Sight
  audience: Audience
}

/**
 * Everyone, parted by how they see the account. The audiences have nobody in common, so each of them can get an
 * entry of its own.
 */
export const viewersOf = (state: RealmState, user: UserRow, meetings: Meetings): Viewers[] => {
  const reach = addressReach(user)
  const apart = keepsGuestsApart(state) && !user.is_bot
  const self = user.id
  const guests = apart ? guestsAmong(state, peopleMet(state, meetings), self) : []
  const last = apart ? Role.member : Role.guest
  const seeAddress = reach >= Role.guest ? guests : []
  const viewers: Viewers[] = [
    { sight: 'address', audience: { roles: [0, Math.min(reach, last)], users: [self, ...seeAddress] } },
  ]
  if (reach < Role.guest) {
    viewers.push({ sight: 'plain', audience: { roles: [reach + 1, last], users: guests, except: [self] } })
  }
  if (apart) {
    viewers.push({ sight: 'unknown', audience: { roles: [Role.guest, Role.guest], except: [self, ...guests] } })
  }
  return viewers
}

const guestsAmong = (state: RealmState, ids: Iterable<number>, self: number): number[] =>
  [...ids].filter((id) => id !== self && state.users.get(id)?.role === Role.guest).sort((a, b) => a - b)
