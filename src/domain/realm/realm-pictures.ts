/**
 * The pictures of an organization: its icon, and its logos for the light and the dark theme.
 *
 * A picture that is changed or removed gets another version, so that no cache shows the former one.
 * Source: protocol/register.md 5.1.1, protocol/events.md 3.5 (`realm` op `update_dict`), protocol/endpoints.md 3.11.
 */

import { composeUpdate } from '../log/row-changes.js'
import type { RealmPicture, RealmRow } from '../log/rows.js'
import type { Step } from '../log/steps.js'
import { realmUpdatedTogether } from './realm-entries.js'

/** The logo of an organization that uploaded none. */
export const defaultLogoUrl = '/static/images/logo.svg'

type WithPictures = Pick<RealmRow, 'id' | 'pictures'>

const currentVersion = ({ pictures }: WithPictures, picture: RealmPicture): number => pictures[picture]?.version ?? 1

/** The version of the uploaded picture; undefined when there is none. */
export const uploadedVersion = (realm: WithPictures, picture: RealmPicture): number | undefined =>
  realm.pictures[picture]?.is_uploaded === true ? currentVersion(realm, picture) : undefined

/** The version that the next picture will have. */
export const nextVersion = (realm: WithPictures, picture: RealmPicture): number => currentVersion(realm, picture) + 1

/** The address of the uploaded or the default picture. */
export const realmPictureUrl = (realm: WithPictures, picture: RealmPicture): string =>
  picture === 'icon' || uploadedVersion(realm, picture) !== undefined
    ? `/user_avatars/${realm.id}/realm/${picture}.png?version=${currentVersion(realm, picture)}`
    : defaultLogoUrl

/**
 * Returns `U` if the icon was uploaded, else `G`. An icon that was not uploaded is computed (`G`); such a logo is the
 * default one (`D`).
 */
export const realmIconSource = (realm: WithPictures): 'G' | 'U' =>
  uploadedVersion(realm, 'icon') === undefined ? 'G' : 'U'
/** `U` if the logo was uploaded, `D` if it is the default one. */
export const realmLogoSource = (realm: WithPictures, picture: 'logo' | 'night_logo'): 'D' | 'U' =>
  uploadedVersion(realm, picture) === undefined ? 'D' : 'U'

/** Replaces or removes a picture. */
export const setRealmPicture =
  (picture: RealmPicture, is_uploaded: boolean): Step =>
  ({ realm }) => {
    const pictures = { ...realm.pictures, [picture]: { version: nextVersion(realm, picture), is_uploaded } }
    const row = composeUpdate('realms', realm, { pictures })
    if (row === undefined) return []
    const after = { id: realm.id, pictures }
    const source = picture === 'icon' ? realmIconSource(after) : realmLogoSource(after, picture)
    const data = { [`${picture}_url`]: realmPictureUrl(after, picture), [`${picture}_source`]: source }
    return [realmUpdatedTogether({ property: picture, data }, [row])]
  }
