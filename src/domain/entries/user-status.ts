/**
 * What somebody says of themselves beside their name: for now, whether they can be seen to be there.
 *
 * A key that is missing has not changed. Source: events.md 3.3, `user_status`.
 */
import { z } from 'zod'
import { type Audience, entry } from '../entry.js'

export const userStatus = entry<{ user_id: number; viewers: Audience; away: boolean }>({
  kind: 'user_status',
  type: 'user_status',
  event: z.object({ type: z.literal('user_status'), user_id: z.int(), away: z.boolean().optional() }),
  audience: ({ viewers }) => viewers,
  project: ({ user_id, away }) => ({ type: 'user_status', user_id, away }),
})
