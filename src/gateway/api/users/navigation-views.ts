/**
 * The navigation views of the caller: built-in views, and views that the caller created.
 *
 * Source: the API document, endpoint 17; protocol/endpoints.md 1.17 and 3.3.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { navigationViewObject } from '../../../domain/users/personal/navigation-view-entries.js'
import { validateViewName } from '../../../domain/users/personal/navigation-views.js'
import { addView, changeView, loadViews, removeView } from '../../../store/users/navigation-views.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, restInPath, str } from '../../call/params.js'

const pinned = bool().describe('true: in the sidebar; false: in the menu of more views')
const viewName = str({ max: limits.max_navigation_view_name_length }).nullable().optional()

export const getNavigationViews = endpoint({
  method: 'GET',
  path: '/navigation_views',
  summary: "Lists the caller's views.",
  callers: 'account',
  params: {},
  response: z.object({ navigation_views: z.array(navigationViewObject) }),
  handle: async ({ app, realm, caller }) => ({
    navigation_views: await loadViews(app.store.sql, realm.id, caller.id),
  }),
})

export const addNavigationView = endpoint({
  method: 'POST',
  path: '/navigation_views',
  summary: 'Adds a view, or sets where a built-in view is shown.',
  callers: 'account',
  params: {
    fragment: str({ min: 1, max: limits.max_navigation_view_fragment_length }).describe('the URL fragment of the view'),
    is_pinned: pinned,
    name: viewName.describe('absent for built-in views'),
  },
  example: { fragment: 'narrow/topic/lunch', is_pinned: true, name: 'Lunch' },
  response: z.object({}),
  async handle({ write, caller, params: { fragment, is_pinned, name = null } }) {
    if (fragment.trim() === '') throw errors.badRequest('{name} must not be blank.', { name: 'fragment' })
    const view = { fragment, is_pinned, name: validateViewName(fragment, name) }
    await addView(write, caller.id, view)
    return {}
  },
})

export const updateNavigationView = endpoint({
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  summary: 'Changes a view.',
  callers: 'account',
  params: { fragment: restInPath(), is_pinned: pinned.optional(), name: viewName },
  example: { is_pinned: false },
  response: z.object({}),
  errors: [errors.navigationViewDoesNotExist],
  async handle({ write, caller, params: { fragment, is_pinned, name } }) {
    await changeView(write, caller.id, fragment, {
      ...(is_pinned === undefined ? {} : { is_pinned }),
      ...(name === undefined ? {} : { name: validateViewName(fragment, name) }),
    })
    return {}
  },
})

export const removeNavigationView = endpoint({
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  summary: 'Removes a view.',
  callers: 'account',
  params: { fragment: restInPath() },
  response: z.object({}),
  errors: [errors.navigationViewDoesNotExist],
  async handle({ write, caller, params }) {
    await removeView(write, caller.id, params.fragment)
    return {}
  },
})
