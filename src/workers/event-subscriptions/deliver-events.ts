/**
 * Delivers one event subscription: from its position on, in the order of the log, until nothing is left.
 *
 * 1. What it delivers is what a queue of the account would get (store/events/backlog.ts), with the permissions of the
 *    account at each event. Before each attempt it checks that the account, its credentials and the organization are
 *    still as they must be.
 * 2. It goes on only when the receiver has confirmed and the position is stored. When the row was changed meanwhile, it
 *    reads it again.
 * 3. Entries that are not for the subscription move the position too, but it is stored for them only from time to time.
 * 4. When nothing is left, it waits some seconds for the next entry, so that events of a conversation are delivered
 *    at once. After MAX_RUN_MS it lets others have its slot.
 * 5. A snapshot has an id that tells its positions: one that is taken again is another one, because events follow it
 *    from another position.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { secondsNow } from '#rules/time.js'
import { isFailingForLong, pauseAfter } from '../../domain/event-subscriptions/attempts.js'
import {
  type EventSubscriptionChange,
  eventSubscriptionChanged,
} from '../../domain/event-subscriptions/event-subscription-entries.js'
import type { BrokenReason, EventSubscription } from '../../domain/event-subscriptions/event-subscriptions.js'
import { eventId, toSeq } from '../../domain/log/event-id.js'
import type { RealmState } from '../../domain/log/state.js'
import type { ServerFacts } from '../../domain/register/snapshot-request.js'
import {
  type Progress,
  reloadSubscription,
  requestSnapshot,
  storeFailure,
  storeProgress,
  storeTestOutcome,
} from '../../store/event-subscriptions/deliveries.js'
import { LogTrimmedError, loadBacklog, type QueuedEvent } from '../../store/events/backlog.js'
import type { QueuedJob } from '../../store/jobs/job-table.js'
import type { Realm } from '../../store/log/realm.js'
import type { Realms } from '../../store/log/realms.js'
import { loadDetachedSnapshot } from '../../store/register/detached-snapshot.js'
import type { Sql } from '../../store/sql.js'
import type { DeliveryCounts } from './delivery-counts.js'
import { type EventSink, type OpenSink, SinkError, type SinkEvent } from './sinks/event-sink.js'

/** What is loaded at a time: a worker delivers many subscriptions at once. */
const BOUNDS = { events: 500, characters: 1_000_000 }
/** A run ends after so many milliseconds, and waits so long for the next entry (4). */
const MAX_RUN_MS = 60_000
const LINGER_MS = 5_000
/** A shorter pause is waited for; for a longer one, the subscription leaves its slot. */
const MAX_WAITED_SECS = 4
/** A sink that does not answer is given up after so many milliseconds. */
const ATTEMPT_MS = 12_000
/** How often the position is stored for entries that are not for the subscription (3). */
const STORE_SKIPPED_MS = 2_000
/** When a subscription is looked at again whose account or organization is not active. */
const INACTIVE_SECS = 5

/** The parts of the worker that deliveries use. */
export interface DeliveryDependencies {
  sql: Sql
  realms: Pick<Realms, 'get'>
  openSink: OpenSink
  readServerFacts(state: RealmState): Promise<ServerFacts>
  enqueueJobs(jobs: readonly QueuedJob[]): void
  counts: DeliveryCounts
  log: Logger
}

/** One run. */
interface Run {
  readonly dependencies: DeliveryDependencies
  readonly realm: Realm
  readonly runner: string
  /** aborted when the worker drains: no further attempt begins */
  readonly stop: AbortSignal
  /** the row as it was stored last */
  held: EventSubscription
  sink: EventSink
  /** up to where the log was read; its part after `held.seq` was not for the subscription */
  readSeq: number
  storedAt: number
  /** an entry says that the row was changed */
  isChanged: boolean
  /** ends the wait for an entry */
  wake(): void
}

/** What follows a step: the next one; the row is read again; a wait for an entry; or the end, and when it is due. */
type Next = 'go on' | 'read again' | 'wait' | { pause: number }

/**
 * Delivers a reserved subscription.
 * @returns the seconds until it is due again
 */
export const deliverEvents = async (
  dependencies: DeliveryDependencies,
  reserved: EventSubscription,
  runner: string,
  stop: AbortSignal,
): Promise<number> => {
  const realm = await dependencies.realms.get(reserved.realm_id)
  if (realm === undefined) return INACTIVE_SECS
  await realm.barrier()
  const sink = openSinkOf(dependencies, realm, reserved)
  const progress = { held: reserved, sink, readSeq: reserved.seq, storedAt: 0, isChanged: false }
  const run: Run = { dependencies, realm, runner, stop, ...progress, wake: () => {} }
  const unlisten = realm.listen({
    entry({ kind, data }) {
      const isOwn = kind === eventSubscriptionChanged.kind.kind
      if (isOwn && (data as EventSubscriptionChange).subscription_id === reserved.id) run.isChanged = true
      run.wake()
    },
    ephemeral: () => undefined,
    hasClients: () => true,
  })
  try {
    return await deliverUntil(run, performance.now() + MAX_RUN_MS)
  } finally {
    unlisten()
    await run.sink.close().catch(() => {})
  }
}

const deliverUntil = async (run: Run, end: number): Promise<number> => {
  while (!run.stop.aborted && performance.now() < end) {
    let next = run.isChanged ? 'read again' : await takeStep(run)
    if (next === 'wait') next = (await waitForEntry(run)) ? 'go on' : { pause: 0 }
    if (next === 'read again' && !(await readAgain(run))) return 0
    if (typeof next === 'object') {
      if (next.pause === 0 || next.pause > MAX_WAITED_SECS) {
        await storeSkipped(run, 0)
        return next.pause
      }
      await sleep(next.pause * 1_000, undefined, { signal: run.stop }).catch(() => {})
      if (!(await readAgain(run))) return 0
    }
  }
  await storeSkipped(run, 0)
  return 0
}

const openSinkOf = ({ openSink }: DeliveryDependencies, realm: Realm, held: EventSubscription): EventSink => {
  const { id, realm_id, sink: kind, address, secret_version, former_secret_until } = held
  const { keys } = realm.state.deployment
  const hasFormer = former_secret_until !== null && former_secret_until > secondsNow()
  const versions = hasFormer ? [secret_version, secret_version - 1] : [secret_version]
  const secrets = versions.flatMap((version) => keys.signingSecrets(realm_id, id, version))
  return openSink({ kind, address, realm_id, subscription_id: id, secrets })
}

/** Reads the row again. @returns false: the subscription is not this worker's any more */
const readAgain = async (run: Run): Promise<boolean> => {
  const { dependencies, realm, runner } = run
  run.isChanged = false
  const row = await reloadSubscription(dependencies.sql, run.held, runner)
  if (row === undefined) return false
  if (row.version !== run.held.version) {
    await run.sink.close().catch(() => {})
    run.sink = openSinkOf(dependencies, realm, row)
    run.readSeq = row.seq
  }
  run.held = row
  return true
}

const takeStep = async (run: Run): Promise<Next> => {
  const { held, realm } = run
  if (!isAccountActive(run)) return { pause: INACTIVE_SECS }
  if (held.test_id !== null) return deliverTest(run, held.test_id)
  if (held.state === 'paused' || (held.reason !== null && held.reason !== 'failing')) return { pause: 0 }
  if (!hasCredentials(run)) return breakOff(run, 'credentials_changed', 'the credentials of the account were changed')
  if (held.wants_snapshot) return deliverSnapshot(run)
  return run.readSeq >= realm.seq ? 'wait' : deliverBacklog(run)
}

const isAccountActive = ({ held, realm: { state } }: Run): boolean =>
  state.users.get(held.user_id)?.is_active === true && state.realm.is_active && !state.realm.is_moving

const hasCredentials = ({ held, realm: { state } }: Run): boolean =>
  state.users.get(held.user_id)?.key_version === held.key_version

/** Whether nothing has happened since the step began that ends the delivery (1). */
const mayGoOn = (run: Run): boolean =>
  !run.stop.aborted && !run.isChanged && isAccountActive(run) && hasCredentials(run)

const deliverBacklog = async (run: Run): Promise<Next> => {
  const { dependencies, realm, held } = run
  const { id, user_id, profile, content_seq } = held
  const cursor = eventId(run.readSeq)
  const backlog = await loadBacklog(
    dependencies.sql,
    realm,
    { id, user_id, profile, content_seq },
    cursor,
    BOUNDS,
  ).catch((error: unknown) => {
    if (error instanceof LogTrimmedError) return undefined
    throw error
  })
  if (backlog === undefined) return bridgeGap(run)
  const { events } = backlog
  // A receiver that has failed gets one event first.
  for (let i = 0; i < events.length; ) {
    if (!mayGoOn(run)) return 'read again'
    const batch = events.slice(i, i + (run.held.failures > 0 ? 1 : run.sink.maxBatch))
    const ids = batch.map((event) => event.id)
    const failed = await attempt(
      run,
      batch.map((event) => composeSinkEvent(run, event)),
      ids[0] ?? null,
    )
    if (failed !== undefined) return failed
    const seq = toSeq(ids.at(-1) ?? 0)
    if (!(await store(run, { seq, delivered: batch.length }))) return 'read again'
    i += batch.length
  }
  run.readSeq = Math.max(run.readSeq, toSeq(backlog.cursor))
  await storeSkipped(run, STORE_SKIPPED_MS)
  return backlog.isComplete ? 'wait' : 'go on'
}

const composeSinkEvent = ({ held }: Run, { id, json }: QueuedEvent): SinkEvent => ({
  id: `evt_${held.id}_${id}`,
  type: readType(json),
  realm_id: held.realm_id,
  subscription_id: held.id,
  timestamp: secondsNow(),
  body: json,
})

/** The type of an event: the second member of its text (event-json.ts). */
const readType = (json: string): string => /^\{"id":\d+,"type":"([a-z_]+)"/.exec(json)?.[1] ?? JSON.parse(json).type

/** The log does not have the position any more: the subscription continues with a snapshot, or stops. */
const bridgeGap = async (run: Run): Promise<Next> => {
  const { dependencies, held, runner } = run
  const error = `the log does not have the events after ${eventId(held.seq)} any more`
  if (held.on_gap === 'stop') return breakOff(run, 'position_lost', error)
  const row = await requestSnapshot(dependencies.sql, held, runner, { at: secondsNow(), event_id: null, error })
  if (row === undefined) return 'read again'
  run.held = row
  return 'go on'
}

const deliverSnapshot = async (run: Run): Promise<Next> => {
  const { dependencies, realm, held } = run
  const viewer = realm.state.users.get(held.user_id)
  if (viewer === undefined) return { pause: INACTIVE_SECS }
  const server = await dependencies.readServerFacts(realm.state)
  const sections = held.fetch_event_types
  const taken = await loadDetachedSnapshot(dependencies.sql, realm, viewer, held.profile, sections, server)
  const { state_seq, content_seq, text } = taken
  if (!mayGoOn(run)) return 'read again'
  const event = {
    id: `evt_${held.id}_snapshot_${state_seq}_${content_seq}`,
    type: 'snapshot',
    realm_id: held.realm_id,
    subscription_id: held.id,
    timestamp: secondsNow(),
    body: `{"id":${eventId(state_seq)},"type":"snapshot","snapshot":${text}}`,
  }
  const failed = await attempt(run, [event], null)
  if (failed !== undefined) return failed
  if (!(await store(run, { seq: state_seq, content_seq, delivered: 1 }))) return 'read again'
  run.readSeq = state_seq
  return 'go on'
}

/** Delivers a test, which is no event: it moves no position, and its failure counts for nothing. */
const deliverTest = async (run: Run, test_id: string): Promise<Next> => {
  const { dependencies, held, runner } = run
  const at = secondsNow()
  const event = {
    id: `test_${test_id}`,
    type: 'test',
    realm_id: held.realm_id,
    subscription_id: held.id,
    timestamp: at,
    body: JSON.stringify({ type: 'test', subscription_id: held.id }),
  }
  const error = await send(run, [event])
  const row = await storeTestOutcome(dependencies.sql, held, runner, { at, error: error?.message ?? null })
  if (row === undefined) return 'read again'
  run.held = row
  return 'go on'
}

/** Sends a batch, and records a failure. @returns undefined: the receiver has confirmed */
const attempt = async (run: Run, batch: readonly SinkEvent[], event_id: number | null): Promise<Next | undefined> => {
  const { counts } = run.dependencies
  const began = performance.now()
  const error = await send(run, batch)
  if (error !== undefined) {
    counts.failures += 1
    return recordFailure(run, error, event_id)
  }
  counts.durations.add((performance.now() - began) / 1_000)
  counts.delivered += batch.length
  return undefined
}

/** @returns why the receiver has not confirmed */
const send = async ({ sink }: Run, batch: readonly SinkEvent[]): Promise<SinkError | undefined> => {
  try {
    await sink.deliver(batch, AbortSignal.timeout(ATTEMPT_MS))
    return undefined
  } catch (error) {
    return error instanceof SinkError ? error : new SinkError(String(error))
  }
}

const recordFailure = async (run: Run, error: SinkError, event_id: number | null): Promise<Next> => {
  const { held } = run
  if (error.reason === 'gone') return breakOff(run, 'gone', error.message, event_id)
  const failures = held.failures + 1
  const secs = held.failing_since === null ? 0 : secondsNow() - held.failing_since
  const reason = isFailingForLong(failures, secs) ? 'failing' : undefined
  const isStored = await storeFailed(run, error.message, event_id, reason)
  return isStored ? { pause: pauseAfter(failures, error.retry_after) } : 'read again'
}

/** Stops the subscription until one who controls it resumes it. */
const breakOff = async (
  run: Run,
  reason: BrokenReason,
  error: string,
  event_id: number | null = null,
): Promise<Next> => {
  const isStored = await storeFailed(run, error, event_id, reason)
  return isStored ? { pause: 0 } : 'read again'
}

const storeFailed = async (
  run: Run,
  error: string,
  event_id: number | null,
  reason: BrokenReason | undefined,
): Promise<boolean> => {
  const { dependencies, held, runner } = run
  const stored = await storeFailure(dependencies.sql, held, runner, {
    error: { at: secondsNow(), event_id, error },
    reason,
    ...(reason === undefined
      ? {}
      : { notice: { kind: 'broken_event_subscription', payload: { subscription_id: held.id, reason } } }),
  })
  if (stored === undefined) return false
  run.held = stored.row
  dependencies.enqueueJobs(stored.jobs)
  return true
}

/** Stores the position. @returns false: the row was changed meanwhile */
const store = async (run: Run, progress: Progress): Promise<boolean> => {
  const row = await storeProgress(run.dependencies.sql, run.held, run.runner, progress)
  if (row === undefined) return false
  run.held = row
  run.readSeq = Math.max(run.readSeq, row.seq)
  run.storedAt = performance.now()
  return true
}

/** Stores the position after entries that were not for the subscription (3). @param ms since it was stored last */
const storeSkipped = async (run: Run, ms: number): Promise<void> => {
  if (run.isChanged || run.readSeq <= run.held.seq || performance.now() - run.storedAt < ms) return
  await store(run, { seq: run.readSeq, delivered: 0 })
}

/** Waits for an entry after those that were read. @returns whether there is one */
const waitForEntry = (run: Run): Promise<boolean> =>
  new Promise((resolve) => {
    const { realm, stop } = run
    const end = () => {
      run.wake = () => {}
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve(realm.seq > run.readSeq)
    }
    const timer = setTimeout(end, LINGER_MS)
    run.wake = end
    stop.addEventListener('abort', end)
    if (realm.seq > run.readSeq || stop.aborted) end()
  })
