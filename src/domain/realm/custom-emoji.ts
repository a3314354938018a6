/**
 * Custom emoji: adding and deactivating them. Which one a name means: chosen-emoji.ts.
 *
 * Source: protocol/endpoints.md 3.11 (rules and refusals).
 */
import type { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { findEmojiCode } from '../emoji/emoji-table.js'
import { allocateId } from '../log/next-id.js'
import { composeInsert, composeUpdate, type RowChange } from '../log/row-changes.js'
import type { EmojiRow, UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import type { Step } from '../log/steps.js'
import { errors } from '../protocol/errors.js'
import { customEmojiChanged, type customEmojiTable } from './custom-emoji-entries.js'

/** All custom emoji by id, deactivated ones included. */
export const customEmojiOnWire = (state: RealmState): z.infer<typeof customEmojiTable> =>
  Object.fromEntries(
    [...state.emoji.values()]
      .sort((a, b) => a.id - b.id)
      .map((row) => [
        row.id,
        {
          id: String(row.id),
          name: row.name,
          source_url: emojiUrl(state, row),
          still_url: row.still_file_name ? composeUrl(state, row.still_file_name) : null,
          deactivated: row.deactivated,
          author_id: row.author_id,
        },
      ]),
  )

/** The address of its picture. */
export const emojiUrl = (state: RealmState, { file_name }: EmojiRow): string => composeUrl(state, file_name)

const composeUrl = ({ realm }: RealmState, file_name: string): string =>
  `/user_avatars/${realm.id}/emoji/images/${file_name}`

/** The active custom emoji of this name. */
export const findCustomEmoji = (state: RealmState, name: string): EmojiRow | undefined => {
  for (const row of state.emoji.values()) if (row.name === name && !row.deactivated) return row
  return undefined
}

/** The name to store, if this user may give it to an emoji. Throws BAD_REQUEST. */
export const validateEmojiName = (state: RealmState, user: UserRow, input: string): string => {
  const name = input.trim().replaceAll(' ', '_')
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw errors.badRequest('An emoji name may contain only a-z, 0-9, spaces, dashes and underscores.')
  }
  if (!/[0-9a-z]$/.test(name)) throw errors.badRequest('An emoji name must end with a letter or a digit.')
  if (findCustomEmoji(state, name) !== undefined) {
    throw errors.badRequest('There is a custom emoji with this name already.')
  }
  if (findEmojiCode(name) !== undefined && !isAdministrator(user)) {
    throw errors.badRequest('Only administrators may replace a built-in emoji.')
  }
  return name
}

/** Adds an emoji whose name was checked. */
export const addEmoji =
  (author: UserRow, name: string, pictures: Pick<EmojiRow, 'file_name' | 'still_file_name'>): Step =>
  (state) => {
    const { id, rows } = allocateId(state, 'emoji')
    const emoji = { id, name, author_id: author.id, deactivated: false, ...pictures }
    return composeEntries(state, [composeInsert('emoji', emoji), ...rows])
  }

/** Deactivates an emoji. Throws BAD_REQUEST. */
export const deactivateEmoji =
  (user: UserRow, name: string): Step =>
  (state) => {
    const row = findCustomEmoji(state, name)
    if (row === undefined) throw errors.unknownEmoji({ name })
    if (!isAdministrator(user) && row.author_id !== user.id) {
      throw errors.badRequest('Only administrators and the user who added the emoji may do this.')
    }
    return composeEntries(state, [composeUpdate('emoji', row, { deactivated: true })])
  }

const composeEntries = (state: RealmState, changes: readonly (RowChange | undefined)[]) => {
  const rows = changes.filter((row) => row !== undefined)
  return [customEmojiChanged({ realm_emoji: customEmojiOnWire(state.withChanges(rows)) }, rows)]
}
