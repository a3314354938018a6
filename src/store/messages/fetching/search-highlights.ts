/** Highlights the hits of a search in the HTML of messages. Source: messages.md 1.8. */
import { escapeCode } from '../../../domain/html/html.js'
import type { RealmState } from '../../../domain/log/state.js'
import { highlightWords, splitHtml } from '../../../domain/messages/editing/html-pieces.js'
import { proxyStoredMedia } from '../../../domain/rendering/proxied-media.js'
import type { Sql } from '../../sql.js'

/** The content and the topic of a message as HTML, with highlighted hits. */
export interface SearchHighlight {
  match_content: string
  match_subject: string
}

interface SearchedMessage {
  topic: string
  rendered_content: string
}

/** Highlights the hits in these messages; none without a search. One query decides which words are hits. */
export const highlightMatches = async (
  sql: Sql,
  { deployment }: Pick<RealmState, 'deployment'>,
  text: string | undefined,
  rows: readonly SearchedMessage[],
): Promise<SearchHighlight[]> => {
  // A topic is plain text, so all its characters are escaped.
  const texts = rows.map(({ topic, rendered_content }) => ({
    content: proxyStoredMedia(rendered_content, deployment),
    subject: escapeCode(topic),
  }))
  const hits = text === undefined ? new Set<string>() : await findHits(sql, text, texts)
  return texts.map(({ content, subject }) => ({
    match_content: highlightWords(content, hits),
    match_subject: highlightWords(subject, hits),
  }))
}

const findHits = async (sql: Sql, text: string, texts: readonly { content: string; subject: string }[]) => {
  const words = new Set<string>()
  for (const { content, subject } of texts) {
    for (const piece of [...splitHtml(content), ...splitHtml(subject)])
      if (/^[\p{L}\p{N}]/u.test(piece)) words.add(piece)
  }
  const found = await sql<{ word: string }[]>`
    select word from unnest(${[...words]}::text[]) as word
    where tsvector_to_array(to_tsvector('english', word)) && tsvector_to_array(to_tsvector('english', ${text}))`
  return new Set(found.map(({ word }) => word))
}
