/** What it writes and tells that an account has another picture. Source: events.md 3.3; endpoints.md 3.7. */

import { realmUserUpdate } from '../entries/users.js'
import { carrying } from '../entry.js'
import { errors } from '../errors.js'
import { isAdministrator } from '../permissions.js'
import { updated } from '../row-changes.js'
import type { UserRow } from '../rows.js'
import type { RealmState } from '../state.js'
import type { Step } from '../steps.js'
import { type Account, botUpdated, meetings, pictureOf, userIn } from './account-changes.js'
import { viewersOf } from './user-access.js'
import { avatarUrl } from './users.js'

/** Throws BAD_REQUEST where people keep the pictures that they have. */
export const checkAvatarChange = (state: RealmState, user: UserRow): void => {
  if (state.settings.avatar_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators change avatars in this organization.')
  }
}

/** Gives the account an uploaded picture (`U`), or the one that is computed from its address (`G`). */
export const setAvatar =
  (account: Account, avatar_source: UserRow['avatar_source']): Step =>
  (state) => {
    const former = userIn(state, account.id)
    const row = updated('users', former, { avatar_source, avatar_version: former.avatar_version + 1 })
    if (row === undefined) return []
    const after = state.after([row])
    const user = userIn(after, account.id)
    const viewers = viewersOf(after, user, meetings(after, user, account)).filter(({ sight }) => sight !== 'unknown')
    return carrying(
      [row],
      [
        ...viewers.map(({ sight, audience }) =>
          realmUserUpdate({ person: { user_id: user.id, ...pictureOf(user, sight === 'address') }, viewers: audience }),
        ),
        ...(user.is_bot ? [botUpdated(after, user, { avatar_url: avatarUrl(user, true) })] : []),
      ],
    )
  }
