/**
 * Which pages that a message links to are fetched, to be shown below it. What they say: page-meta.ts.
 *
 * The server has to allow it (the process is told so once, at its start), the organization to want it, and a person
 * to have written the message. Source: messages.md 6.5.
 */
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'

let isAllowed = true

/** Keeps the pages of all organizations of this process from being fetched. */
export const forbidPagePreviews = (): void => {
  isAllowed = false
}

/** Whether this server fetches pages for organizations that want it. */
export const allowsPagePreviews = (): boolean => isAllowed

/** Those of the pages that are fetched for a message of this author. */
export const pagesShown = ({ settings }: RealmState, author: UserRow, pages: readonly string[]): readonly string[] =>
  isAllowed && settings.inline_url_embed_preview && !author.is_bot ? pages : []
