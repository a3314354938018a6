/**
 * Access to accounts: of restricted guests, where it depends on direct conversations; by an address.
 * Conversations are not in memory, so a query reads them; for all other users no query runs.
 *
 * Source: protocol/permissions.md 10.1. The rule is in domain/users/user-access.ts.
 */
import { type ChannelRow, Role, type UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import {
  collectContacts,
  contactSources,
  hasRestrictedGuests,
  isRestrictedGuest,
} from '../../domain/users/user-access.js'
import { canSeeAddress, findUserByPlaceholder } from '../../domain/users/users.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Db, Sql } from '../sql.js'

/** Returns whether the reader has access to an account. A reader without an account has access to all. */
export const loadAccessCheck = async (
  sql: Db,
  state: RealmState,
  reader: UserRow | undefined,
): Promise<(user: UserRow) => boolean> => {
  if (reader === undefined || !isRestrictedGuest(state, reader)) return () => true
  const met = collectContacts(
    state,
    contactSources(state, reader, await loadPartnerIds(sql, state.realm.id, reader.id)),
  )
  return (user) => user.is_bot || user.id === reader.id || met.has(user.id)
}

/**
 * Loads the ids of the others in the direct conversations of each guest. There are none where no guest is restricted.
 */
export const loadPartnersOfGuests = async (sql: Db, state: RealmState): Promise<ReadonlyMap<number, number[]>> => {
  const guests = [...state.users.values()].filter((user) => isRestrictedGuest(state, user))
  const partners = new Map<number, number[]>()
  for (const { id } of guests) partners.set(id, await loadPartnerIds(sql, state.realm.id, id))
  return partners
}

/**
 * Loads the ids of the channel's subscribers who have no access to the sender. There are none if the sender is a bot or
 * a subscriber too.
 */
export const loadSubscribersWithoutAccess = async (
  sql: Sql,
  state: RealmState,
  sender: UserRow,
  channel: ChannelRow,
): Promise<number[]> => {
  const subscribers = state.subscribers(channel.id)
  if (!hasRestrictedGuests(state) || sender.is_bot || subscribers.has(sender.id)) return []
  const met = collectContacts(
    state,
    contactSources(state, sender, await loadPartnerIds(sql, state.realm.id, sender.id)),
  )
  return [...subscribers].filter((id) => state.users.get(id)?.role === Role.guest && !met.has(id))
}

/**
 * Finds the account with this API address, or with this real address. The real address counts if the viewer may see it
 * and the account. An address `user{id}@host` names an account as its id does.
 * @param host the organization's host name
 */
export const findUserByEmail = async (
  sql: Db,
  state: RealmState,
  viewer: UserRow,
  address: string,
  host: string,
): Promise<UserRow | undefined> => {
  const email = address.toLowerCase()
  const named = findUserByPlaceholder(state, email, host)
  if (named !== undefined) return named
  const found = state.userByEmail(email)
  if (found === undefined) return undefined
  const isHidden = found.delivery_email.toLowerCase() === email && !canSeeAddress(viewer, found)
  if (isHidden) return undefined
  const isKnown = await loadAccessCheck(sql, state, viewer)
  return isKnown(found) ? found : undefined
}
