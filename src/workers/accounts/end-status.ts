/** Clears a status that its user gave an end. */
import { changeStatus, clearedStatus } from '../../domain/users/accounts/status-changes.js'
import { entriesChange } from '../../store/log/change.js'
import { loadAccount } from '../../store/users/account-changes.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const endStatus: JobHandler<'end_status'> = async ({ write, realm, payload, realmUrl }) => {
  const { state } = realm
  const { user_id, ends_at } = payload
  const user = state.users.get(user_id)
  // Another status was set meanwhile, or the same one with another end.
  if (user === undefined || state.statuses.get(user_id)?.ends_at !== ends_at) return noEffect
  const { host } = new URL(realmUrl(state.realm.string_id))
  const account = await loadAccount(write, state, user, host)
  return { change: entriesChange(changeStatus(state, user, account, clearedStatus).entries) }
}
