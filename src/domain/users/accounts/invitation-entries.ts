/**
 * Invitations changed: clients of administrators and of the inviter reload the list. Source: protocol/events.md 3.3.
 */
import { z } from 'zod'
import { Administrators } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'

export const invitesChanged = entry<{ inviter_ids: readonly number[] }>({
  kind: 'invites_changed',
  type: 'invites_changed',
  description: 'Invitations changed. Clients that show them fetch the list again.',
  event: z.object({ type: z.literal('invites_changed') }),
  audience: ({ inviter_ids }) => ({ ...Administrators, users: inviter_ids }),
  project: () => ({ type: 'invites_changed' }),
})
