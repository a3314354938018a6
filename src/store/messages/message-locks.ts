/**
 * Advisory locks of messages and of the rows that belong to them.
 *
 * 1. No message is deleted while a transaction adds a row to it (a flag, a reaction): adding takes the realm's lock
 *    shared, deleting takes it exclusively. A lock per message would write to each message for every reader.
 * 2. Two changes of one user's flags run one after the other: otherwise a pointer could pass a message in the moment in
 *    which that message becomes unread.
 * 3. Two changes of one user's topic policies run one after the other.
 * 4. A transaction takes these locks first, in this order, before it locks any row: so transactions cannot deadlock.
 */
import type { Transaction } from '../sql.js'

/** The first number of a lock's pair: which lock of the realm it is. */
const MESSAGES = 1

/** Prevents deletions in the realm until the transaction ends (1). */
export const lockMessagesShared = (tx: Transaction, realm_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock_shared(${MESSAGES}::int, ${realm_id}::int)`

/** Prevents rows added to messages of the realm until the transaction ends (1). */
export const lockMessagesExclusive = (tx: Transaction, realm_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(${MESSAGES}::int, ${realm_id}::int)`

/** Locks the flags of this user until the transaction ends (2). */
export const lockUserFlags = (tx: Transaction, realm_id: number, user_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`flags ${realm_id} ${user_id}`}, 0))`

/** Locks the topic policies of this user until the transaction ends (3). */
export const lockUserTopics = (tx: Transaction, realm_id: number, user_id: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`topics ${realm_id} ${user_id}`}, 0))`
