/** Writes what users change about their own accounts: settings, password, and the request for a new address. */
import type { NewEntry } from '../../domain/log/entry.js'
import type { UserRow } from '../../domain/log/rows.js'
import type { UserSettings } from '../../domain/settings/user-settings.js'
import type { LastSeen } from '../../domain/users/presence/presence.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { deleteDisabledData } from './account-changes.js'
import { requestEmailChange } from './email-changes.js'
import { storePassword } from './passwords.js'

/** What a user changes about their own account. */
export interface OwnAccountChange {
  entries: readonly NewEntry[]
  /** the account's row after these entries */
  present: UserRow
  settings: Partial<UserSettings>
  /** with which the settings hide the user; undefined: they do not */
  hidden: LastSeen | undefined
  /** the user must confirm it by mail; undefined: the address does not change */
  newEmail: string | undefined
  /** undefined: the password does not change */
  password_hash: string | undefined
  /** what the links in the mails begin with */
  realm_url: string
}

/** Commits the change, with the mails about a new address and a new password. Throws StaleStateError. */
export const commitOwnAccount = async (write: WriteContext, change: OwnAccountChange): Promise<void> => {
  const { id: realm_id } = write.realm
  const { entries, present, settings, hidden, newEmail, password_hash, realm_url } = change
  const { id: user_id } = present
  await commit(write, async (tx) => {
    const change_id = newEmail === undefined ? undefined : await requestEmailChange(tx, realm_id, present, newEmail)
    const jobs: JobSpec[] = change_id ? [{ kind: 'email_change_mail', payload: { change_id, realm_url } }] : []
    if (password_hash !== undefined) jobs.push({ kind: 'password_changed_mail', payload: { user_id, realm_url } })
    return {
      entries,
      jobs,
      // After the head, because all changes of settings write the account's row after it (change.ts, 2).
      underHeadLock: () => [
        ...(password_hash === undefined ? [] : [storePassword(tx, realm_id, user_id, password_hash)]),
        ...deleteDisabledData(tx, realm_id, user_id, settings, hidden),
      ],
    }
  })
}
