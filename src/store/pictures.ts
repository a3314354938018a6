/** The keys of pictures among the files (files.ts). */

export const emojiKey = (realm_id: number, file_name: string): string => `emoji/${realm_id}/${file_name}`

/** Every picture of an account has a version of its own. */
export const avatarKey = (realm_id: number, user_id: number, version: number): string =>
  `avatars/${realm_id}/${user_id}-${version}`
