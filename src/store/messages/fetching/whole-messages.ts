/** Messages with their reactions and submessages. */

import type { MessageObject } from '../../../domain/messages/message.js'
import type { ReadContext } from '../narrow/conditions.js'
import type { ReaderRow } from '../narrow/load-messages.js'
import { loadReactions } from '../reactions/reactions.js'
import { loadSubmessages } from '../reactions/submessages.js'

/** Messages by id ascending, and what is attached to them by message id, oldest first. */
export interface WholeMessages {
  rows: readonly ReaderRow[]
  reactions: ReadonlyMap<number, MessageObject['reactions']>
  submessages: ReadonlyMap<number, MessageObject['submessages']>
}

/** Loads what is attached to the messages. @param counts so much is: nothing of a kind is not loaded */
export const loadAttached = async (
  { sql, state }: ReadContext,
  rows: readonly ReaderRow[],
  counts = { reactions: Number.POSITIVE_INFINITY, submessages: Number.POSITIVE_INFINITY },
): Promise<WholeMessages> => {
  const ids = rows.map(({ id }) => id)
  const [reactions, submessages] = await Promise.all([
    loadReactions(sql, state.realm.id, counts.reactions === 0 ? [] : ids),
    loadSubmessages(sql, state.realm.id, counts.submessages === 0 ? [] : ids),
  ])
  return { rows, reactions, submessages }
}
