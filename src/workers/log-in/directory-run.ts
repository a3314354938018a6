/** Reads a directory, and begins what follows from it (store/log-in/directory-runs.ts). */
import { listDirectories } from '../../domain/log-in/directories.js'
import { DirectoryError } from '../../store/log-in/directory-client.js'
import { beginRun, planRun, recordEnd } from '../../store/log-in/directory-runs.js'
import { readDirectory } from '../../store/log-in/directory-snapshot.js'
import { noEffect } from '../jobs/effects.js'
import { type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'

/** A worker with another configuration leaves the job to others as often as this. */
const MAX_ATTEMPTS = 12

export const directoryRun: JobHandler<'directory_run'> = async ({
  write,
  realm,
  payload,
  attempts,
  directories,
  log,
  runExternalCall,
}) => {
  const directory = listDirectories(realm.state, directories).find(({ key }) => key === payload.directory)
  if (directory?.synchronization === undefined) {
    if (attempts >= MAX_ATTEMPTS) return noEffect
    throw new JobNotReadyError('this worker has no such directory')
  }
  const read = await runExternalCall(() =>
    readDirectory(directory).catch((error: unknown) => {
      if (!(error instanceof DirectoryError)) throw error
      return error
    }),
  )
  if (read instanceof DirectoryError) {
    log.warn({ err: read, realm: realm.id, directory: directory.key }, 'a directory could not be read')
    return { change: recordEnd(realm.id, directory, 'failed', read.message) }
  }
  const plan = await planRun(write, directory, read, false)
  const facts = { realm: realm.id, directory: directory.key, people: plan.people, linked: plan.linked }
  if (plan.stop !== undefined) log.error({ ...facts, reason: plan.stop }, 'the synchronization was stopped')
  else if (plan.notes.length > 0) log.warn({ ...facts, notes: plan.notes.slice(0, 20) }, 'a directory was read')
  return { change: beginRun(write, directory, plan) }
}
