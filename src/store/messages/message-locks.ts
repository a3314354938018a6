/**
 * What keeps messages and what hangs on them together.
 *
 * 1. A message does not go while something is being hung on it (a flag, a reaction): whoever hangs shares a lock of the
 *    realm, and whoever deletes waits for it alone. A lock of each message would write to each, for every reader.
 * 2. Two changes of one person's flags follow one another: a pointer that moves past a message must not meet the
 *    message becoming unread.
 * 3. So do changes of how one person follows topics.
 *
 * All are taken first in a transaction, in this order, before any row; so nobody waits in a circle.
 */
import type { Transaction } from '../sql.js'

/** What the first number of a lock's pair stands for. */
const MESSAGES = 1

/** The messages of the realm stay until the transaction ends (1). */
export const lockMessagesShared = (tx: Transaction, realm_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock_shared(${MESSAGES}::int, ${realm_id}::int)`

/** Nothing is hung on messages of the realm until the transaction ends (1). */
export const lockMessagesExclusive = (tx: Transaction, realm_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(${MESSAGES}::int, ${realm_id}::int)`

/** Nobody else changes flags of this person until the transaction ends (2). */
export const lockUserFlags = (tx: Transaction, realm_id: number, user_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`flags ${realm_id} ${user_id}`}, 0))`

/** Nobody else changes how this person follows topics until the transaction ends (3). */
export const lockUserTopics = (tx: Transaction, realm_id: number, user_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`topics ${realm_id} ${user_id}`}, 0))`
