/**
 * Whom a guest knows, in an organization that keeps its guests apart: those they have met in a channel or in a direct
 * conversation. Conversations are not in memory, so it takes a query; for everyone else none is made.
 *
 * Source: permissions.md 10.1. The rule itself is in domain/users/user-access.ts.
 */
import { type ChannelRow, Role, type UserRow } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import {
  collectContacts,
  contactSources,
  hasRestrictedGuests,
  isRestrictedGuest,
} from '../../domain/users/user-access.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Sql } from '../sql.js'

/** Whether the reader may know an account. A reader without an account may know all. */
export const loadAccessCheck = async (
  sql: Sql,
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

/** Subscribers of the channel who may not know the sender. A subscriber is met by all others, and a bot known to all. */
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
