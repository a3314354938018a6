/**
 * What does rendering a message cost, against a plain markdown-it render of the same text?
 *
 * Ordinary messages, and some that were written to be slow, each as long as a message may be. markdown-it knows no
 * mentions, emoji, links to channels, spoilers or formulas, and colours no code: where a text has those, the two do not
 * do the same. The bound is on the slowest single render of each text, in processor time, in a warm process.
 *
 * Not measured: what a gateway does with the result; the first render of a process (domain/markdown/formula-warm-up.ts).
 */

import MarkdownIt from 'markdown-it'
import { warmUpFormulas } from '../src/domain/markdown/formula-warm-up.js'
import { render } from '../src/domain/markdown/render.js'
import type { RenderContext } from '../src/domain/markdown/render-context.js'
import { buildRenderContext } from '../src/domain/rendering/message-render-context.js'
import { loadState } from '../src/store/log/rows.js'
import { testDeployment } from '../test/setup/deployment.js'
import { type Answer, type Bench, figure, rounds } from './bench.js'
import { median } from './measure.js'
import { benchRealm } from './realm.js'

const ROUNDS = 5
const ROUND_MS = 60
const MOST_MS = 50
const LONGEST = 10_000

const filled = (part: string): string => part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST)

const ordinary: Readonly<Record<string, string>> = {
  'one line': 'The kettle is on again, whoever wants tea should come before the call at three.',
  'some marks':
    'The **kettle** is on :tea:, see https://example.com/tea?cup=1 and #**bench>tea**, @**Member 5 of the Bench**!',
  'a long text': filled(
    'The kettle is on *again*, and `whoever` wants tea should come before the call.\n\n- one\n- two\n\n> quoted\n\n',
  ),
  code: `Look:\n\`\`\`ts\n${'export const pick = (query: Query): Promise<number[]> => run(query, { limit: 5 }) // why\n'.repeat(40)}\`\`\``,
  formulas: 'As $$\\frac{a}{b}$$ and $$x^2 + y^2$$ say, $$\\sum_{i=1}^n i$$ is what it is.',
  table: `| a | b | c |\n|---|---|---|\n${'| one | **two** | `three` |\n'.repeat(50)}`,
}

const hostile: Readonly<Record<string, string>> = {
  stars: filled('*a **b '),
  brackets: filled('[a]('),
  'nested quotes': filled('> '),
  'nested lists': filled('- '),
  backticks: filled('`a``b'),
  links: filled('http://a.b/(('),
  mentions: filled('@**a @_**'),
  'table cells': `|a|\n|-|\n${filled('|a')}`,
  'many formulas': filled('$$x$$ '),
  macros: `$$\\def\\a{xxxx}\\def\\b{\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}${'\\c'.repeat(400)}$$`,
  fences: filled('```\n'),
  entities: filled('&amp;<'),
}

export const markdown: Bench = {
  question: 'What does rendering a message cost, against a plain markdown-it render of the same text?',
  async run(setting) {
    const people = await benchRealm(setting, 100)
    const state = await setting.sql.begin((tx) => loadState(tx, testDeployment(), people.id))
    const sender = state?.users.get(people.user_ids[0] ?? 0)
    if (state === undefined || sender === undefined) throw new Error('the realm of the bench is gone')
    const context: RenderContext = buildRenderContext(state, sender, {
      realm_url: 'http://bench.invalid',
      isKnown: () => true,
    })
    const plain = new MarkdownIt({ linkify: true })
    await warmUpFormulas()

    let slowest = { name: '', milliseconds: 0 }
    const answers: Answer[] = []
    for (const [name, text] of Object.entries({ ...ordinary, ...hostile })) {
      const ours = () => void render(text, context)
      const baseline = () => void plain.render(text)
      costOf(ours)
      costOf(baseline)
      const turns = await rounds(ROUNDS, async () => ({ ours: costOf(ours), plain: costOf(baseline) }))
      const worst = Math.min(...Array.from({ length: 5 }, () => once(ours)))
      if (worst > slowest.milliseconds) slowest = { name, milliseconds: worst }
      answers.push({
        what: `rendering ${name in hostile ? 'hostile ' : ''}${name}, ${text.length} characters`,
        ours: `${figure(median(turns.map((turn) => turn.ours)))} µs CPU`,
        baseline: `${figure(median(turns.map((turn) => turn.plain)))} µs CPU (markdown-it)`,
        ratios: turns.map((turn) => turn.ours / turn.plain),
      })
    }
    const bounded: Answer = {
      what: `the slowest of these: ${slowest.name}`,
      ours: `${figure(slowest.milliseconds)} ms CPU`,
      baseline: `${MOST_MS} ms`,
      ratios: [slowest.milliseconds / MOST_MS],
      expected: { bound: `< ${MOST_MS} ms`, met: slowest.milliseconds < MOST_MS, required: true },
    }
    return [...answers, bounded]
  },
}

/** Microseconds of processor time per call, over many calls. */
const costOf = (work: () => void): number => {
  const began = process.cpuUsage()
  const end = performance.now() + ROUND_MS
  let calls = 0
  do {
    work()
    calls += 1
  } while (performance.now() < end)
  return microseconds(began) / calls
}

/** Milliseconds of processor time of one call. */
const once = (work: () => void): number => {
  const began = process.cpuUsage()
  work()
  return microseconds(began) / 1000
}

const microseconds = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began)
  return user + system
}
