/** Texts and queries in twelve languages, and how well a search finds what a reader expects. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '../../src/dev/root.js'

const Corpus = z.object({
  language: z.string(),
  texts: z.array(z.string()),
  /** each with the numbers of the texts that a reader expects */
  queries: z.array(z.tuple([z.string(), z.array(z.int())])),
})

export type Corpus = z.infer<typeof Corpus>

/** Loads the texts and queries of all languages. */
export const loadCorpora = (): Corpus[] => {
  const folder = join(root, 'test/search/corpus')
  return readdirSync(folder).map((file) => Corpus.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
}

/** A search that finds too little or too much. */
export interface Fault {
  query: string
  missed: string[]
  wrong: string[]
}

export interface Quality {
  /** the part of the expected texts that was found */
  recall: number
  /** the part of the found texts that was expected */
  precision: number
  faults: Fault[]
}

/** Measures a search. @param found for each query, the numbers of the texts that it finds */
export const measureQuality = ({ texts, queries }: Corpus, found: readonly (readonly number[])[]): Quality => {
  let hits = 0
  let expected = 0
  let all = 0
  const faults: Fault[] = []
  for (const [i, [query, wanted]] of queries.entries()) {
    const got = found[i] ?? []
    const missed = wanted.filter((number) => !got.includes(number))
    const wrong = got.filter((number) => !wanted.includes(number))
    hits += wanted.length - missed.length
    expected += wanted.length
    all += got.length
    const write = (numbers: readonly number[]) => numbers.map((number) => texts[number] ?? String(number))
    if (missed.length + wrong.length > 0) faults.push({ query, missed: write(missed), wrong: write(wrong) })
  }
  return { recall: hits / expected, precision: all === 0 ? 1 : hits / all, faults }
}
