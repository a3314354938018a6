/** Changing the avatar of an account: permission, row change and entries. Source: events.md 3.3; endpoints.md 3.7. */

import { attachRowChanges } from '../log/entry.js'
import { composeUpdate } from '../log/row-changes.js'
import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { isAdministrator } from '../permissions/permissions.js'
import { errors } from '../protocol/errors.js'
import { type Account, accountContactSources, composeBotUpdate, pictureFields, requireUser } from './account-changes.js'
import { groupViewers } from './user-access.js'
import { realmUserUpdate } from './user-entries.js'
import { avatarUrl } from './users.js'

/** Refuses a user where only administrators may change avatars. Throws BAD_REQUEST. */
export const checkAvatarChange = (state: RealmState, user: UserRow): void => {
  if (state.settings.avatar_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators may change avatars in this organization.')
  }
}

/** Sets the account's avatar to an uploaded picture (`U`) or to its Gravatar (`G`). */
export const setAvatar =
  (account: Account, avatar_source: UserRow['avatar_source']): Step =>
  (state) => {
    const former = requireUser(state, account.id)
    const row = composeUpdate('users', former, { avatar_source, avatar_version: former.avatar_version + 1 })
    if (row === undefined) return []
    const after = state.withChanges([row])
    const user = requireUser(after, account.id)
    const viewers = groupViewers(after, user, accountContactSources(after, user, account)).filter(
      ({ visibility }) => visibility !== 'unknown',
    )
    return attachRowChanges(
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
