/** Writes the status of a user, and the job that ends it. */
import type { UserRow } from '../../domain/log/rows.js'
import { runSteps } from '../../domain/log/steps.js'
import type { UserSettings } from '../../domain/settings/user-settings.js'
import { setSettings } from '../../domain/users/accounts/account-changes.js'
import { changeStatus, type StatusPatch } from '../../domain/users/accounts/status-changes.js'
import { type LastSeen, presenceToHide } from '../../domain/users/presence/presence.js'
import type { JobSpec } from '../jobs/job-table.js'
import { commit } from '../log/change.js'
import type { WriteContext } from '../log/write-context.js'
import { deleteDisabledData, loadAccount } from './account-changes.js'
import { dropStatusEnd } from './status-ends.js'

/**
 * Changes a status, and whether the user shows their presence. Throws StaleStateError.
 * @param host the organization's host name
 * @returns the presence with which the settings hide the user; undefined: they do not
 */
export const commitStatus = async (
  write: WriteContext,
  host: string,
  user: UserRow,
  patch: StatusPatch,
  settings: Pick<Partial<UserSettings>, 'presence_enabled'>,
): Promise<LastSeen | undefined> => {
  const { id: realm_id, state } = write.realm
  const account = await loadAccount(write, state, user, host)
  const { entries } = runSteps(state, [setSettings(account, settings)])
  const hasPatch = Object.keys(patch).length > 0
  const status = hasPatch ? changeStatus(state, user, account, patch) : undefined
  entries.push(...(status?.entries ?? []))
  if (entries.length === 0) return undefined
  const hidden = presenceToHide(user, settings.presence_enabled)
  // After the head, because all changes of settings delete these rows after it (change.ts, 2).
  await commit(write, async (tx) => {
    if (hasPatch) await dropStatusEnd(tx, realm_id, user.id)
    return {
      entries,
      jobs: composeEndJobs(user.id, status?.ends_at),
      underHeadLock: () => deleteDisabledData(tx, realm_id, user.id, settings, hidden),
    }
  })
  return hidden
}

/** The job that ends the status. It does nothing when another status was set meanwhile. */
const composeEndJobs = (user_id: number, ends_at: number | null | undefined): JobSpec[] =>
  typeof ends_at === 'number' ? [{ kind: 'end_status', payload: { user_id, ends_at }, run_after: ends_at }] : []
