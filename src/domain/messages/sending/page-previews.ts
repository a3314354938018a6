/**
 * Which pages that a message links to are fetched, to be shown below it. What they say: page-meta.ts.
 *
 * Three conditions hold: the deployment allows it, the organization turned it on, and the author is not a bot.
 * Source: protocol/messages.md 6.5.
 */
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'

/** Those of the pages that are fetched for a message of this author. */
export const pagesToPreview = (
  { deployment, settings }: RealmState,
  author: UserRow,
  pages: readonly string[],
): readonly string[] =>
  deployment.allowsPagePreviews && settings.inline_url_embed_preview && !author.is_bot ? pages : []
