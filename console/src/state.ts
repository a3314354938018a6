/** Asks the process for the state of the deployment every two seconds, and keeps the history of the plots. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConsoleState, Sample, ShownProcess } from '../../src/monitoring/console/report.js'

const INTERVAL_MS = 2_000
/** Samples that a page keeps of each process: ten minutes. */
const SAMPLES_KEPT = 300

/** The newest state, and why it is not newer. */
export interface Shown {
  state: ConsoleState | undefined
  /** why the process does not answer; undefined: it does */
  failure: string | undefined
}

/** The state, up to date while the page is visible. @returns it, and a function that asks at once */
export const useConsoleState = (): [Shown, () => void] => {
  const [shown, show] = useState<Shown>({ state: undefined, failure: undefined })
  const refresh = useRef(() => {})
  useEffect(() => {
    let known: ConsoleState | undefined
    let timer: number | undefined
    let isEnded = false
    const ask = async () => {
      clearTimeout(timer)
      try {
        const needsHistory = known === undefined || known.processes.some(({ samples }) => samples.length === 0)
        known = merge(known, await load(needsHistory))
        if (!isEnded) show({ state: known, failure: undefined })
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        if (!isEnded) show({ state: known, failure })
      }
      clearTimeout(timer)
      if (!isEnded && !document.hidden) timer = window.setTimeout(ask, INTERVAL_MS)
    }
    const resume = () => {
      if (document.hidden) return
      // The hidden page has missed samples.
      known = undefined
      void ask()
    }
    refresh.current = () => void ask()
    document.addEventListener('visibilitychange', resume)
    void ask()
    return () => {
      isEnded = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', resume)
    }
  }, [])
  return [shown, () => refresh.current()]
}

const load = async (needsHistory: boolean): Promise<ConsoleState> => {
  const answer = await fetch(`/console/state?history=${needsHistory ? 'all' : 'new'}`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as ConsoleState
}

/** Adds new samples to those that are known. A process that is new here gets its history with the next answer. */
const merge = (known: ConsoleState | undefined, next: ConsoleState): ConsoleState => {
  if (known === undefined) return next
  const processes = next.processes.map((one): ShownProcess => {
    const before = known.processes.find(({ id }) => id === one.id)
    if (before === undefined) return { ...one, samples: [] }
    return { ...one, samples: append(before.samples, one.samples) }
  })
  return { ...next, processes }
}

const append = (before: readonly Sample[], added: readonly Sample[]): Sample[] => {
  const last = before.at(-1)?.at ?? 0
  return [...before, ...added.filter(({ at }) => at > last)].slice(-SAMPLES_KEPT)
}

/** Makes failed jobs due. @returns what happened, as a sentence */
export const retryJobs = async (ids: readonly number[]): Promise<string> => {
  const answer = await fetch('/console/retry', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids }),
  })
  if (!answer.ok) return `The jobs were not changed: ${await answer.text()}`
  const { retried } = (await answer.json()) as { retried: number[] }
  if (retried.length === 0) return 'No job was changed: they run now, or within 15 seconds anyway.'
  return retried.length === 1 ? `Job ${retried[0]} is due now.` : `${retried.length} jobs are due now.`
}
