/** Deletes the event queues of accounts that a job has deactivated: a reactivation does not restore them. */
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const endQueues: JobHandler<'end_queues'> = async ({ realm, payload, removeQueues, runExternalCall }) => {
  const inactive = payload.user_ids.filter((id) => realm.state.users.get(id)?.is_active === false)
  await runExternalCall(() => removeQueues(realm.id, inactive))
  return noEffect
}
