/** Searches in twelve languages: what they find of texts like those of messages, in the server and in Postgres. */
import { describe, expect, inject, test } from 'vitest'
import { composeQuery, composeVector } from '../../src/domain/search/index-text.js'
import { indexForms, matchesQuery } from '../../src/domain/search/match.js'
import { parseSearch } from '../../src/domain/search/query.js'
import { tokenize } from '../../src/domain/search/tokenize.js'
import { openSql } from '../../src/store/sql.js'
import { type Corpus, loadCorpora, measureQuality } from './load-corpus.js'

const corpora = loadCorpora()

const searchCorpus = ({ texts, queries }: Corpus): number[][] => {
  const indexes = texts.map((text) => indexForms(tokenize(text)))
  return queries.map(([query]) => indexes.flatMap((index, i) => (matchesQuery(index, parseSearch(query)) ? [i] : [])))
}

test('The corpus has at least twelve languages with twenty queries each.', () => {
  expect(corpora.length).toBeGreaterThanOrEqual(12)
  expect(corpora.filter(({ queries }) => queries.length < 20)).toEqual([])
})

describe('Searches find at least 95 % of what a reader expects, and 90 % of what they find is expected', () => {
  test.each(corpora.map((corpus) => [corpus.language, corpus] as const))('in %s.', (_, corpus) => {
    const { recall, precision, faults } = measureQuality(corpus, searchCorpus(corpus))
    expect({ enough: recall >= 0.95 && precision >= 0.9, recall, precision, faults }).toMatchObject({ enough: true })
  })
})

test('Postgres finds the same by the index as the server by the texts.', async () => {
  const sql = openSql(inject('database_url'), 1)
  for (const corpus of corpora) {
    const vectors = corpus.texts.map((text) => composeVector('7', indexForms(tokenize(text)), []))
    const queries = corpus.queries.map(([query]) => composeQuery('7', parseSearch(query).terms))
    const rows = await sql<{ found: number[] }[]>`
      select array(
        select (i - 1)::int from unnest(${vectors}::text[]) with ordinality as texts (terms, i)
        where terms::tsvector @@ query::tsquery order by i
      ) as found
      from unnest(${queries}::text[]) with ordinality as queries (query, n) order by n`
    expect(
      rows.map(({ found }) => found),
      corpus.language,
    ).toEqual(searchCorpus(corpus))
  }
  await sql.end()
})
