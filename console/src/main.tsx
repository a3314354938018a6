/** The operators' console: the whole page. */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import type { ConsoleState, Problem, SampleKey } from '../../src/monitoring/console/report.js'
import { format, type Unit } from './format.js'
import { Plots } from './plots.js'
import { useConsoleState } from './state.js'
import './style.css'
import { CallTable, JobTables, ProcessTable, RealmTable, StatementTables } from './tables.js'

/** How far back the plots can reach, in minutes. */
const ranges = [2, 10]

function Console() {
  const [{ state, failure }, refresh] = useConsoleState()
  const [minutes, setMinutes] = useState(ranges[0] as number)
  return (
    <>
      <header>
        <h1>Parley console</h1>
        {state === undefined ? null : <Summary problems={state.problems} hasFailed={failure !== undefined} />}
        <fieldset class="ranges">
          <legend class="hidden">How far back the plots reach</legend>
          {ranges.map((range) => (
            <button key={range} type="button" aria-pressed={range === minutes} onClick={() => setMinutes(range)}>
              {range} min
            </button>
          ))}
        </fieldset>
      </header>
      <main>
        {failure === undefined ? null : (
          <p class="problem error" role="alert">
            <b>This process does not answer: {failure}</b> The page shows what it last said, and asks again.
          </p>
        )}
        {state === undefined ? <p class="hint">Loading …</p> : <Everything {...{ state, minutes, refresh }} />}
      </main>
    </>
  )
}

function Everything({ state, minutes, refresh }: { state: ConsoleState; minutes: number; refresh: () => void }) {
  const { processes, facts, own_id, problems } = state
  return (
    <>
      <Problems problems={problems} />
      <Tiles state={state} />
      <ProcessTable processes={processes} own_id={own_id} />
      <Plots processes={processes} minutes={minutes} />
      <div class="columns">
        {facts === null ? null : <JobTables facts={facts} onChange={refresh} />}
        <RealmTable processes={processes} />
        <CallTable processes={processes} />
        {facts === null ? null : <StatementTables facts={facts} />}
      </div>
    </>
  )
}

function Summary({ problems, hasFailed }: { problems: readonly Problem[]; hasFailed: boolean }) {
  const errors = problems.filter(({ severity }) => severity === 'error').length + (hasFailed ? 1 : 0)
  const warnings = problems.length + (hasFailed ? 1 : 0) - errors
  const level = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'well'
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const parts = [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])]
  return <p class={`summary ${level}`}>{level === 'well' ? 'Everything works' : parts.join(', ')}</p>
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <section aria-label="Problems">
      <ul class="problems">
        {problems.map(({ severity, text, advice }) => (
          <li key={text} class={`problem ${severity}`}>
            <b>{text}</b> {advice}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The most important numbers of the whole deployment. */
function Tiles({ state: { processes, facts } }: { state: ConsoleState }) {
  const values = (key: SampleKey) =>
    processes.flatMap(({ samples, age }) => {
      const value = age > 10_000 ? undefined : samples.at(-1)?.[key]
      return typeof value === 'number' ? [value] : []
    })
  const sum = (...keys: SampleKey[]) => keys.flatMap(values).reduce((all, one) => all + one, 0)
  const largest = (key: SampleKey) => (values(key).length === 0 ? null : Math.max(...values(key)))
  const due = facts?.jobs.reduce((all, one) => all + one.due, 0)
  const tiles: readonly (readonly [title: string, value: number | null | undefined, unit: Unit])[] = [
    ['Connections', sum('sockets', 'streams', 'polls'), 'count'],
    ['Event queues', facts?.queues, 'count'],
    ['Sends', sum('sends'), 'rate'],
    ['DeliveryCounts', sum('events'), 'rate'],
    ['Calls', sum('calls'), 'rate'],
    ['Delivery p99', largest('deliveryP99'), 'milliseconds'],
    ['Largest lag', largest('lag'), 'count'],
    ['Jobs due', due, 'count'],
  ]
  return (
    <dl class="tiles">
      {tiles.map(([title, value, unit]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{format(value, unit)}</dd>
        </div>
      ))}
    </dl>
  )
}

const place = document.getElementById('console')
if (place !== null) render(<Console />, place)
