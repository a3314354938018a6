/** Highlights the hits of a search in the HTML of messages. Source: protocol/messages.md 1.8. */
import { escapeCode } from '../../../domain/html/html.js'
import { readHtmlText } from '../../../domain/html/html-text.js'
import type { RealmState } from '../../../domain/log/state.js'
import { highlightParts } from '../../../domain/messages/editing/html-pieces.js'
import { proxyMedia } from '../../../domain/rendering/proxied-media.js'
import { findMessageHits, type SearchedMessage } from '../../../domain/search/message-text.js'
import type { SearchQuery } from '../../../domain/search/query.js'
import type { ReadContext } from '../narrow/conditions.js'
import { loadMatchingFiles, type MatchingFile } from '../narrow/file-hits.js'

/** The content and the topic of a message as HTML, with highlighted hits, and the files that have all words. */
export interface SearchHighlight {
  match_content: string
  match_subject: string
  match_files?: MatchingFile[]
}

/** Highlights the hits in these messages, and names their files with hits. Without a search, nothing is a hit. */
export const loadHighlights = async (
  { sql, state }: Pick<ReadContext, 'sql' | 'state'>,
  query: SearchQuery | undefined,
  rows: readonly (SearchedMessage & { id: number })[],
): Promise<SearchHighlight[]> => {
  const ids = rows.map(({ id }) => id)
  const files = query && (await loadMatchingFiles(sql, state.realm.id, query, ids))
  return rows.map((row) => {
    const match_files = files?.get(row.id)
    return { ...highlight(state, query, row), ...(match_files === undefined ? {} : { match_files }) }
  })
}

const highlight = (
  { deployment }: Pick<RealmState, 'deployment'>,
  query: SearchQuery | undefined,
  { topic, rendered_content }: SearchedMessage,
): SearchHighlight => {
  // A topic is plain text, so all its characters are escaped.
  const subject = escapeCode(topic)
  const row = proxyMedia({ topic, rendered_content }, ['rendered_content'], deployment)
  if (query === undefined) return { match_content: row.rendered_content, match_subject: subject }
  const hits = findMessageHits(row, query)
  return {
    match_content: highlightParts(row.rendered_content, hits, hits.content),
    match_subject: highlightParts(subject, readHtmlText(subject), hits.topic),
  }
}
