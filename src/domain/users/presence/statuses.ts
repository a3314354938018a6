/** The status of a user without empty parts, as clients receive it. Source: protocol/register.md 5.7. */
import { z } from 'zod'
import type { UserRow, UserStatusRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'

export const statusObject = z.object({
  away: z.literal(true).optional(),
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  scheduled_end_time: z.int().optional().describe('when it ends by itself, in UNIX seconds'),
})

export type Status = z.infer<typeof statusObject>

/** The status of a user who set none. */
export const emptyStatus: Omit<UserStatusRow, 'user_id'> = {
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
  ends_at: null,
}

/** Returns the user's status, with the stored type of its emoji. Returns undefined when the status is empty. */
export const statusOnWire = (state: RealmState, user: UserRow): Status | undefined => {
  const { status_text, emoji_name, emoji_code, reaction_type, ends_at } = state.statuses.get(user.id) ?? emptyStatus
  const isAway = user.settings.presence_enabled === false
  if (!isAway && status_text === '' && emoji_name === '') return undefined
  return {
    ...(isAway ? { away: true as const } : {}),
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === '' ? {} : { emoji_name, emoji_code, reaction_type }),
    ...(ends_at === null ? {} : { scheduled_end_time: ends_at }),
  }
}
