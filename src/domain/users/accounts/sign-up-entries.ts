/**
 * The queue of users who signed up and wait for approval changed.
 *
 * The entry also puts the act into the audit log: who asked to join, and whom an administrator approved or refused.
 */
import { z } from 'zod'
import { Administrators } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'

/** What happened to a request to join. */
export interface SignUpChange {
  sign_up_id: number
  email: string
  full_name: string
  result: 'waits' | 'approved' | 'refused'
}

/** Declares the kind of these entries. */
export const signUpsChanged = entry<SignUpChange>({
  kind: 'sign_ups_changed',
  type: 'sign_ups_changed',
  description: 'The users who wait for approval changed. Clients that show them fetch the list again.',
  event: z.object({ type: z.literal('sign_ups_changed') }),
  noExample: 'It needs a user who signed up.',
  audience: () => Administrators,
  project: () => ({ type: 'sign_ups_changed' }),
})
