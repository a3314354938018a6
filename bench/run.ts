/**
 * `npm run bench`: runs the benchmarks one after the other, and prints their results as one table.
 *
 *   npm run bench
 *   npm run bench -- fanout send
 *   npm run bench -- --short
 *   npm run bench -- --smoke
 *   npm run bench -- --report     writes bench/REPORT.md too, of all or of the named ones; repeats disturbed rounds
 *
 * The exit code is 0 if every required bound is met. Goals do not change it, and no bound does with `--smoke`.
 */
import { Failure } from '../src/dev/failure.js'
import { openProcessGroup } from '../src/dev/process-group.js'
import { tell } from '../src/dev/terminal.mjs'
import { audienceBench } from './audience.bench.js'
import { bulkBench } from './bulk.bench.js'
import { callsBench } from './calls.bench.js'
import { costsBench } from './costs.bench.js'
import { deletionBench } from './deletion.bench.js'
import { fairnessBench } from './fairness.bench.js'
import { fanoutBench } from './fanout.bench.js'
import { filesBench } from './files.bench.js'
import { type BenchEnvironment, openBenchEnvironment, type Scale } from './fleet/environment.js'
import { growthBench } from './growth.bench.js'
import { createRoundCounts } from './harness/machine.js'
import { hostileBench } from './hostile.bench.js'
import { joiningBench } from './joining.bench.js'
import { keysBench } from './keys.bench.js'
import { latencyBench } from './latency.bench.js'
import { markdownBench } from './markdown.bench.js'
import { memoryBench } from './memory.bench.js'
import { microBench } from './micro.bench.js'
import { narrowsBench } from './narrows.bench.js'
import { peersBench } from './peers.bench.js'
import { pollsBench } from './polls.bench.js'
import { readReplicaBench } from './read-replica.bench.js'
import { readingBench } from './reading.bench.js'
import { registerBench } from './register.bench.js'
import { type Bench, formatNumber, formatTable } from './results/bench.js'
import { type ReportSection, writeReport } from './results/report.js'
import { searchBench } from './search.bench.js'
import { sendBench } from './send.bench.js'
import { storageBench } from './storage.bench.js'
import { suggestionsBench } from './suggestions.bench.js'
import { tabsBench } from './tabs.bench.js'
import { unreadBench } from './unread.bench.js'
import { webBench } from './web.bench.js'

const benches: Readonly<Record<string, Bench>> = {
  fanout: fanoutBench,
  polls: pollsBench,
  send: sendBench,
  keys: keysBench,
  peers: peersBench,
  latency: latencyBench,
  fairness: fairnessBench,
  memory: memoryBench,
  calls: callsBench,
  costs: costsBench,
  growth: growthBench,
  micro: microBench,
  markdown: markdownBench,
  audience: audienceBench,
  deletion: deletionBench,
  register: registerBench,
  joining: joiningBench,
  bulk: bulkBench,
  narrows: narrowsBench,
  suggestions: suggestionsBench,
  'read-replica': readReplicaBench,
  unread: unreadBench,
  search: searchBench,
  storage: storageBench,
  files: filesBench,
  hostile: hostileBench,
  web: webBench,
  tabs: tabsBench,
  reading: readingBench,
}

/** How many of the last lines of the logs are printed after a failure. */
const LOG_LINES = 50

/** Runs the named benchmarks, or all of them, and ends the process. */
export const main = async (args: readonly string[], env: Record<string, string | undefined>): Promise<void> => {
  const group = openProcessGroup(tell)
  const exit = async (code: number) => {
    await group.stop()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void exit(1))
  let environment: BenchEnvironment | undefined
  try {
    if (process.platform !== 'linux')
      throw new Failure('The benchmarks read CPU time and memory from /proc, which only Linux has.')
    const scale = selectScale(args)
    const isReport = args.includes('--report')
    const selected = selectBenches(args.filter((arg) => !arg.startsWith('--')))
    environment = await openBenchEnvironment(group, env, { scale, print: tell })
    const sections: ReportSection[] = []
    for (const [name, { question, run }] of selected) {
      tell(question)
      const rounds = createRoundCounts()
      if (isReport && scale !== 'smoke') environment.rounds = rounds
      const found = await run(environment)
      for (const { label, measured, baseline, ratios } of found) {
        tell(`  ${label}: ${measured}, baseline ${baseline}; ratios ${ratios.map(formatNumber).join(', ')}`)
      }
      sections.push({ name, question, results: found, rounds })
    }
    if (isReport) tell(`Wrote ${await writeReport(environment, sections, args.join(' '))}`)
    await environment.sql.end()
    const results = sections.flatMap((section) => section.results)
    console.log(`\n${formatTable(results).join('\n')}\n`)
    const isMissed = results.some(({ bound }) => bound?.isRequired === true && !bound.isMet)
    await exit(isMissed && scale !== 'smoke' ? 1 : 0)
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    // A refused request says little: why it was refused is in the logs, which are deleted with the folder.
    for (const line of environment?.readLogs().slice(-LOG_LINES) ?? []) console.error(line)
    await exit(1)
  }
}

const selectScale = (args: readonly string[]): Scale => {
  const options = args.filter((arg) => arg.startsWith('--'))
  const unknown = options.find((option) => !['--short', '--smoke', '--report'].includes(option))
  if (unknown !== undefined)
    throw new Failure(`There is no option ${unknown}. The options are --short, --smoke and --report.`)
  if (options.includes('--smoke')) return 'smoke'
  return options.includes('--short') ? 'short' : 'full'
}

const selectBenches = (names: readonly string[]): [name: string, bench: Bench][] => {
  if (names.length === 0) return Object.entries(benches)
  return names.map((name) => {
    const bench = benches[name]
    if (bench === undefined)
      throw new Failure(`There is no benchmark ${name}. The benchmarks are ${Object.keys(benches).join(', ')}.`)
    return [name, bench]
  })
}
