/** Stores the avatars of users. */
import type { FileStorage } from './file-storage.js'
import { avatarKey } from './storage-keys.js'

/** An avatar in the two sizes in which clients show it. */
export interface AvatarImages {
  small: Uint8Array
  medium: Uint8Array
}

/** Stores an avatar. Call it before the change that makes clients show it. */
export const storeAvatar = async (
  files: FileStorage,
  realm_id: number,
  user_id: number,
  version: number,
  { small, medium }: AvatarImages,
): Promise<void> => {
  await Promise.all([
    files.put(avatarKey(realm_id, user_id, version), small),
    files.put(avatarKey(realm_id, user_id, version, 'medium'), medium),
  ])
}
