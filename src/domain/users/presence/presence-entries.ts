/**
 * A user came back after an absence. The event is never stored: clients poll for every other presence change.
 * Source: protocol/events.md 3.3, `presence`.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { since } from '../../protocol/later-levels.js'
import { slimPresence, websitePresence } from './presence.js'

interface Presence {
  /** the users who have access to the account */
  viewers: Audience
  user_id: number
  email: string
  /** UNIX seconds, with a fraction */
  server_timestamp: number
  presence: { website: z.infer<typeof websitePresence> }
  /** undefined: a replica of the previous release announced it */
  modern?: z.infer<typeof slimPresence>
}

export const presence = entry<Presence>({
  kind: 'presence',
  type: 'presence',
  description: 'A user was active or went idle. It is never stored: a client that was away fetches presence again.',
  event: z.union([
    z.object({
      type: z.literal('presence'),
      user_id: z.int(),
      email: z.string().optional(),
      server_timestamp: z.number(),
      presence: z.object({ website: websitePresence }),
    }),
    since(
      419,
      z
        .object({ type: z.literal('presence'), presences: z.record(z.string(), slimPresence.partial()) })
        .describe('By user id, for clients with the capability simplified_presence_events.'),
    ),
  ]),
  audience: ({ viewers }) => viewers,
  project: ({ email, viewers: _, modern, ...rest }, { slim_presence, simplified_presence_events }) => {
    if (simplified_presence_events) {
      const { status, timestamp } = rest.presence.website
      const seen = modern ?? (status === 'active' ? { active_timestamp: timestamp } : { idle_timestamp: timestamp })
      return { type: 'presence', presences: { [rest.user_id]: seen } }
    }
    return { type: 'presence', ...rest, ...(slim_presence ? {} : { email }) }
  },
})
