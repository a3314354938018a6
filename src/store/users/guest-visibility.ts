/**
 * The entries for accounts that a change makes visible to restricted guests, or hides from them.
 *
 * Direct conversations are not in memory, and a conversation begins without a change of structure. So their members are
 * read while the transaction holds the lock of the log's head: no message can be stored in between. In organizations
 * without restricted guests no query runs.
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
import { canIntroduceGuests } from '../../domain/users/user-access.js'
import { lockHeadRow, StaleStateError } from '../log/log.js'
import type { Realm } from '../log/realm.js'
import type { CommitHook, WriteContext } from '../log/write-context.js'
import { hasMessages } from '../messages/conversations.js'
import { loadPartnerIds } from '../register/registration-content.js'
import type { Transaction } from '../sql.js'

const noEntries: VisibilityEntries = { gained: [], lost: [] }

/** The entries for accounts that a change of structure makes visible, or hides. Throws StaleStateError. */
export const composeVisibilityConsequences: CommitHook = async (tx, context, entries) => {
  const { gained, lost } = await computeVisibilityEntries(tx, context, entries)
  return { preceding: gained, following: lost }
}

const computeVisibilityEntries = async (
  tx: Transaction,
  { realm, guard }: WriteContext,
  changeEntries: readonly NewEntry[],
): Promise<VisibilityEntries> => {
  const rows = changeEntries.flatMap((entry) => entry.rows ?? [])
  if (!canChangeVisibility(realm.state, rows)) return noEntries
  if (realm.structureSeq > guard) throw new StaleStateError()
  const { state } = realm
  const after = state.withChanges(rows)
  const visibilityChanges = findVisibilityChanges(state, after, rows)
  if (visibilityChanges.length === 0) return noEntries
  const partners = await lockAndLoadPartners(
    tx,
    realm,
    visibilityChanges.map(({ guest }) => guest),
  )
  // If the structure moved meanwhile, taking the head throws StaleStateError.
  return composeVisibilityEntries(state, after, visibilityChanges, partners)
}

/**
 * Loads the entries that a conversation causes. They are those of its first message, if this is called before the
 * message is stored. They are those of deleting its last message, if this is called after the deletion.
 */
export const loadConversationEntries = async (
  tx: Transaction,
  realm: Realm,
  dm_id: number,
  user_ids: readonly number[],
): Promise<VisibilityEntries> => {
  const participants = user_ids.flatMap((id) => realm.state.users.get(id) ?? [])
  if (!canIntroduceGuests(realm.state, participants)) return noEntries
  const guests = participants.filter(({ role, is_active }) => role === Role.guest && is_active)
  const partners = await lockAndLoadPartners(tx, realm, guests)
  return (await hasMessages(tx, realm.id, dm_id))
    ? noEntries
    : composeConversationEntries(realm.state, participants, partners)
}

const lockAndLoadPartners = async (tx: Transaction, realm: Realm, guests: readonly UserRow[]) => {
  await lockHeadRow(tx, realm.id)
  return new Map(
    await Promise.all(
      guests.map(
        async ({ id }): Promise<[number, Set<number>]> => [id, new Set(await loadPartnerIds(tx, realm.id, id))],
      ),
    ),
  )
}
