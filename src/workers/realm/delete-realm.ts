/** Deletes the data of an organization after its time of deactivation, unless it was reactivated. */

import { deleteRealmRows, removeRealmFiles } from '../../store/realm/realm-deletion.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'

export const deleteRealm: JobHandler<'delete_realm'> = async ({ write, realm, files }) => {
  const { state } = realm
  if (state.realm.is_active) return noEffect
  await removeRealmFiles(write.sql, files, state)
  return { change: deleteRealmRows(realm.id) }
}
