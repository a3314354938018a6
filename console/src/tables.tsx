/** The tables of the console. */
import { useState } from 'preact/hooks'
import type {
  DeploymentFacts,
  JobClassCounts,
  RealmLoad,
  ShownProcess,
  SlowCalls,
} from '../../src/monitoring/console/report.js'
import { format, formatDuration } from './format.js'
import { swatchClass } from './plot.js'
import { retryJobs } from './state.js'
import { type Column, Table } from './table.js'

type NumberedProcess = ShownProcess & { color: number; isOwn: boolean }

/** A process counts as silent after so many milliseconds, as in problems.ts of the server. */
const SILENT_MS = 10_000

const newest = ({ samples }: ShownProcess) => samples.at(-1)
const countConnections = (one: ShownProcess): number | null => {
  const sample = newest(one)
  if (sample?.sockets === undefined) return null
  return (sample.sockets ?? 0) + (sample.streams ?? 0) + (sample.polls ?? 0)
}

const processColumns: readonly Column<NumberedProcess>[] = [
  {
    title: 'Process',
    show: ({ report, color, isOwn }) => (
      <>
        <span class={swatchClass(color)} /> {report.kind} {report.pid}
        {isOwn ? <span class="tag">this page</span> : null}
        {report.is_draining ? <span class="tag">shuts down</span> : null}
      </>
    ),
  },
  { title: 'Machine', show: ({ report }) => report.host },
  { title: 'Operations', show: ({ report }) => report.address },
  { title: 'Version', show: ({ report }) => report.version },
  {
    title: 'Running for',
    isNumber: true,
    show: ({ report }) => formatDuration((Date.now() - report.started_at) / 1000),
  },
  {
    title: 'Heard',
    isNumber: true,
    show: ({ age }) => <span class={age > SILENT_MS ? 'bad' : ''}>{formatDuration(age / 1000)} ago</span>,
  },
  { title: 'Lag', isNumber: true, show: (one) => format(newest(one)?.lag, 'count') },
  { title: 'Busy', isNumber: true, show: (one) => format(newest(one)?.loop, 'share') },
  { title: 'Loop delay', isNumber: true, show: (one) => format(newest(one)?.loopDelay, 'milliseconds') },
  { title: 'CPU', isNumber: true, show: (one) => format(newest(one)?.cpu, 'share') },
  { title: 'Memory', isNumber: true, show: (one) => format(newest(one)?.memory, 'bytes') },
  { title: 'Connections', isNumber: true, show: (one) => format(countConnections(one), 'count') },
]

/** The gateways and workers. */
export function ProcessTable({ processes, own_id }: { processes: readonly ShownProcess[]; own_id: string }) {
  const rows = processes.map((one, color) => ({ ...one, color, isOwn: one.id === own_id }))
  return (
    <Table
      caption="Processes"
      hint="Each gateway and worker reports to Redis every two seconds."
      columns={processColumns}
      rows={rows}
      keyOf={({ id }) => id}
      empty="No process has reported yet."
    />
  )
}

const jobColumns: readonly Column<JobClassCounts>[] = [
  { title: 'Class', show: ({ name }) => name },
  { title: 'Due', isNumber: true, show: ({ due }) => format(due, 'count') },
  { title: 'Longest wait', isNumber: true, show: (one) => (one.due === 0 ? '–' : format(one.longest_wait, 'seconds')) },
  { title: 'For later', isNumber: true, show: ({ scheduled }) => format(scheduled, 'count') },
  { title: 'Failed', isNumber: true, show: ({ failed }) => <span class={failed > 0 ? 'bad' : ''}>{failed}</span> },
]

/** The jobs by class, and those that failed. @param onChange called after jobs were made due */
export function JobTables({ facts, onChange }: { facts: DeploymentFacts; onChange: () => void }) {
  const [told, tell] = useState('')
  const [isBusy, setBusy] = useState(false)
  const retry = async (ids: readonly number[]) => {
    setBusy(true)
    tell(await retryJobs(ids).catch((error: Error) => `The jobs were not changed: ${error.message}`))
    setBusy(false)
    onChange()
  }
  const { failed_jobs } = facts
  const failedColumns: readonly Column<(typeof failed_jobs)[number]>[] = [
    { title: 'Job', isNumber: true, show: ({ id }) => id },
    { title: 'Kind', show: ({ kind }) => kind },
    { title: 'Organization', show: ({ realm }) => realm },
    { title: 'Attempts', isNumber: true, show: ({ attempts }) => attempts },
    { title: 'Age', isNumber: true, show: ({ age }) => formatDuration(age) },
    {
      title: 'Next attempt',
      isNumber: true,
      show: ({ runs_in }) => (runs_in <= 0 ? 'now' : `in ${formatDuration(runs_in)}`),
    },
    { title: 'Last error', show: ({ last_error }) => <span class="error-text">{last_error ?? 'not known'}</span> },
    {
      title: 'Action',
      show: ({ id, kind }) => (
        <button type="button" disabled={isBusy} aria-label={`Run now: job ${id}, ${kind}`} onClick={() => retry([id])}>
          Run now
        </button>
      ),
    },
  ]
  return (
    <>
      <Table
        caption="Jobs"
        hint="The open jobs of the whole deployment, by class. A class has its own slots in each worker."
        columns={jobColumns}
        rows={facts.jobs}
        keyOf={({ name }) => name}
        empty="There are no classes of jobs."
      />
      <Table
        caption="Failed jobs"
        hint={
          <>
            A failed job runs again by itself, each time later, at most after an hour.{' '}
            {failed_jobs.length > 1 ? (
              <button type="button" disabled={isBusy} onClick={() => retry(failed_jobs.map(({ id }) => id))}>
                Run all now
              </button>
            ) : null}
            <span role="status">{told}</span>
          </>
        }
        columns={failedColumns}
        rows={failed_jobs}
        keyOf={({ id }) => id}
        isWide
        empty="No job has failed."
      />
    </>
  )
}

const realmColumns: readonly Column<RealmLoad>[] = [
  { title: 'Organization', show: ({ realm }) => realm },
  { title: 'Requests', isNumber: true, show: ({ requests }) => format(requests, 'rate') },
  { title: 'Log entries', isNumber: true, show: ({ entries }) => format(entries, 'rate') },
  { title: 'Connections', isNumber: true, show: ({ connections }) => format(connections, 'count') },
]

/** The busiest organizations: requests and connections of all processes together. */
export function RealmTable({ processes }: { processes: readonly ShownProcess[] }) {
  const sums = new Map<string, RealmLoad>()
  for (const { realm, requests, entries, connections } of processes.flatMap(({ report }) => report.realms)) {
    const sum = sums.get(realm) ?? { realm, requests: 0, entries: 0, connections: 0 }
    sum.requests += requests
    sum.connections += connections
    // Every process applies the same log.
    sum.entries = Math.max(sum.entries, entries)
    sums.set(realm, sum)
  }
  const rows = [...sums.values()].sort((a, b) => b.requests + b.entries - a.requests - a.entries)
  return (
    <Table
      caption="Load by organization"
      hint="The busiest organizations, over the last ten seconds."
      columns={realmColumns}
      rows={rows.slice(0, 15)}
      keyOf={({ realm }) => realm}
      empty="No organization is in use."
    />
  )
}

const callColumns: readonly Column<SlowCalls>[] = [
  { title: 'Endpoint', show: ({ endpoint }) => endpoint },
  { title: 'Calls', isNumber: true, show: ({ count }) => format(count, 'count') },
  { title: 'Mean', isNumber: true, show: ({ mean }) => format(mean, 'milliseconds') },
  { title: 'p99', isNumber: true, show: ({ p99 }) => format(p99, 'milliseconds') },
  { title: 'Together', isNumber: true, show: ({ total }) => format(total, 'seconds') },
]

/** The endpoints on which the gateways spent most time. */
export function CallTable({ processes }: { processes: readonly ShownProcess[] }) {
  const sums = new Map<string, SlowCalls>()
  for (const { endpoint, count, p99, total } of processes.flatMap(({ report }) => report.calls)) {
    const sum = sums.get(endpoint) ?? { endpoint, count: 0, mean: 0, p99: 0, total: 0 }
    sum.count += count
    sum.total += total
    sum.mean = (sum.total / sum.count) * 1000
    sum.p99 = Math.max(sum.p99, p99)
    sums.set(endpoint, sum)
  }
  const rows = [...sums.values()].sort((a, b) => b.total - a.total)
  return (
    <Table
      caption="Slow calls"
      hint="The endpoints on which most time was spent since the gateways started; p99 is that of the slowest gateway."
      columns={callColumns}
      rows={rows.slice(0, 15)}
      keyOf={({ endpoint }) => endpoint}
      empty="No call was made yet."
    />
  )
}

const statementColumns: readonly Column<NonNullable<DeploymentFacts['statements']>[number]>[] = [
  { title: 'Statement', show: ({ query }) => <code>{query}</code> },
  { title: 'Calls', isNumber: true, show: ({ calls }) => format(calls, 'count') },
  { title: 'Mean', isNumber: true, show: ({ mean }) => format(mean, 'milliseconds') },
  { title: 'Longest', isNumber: true, show: ({ max }) => format(max, 'milliseconds') },
  { title: 'Together', isNumber: true, show: ({ total }) => format(total / 1000, 'seconds') },
]

const runningColumns: readonly Column<DeploymentFacts['running_statements'][number]>[] = [
  { title: 'Statement', show: ({ query }) => <code>{query}</code> },
  { title: 'Process', isNumber: true, show: ({ pid }) => pid },
  { title: 'Running for', isNumber: true, show: ({ seconds }) => formatDuration(seconds) },
  { title: 'Waits for a lock', show: ({ waits_for_lock }) => (waits_for_lock ? 'yes' : 'no') },
]

const howToInstall =
  'Postgres does not collect them. Set shared_preload_libraries = pg_stat_statements, restart Postgres, and run: create extension pg_stat_statements.'

/** What Postgres is busy with. */
export function StatementTables({ facts: { statements, running_statements } }: { facts: DeploymentFacts }) {
  return (
    <>
      <Table
        caption="Slow statements"
        hint="The statements on which Postgres spent most time, from pg_stat_statements."
        columns={statementColumns}
        rows={statements ?? []}
        keyOf={({ query, total }) => `${query} ${total}`}
        isWide
        empty={statements === undefined ? howToInstall : 'Postgres has no statistics yet.'}
      />
      <Table
        caption="Running statements"
        hint="Statements that have run for more than a second."
        columns={runningColumns}
        rows={running_statements}
        keyOf={({ pid }) => pid}
        isWide
        empty="No statement runs for long."
      />
    </>
  )
}
