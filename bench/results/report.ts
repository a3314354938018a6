/** Writes the results of a run as bench/REPORT.md, with plots in bench/report/. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { root } from '../../src/dev/root.js'
import type { BenchEnvironment } from '../fleet/environment.js'
import type { Comparison, DeliveryFigures, PeerFigures, Transport } from '../harness/comparison.js'
import { describeMachine, MOST_OTHER_WORK, type RoundCounts } from '../harness/machine.js'
import { median } from '../harness/measure.js'
import { type BenchResult, formatNumber, formatRow } from './bench.js'
import { type Chart, drawChart } from './plot.js'

/** The results of one benchmark. */
export interface ReportSection {
  name: string
  question: string
  results: readonly BenchResult[]
  rounds: RoundCounts
}

/**
 * Writes REPORT.md and the plots into bench/. With `--smoke`, whose figures mean nothing, it writes them into a folder
 * that is removed at the end.
 * @param command what was run, after `npm run bench -- `
 * @returns the file
 */
export const writeReport = async (
  environment: BenchEnvironment,
  sections: readonly ReportSection[],
  command: string,
): Promise<string> => {
  const { comparison, scale, group } = environment
  const target = scale === 'smoke' ? mkdtempSync(join(tmpdir(), 'parley-bench-report-')) : join(root, 'bench')
  if (scale === 'smoke') group.removeFolderAtEnd(target)
  const folder = join(target, 'report')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const lines = [
    '# Report of the benchmarks',
    '',
    `Written by \`npm run bench -- ${command}\`. Do not edit it: run the command again. [README.md](README.md) explains`,
    'each benchmark and what it does not measure.',
    '',
    ...formatTable(['what', 'value'], await describeRun(environment)),
    '',
    `Other work is what the machine did besides this run: CPU time of all cores in \`/proc/stat\`, less that of the`,
    `processes of the run. A round with more than ${MOST_OTHER_WORK * 100} % of it is repeated, at most twice, and at most ten rounds of a server`,
    'or a benchmark; then the round with the least of it counts, and the table calls it disturbed.',
    '',
    ...(comparison.figures.length === 0 ? [] : formatComparison(comparison, folder)),
    ...formatSections(sections.filter(({ results }) => results.length > 0)),
  ]
  const file = join(target, 'REPORT.md')
  writeFileSync(file, `${lines.join('\n').trimEnd()}\n`)
  return file
}

const describeRun = async ({ sql, redis_url, scale }: BenchEnvironment): Promise<string[][]> => {
  const [postgres] = await sql<{ version: string }[]>`
    select current_setting('server_version') || ', fsync ' || current_setting('fsync')
      || ', synchronous_commit ' || current_setting('synchronous_commit') as version`
  const redis = new Redis(redis_url)
  const redisVersion = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? ''
  redis.disconnect()
  const commit = spawnSync('git', ['log', '-1', '--format=%h of %cs'], { cwd: root, encoding: 'utf8' }).stdout.trim()
  return [
    ['date', new Date().toISOString().slice(0, 10)],
    ['commit', commit],
    ['size', scale === 'full' ? 'full' : `\`--${scale}\``],
    ['machine', `${describeMachine()}; servers, stores and load share it`],
    ['Node', process.version],
    ['Postgres', postgres?.version ?? ''],
    ['Redis', redisVersion],
  ]
}

/** The comparison with other servers: what they do, plots and tables. */
const formatComparison = ({ databases, figures, skipped }: Comparison, folder: string): string[] => {
  const ofTransport = (transport: Transport) => figures.filter((one) => one.transport === transport)
  const sockets = ofTransport('sockets')
  const polls = ofTransport('polls')
  const all = [...sockets, ...polls.filter(({ peer }) => sockets.every((one) => one.peer !== peer))]
  const plot = (name: string, chart: Omit<Chart, 'bars'> & { bars: Bar[] }): string[] => {
    const bars = chart.bars.filter(({ values }) => values.every(Number.isFinite))
    if (bars.length === 0) return []
    writeFileSync(join(folder, `${name}.svg`), drawChart({ ...chart, bars }, formatNumber))
    return [`![${chart.title}](report/${name}.svg)`, '']
  }
  return [
    '## Parley and its peers',
    '',
    'Every server gets the same work, one after the other, each alone on the machine with the same Postgres and Redis.',
    'Each is one process; those written in Go use all cores. First, 64 senders each send the next message when the last',
    'one is answered, and nobody receives. Then messages are sent at a constant rate to clients of one room. A cost is',
    'CPU time, user and system, of the server, and apart from it of its stores, Postgres and Redis. A delivery includes',
    'its share of the send.',
    '',
    'The servers do not do the same for a message. Compare costs with this table:',
    '',
    ...formatTable(
      [
        'server',
        'version',
        'durable before the answer',
        'one order for all',
        'sender authenticated',
        'permission checked',
        'client resumes',
      ],
      [
        ...databases.slice(0, 1).map(() => ['the database alone', '', 'yes', 'yes', 'no', 'no', 'no']),
        ...all.map(({ peer: { title, guarantees: does }, version }) => [
          title,
          version,
          does.durable,
          does.ordered,
          does.authenticated,
          does.permitted,
          does.resumable,
        ]),
      ],
    ),
    '',
    ...skipped.map(({ name, reason }) => `- ${name} was not measured: ${reason}`),
    ...(skipped.length === 0 ? [] : ['']),
    '### Sends',
    '',
    ...plot('sends', {
      title: 'Sends per second, 64 senders, no receivers',
      unit: 'more is better; * durable before the answer',
      parts: ['sends per second'],
      bars: [
        ...databases.map(({ pool, perSecond }) => bar(`database alone, pool of ${pool} *`, [perSecond])),
        ...all.map(({ peer, sends }) =>
          bar(`${peer.name}${peer.guarantees.durable === 'yes' ? ' *' : ''}`, [sends.perSecond]),
        ),
      ],
    }),
    ...formatTable(
      [
        'server',
        'durable',
        'sends per second',
        'server, µs CPU each',
        'stores, µs CPU each',
        'p99 of the answer, ms',
        'rounds',
        'other work',
      ],
      [
        ...databases.map(({ pool, perSecond, stores, p99, rounds }) => [
          `the database alone, one transaction each, pool of ${pool}`,
          'yes',
          formatNumber(perSecond),
          '',
          formatNumber(stores),
          formatNumber(p99),
          ...formatRounds(rounds),
        ]),
        ...all.map(({ peer, sends, rounds }) => [
          peer.name,
          peer.guarantees.durable,
          formatNumber(sends.perSecond),
          formatNumber(sends.cost.server),
          formatNumber(sends.cost.stores),
          formatNumber(sends.p99),
          ...formatRounds(rounds),
        ]),
      ],
    ),
    '',
    '### DeliveryCounts to WebSockets',
    '',
    ...plotDeliveries(sockets, 'sockets', plot),
    ...formatDeliveries(sockets),
    '',
    'In a closed loop, 16 senders to 500 WebSockets, and the resident memory of a fresh server per idle client, with garbage:',
    '',
    ...formatTable(
      ['server', 'sends per second', 'deliveries per second', 'lost', 'kB per idle client'],
      sockets.map(({ peer, full, bytesPerClient }) => [
        peer.name,
        full === undefined ? '' : formatNumber(full.sends),
        full === undefined ? '' : formatNumber(full.deliveries),
        String(full?.lost ?? ''),
        bytesPerClient === undefined ? '' : formatNumber(bytesPerClient / 1000),
      ]),
    ),
    '',
    '### DeliveryCounts to long polls',
    '',
    'The raw server has no queues: a client that has not sent its next request in time misses a message.',
    '',
    ...plotDeliveries(polls, 'polls', plot),
    ...formatDeliveries(polls),
    '',
  ]
}

type Bar = Chart['bars'][number]
const bar = (label: string, values: number[]): Bar => ({ label, values, isOurs: label.startsWith('Parley') })

const plotDeliveries = (
  figures: readonly PeerFigures[],
  transport: Transport,
  plot: (name: string, chart: Chart & { bars: Bar[] }) => string[],
): string[] => {
  const last = (one: PeerFigures): DeliveryFigures | undefined => one.deliveries.at(-1)
  const receivers = Math.max(...figures.map((one) => last(one)?.receivers ?? 0))
  const room = `${receivers.toLocaleString('en')} ${transport === 'sockets' ? 'WebSockets' : 'long polls'}`
  return [
    ...plot(`cost-${transport}`, {
      title: `CPU time of a delivery to one of ${room}`,
      unit: 'µs, less is better',
      parts: ['server', 'stores'],
      bars: figures.map((one) => bar(one.peer.name, [last(one)?.cost.server ?? NaN, last(one)?.cost.stores ?? NaN])),
    }),
    ...plot(`p99-${transport}`, {
      title: `From send to delivery to ${room}, p99`,
      unit: 'ms, less is better',
      parts: ['p99'],
      bars: figures.map((one) => bar(one.peer.name, [last(one)?.p99 ?? NaN])),
    }),
  ]
}

const formatDeliveries = (figures: readonly PeerFigures[]): string[] =>
  formatTable(
    [
      'server',
      'clients',
      'messages per second',
      'server, µs CPU each',
      'stores, µs CPU each',
      'p50, ms',
      'p99, ms',
      'bytes',
      'lost',
      'repeated',
      'orders',
      'rounds',
      'other work',
    ],
    figures.flatMap(({ peer, deliveries, rounds }) =>
      deliveries.map((one) => [
        peer.name,
        one.receivers.toLocaleString('en'),
        String(one.rate),
        formatNumber(one.cost.server),
        formatNumber(one.cost.stores),
        formatNumber(one.p50),
        formatNumber(one.p99),
        formatNumber(one.bytes),
        String(one.lost),
        String(one.repeated),
        one.lost > 0 ? '' : String(one.orders),
        ...formatRounds(rounds),
      ]),
    ),
  )

const formatSections = (sections: readonly ReportSection[]): string[] => {
  if (sections.length === 0) return []
  return [
    '## All benchmarks',
    '',
    'Medians, and the median, minimum and maximum of the ratios of the rounds.',
    '',
    ...sections.flatMap(({ name, question, results, rounds }) => [
      `### \`${name}\``,
      '',
      `${question}${rounds.measured === 0 ? '' : ` Rounds: ${formatRounds(rounds).join('; other work ')}.`}`,
      '',
      ...formatTable(
        ['measurement', 'measured', 'baseline', 'ratio (min–max)', 'bound', 'met'],
        results.map(formatRow),
      ),
      '',
    ]),
  ]
}

/** The number of rounds, those repeated and disturbed, and the median and largest share of other work. */
const formatRounds = ({ measured, repeated, disturbed, shares }: RoundCounts): [rounds: string, share: string] => {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
  const counts = [
    `${measured}`,
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
    ...(disturbed > 0 ? [`${disturbed} disturbed`] : []),
  ]
  return [
    counts.join(', '),
    shares.length === 0 ? '' : `${percent(median(shares))}, at most ${percent(Math.max(...shares))}`,
  ]
}

/** Formats a table of Markdown. */
const formatTable = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [titles, titles.map(() => '---'), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  )
