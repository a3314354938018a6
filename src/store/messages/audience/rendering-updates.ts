/**
 * Updates the HTML of a message without an edit: a thumbnail is ready, or the preview of a linked page.
 */

import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../../../domain/log/entry.js'
import type { RealmState } from '../../../domain/log/state.js'
import { updateMessage } from '../../../domain/messages/editing/update-message-entry.js'
import type { Db, Transaction } from '../../sql.js'
import { messageAudience } from './message-audience.js'
import { buildAudience, groupByFlags, resolveAudience } from './recipients-by-flags.js'

/** The columns of a message that an update needs. */
export interface RenderedMessage {
  id: number
  channel_id: number | null
  user_ids: readonly number[] | null
  content: string
  rendered_content: string
}

/** Loads the message; undefined: it was deleted. */
export const loadRenderedMessage = async (
  db: Db,
  realm_id: number,
  message_id: number,
): Promise<RenderedMessage | undefined> => {
  const [row] = await db<RenderedMessage[]>`
    select m.id, m.channel_id, m.content, m.rendered_content,
      (select c.user_ids from dm_conversations c where c.realm_id = m.realm_id and c.id = m.dm_id) as user_ids
    from messages m where m.realm_id = ${realm_id} and m.id = ${message_id}`
  return row
}

/**
 * Writes the message's new HTML. It runs in a change that holds the exclusive lock of messages (message-locks.ts).
 * @returns the entries for its recipients
 */
export const updateRendering = async (
  tx: Transaction,
  state: RealmState,
  { id, channel_id, user_ids, content }: RenderedMessage,
  rendered_content: string,
): Promise<NewEntry[]> => {
  await tx`
    update messages set rendered_content = ${rendered_content}
    where realm_id = ${state.realm.id} and id = ${id}`
  const recipients = resolveAudience(
    state,
    await messageAudience(tx, state, { channel_id, user_ids, message_ids: [id] }),
  )
  const groups = await groupByFlags(tx, state.realm.id, id, recipients)
  return [...groups].map(([flags, user_ids]) =>
    updateMessage({
      to: buildAudience(state, channel_id, user_ids),
      user_id: null,
      message_id: id,
      message_ids: [id],
      flags,
      edit_timestamp: secondsNow(),
      redrawn: { content, rendered_content },
    }),
  )
}
