/** Pictures among the files (file-storage.ts): their keys, and storing those of accounts. */
import type { RealmPicture } from '../../domain/log/rows.js'
import type { FileStorage } from './file-storage.js'

export const emojiKey = (realm_id: number, file_name: string): string => `emoji/${realm_id}/${file_name}`

/** Every picture of an account has a version of its own. */
export const avatarKey = (realm_id: number, user_id: number, version: number, size?: 'medium'): string =>
  `avatars/${realm_id}/${user_id}-${version}${size === undefined ? '' : `-${size}`}`

export const realmPictureKey = (realm_id: number, picture: RealmPicture, version: number): string =>
  `realms/${realm_id}/${picture}-${version}`

/** A picture of an account, in the two sizes in which it is shown. */
export interface AvatarImages {
  small: Uint8Array
  medium: Uint8Array
}

/** Stores a picture of an account before the change that shows it. */
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
