/** Where the words of a search stand in messages: the same texts with these marked, as HTML. Source: messages.md 1.8. */
import { escapeCode } from '../../../domain/markdown/escape.js'
import { highlightWords, splitHtml } from '../../../domain/messages/editing/html-pieces.js'
import type { Sql } from '../../sql.js'

/** A message with the hits of a search marked. */
export interface SearchHighlight {
  match_content: string
  match_subject: string
}

interface Searched {
  topic: string
  rendered_content: string
}

/** Marks the hits in these messages; without a search, none. Which words are hits is asked for all of them at once. */
export const highlightMatches = async (
  sql: Sql,
  text: string | undefined,
  rows: readonly Searched[],
): Promise<SearchHighlight[]> => {
  // A topic is no Markdown: nothing that is typed in it is an entity.
  const texts = rows.map(({ topic, rendered_content }) => ({ content: rendered_content, subject: escapeCode(topic) }))
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
