/**
 * How long do suggestions of a search field take in a history of 1,000,000 messages? Baseline: 50 ms.
 *
 * Topics that begin with a text, in 40 channels of 20 topics each; searches with known words in the place of mistyped
 * ones, among 50,000 known words, of which none, one or only unreadable ones are similar; and the names that the
 * page ranks for each key: 10,000 people, 1,000 channels and 20,000 topics. Each is called with several texts; the time
 * is the median of the slowest one of each round. Those of the database are times of the store on one connection.
 *
 * Not measured: HTTP and JSON; the pause after a key before the page asks the server; a database larger than memory.
 */
import { loadState } from '../src/store/log/row-tables.js'
import { findCorrections } from '../src/store/messages/fetching/find-corrections.js'
import { learnWords } from '../src/store/messages/narrow/known-words.js'
import { loadMatchingTopics } from '../src/store/messages/narrow/matching-topics.js'
import { openSql } from '../src/store/sql.js'
import { testDeployment } from '../test/setup/realm/deployment.js'
import { makeHistory } from '../test/setup/realm/message-history.js'
import { rankByName } from '../web/src/finding/rank.js'
import { median } from './harness/measure.js'
import { type Bench, type BenchResult, formatNumber, requireAtMost, runRounds } from './results/bench.js'

const ROUNDS = 7
const LIMIT_MS = 50
const KNOWN_WORDS = 50_000

export const suggestionsBench: Bench = {
  question: 'How long do suggestions of a search field take in 1,000,000 messages? Baseline: 50 ms',
  async run(environment) {
    const { sql: admin, database_url, print, size } = environment
    const messages = size(1_000_000, { short: 100_000, smoke: 2_000 })
    const history = await makeHistory(admin, `suggestions-${process.pid}`, messages)
    const state = await admin.begin((tx) => loadState(tx, testDeployment(), history.realm_id))
    if (state === undefined) throw new Error('the realm was not loaded')
    const words = new Map(
      Array.from({ length: size(KNOWN_WORDS, { smoke: 500 }) }, (_, i) => [makeWord(i), 1 + (i % 9)]),
    )
    await admin.begin((tx) => learnWords(tx, history.realm_id, new Map([...words, ['coffee', 9], ['cocoa', 3]])))
    await admin`vacuum analyze`
    const sql = openSql(database_url, 1)
    const context = { sql, state, reader: state.users.get(history.regular) }
    const correct = (text: string) => findCorrections(context, [{ operator: 'search', operand: text, negated: false }])
    const names = makeNames()

    const measure = async (label: string, texts: readonly string[], suggest: (text: string) => unknown) => {
      const runOnce = async () => {
        const times: number[] = []
        for (const text of texts) {
          const began = performance.now()
          await suggest(text)
          times.push(performance.now() - began)
        }
        return Math.max(...times)
      }
      await runOnce()
      const times = await runRounds(environment, ROUNDS, runOnce)
      print(`${label}: ${times.map(formatNumber).join(', ')} ms`)
      const ratios = times.map((time) => time / LIMIT_MS)
      return {
        label: `${label}, ${messages.toLocaleString('en')} messages`,
        measured: `${formatNumber(median(times))} ms`,
        baseline: `${LIMIT_MS} ms`,
        ratios,
        bound: requireAtMost(1, ratios),
      } satisfies BenchResult
    }
    const results = [
      await measure('topics by their beginning', ['to', 'topic 1', '✔ t', 'nothing'], (text) =>
        loadMatchingTopics(context, text, { limit: 10 }),
      ),
      await measure('a mistyped word with a neighbour that is found', ['cofee', 'cocao'], correct),
      await measure('a mistyped word without neighbours', ['xqzvbnjk', 'qqqqqqq'], correct),
      await measure(
        'a mistyped word whose neighbours are not found',
        [makeWord(7), makeWord(4_711)].map((word) => word.replace('ing', 'imq')),
        correct,
      ),
      await measure('names that the page ranks', ['a', 'topic', 'member 77', 'zz'], (text) => {
        for (const list of names) rankByName(list, text, (name) => name)
      }),
    ]
    await sql.end()
    return results
  },
}

/** A word of letters that no message has. */
const makeWord = (i: number): string => {
  let word = 'w'
  for (let left = i * 7_919 + 1; left > 0; left = Math.floor(left / 20)) word += 'bcdfghjklmnpqrstvxza'[left % 20]
  return `${word}ing`
}

/** The names of people, channels and topics that a page may know. */
const makeNames = (): string[][] => [
  Array.from({ length: 10_000 }, (_, i) => `Member ${i}`),
  Array.from({ length: 1_000 }, (_, i) => `channel-${i}`),
  Array.from({ length: 20_000 }, (_, i) => `topic ${i} about things`),
]
