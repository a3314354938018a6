/**
 * Telling guests who are kept apart of people whom a change introduces to them, or takes from them.
 *
 * Whom they talk with is not in memory, and conversations begin without moving any structure. So it is read with the
 * log's head in hand: no message can come between. In organizations that keep nobody apart nothing is asked.
 */
import type { NewEntry } from '../../domain/log/entry.js'
import { Role, type UserRow } from '../../domain/log/rows.js'
import {
  canChangeVisibility,
  composeConversationEntries,
  composeVisibilityEntries,
  findVisibilityChanges,
  type VisibilityEntries,
} from '../../domain/users/guest-visibility.js'
import { hasRestrictedGuests } from '../../domain/users/user-access.js'
import { StaleStateError } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import type { Consequence, WriteContext } from '../log/write-context.js'
import { isBegun } from '../messages/conversations.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Transaction } from '../sql.js'

const noEntries: VisibilityEntries = { gained: [], lost: [] }

/** The entries of the people whom a change of structure introduces, or takes away. Throws StaleStateError. */
export const composeVisibilityConsequences: Consequence = async (tx, context, entries) => {
  const { gained, lost } = await computeVisibilityEntries(tx, context, entries)
  return { preceding: gained, following: lost }
}

const computeVisibilityEntries = async (
  tx: Transaction,
  { realm, guard }: WriteContext,
  made: readonly NewEntry[],
): Promise<VisibilityEntries> => {
  const rows = made.flatMap((entry) => entry.rows ?? [])
  if (!canChangeVisibility(realm.state, rows)) return noEntries
  if (realm.structureSeq > guard) throw new StaleStateError()
  const { state } = realm
  const after = state.after(rows)
  const sights = findVisibilityChanges(state, after, rows)
  if (sights.length === 0) return noEntries
  const partners = await lockAndLoadPartners(
    tx,
    realm,
    sights.map(({ guest }) => guest),
  )
  // If the structure moved meanwhile, taking the head throws StaleStateError.
  return composeVisibilityEntries(state, after, sights, partners)
}

/** Whether the first message of a conversation of these people may introduce some of them. */
export const canIntroduceGuests = ({ state }: Realm, people: readonly UserRow[]): boolean =>
  hasRestrictedGuests(state) && people.some(({ role }) => role === Role.guest) && people.length > 1

/** What the first message of a conversation introduces, before it is stored; the last, after it is deleted. */
export const loadConversationEntries = async (
  tx: Transaction,
  realm: Realm,
  dm_id: number,
  user_ids: readonly number[],
): Promise<VisibilityEntries> => {
  const people = user_ids.flatMap((id) => realm.state.users.get(id) ?? [])
  if (!canIntroduceGuests(realm, people)) return noEntries
  const guests = people.filter(({ role, is_active }) => role === Role.guest && is_active)
  const partners = await lockAndLoadPartners(tx, realm, guests)
  return (await isBegun(tx, realm.id, dm_id)) ? noEntries : composeConversationEntries(realm.state, people, partners)
}

const lockAndLoadPartners = async (tx: Transaction, realm: Realm, guests: readonly UserRow[]) => {
  await tx`select from log_heads where realm_id = ${realm.id} for update`
  return new Map(
    await Promise.all(
      guests.map(
        async ({ id }): Promise<[number, Set<number>]> => [id, new Set(await loadPartnerIds(tx, realm.id, id))],
      ),
    ),
  )
}
