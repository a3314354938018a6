/** Changes of the status of a user, which the user makes and which a job makes when a status ends by itself. */

import { secondsNow } from '#rules/time.js'
import type { NewEntry } from '../../log/entry.js'
import { composeInsert, composeUpdate } from '../../log/row-changes.js'
import type { UserRow, UserStatusRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import { checkEmoji, resolveEmoji } from '../../messages/chosen-emoji.js'
import { errors } from '../../protocol/errors.js'
import { userStatus } from '../presence/status-entries.js'
import { emptyStatus } from '../presence/statuses.js'
import { audienceWithAccess } from '../user-access.js'
import { type Account, accountContactSources } from './account-changes.js'

/** The columns of a status that change. */
export type StatusPatch = Partial<Omit<UserStatusRow, 'user_id'>>

/** A status as a request gives it; an absent part does not change. */
export interface RequestedStatus {
  status_text?: string | undefined
  /** empty: no emoji */
  emoji_name?: string | undefined
  emoji_code?: string | undefined
  reaction_type?: string | undefined
  /** UNIX seconds; null: it does not end by itself */
  scheduled_end_time?: number | null | undefined
}

/** The most code points of a text. */
const MAX_TEXT_LENGTH = 60

/** The columns that a request changes; none when it gives nothing. Throws BAD_REQUEST. */
export const resolveStatus = (state: RealmState, requested: RequestedStatus): StatusPatch => ({
  ...validateText(requested),
  ...resolveStatusEmoji(state, requested),
  ...validateEnd(requested),
})

const validateText = ({ status_text }: RequestedStatus): StatusPatch => {
  if (status_text === undefined) return {}
  const text = status_text.trim()
  if ([...text].length > MAX_TEXT_LENGTH) {
    throw errors.badRequest('{name} may have at most {max} characters.', { name: 'status_text', max: MAX_TEXT_LENGTH })
  }
  return { status_text: text }
}

const validateEnd = ({ scheduled_end_time }: RequestedStatus): StatusPatch => {
  if (scheduled_end_time === undefined) return {}
  if (scheduled_end_time !== null && scheduled_end_time <= secondsNow()) {
    throw errors.badRequest('{name} must be in the future.', { name: 'scheduled_end_time' })
  }
  return { ends_at: scheduled_end_time }
}

const resolveStatusEmoji = (
  state: RealmState,
  { emoji_name, emoji_code, reaction_type }: RequestedStatus,
): StatusPatch => {
  if (emoji_name === '') return { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
  if (emoji_name === undefined) {
    if (emoji_code === undefined && reaction_type === undefined) return {}
    throw errors.badRequest('With emoji_code or reaction_type, send emoji_name as well.')
  }
  const emoji = resolveEmoji(state, { emoji_name, emoji_code, reaction_type })
  checkEmoji(state, emoji)
  return emoji
}

/** A change of a status: its entries, and when the new status ends by itself. */
interface StatusChange {
  entries: NewEntry[]
  ends_at: number | null
}

/** Composes a change. Without `ends_at`, the new status does not end by itself; an empty one never does. */
export const changeStatus = (state: RealmState, user: UserRow, account: Account, patch: StatusPatch): StatusChange => {
  const row = state.statuses.get(user.id)
  const previous = row ?? emptyStatus
  const next = { ...previous, ends_at: null, ...patch }
  const isEmpty = next.status_text === '' && next.emoji_name === ''
  const ends_at = isEmpty ? null : next.ends_at
  const columns = { ...patch, ends_at }
  const changed =
    row === undefined
      ? composeInsert('user_statuses', { ...emptyStatus, user_id: user.id, ...columns })
      : composeUpdate('user_statuses', row, columns)
  if (changed === undefined) return { entries: [], ends_at }
  const { ends_at: _, ...shown } = patch
  const viewers = audienceWithAccess(state, user, accountContactSources(state, user, account))
  const end = ends_at === previous.ends_at ? {} : { scheduled_end_time: ends_at }
  return { entries: [userStatus({ user_id: user.id, viewers, ...shown, ...end }, [changed])], ends_at }
}

/** What clears a status. */
export const clearedStatus: StatusPatch = emptyStatus
