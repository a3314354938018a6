/**
 * A user's navigation views changed. Only that user receives the event. Source: protocol/events.md 3.4,
 * `navigation_view`.
 */
import { z } from 'zod'
import { onlyUsers } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'

export const navigationViewObject = z.object({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable(),
})

export type NavigationView = z.infer<typeof navigationViewObject>

const changes = navigationViewObject.omit({ fragment: true }).partial()

interface OfUser {
  user_id: number
}

export const navigationViewAdded = entry<OfUser & { navigation_view: NavigationView }>({
  kind: 'navigation_view/add',
  type: 'navigation_view',
  description: 'The user saved a view of the navigation.',
  content: true,
  event: z.object({
    type: z.literal('navigation_view'),
    op: z.literal('add'),
    navigation_view: navigationViewObject,
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ navigation_view }) => ({ type: 'navigation_view', op: 'add', navigation_view }),
})

export const navigationViewUpdated = entry<OfUser & { fragment: string; data: z.infer<typeof changes> }>({
  kind: 'navigation_view/update',
  type: 'navigation_view',
  description: 'A saved view changed.',
  content: true,
  event: z.object({
    type: z.literal('navigation_view'),
    op: z.literal('update'),
    fragment: z.string(),
    data: changes,
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ fragment, data }) => ({ type: 'navigation_view', op: 'update', fragment, data }),
})

export const navigationViewRemoved = entry<OfUser & { fragment: string }>({
  kind: 'navigation_view/remove',
  type: 'navigation_view',
  description: 'A saved view was deleted.',
  content: true,
  event: z.object({ type: z.literal('navigation_view'), op: z.literal('remove'), fragment: z.string() }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ fragment }) => ({ type: 'navigation_view', op: 'remove', fragment }),
})
