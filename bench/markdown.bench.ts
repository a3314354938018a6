/**
 * What does rendering a message cost? Baseline: markdown-it on the same text.
 *
 * The texts are ordinary messages, and hostile ones that are as long as a message may be and written to be slow.
 * markdown-it has no mentions, emoji, links to channels, spoilers or formulas, and does not highlight code: for a text
 * with these, the two renderers do different work. The bound is on the slowest hostile or ordinary text, as the CPU
 * time of a single render in a warm process; the fastest of five renders counts, so other processes do not change it.
 *
 * Not measured: what a gateway does with the result; the first render of a process
 * (domain/markdown/formulas/formula-warm-up.ts).
 */

import MarkdownIt from 'markdown-it'
import type { RenderContext } from '../src/domain/markdown/context/render-context.js'
import { warmUpFormulas } from '../src/domain/markdown/formulas/formula-warm-up.js'
import { render } from '../src/domain/markdown/render.js'
import { buildRenderContext } from '../src/domain/rendering/message-render-context.js'
import { loadState } from '../src/store/log/row-tables.js'
import { testDeployment } from '../test/setup/realm/deployment.js'
import { createBenchRealm } from './fleet/realm.js'
import { median } from './harness/measure.js'
import { hostileTexts, repeatToLength } from './hostile/texts.js'
import { type Bench, type BenchResult, formatNumber, runRounds } from './results/bench.js'

const ROUNDS = 5
const LIMIT_MS = 50
/** The length limit of a message. */
const MAX_LENGTH = 10_000

const repeatToMaxLength = (part: string): string => repeatToLength(part, MAX_LENGTH)

const ordinary: Readonly<Record<string, string>> = {
  'one line': 'The kettle is on again, whoever wants tea should come before the call at three.',
  'one line with bold, emoji, links and a mention':
    'The **kettle** is on :tea:, see https://example.com/tea?cup=1 and #**bench>tea**, @**Member 5 of the Bench**!',
  'long text': repeatToMaxLength(
    'The kettle is on *again*, and `whoever` wants tea should come before the call.\n\n- one\n- two\n\n> quoted\n\n',
  ),
  code: `Look:\n\`\`\`ts\n${'export const pick = (query: Query): Promise<number[]> => run(query, { limit: 5 }) // why\n'.repeat(40)}\`\`\``,
  formulas: 'As $$\\frac{a}{b}$$ and $$x^2 + y^2$$ say, $$\\sum_{i=1}^n i$$ is what it is.',
  table: `| a | b | c |\n|---|---|---|\n${'| one | **two** | `three` |\n'.repeat(50)}`,
}

const hostile = hostileTexts(MAX_LENGTH)

export const markdownBench: Bench = {
  question: 'What does rendering a message cost? Baseline: markdown-it on the same text',
  async run(environment) {
    const roundMs = environment.size(60, { smoke: 1 })
    const realm = await createBenchRealm(environment, 100)
    const state = await environment.sql.begin((tx) => loadState(tx, testDeployment(), realm.id))
    const sender = state?.users.get(realm.user_ids[0] ?? 0)
    if (state === undefined || sender === undefined) throw new Error('the realm was not loaded')
    const context: RenderContext = buildRenderContext(state, sender, {
      realm_url: 'http://bench.invalid',
      isKnown: () => true,
    })
    const markdownIt = new MarkdownIt({ linkify: true })
    await warmUpFormulas()

    let slowest = { name: '', milliseconds: 0 }
    const results: BenchResult[] = []
    for (const [name, text] of Object.entries({ ...ordinary, ...hostile })) {
      const renderParley = () => void render(text, context)
      const renderBaseline = () => void markdownIt.render(text)
      measureAverage(renderParley, roundMs)
      measureAverage(renderBaseline, roundMs)
      const rounds = await runRounds(environment, ROUNDS, async () => ({
        parley: measureAverage(renderParley, roundMs),
        baseline: measureAverage(renderBaseline, roundMs),
      }))
      const milliseconds = Math.min(...Array.from({ length: 5 }, () => measureOnce(renderParley)))
      if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds }
      results.push({
        label: `rendering ${name in hostile ? 'hostile ' : ''}${name}, ${text.length.toLocaleString('en')} characters`,
        measured: `${formatNumber(median(rounds.map(({ parley }) => parley)))} µs CPU`,
        baseline: `${formatNumber(median(rounds.map(({ baseline }) => baseline)))} µs CPU (markdown-it)`,
        ratios: rounds.map(({ parley, baseline }) => parley / baseline),
      })
    }
    const bounded: BenchResult = {
      label: `rendering the slowest text: ${slowest.name}`,
      measured: `${formatNumber(slowest.milliseconds)} ms CPU`,
      baseline: `${LIMIT_MS} ms`,
      ratios: [slowest.milliseconds / LIMIT_MS],
      bound: { text: `< ${LIMIT_MS} ms`, isMet: slowest.milliseconds < LIMIT_MS, isRequired: true },
    }
    return [...results, bounded]
  },
}

/** Measures the average microseconds of CPU time of the calls of some milliseconds. */
const measureAverage = (work: () => void, milliseconds: number): number => {
  const before = process.cpuUsage()
  const end = performance.now() + milliseconds
  let calls = 0
  do {
    work()
    calls += 1
  } while (performance.now() < end)
  return cpuMicroseconds(before) / calls
}

/** Measures the milliseconds of CPU time of one call. */
const measureOnce = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  return cpuMicroseconds(before) / 1000
}

/** The CPU time of this process since `before`. */
const cpuMicroseconds = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return user + system
}
