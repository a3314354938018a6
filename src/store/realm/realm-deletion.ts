/**
 * Deleting the data of a deactivated organization: every row with its `realm_id`, and its files.
 *
 * 1. These rows stay: the organization's own row, emptied, so that no other organization can take over its subdomain;
 *    its log head, which every change needs, and the marks of what workers have read for searches; and its jobs.
 * 2. Files are deleted before rows, because the rows name them. An interrupted deletion runs again.
 * 3. Nothing is deleted unless the organization is still deactivated: reactivating it before keeps its data.
 */
import type { RealmState } from '../../domain/log/state.js'
import type { AttachmentRow } from '../files/attachments.js'
import { removeStoredBytes } from '../files/file-removal.js'
import type { FileStorage } from '../files/file-storage.js'
import { avatarKey, emojiKey, realmPictureKey } from '../files/storage-keys.js'
import type { Change } from '../log/change.js'
import type { Db, Sql } from '../sql.js'
import { exportKey } from './realm-exports.js'

const PAGE = 500
const KEPT_TABLES = ['log_heads', 'jobs', 'search_marks', 'known_word_marks']

/** Removes the organization's files (2). */
export const removeRealmFiles = async (sql: Sql, files: FileStorage, state: RealmState): Promise<void> => {
  const realm_id = state.realm.id
  for (let after = 0; ; ) {
    const rows = await sql<Pick<AttachmentRow, 'id' | 'path_id' | 'image'>[]>`
      select id, path_id, image from attachments where realm_id = ${realm_id} and id > ${after} order by id limit ${PAGE}`
    for (const row of rows) await removeStoredBytes(files, row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  const secrets = await sql<{ secret: string }[]>`
    select secret from realm_exports where realm_id = ${realm_id} and secret is not null`
  const pictures = await sql<{ key: string }[]>`
    select key from external_pictures where realm_id = ${realm_id} and key is not null`
  const parts = await sql<{ key: string }[]>`select key from resumable_parts where realm_id = ${realm_id}`
  const keys = [
    ...secrets.map(({ secret }) => exportKey(realm_id, secret)),
    ...[...pictures, ...parts].map(({ key }) => key),
    ...listPictureKeys(state),
  ]
  for (const key of keys) await files.remove(key)
}

/** Storage keys of all pictures, including former versions. */
const listPictureKeys = ({ realm, users, emoji }: RealmState): string[] => {
  const listVersions = (version: number) => Array.from({ length: version }, (_, i) => i + 1)
  return [
    ...[...emoji.values()].flatMap(({ file_name, still_file_name }) =>
      [file_name, still_file_name].flatMap((name) => (name ? emojiKey(realm.id, name) : [])),
    ),
    ...[...users.values()].flatMap(({ id, avatar_version }) =>
      listVersions(avatar_version).flatMap((version) => [
        avatarKey(realm.id, id, version),
        avatarKey(realm.id, id, version, 'medium'),
      ]),
    ),
    ...(['icon', 'logo', 'night_logo'] as const).flatMap((picture) =>
      listVersions(realm.pictures[picture]?.version ?? 0).map((version) => realmPictureKey(realm.id, picture, version)),
    ),
  ]
}

/**
 * Composes the change that deletes the rows of an organization (1, 3). It deletes them if the organization is still
 * deactivated.
 */
export const deleteRealmRows =
  (realm_id: number): Change =>
  async (tx) => {
    const [still] = await tx`select from realms where id = ${realm_id} and not is_active for update`
    if (still === undefined) return { entries: [] }
    for (const table of await loadRealmTables(tx)) await tx`delete from ${tx(table)} where realm_id = ${realm_id}`
    await tx`
      update realms set name = '', description = '', settings = '{}', user_settings_defaults = '{}', pictures = '{}'
      where id = ${realm_id}`
    return { entries: [] }
  }

/** The name of a deleted organization whose own name was freed. No host name can have it. */
export const freedName = (realm_id: number): string => `deleted ${realm_id}`

/** The condition that the name of an organization was not freed. */
export const hasOwnName = (sql: Sql) => sql`string_id not like 'deleted %'`

const loadRealmTables = async (db: Db): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select t.table_name as name from information_schema.tables t
    join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
    where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name = 'realm_id'`
  return rows.map(({ name }) => name).filter((name) => !KEPT_TABLES.includes(name))
}
