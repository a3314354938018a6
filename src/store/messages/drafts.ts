/** The drafts of one user. Index: drafts_user, then keys. */

import { draftRemoved, draftsAdded, draftUpdated } from '../../domain/messages/draft-entries.js'
import type { Draft } from '../../domain/messages/drafts.js'
import { checkAddedRows, checkChangedRows } from '../limits/stored-rows.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Db } from '../sql.js'

type Kept = Omit<Draft, 'id'>

/**
 * Adds drafts. Throws BAD_REQUEST above the limit of drafts, and StaleStateError.
 * @returns their ids, in the order given
 */
export const addDrafts = async (context: WriteContext, user_id: number, drafts: readonly Kept[]): Promise<number[]> => {
  const { realm } = context
  if (drafts.length === 0) return []
  return commit(context, async (tx) => {
    // The ids are given in the order of the rows.
    const rows = await tx<{ id: number }[]>`
        insert into drafts (realm_id, user_id, type, "to", topic, content, timestamp)
        select ${realm.id}, ${user_id}, type, "to", topic, content, timestamp
        from json_to_recordset(${JSON.stringify(drafts)}::text::json)
          as r (type text, "to" int[], topic text, content text, timestamp int8)
        returning id`
    await checkAddedRows(tx, 'drafts', { realm_id: realm.id, user_id })
    rows.sort((a, b) => a.id - b.id)
    const added = drafts.map((draft, i) => ({ id: rows[i]?.id ?? 0, ...draft }))
    return { entries: [draftsAdded({ user_id, drafts: added })], result: added.map(({ id }) => id) }
  })
}

/**
 * Replaces a draft as a whole. Throws BAD_REQUEST when the drafts take too much space, and StaleStateError.
 * @returns whether there was one
 */
export const updateDraft = async (context: WriteContext, user_id: number, draft: Draft): Promise<boolean> => {
  const { realm } = context
  const { id, type, to, topic, content, timestamp } = draft
  return commit(context, async (tx) => {
    const rows = await tx`
        update drafts set type = ${type}, "to" = ${to}::int[], topic = ${topic}, content = ${content},
          timestamp = ${timestamp}
        where realm_id = ${realm.id} and id = ${id}::bigint and user_id = ${user_id}
        returning id`
    await checkChangedRows(tx, 'drafts', { realm_id: realm.id, user_id })
    const isThere = rows.length > 0
    return { entries: isThere ? [draftUpdated({ user_id, draft })] : [], result: isThere }
  })
}

/** Deletes a draft. Throws StaleStateError. @returns whether there was one */
export const removeDraft = async (context: WriteContext, user_id: number, draft_id: number): Promise<boolean> =>
  commit(context, async (tx) => {
    const rows = await tx`
        delete from drafts
        where realm_id = ${context.realm.id} and id = ${draft_id}::bigint and user_id = ${user_id} returning id`
    const isThere = rows.length > 0
    return { entries: isThere ? [draftRemoved({ user_id, draft_id })] : [], result: isThere }
  })

/** The drafts of a user, the oldest edit first. */
export const loadDrafts = (db: Db, realm_id: number, user_id: number): Promise<Draft[]> => db<Draft[]>`
  select id, type, "to", topic, content, timestamp from drafts
  where realm_id = ${realm_id} and user_id = ${user_id}
  order by timestamp, id`

/** Deletes all drafts of a user who stops synchronizing them. Clients keep their copies and receive no event. */
export const deleteAllDrafts = (db: Db, realm_id: number, user_id: number): Promise<unknown> =>
  db`delete from drafts where realm_id = ${realm_id} and user_id = ${user_id}`
