/** Highlights the hits of a search in the HTML of messages. Source: messages.md 1.8. */
import { escapeCode } from '../../../domain/html/html.js'
import { readHtmlText } from '../../../domain/html/html-text.js'
import type { RealmState } from '../../../domain/log/state.js'
import { highlightParts } from '../../../domain/messages/editing/html-pieces.js'
import { proxyMedia } from '../../../domain/rendering/proxied-media.js'
import { findMessageHits, type SearchedMessage } from '../../../domain/search/message-text.js'
import type { SearchQuery } from '../../../domain/search/query.js'

/** The content and the topic of a message as HTML, with highlighted hits. */
export interface SearchHighlight {
  match_content: string
  match_subject: string
}

/** Highlights the hits in these messages; none without a search. */
export const highlightMatches = (
  { deployment }: Pick<RealmState, 'deployment'>,
  query: SearchQuery | undefined,
  rows: readonly SearchedMessage[],
): SearchHighlight[] =>
  rows.map(({ topic, rendered_content }) => {
    // A topic is plain text, so all its characters are escaped.
    const subject = escapeCode(topic)
    const row = proxyMedia({ topic, rendered_content }, ['rendered_content'], deployment)
    if (query === undefined) return { match_content: row.rendered_content, match_subject: subject }
    const hits = findMessageHits(row, query)
    return {
      match_content: highlightParts(row.rendered_content, hits, hits.content),
      match_subject: highlightParts(subject, readHtmlText(subject), hits.topic),
    }
  })
