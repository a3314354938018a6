/**
 * Sets the avatar of an account to the picture of its person in a directory, or removes it.
 *
 * 1. The picture is stored before the change: a job that runs twice stores the same bytes under the same name.
 * 2. A picture that cannot be decoded is noted like one that was set, so that it is not loaded with every run.
 */
import { runSteps } from '../../domain/log/steps.js'
import { ApiError } from '../../domain/protocol/errors.js'
import { setAvatar } from '../../domain/users/profiles/avatar-changes.js'
import { storeAct } from '../../store/audit/record-acts.js'
import { imagesOf, makeAvatar } from '../../store/files/image-processing.js'
import { type AvatarImages, storeAvatar } from '../../store/files/stored-avatars.js'
import { directoryActor, storeDirectoryAccount } from '../../store/log-in/directory-runs.js'
import { hashPicture, readPicture } from '../../store/log-in/directory-snapshot.js'
import { loadAccount } from '../../store/users/account-changes.js'
import { noEffect } from '../jobs/effects.js'
import { type JobHandler, JobNotReadyError } from '../jobs/job-handler.js'

const MAX_ATTEMPTS = 12

export const directoryPicture: JobHandler<'directory_picture'> = async ({
  write,
  realm,
  payload,
  attempts,
  directories,
  realmHost,
  files,
  images,
  runExternalCall,
}) => {
  const { user_id, picture } = payload
  const { state } = realm
  const directory = directories.find(({ key }) => key === payload.directory)
  const user = state.users.get(user_id)
  if (user?.is_active !== true || (directory === undefined && attempts >= MAX_ATTEMPTS)) return noEffect
  if (directory === undefined) throw new JobNotReadyError('this worker has no such directory')
  const load = async (): Promise<AvatarImages | 'gone' | 'broken'> => {
    const bytes = await readPicture(directory, payload)
    if (bytes === undefined || hashPicture(bytes) !== picture) return 'gone'
    try {
      return await makeAvatar(imagesOf(images, realm.id, user_id), bytes)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'RATE_LIMIT_HIT') throw new JobNotReadyError(error.message)
      return 'broken'
    }
  }
  const made = picture === '' ? 'none' : await runExternalCall(load)
  // The next run finds the picture of now.
  if (made === 'gone') return noEffect
  if (typeof made === 'object') await storeAvatar(files, realm.id, user_id, user.avatar_version + 1, made)
  const account = await loadAccount(write, state, user, realmHost(state.realm.string_id))
  const hasChange = typeof made === 'object' || (made === 'none' && user.avatar_source === 'U')
  const { entries } = runSteps(state, hasChange ? [setAvatar(account, made === 'none' ? 'G' : 'U')] : [])
  return {
    change: async (tx) => {
      await storeDirectoryAccount(tx, realm.id, user_id, directory.key, { picture })
      if (entries.length > 0) await storeAct(tx, realm.id, directoryActor(directory), entries)
      return { entries, jobs: [] }
    },
  }
}
