/** The keys under which files are stored (file-storage.ts). */
import type { RealmPicture } from '../../domain/log/rows.js'
import type { RealmState } from '../../domain/log/state.js'
import { uploadedVersion } from '../../domain/realm/realm-pictures.js'

/** The key of a custom emoji. */
export const emojiKey = (realm_id: number, file_name: string): string => `emoji/${realm_id}/${file_name}`

/** The key of an avatar. Each new avatar of a user has a new version, because a key is written once. */
export const avatarKey = (realm_id: number, user_id: number, version: number, size?: 'medium'): string =>
  `avatars/${realm_id}/${user_id}-${version}${size === undefined ? '' : `-${size}`}`

/** The key of the icon or a logo of an organization. */
export const realmPictureKey = (realm_id: number, picture: RealmPicture, version: number): string =>
  `realms/${realm_id}/${picture}-${version}`

/**
 * Composes the key of a picture of another site. It has the hash of the picture's address and the time at which it was
 * asked for.
 */
export const externalPictureKey = (realm_id: number, id: string, asked_at: number): string =>
  `external/${realm_id}/${id}-${asked_at}`

/**
 * Composes the key of an uploaded file. It is the file's path id without the file name, which can contain any
 * characters.
 */
export const uploadKey = (path_id: string): string => `uploads/${storagePath(path_id)}`

/** The key of a thumbnail of an uploaded image. */
export const thumbnailKey = (path_id: string, name: string): string => `thumbnails/${storagePath(path_id)}/${name}`

const storagePath = (path_id: string): string => path_id.split('/').slice(0, 2).join('/')

/** The storage key of the picture at a path. It is undefined if no current picture has this path. */
export const findPictureKey = (realm_id: number, state: RealmState, path: string): string | undefined => {
  const [, user_id, medium] = /^(\d{1,9})(-medium)?\.png$/.exec(path) ?? []
  const user = state.users.get(Number(user_id))
  if (user?.avatar_source === 'U') {
    return avatarKey(realm_id, user.id, user.avatar_version, medium === undefined ? undefined : 'medium')
  }
  const picture = /^(\d{1,9})\/realm\/(icon|logo|night_logo)\.png$/.exec(path)
  if (picture !== null) {
    const name = picture[2] as RealmPicture
    const version = Number(picture[1]) === realm_id ? uploadedVersion(state.realm, name) : undefined
    return version === undefined ? undefined : realmPictureKey(realm_id, name, version)
  }
  const [, of_realm, file_name] = /^(\d{1,9})\/emoji\/images\/([0-9a-f]+\.\w+)$/.exec(path) ?? []
  return file_name !== undefined && Number(of_realm) === realm_id ? emojiKey(realm_id, file_name) : undefined
}
