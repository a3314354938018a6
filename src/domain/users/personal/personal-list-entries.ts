/** A user's alert words and muted users: whole lists, for that user only. Source: protocol/events.md 3.3 and 3.4. */
import { z } from 'zod'
import { onlyUsers } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import type { UserMutesRow } from '../../log/rows.js'

export const alertWordsChanged = entry<{ user_id: number; alert_words: readonly string[] }>({
  kind: 'alert_words',
  type: 'alert_words',
  description: "The user's alert words changed. The list replaces the former one.",
  event: z.object({ type: z.literal('alert_words'), alert_words: z.array(z.string()) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ alert_words }) => ({ type: 'alert_words', alert_words }),
})

/** A user whom another one muted. */
export const mutedUser = z.object({ id: z.int(), timestamp: z.int() })

export const mutedUsersChanged = entry<{ user_id: number; muted_users: UserMutesRow['muted_users'] }>({
  kind: 'muted_users',
  type: 'muted_users',
  description: "The user's list of muted users changed. It replaces the former one.",
  event: z.object({
    type: z.literal('muted_users'),
    muted_users: z.array(mutedUser),
  }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ muted_users }) => ({ type: 'muted_users', muted_users }),
})
