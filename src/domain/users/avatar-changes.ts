/** What it writes and tells that an account has another picture. Source: events.md 3.3; endpoints.md 3.7. */

import { carrying } from '../log/entry.js'
import { updated } from '../log/row-changes.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { isAdministrator } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'
import { type Account, accountContactSources, composeBotUpdate, pictureFields, requireUser } from './account-changes.js'
import { groupViewers } from './user-access.js'
import { realmUserUpdate } from './user-entries.js'
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
    const former = requireUser(state, account.id)
    const row = updated('users', former, { avatar_source, avatar_version: former.avatar_version + 1 })
    if (row === undefined) return []
    const after = state.after([row])
    const user = requireUser(after, account.id)
    const viewers = groupViewers(after, user, accountContactSources(after, user, account)).filter(
      ({ visibility }) => visibility !== 'unknown',
    )
    return carrying(
      [row],
      [
        ...viewers.map(({ visibility, audience }) =>
          realmUserUpdate({
            person: { user_id: user.id, ...pictureFields(user, visibility === 'address') },
            viewers: audience,
          }),
        ),
        ...(user.is_bot ? [composeBotUpdate(after, user, { avatar_url: avatarUrl(user, true) })] : []),
      ],
    )
  }
