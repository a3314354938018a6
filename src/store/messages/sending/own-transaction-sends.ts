/**
 * Messages that are stored one by one, because they need more than the statement of a batch: those that lead to files,
 * the first of a conversation in which people meet, and those for which somebody follows their topic.
 */

import type { Committed } from '../../log/change.js'
import { placeEntries, takeHead, writeEntries } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { Transaction } from '../../sql.js'
import { loadConversationEntries } from '../../users/guest-visibility.js'
import { checkFirstMessage, followTopic } from '../following/follow-topics.js'
import { storeWithFiles } from './file-claims.js'
import { type Send, type StoredSends, storeSends } from './send-combiner.js'

/** What became of it. */
export interface StoredInOwnTransaction extends StoredSends {
  /** how people follow its topic from now on, where that changed */
  policies: ReadonlyMap<number, number>
}

/** Whether the message is such a one. They are few, and would hold up all others of their batch. */
export const needsOwnTransaction = ({ files, begins, following }: Send): boolean =>
  (files !== undefined && files.length > 0) || begins !== undefined || following !== undefined

/** Stores the message, whatever it needs. People are introduced, and follow, before it is heard. Throws StaleStateError. */
export const storeInOwnTransaction = async (
  tx: Transaction,
  realm: Realm,
  send: Send,
): Promise<StoredInOwnTransaction> => {
  const { begins, following, guard } = send
  const { entries: followed, policies } =
    following === undefined ? { entries: [], policies: new Map() } : await followTopic(tx, realm.state, following)
  const { gained } =
    begins === undefined ? { gained: [] } : await loadConversationEntries(tx, realm, begins.dm_id, begins.user_ids)
  const before = [...gained, ...followed]
  if (before.length === 0) return { ...(await storeWithFiles(tx, realm.id, send)), policies }
  const head = await takeHead(tx, realm.id, { count: before.length, messages: 0, guard, structural: false })
  const told = placeEntries(before, head.log_seq)
  await writeEntries(tx, realm.id, told)
  const stored = await storeWithFiles(tx, realm.id, send)
  if (following?.begins === true) await checkFirstMessage(tx, realm.id, following.topic, stored.first)
  return { ...stored, entries: [...told, ...stored.entries], policies }
}

/** Stores messages in a transaction of the caller's, one by one where one of them needs more than the batch does. */
export const storeMessages = async (tx: Transaction, realm: Realm, sends: readonly Send[]): Promise<Committed> => {
  if (!sends.some(needsOwnTransaction)) return storeSends(tx, realm.id, sends)
  const all: StoredSends[] = []
  for (const send of sends) all.push(await storeInOwnTransaction(tx, realm, send))
  return { entries: all.flatMap(({ entries }) => entries), jobs: all.flatMap(({ jobs }) => jobs) }
}
