/** Saved snippets of one person. Index: saved_snippets_user, then keys. */
import { type Snippet, snippetPut, snippetRemoved } from '../../domain/messages/draft-entries.js'
import { secondsNow } from '../../domain/permissions/permissions.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Db } from '../sql.js'
import { checkQuota } from './quota.js'

export const addSnippet = async (
  context: WriteContext,
  user_id: number,
  { title, content }: Pick<Snippet, 'title' | 'content'>,
): Promise<number> => {
  const { realm } = context
  const date_created = secondsNow()
  const { id } = await commit(context, {
    entries: [],
    async before(tx) {
      const [row] = await tx<{ id: number }[]>`
        insert into saved_snippets (realm_id, user_id, title, content, date_created)
        values (${realm.id}, ${user_id}, ${title}, ${content}, ${date_created})
        returning id`
      await checkQuota(tx, 'saved_snippets', realm.id, user_id)
      return { id: row?.id ?? 0, title, content, date_created }
    },
    told: (saved_snippet) => [snippetPut({ user_id, op: 'add', saved_snippet })],
  })
  return id
}

/** Changes what is given. @returns whether there is such a snippet */
export const updateSnippet = async (
  context: WriteContext,
  user_id: number,
  { id, title, content }: { id: number; title?: string | undefined; content?: string | undefined },
): Promise<boolean> => {
  const { realm } = context
  const found = await commit(context, {
    entries: [],
    async before(tx) {
      const [row] = await tx<Snippet[]>`
        update saved_snippets
        set title = coalesce(${title ?? null}, title), content = coalesce(${content ?? null}, content)
        where realm_id = ${realm.id} and id = ${id} and user_id = ${user_id}
        returning id, title, content, date_created`
      await checkQuota(tx, 'saved_snippets', realm.id, user_id)
      return row
    },
    told: (saved_snippet) =>
      saved_snippet === undefined || (title ?? content) === undefined
        ? []
        : [snippetPut({ user_id, op: 'update', saved_snippet: { ...saved_snippet } })],
  })
  return found !== undefined
}

/** @returns whether there was such a snippet */
export const removeSnippet = (context: WriteContext, user_id: number, saved_snippet_id: number): Promise<boolean> =>
  commit(context, {
    entries: [],
    async before(tx) {
      const rows = await tx`
        delete from saved_snippets
        where realm_id = ${context.realm.id} and id = ${saved_snippet_id} and user_id = ${user_id}
        returning id`
      return rows.length > 0
    },
    told: (isThere) => (isThere ? [snippetRemoved({ user_id, saved_snippet_id })] : []),
  })

export const snippetsOf = (db: Db, realm_id: number, user_id: number): Promise<Snippet[]> => db<Snippet[]>`
  select id, title, content, date_created from saved_snippets
  where realm_id = ${realm_id} and user_id = ${user_id}
  order by id`
