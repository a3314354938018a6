/**
 * How much of what a reader expects does a search find? Baseline: Postgres' own text search on the same texts.
 *
 * The corpus of the tests (test/search/corpus/) has short messages and queries in thirteen languages. The same queries
 * are asked of Postgres with its configurations `simple` and `english`, and of Tantivy, if Python has its package. The
 * figures are averages of the languages: recall is the part of the expected messages that is found, precision the part
 * of the found messages that is expected.
 *
 * Not measured: time, which `narrows` measures; ranking, as the newest message is always first.
 */
import { spawnSync } from 'node:child_process'
import { composeQuery, composeVector } from '../src/domain/search/index-text.js'
import { indexForms } from '../src/domain/search/match.js'
import { parseSearch } from '../src/domain/search/query.js'
import { tokenize } from '../src/domain/search/tokenize.js'
import { openSql, type Sql } from '../src/store/sql.js'
import { type Corpus, loadCorpora, measureQuality, type Quality } from '../test/search/load-corpus.js'
import { type Bench, type BenchResult, formatNumber, requireAtLeast } from './results/bench.js'

/** For each query, the numbers of the texts that it finds. */
type Search = (corpus: Corpus) => Promise<number[][]>

export const searchBench: Bench = {
  question: 'How much of what a reader expects does a search find? Baseline: Postgres’ own text search',
  async run({ database_url, print }) {
    const sql = openSql(database_url, 1)
    const corpora = loadCorpora()
    const measure = async (name: string, search: Search) => {
      const qualities: Quality[] = []
      for (const corpus of corpora) {
        const quality = measureQuality(corpus, await search(corpus))
        print(`${name}, ${corpus.language}: recall ${format(quality.recall)}, precision ${format(quality.precision)}`)
        qualities.push(quality)
      }
      const average = (key: 'recall' | 'precision') =>
        qualities.reduce((sum, quality) => sum + quality[key], 0) / qualities.length
      return { recall: average('recall'), precision: average('precision') }
    }
    const ours = await measure('Parley', (corpus) => searchTerms(sql, corpus))
    const baselines = [
      ['Postgres, simple', await measure('Postgres, simple', (corpus) => searchPostgres(sql, corpus, 'simple'))],
      ['Postgres, english', await measure('Postgres, english', (corpus) => searchPostgres(sql, corpus, 'english'))],
    ] as [string, Pick<Quality, 'recall' | 'precision'>][]
    if (spawnSync('python3', ['-c', 'import tantivy']).status === 0)
      baselines.push(['Tantivy', await measure('Tantivy', async (corpus) => searchTantivy(corpus))])
    else print('Tantivy: skipped, because Python has no package `tantivy`')
    await sql.end()
    return baselines.flatMap(([name, baseline]) =>
      (['recall', 'precision'] as const).map((key): BenchResult => {
        const ratios = [ours[key] / baseline[key]]
        return {
          label: `${key} of searches, beside ${name}`,
          measured: format(ours[key]),
          baseline: format(baseline[key]),
          ratios,
          ...(key === 'recall' ? { bound: requireAtLeast(1, ratios) } : {}),
        }
      }),
    )
  },
}

const format = (part: number): string => `${formatNumber(part * 100)} %`

const searchTerms: (sql: Sql, corpus: Corpus) => Promise<number[][]> = (sql, { texts, queries }) =>
  selectFound(
    sql,
    texts.map((text) => composeVector('7', indexForms(tokenize(text)), [])),
    queries.map(([query]) => composeQuery('7', parseSearch(query).terms)),
    sql`text::tsvector @@ query::tsquery`,
  )

const searchPostgres = (sql: Sql, { texts, queries }: Corpus, configuration: 'simple' | 'english') =>
  selectFound(
    sql,
    texts,
    queries.map(([query]) => query),
    configuration === 'simple'
      ? sql`to_tsvector('simple', text) @@ websearch_to_tsquery('simple', query)`
      : sql`to_tsvector('english', text) @@ websearch_to_tsquery('english', query)`,
  )

const selectFound = async (
  sql: Sql,
  texts: readonly string[],
  queries: readonly string[],
  matches: ReturnType<Sql>,
): Promise<number[][]> => {
  const rows = await sql<{ found: number[] }[]>`
    select array(
      select (i - 1)::int from unnest(${texts as string[]}::text[]) with ordinality as texts (text, i) where ${matches}
      order by i
    ) as found
    from unnest(${queries as string[]}::text[]) with ordinality as queries (query, n) order by n`
  return rows.map(({ found }) => found)
}

/** Indexes the texts with the default tokenizer, and prints what each query finds, with all words required. */
const tantivy = `
import json, sys, tantivy
corpus = json.load(sys.stdin)
schema = tantivy.SchemaBuilder().add_integer_field("n", stored=True).add_text_field("text").build()
index = tantivy.Index(schema)
writer = index.writer()
for n, text in enumerate(corpus["texts"]):
    writer.add_document(tantivy.Document(n=n, text=text))
writer.commit()
index.reload()
searcher = index.searcher()
found = []
for query, _ in corpus["queries"]:
    parsed, _ = index.parse_query_lenient(query, ["text"], conjunction_by_default=True)
    found.append(sorted(searcher.doc(address)["n"][0] for _, address in searcher.search(parsed, 1000).hits))
print(json.dumps(found))
`

const searchTantivy = (corpus: Corpus): number[][] => {
  const done = spawnSync('python3', ['-c', tantivy], { input: JSON.stringify(corpus), encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`Tantivy failed: ${done.stderr}`)
  return JSON.parse(done.stdout) as number[][]
}
