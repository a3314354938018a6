/**
 * The navigation views of a user. Unique indexes allow no two views of a user with one name or one fragment. Of two
 * concurrent requests the second conflicts, runs again and is refused (change.ts).
 */

import { errors } from '../../domain/protocol/errors.js'
import {
  type NavigationView,
  navigationViewAdded,
  navigationViewRemoved,
  navigationViewUpdated,
} from '../../domain/users/personal/navigation-view-entries.js'
import { checkAddedRows } from '../limits/stored-rows.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import type { Sql } from '../sql.js'

/** All views of the user, ordered by fragment. */
export const loadViews = (sql: Sql, realm_id: number, user_id: number): Promise<NavigationView[]> =>
  sql<NavigationView[]>`
    select fragment, is_pinned, name from navigation_views
    where realm_id = ${realm_id} and user_id = ${user_id}
    order by fragment collate "C"`

/**
 * Adds a view. Throws BAD_REQUEST when the user has a view with its fragment or its name, or too many views. Throws
 * StaleStateError.
 */
export const addView = async (context: WriteContext, user_id: number, view: NavigationView): Promise<void> => {
  const { realm } = context
  const { fragment, is_pinned, name } = view
  await checkViewIsUnique(context.sql, realm.id, user_id, { fragment, name })
  await commit(context, async (tx) => {
    await tx`
      insert into navigation_views (realm_id, user_id, fragment, is_pinned, name)
      values (${realm.id}, ${user_id}, ${fragment}, ${is_pinned}, ${name})`
    await checkAddedRows(tx, 'navigation_views', { realm_id: realm.id, user_id })
    return { entries: [navigationViewAdded({ user_id, navigation_view: view })] }
  })
}

/** Changes a view. Throws BAD_REQUEST when there is none, or its new name is taken, and StaleStateError. */
export const changeView = async (
  context: WriteContext,
  user_id: number,
  fragment: string,
  input: Partial<Omit<NavigationView, 'fragment'>>,
): Promise<void> => {
  const { realm } = context
  const view = (await loadViews(context.sql, realm.id, user_id)).find((existing) => existing.fragment === fragment)
  if (view === undefined) throw errors.navigationViewDoesNotExist()
  const { is_pinned = view.is_pinned, name = view.name } = input
  const data = {
    ...(is_pinned === view.is_pinned ? {} : { is_pinned }),
    ...(name === view.name ? {} : { name }),
  }
  if (Object.keys(data).length === 0) return
  if (name !== view.name) await checkViewIsUnique(context.sql, realm.id, user_id, { name })
  await commit(context, async (tx) => {
    const changed = await tx`
        update navigation_views set is_pinned = ${is_pinned}, name = ${name}
        where realm_id = ${realm.id} and user_id = ${user_id} and fragment = ${fragment}`
    if (changed.count === 0) throw errors.navigationViewDoesNotExist()
    return { entries: [navigationViewUpdated({ user_id, fragment, data })] }
  })
}

/** Removes a view. Throws BAD_REQUEST when there is none, and StaleStateError. */
export const removeView = (context: WriteContext, user_id: number, fragment: string) =>
  commit(context, async (tx) => {
    const deleted = await tx`
        delete from navigation_views
        where realm_id = ${context.realm.id} and user_id = ${user_id} and fragment = ${fragment}`
    if (deleted.count === 0) throw errors.navigationViewDoesNotExist()
    return { entries: [navigationViewRemoved({ user_id, fragment })] }
  })

const checkViewIsUnique = async (
  sql: Sql,
  realm_id: number,
  user_id: number,
  candidate: { fragment?: string; name: string | null },
): Promise<void> => {
  const views = await loadViews(sql, realm_id, user_id)
  const isTaken = views.some(
    ({ fragment, name }) => fragment === candidate.fragment || (name !== null && name === candidate.name),
  )
  if (isTaken)
    throw errors.badRequest('You have a navigation view with this fragment or this name already: choose another one.')
}
