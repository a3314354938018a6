/**
 * A user came back after an absence. The event is never stored: clients poll for every other presence change.
 * Source: events.md 3.3, `presence`.
 */
import { z } from 'zod'
import type { Audience } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { websitePresence } from './presence.js'

interface Presence {
  /** the users who have access to the account */
  viewers: Audience
  user_id: number
  email: string
  /** UNIX seconds, with a fraction */
  server_timestamp: number
  presence: { website: z.infer<typeof websitePresence> }
}

export const presence = entry<Presence>({
  kind: 'presence',
  type: 'presence',
  event: z.object({
    type: z.literal('presence'),
    user_id: z.int(),
    email: z.string().optional(),
    server_timestamp: z.number(),
    presence: z.object({ website: websitePresence }),
  }),
  audience: ({ viewers }) => viewers,
  project: ({ email, viewers: _, ...rest }, { slim_presence }) => ({
    type: 'presence',
    ...rest,
    ...(slim_presence ? {} : { email }),
  }),
})
