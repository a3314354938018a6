/** The saved snippets of one user. Index: saved_snippets_user, then keys. */

import { secondsNow } from '#rules/time.js'
import { type Snippet, snippetPut, snippetRemoved } from '../../domain/messages/draft-entries.js'
import { checkAddedRows, checkChangedRows } from '../limits/stored-rows.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Db } from '../sql.js'

/** Adds a snippet. @returns its id. Throws BAD_REQUEST above the limit of snippets, and StaleStateError. */
export const addSnippet = async (
  context: WriteContext,
  user_id: number,
  { title, content }: Pick<Snippet, 'title' | 'content'>,
): Promise<number> => {
  const { realm } = context
  const date_created = secondsNow()
  return commit(context, async (tx) => {
    const [row] = await tx<{ id: number }[]>`
        insert into saved_snippets (realm_id, user_id, title, content, date_created)
        values (${realm.id}, ${user_id}, ${title}, ${content}, ${date_created})
        returning id`
    await checkAddedRows(tx, 'saved_snippets', { realm_id: realm.id, user_id })
    const saved_snippet = { id: row?.id ?? 0, title, content, date_created }
    return { entries: [snippetPut({ user_id, op: 'add', saved_snippet })], result: saved_snippet.id }
  })
}

/**
 * Changes what is given. Throws BAD_REQUEST when the snippets take too much space, and StaleStateError.
 * @returns whether there is such a snippet
 */
export const updateSnippet = async (
  context: WriteContext,
  user_id: number,
  { id, title, content }: { id: number; title?: string | undefined; content?: string | undefined },
): Promise<boolean> => {
  const { realm } = context
  return commit(context, async (tx) => {
    const [row] = await tx<Snippet[]>`
        update saved_snippets
        set title = coalesce(${title ?? null}, title), content = coalesce(${content ?? null}, content)
        where realm_id = ${realm.id} and id = ${id}::bigint and user_id = ${user_id}
        returning id, title, content, date_created`
    await checkChangedRows(tx, 'saved_snippets', { realm_id: realm.id, user_id })
    if (row === undefined) return { entries: [], result: false }
    const isChanged = (title ?? content) !== undefined
    const entries = isChanged ? [snippetPut({ user_id, op: 'update', saved_snippet: { ...row } })] : []
    return { entries, result: true }
  })
}

/** Deletes a snippet. Throws StaleStateError. @returns whether there was such a snippet */
export const removeSnippet = (context: WriteContext, user_id: number, saved_snippet_id: number): Promise<boolean> =>
  commit(context, async (tx) => {
    const rows = await tx`
        delete from saved_snippets
        where realm_id = ${context.realm.id} and id = ${saved_snippet_id}::bigint and user_id = ${user_id}
        returning id`
    const isThere = rows.length > 0
    return { entries: isThere ? [snippetRemoved({ user_id, saved_snippet_id })] : [], result: isThere }
  })

/** The user's snippets in the order of their creation. */
export const loadSnippets = (db: Db, realm_id: number, user_id: number): Promise<Snippet[]> => db<Snippet[]>`
  select id, title, content, date_created from saved_snippets
  where realm_id = ${realm_id} and user_id = ${user_id}
  order by id`
