/**
 * Changing the avatars of accounts: permission, row changes and entries. Source: protocol/events.md 3.3;
 * protocol/endpoints.md 3.7.
 */

import { isAdministrator } from '#rules/roles.js'
import { attachRowChanges, type NewEntry } from '../../log/entry.js'
import { composeUpdate } from '../../log/row-changes.js'
import { Role, type UserRow } from '../../log/rows.js'
import { composeSilentEntry } from '../../log/silent-entry.js'
import type { RealmState } from '../../log/state.js'
import type { Step } from '../../log/steps.js'
import { errors } from '../../protocol/errors.js'
import {
  type Account,
  accountContactSources,
  composeBotUpdate,
  pictureFields,
  requireUser,
} from '../accounts/account-changes.js'
import {
  collectContacts,
  contactSources,
  groupViewers,
  groupViewersByContacts,
  hasRestrictedGuests,
  type ViewerGroup,
} from '../user-access.js'
import { realmUserUpdate } from '../user-entries.js'
import { avatarUrl } from '../users.js'

/** Refuses a user where only administrators may change avatars. Throws BAD_REQUEST. */
export const checkAvatarChange = (state: RealmState, user: UserRow): void => {
  if (state.settings.avatar_changes_disabled && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators may change avatars in this organization.')
  }
}

/**
 * Sets the account's avatar to an uploaded picture (`U`), or to none (`G`). Throws BAD_REQUEST when there is no such
 * account.
 */
export const setAvatar =
  (account: Account, avatar_source: UserRow['avatar_source']): Step =>
  (state) => {
    const previous = requireUser(state, account.id)
    const row = composeUpdate('users', previous, { avatar_source, avatar_version: previous.avatar_version + 1 })
    if (row === undefined) return []
    const after = state.withChanges([row])
    const user = requireUser(after, account.id)
    const viewers = groupViewers(after, user, accountContactSources(after, user, account))
    return attachRowChanges([row], composePictureEntries(after, user, viewers))
  }

/** The entries with the account's picture, for all who see the account. */
const composePictureEntries = (after: RealmState, user: UserRow, viewers: readonly ViewerGroup[]): NewEntry[] => [
  ...viewers
    .filter(({ visibility }) => visibility !== 'unknown')
    .map(({ visibility, audience }) =>
      realmUserUpdate({
        person: { user_id: user.id, ...pictureFields(user, visibility === 'address') },
        viewers: audience,
      }),
    ),
  ...(user.is_bot ? [composeBotUpdate(after, user, { avatar_url: avatarUrl(user, true) })] : []),
]

/**
 * Gives all accounts, or none, their Gravatars, as `default_avatar_source` says. An account has its Gravatar while it
 * has no uploaded picture.
 * @param partners the others in each guest's direct conversations; empty where no guest is restricted
 */
export const setGravatars =
  (partners: ReadonlyMap<number, Iterable<number>>): Step =>
  (state) => {
    const uses_gravatar = state.settings.default_avatar_source === 'G'
    const people = [...state.users.values()].filter(({ is_system_bot }) => !is_system_bot)
    const rows = people.flatMap((user) => composeUpdate('users', user, { uses_gravatar }) ?? [])
    if (rows.length === 0) return []
    const after = state.withChanges(rows)
    const guests = listKnownGuests(after, partners)
    const entries = people.flatMap(({ id }) => {
      const user = requireUser(after, id)
      if (user.avatar_source === 'U') return []
      return composePictureEntries(
        after,
        user,
        groupViewersByContacts(after, user, () => guests.get(id) ?? []),
      )
    })
    return [composeSilentEntry(rows), ...entries]
  }

/** The guests who have access to each account, where guests are restricted. */
const listKnownGuests = (
  state: RealmState,
  partners: ReadonlyMap<number, Iterable<number>>,
): ReadonlyMap<number, number[]> => {
  const guests = new Map<number, number[]>()
  if (!hasRestrictedGuests(state)) return guests
  for (const guest of state.users.values()) {
    if (guest.role !== Role.guest) continue
    const sources = contactSources(state, guest, partners.get(guest.id) ?? [])
    for (const id of collectContacts(state, sources)) {
      if (id !== guest.id) guests.set(id, [...(guests.get(id) ?? []), guest.id])
    }
  }
  return guests
}
