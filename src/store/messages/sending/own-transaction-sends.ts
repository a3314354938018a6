/**
 * Messages with their own transaction, because they need more than the statement of a batch: messages with links to
 * uploaded files, the first message of a conversation that makes users known to each other, messages that make a user
 * follow their topic, and answers to events, which move the position of a bot.
 */

import type { Committed } from '../../log/change.js'
import { storeAck } from '../../log/event-ack.js'
import { lockHead, placeEntries, writeEntries } from '../../log/log.js'
import type { Realm } from '../../log/realm.js'
import type { Transaction } from '../../sql.js'
import { loadConversationEntries } from '../../users/guest-visibility.js'
import { checkFirstMessage, followTopic } from '../following/follow-topics.js'
import { storeWithFiles } from './file-claims.js'
import { type Send, type StoredSends, storeSends } from './send-combiner.js'

/** The result of storing it. */
export interface StoredInOwnTransaction extends StoredSends {
  /** the changed policies for its topic, by user */
  policies: ReadonlyMap<number, number>
}

/** Whether the message needs its own transaction. Such messages are few, and would delay the others of their batch. */
export const needsOwnTransaction = ({ files, begins, following, ack }: Send): boolean =>
  (files !== undefined && files.length > 0) || begins !== undefined || following !== undefined || ack !== undefined

/**
 * Stores the message; entries of introductions and policies precede its entry. Throws StaleStateError, and
 * EVENT_ALREADY_ACKED.
 */
export const storeInOwnTransaction = async (
  tx: Transaction,
  realm: Realm,
  send: Send,
): Promise<StoredInOwnTransaction> => {
  if (send.ack !== undefined) await storeAck(tx, realm.id, send.ack)
  return storeWithEntries(tx, realm, send)
}

const storeWithEntries = async (tx: Transaction, realm: Realm, send: Send): Promise<StoredInOwnTransaction> => {
  const { begins, following, guard, message } = send
  const { entries: followed, policies } =
    following === undefined ? { entries: [], policies: new Map() } : await followTopic(tx, realm.state, following)
  const { gained } =
    begins === undefined ? { gained: [] } : await loadConversationEntries(tx, realm, begins.dm_id, begins.user_ids)
  const before = [...gained, ...followed]
  const sent = { ...send, policy: policies.get(message.sender_id) }
  if (before.length === 0) return { ...(await storeWithFiles(tx, realm.id, sent)), policies }
  const head = await lockHead(tx, realm.id, { count: before.length, messages: 0, guard, structural: false })
  const precedingEntries = placeEntries(before, head.log_seq)
  await writeEntries(tx, realm.id, precedingEntries)
  const stored = await storeWithFiles(tx, realm.id, sent)
  if (following?.begins === true) await checkFirstMessage(tx, realm.id, following.topic, stored.first)
  return { ...stored, entries: [...precedingEntries, ...stored.entries], policies }
}

/**
 * Stores messages in a transaction of the caller's. It stores them one by one if one of them needs more than the batch
 * does. Throws StaleStateError.
 */
export const storeMessages = async (tx: Transaction, realm: Realm, sends: readonly Send[]): Promise<Committed> => {
  if (!sends.some(needsOwnTransaction)) return storeSends(tx, realm.id, sends)
  const all: StoredSends[] = []
  for (const send of sends) all.push(await storeInOwnTransaction(tx, realm, send))
  return { entries: all.flatMap(({ entries }) => entries), jobs: all.flatMap(({ jobs }) => jobs) }
}
