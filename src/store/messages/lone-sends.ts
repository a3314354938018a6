/**
 * Messages that are stored one by one, because they need more than the statement of a batch: those that lead to files,
 * and the first of a conversation in which people meet.
 */
import type { Send, Stored } from '../combiner.js'
import { storeWithFiles } from '../files/file-claims.js'
import { placed, takeHead, writeEntries } from '../log.js'
import type { Realm } from '../realm.js'
import type { Transaction } from '../sql.js'
import { introductionsIn } from '../users/introductions.js'

/** Whether the message is such a one. They are few, and would hold up all others of their batch. */
export const goesAlone = ({ files, begins }: Send): boolean =>
  (files !== undefined && files.length > 0) || begins !== undefined

/** Stores the message, whatever it needs. People are introduced before they are heard. Throws Moved. */
export const storeAlone = async (tx: Transaction, realm: Realm, send: Send): Promise<Stored> => {
  const { begins, guard } = send
  const { gained } =
    begins === undefined ? { gained: [] } : await introductionsIn(tx, realm, begins.dm_id, begins.user_ids)
  if (gained.length === 0) return storeWithFiles(tx, realm.id, send)
  const head = await takeHead(tx, realm.id, { count: gained.length, messages: 0, guard, structural: false })
  const introduced = placed(gained, head.log_seq)
  await writeEntries(tx, realm.id, introduced)
  const stored = await storeWithFiles(tx, realm.id, send)
  return { ...stored, entries: [...introduced, ...stored.entries] }
}
