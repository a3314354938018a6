/** The plots of the console: which values of the samples they show. */
import { useMemo } from 'preact/hooks'
import type { Sample, SampleKey, ShownProcess } from '../../src/monitoring/console/report.js'
import type { Unit } from './format.js'
import { type Line, Plot } from './plot.js'

/** Seconds between two points of a plot: the interval of the samples. */
const STEP = 2

interface PlotDefinition {
  title: string
  hint: string
  unit: Unit
  /** One line for each process, or the sum of all processes for each of several values. */
  of: SampleKey | readonly (readonly [key: SampleKey, label: string])[]
}

const definitions: readonly { title: string; plots: readonly PlotDefinition[] }[] = [
  {
    title: 'Clients and messages',
    plots: [
      {
        title: 'Connections',
        hint: 'Clients that receive events, in all gateways.',
        unit: 'count',
        of: [
          ['sockets', 'WebSockets'],
          ['streams', 'event streams'],
          ['polls', 'long polls'],
        ],
      },
      { title: 'Sends', hint: 'Messages that each gateway stored.', unit: 'rate', of: 'sends' },
      { title: 'DeliveryCounts', hint: 'Events sent to clients, each client counted.', unit: 'rate', of: 'events' },
      { title: 'Calls', hint: 'Calls of the API, over HTTP and sockets.', unit: 'rate', of: 'calls' },
      {
        title: 'Send to delivery, p99',
        hint: 'From the commit until all clients of a gateway have the event.',
        unit: 'milliseconds',
        of: 'deliveryP99',
      },
      {
        title: 'Send to delivery, median',
        hint: 'Half of the entries were delivered faster.',
        unit: 'milliseconds',
        of: 'deliveryP50',
      },
    ],
  },
  {
    title: 'Inside of the processes',
    plots: [
      { title: 'Busy', hint: 'The share of time in which the event loop works.', unit: 'share', of: 'loop' },
      {
        title: 'Event-loop delay, p99',
        hint: 'How late timers run: every client waits.',
        unit: 'milliseconds',
        of: 'loopDelay',
      },
      { title: 'Memory', hint: 'Resident memory of each process.', unit: 'bytes', of: 'memory' },
      { title: 'Lag', hint: 'Committed entries that a process has not applied.', unit: 'count', of: 'lag' },
      { title: 'Batch size', hint: 'Messages per commit of the send combiner.', unit: 'count', of: 'batch' },
      {
        title: 'Barrier, p99',
        hint: 'How long a read waits until it is current.',
        unit: 'milliseconds',
        of: 'barrierP99',
      },
      { title: 'Guard retries', hint: 'Writes that ran again after a structural change.', unit: 'rate', of: 'retries' },
      {
        title: 'Slow clients closed',
        hint: 'Clients that did not read their events.',
        unit: 'rate',
        of: 'slowClients',
      },
      { title: 'Failed calls', hint: 'Calls that ended with an error of the server.', unit: 'rate', of: 'failedCalls' },
      { title: 'Postgres', hint: 'How long a small query takes.', unit: 'milliseconds', of: 'postgresWait' },
      { title: 'Jobs done', hint: 'Jobs that each worker has done.', unit: 'rate', of: 'jobsDone' },
      {
        title: 'Longest wait of a job',
        hint: 'As each worker sees it, of all classes.',
        unit: 'seconds',
        of: 'jobsWait',
      },
    ],
  },
]

/** All plots. @param minutes how far back they reach */
export function Plots({ processes, minutes }: { processes: readonly ShownProcess[]; minutes: number }) {
  const times = useMemo(() => listTimes(processes, minutes), [processes, minutes])
  return definitions.map(({ title, plots }) => (
    <section key={title} aria-label={title}>
      <h2>{title}</h2>
      <div class="plots">
        {plots.map((definition) => (
          <DefinedPlot key={definition.title} definition={definition} processes={processes} times={times} />
        ))}
      </div>
    </section>
  ))
}

interface DefinedPlotProps {
  definition: PlotDefinition
  processes: readonly ShownProcess[]
  times: number[]
}

function DefinedPlot({ definition: { of, ...rest }, processes, times }: DefinedPlotProps) {
  const lines = useMemo(
    () => (typeof of === 'string' ? listProcessLines(processes, of, times) : listSums(processes, of, times)),
    [of, processes, times],
  )
  return <Plot {...rest} times={times} lines={lines} />
}

const toStep = (milliseconds: number) => Math.floor(milliseconds / 1000 / STEP) * STEP

const listTimes = (processes: readonly ShownProcess[], minutes: number): number[] => {
  const last = Math.max(0, ...processes.map(({ samples }) => toStep(samples.at(-1)?.at ?? 0)))
  const count = (minutes * 60) / STEP
  return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * STEP)
}

/** The values of one process at the times; a single missing sample is bridged. */
const alignValues = (samples: readonly Sample[], key: SampleKey, times: readonly number[]): (number | null)[] => {
  const byTime = new Map(samples.map((sample) => [toStep(sample.at), sample[key] ?? null]))
  return times.map((time) => byTime.get(time) ?? byTime.get(time - STEP) ?? null)
}

const listProcessLines = (processes: readonly ShownProcess[], key: SampleKey, times: readonly number[]): Line[] =>
  processes.flatMap(({ samples, report }, color) =>
    samples.some((sample) => sample[key] !== undefined)
      ? [{ label: `${report.kind} ${report.pid}`, color, values: alignValues(samples, key, times) }]
      : [],
  )

const listSums = (
  processes: readonly ShownProcess[],
  keys: readonly (readonly [SampleKey, string])[],
  times: readonly number[],
): Line[] =>
  keys.map(([key, label], color) => {
    const all = processes.map(({ samples }) => alignValues(samples, key, times))
    const values = times.map((_, i) => {
      const known = all.map((one) => one[i] ?? null).filter((value) => value !== null)
      return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
    })
    return { label, color, values }
  })
