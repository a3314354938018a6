/**
 * A user's status changed: text, emoji, and whether the user hides their presence (`away`).
 *
 * A missing key means that this part did not change. Source: protocol/events.md 3.3, `user_status`.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { nameReactionType } from '../../protocol/aliases.js'

interface UserStatus {
  user_id: number
  viewers: Audience
  away?: boolean
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  scheduled_end_time?: number | null
}

export const userStatus = entry<UserStatus>({
  kind: 'user_status',
  type: 'user_status',
  description: "A user's status text or emoji changed; absent properties did not.",
  event: z.object({
    type: z.literal('user_status'),
    user_id: z.int(),
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    emoji_name: z.string().optional(),
    emoji_code: z.string().optional(),
    reaction_type: z.string().optional(),
    scheduled_end_time: z.int().nullable().optional().describe('null: it ends when the user clears it'),
  }),
  audience: ({ viewers }) => viewers,
  project: ({ viewers: _, ...rest }, form) => ({ type: 'user_status', ...nameReactionType(form, rest) }),
})
