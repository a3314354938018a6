/**
 * What a worker does by the clock. Every worker does all of it: each turn is harmless to repeat, so nobody has to be
 * chosen, and nothing stops when one of them does.
 */
import { secondsNow } from '../domain/permissions/permissions.js'
import { claimRealmToCount, countChannels } from '../store/channels/channel-activity.js'
import { loadUnclaimedFiles, removeUnclaimedFile } from '../store/files/file-removal.js'
import { removeAbandonedUploads } from '../store/files/resumable-uploads.js'
import { announceFullMembers, findRealmsWithNewFullMembers } from '../store/groups/full-members.js'
import { dueJobs, forgetDoneJobs } from '../store/jobs/job-table.js'
import { trimLog } from '../store/log/log.js'
import type { Realm } from '../store/log/realm.js'
import { WriteContext } from '../store/log/write-context.js'
import { forgetDeleted } from '../store/messages/editing/deletion.js'
import { expireSome, realmsWithRetention } from '../store/messages/editing/retention.js'
import { mailMissed, noteMissed, realmsToLookAt } from '../store/messages/missed/missed-messages.js'
import { indexRealm, realmsToIndex } from '../store/messages/narrow/search-index.js'
import { collectQueues } from '../store/register/event-queues.js'
import type { WorkerDependencies } from './run.js'
import { runEach } from './run-each.js'

/** Jobs that are due for longer than this did not come through Redis: it forgot them, or their worker died. */
const OVERDUE_SECS = 3
const SWEEP_MS = 2_000
/** How far the words of messages are behind the messages; a search reads the rest as it is. */
const WORDS_MS = 1_000
const SWEEP_LIMIT = 200
/** How late it is seen that somebody missed something, and that it is time to tell them. */
const MISSED_MS = 3_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Done jobs are kept for a while, for whoever wonders whether one ran. */
const KEEP_DONE_HOURS = 24

export interface Schedule {
  /** Starts nothing new, and resolves when what is running has ended. */
  stop(): Promise<void>
}

export interface ScheduleOptions {
  /** whether people are told by mail what they missed */
  mails_missed: boolean
  /** for how many days something is kept */
  log_retention_days: number
  unclaimed_uploads_days: number
}

export const startSchedule = (
  {
    writing,
    realms,
    files,
    log,
    log_retention_days,
    unclaimed_uploads_days,
    mails_missed,
  }: WorkerDependencies & ScheduleOptions,
  run: (job_id: number) => Promise<void>,
): Schedule => {
  const { sql } = writing
  const sweep = async () => {
    const jobs = await dueJobs(sql, OVERDUE_SECS, SWEEP_LIMIT)
    for (const { id } of jobs) if (!isStopped) await run(id)
  }
  const runInEachRealm = (realm_ids: readonly number[], work: (realm: Realm) => Promise<unknown>) =>
    runEach(realm_ids, async (id) => {
      const realm = isStopped ? undefined : await realms.get(id)
      if (realm !== undefined) await work(realm)
    })
  const announceNewFullMembers = async () =>
    runInEachRealm(await findRealmsWithNewFullMembers(sql), (realm) => announceFullMembers(writing, realm))
  const countAllChannels = async () => {
    for (let id = await claimRealmToCount(sql); id !== undefined && !isStopped; id = await claimRealmToCount(sql)) {
      const realm_id = id
      await countChannels(writing, realm_id, () => realms.get(realm_id))
    }
  }
  const removeUnclaimedFiles = async () =>
    runEach(await loadUnclaimedFiles(sql, unclaimed_uploads_days, SWEEP_LIMIT), async (row) => {
      const realm = isStopped ? undefined : await realms.get(row.realm_id)
      if (realm !== undefined) await removeUnclaimedFile(WriteContext.open(writing, realm), files, row)
    })
  const expireMessages = async () =>
    runInEachRealm(await realmsWithRetention(sql), async (realm) => {
      while (!isStopped && (await expireSome(writing, realm)));
    })
  const recordMissedMessages = async () =>
    runInEachRealm(await realmsToLookAt(sql), async (realm) => {
      while (!isStopped && (await noteMissed(sql, realm, secondsNow())));
    })
  const indexWords = async () =>
    runEach(await realmsToIndex(sql), (id) => (isStopped ? Promise.resolve() : indexRealm(sql, id)))
  let isStopped = false
  const timers = [
    startTimer(SWEEP_MS, 'sweep', sweep),
    startTimer(WORDS_MS, 'index words', indexWords),
    ...(mails_missed
      ? [
          startTimer(MISSED_MS, 'look who missed what', recordMissedMessages),
          startTimer(MISSED_MS, 'mail what was missed', () =>
            repeatUntilEmpty(() => mailMissed(writing, secondsNow())),
          ),
        ]
      : []),
    startTimer(MINUTE_MS, 'collect queues', () => collectQueues(sql)),
    startTimer(MINUTE_MS, 'tell of full members', announceNewFullMembers),
    startTimer(MINUTE_MS, 'count messages in channels', countAllChannels),
    startTimer(HOUR_MS, 'remove unclaimed files', removeUnclaimedFiles),
    startTimer(HOUR_MS, 'delete messages whose time is over', expireMessages),
    startTimer(HOUR_MS, 'remove abandoned uploads', () =>
      repeatUntilEmpty(() => removeAbandonedUploads(sql, files, SWEEP_LIMIT)),
    ),
    startTimer(HOUR_MS, 'trim the log', () => repeatUntilEmpty(() => trimLog(sql, log_retention_days))),
    startTimer(HOUR_MS, 'forget deleted messages', () => repeatUntilEmpty(() => forgetDeleted(sql))),
    startTimer(HOUR_MS, 'forget done jobs', () => repeatUntilEmpty(() => forgetDoneJobs(sql, KEEP_DONE_HOURS))),
  ]

  /** Runs `work` again and again, `ms` after it ended. */
  function startTimer(ms: number, name: string, work: () => Promise<unknown>) {
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> = Promise.resolve()
    const tick = () => {
      running = work()
        .then(() => {})
        .catch((error) => log.warn({ err: error }, `could not ${name}`))
        .then(() => {
          if (!isStopped) timer = setTimeout(tick, ms)
        })
    }
    timer = setTimeout(tick, ms)
    return {
      async stop() {
        clearTimeout(timer)
        await running
      },
    }
  }

  const repeatUntilEmpty = async (batch: () => Promise<number>) => {
    while (!isStopped && (await batch()) > 0);
  }

  return {
    async stop() {
      isStopped = true
      await Promise.all(timers.map((turn) => turn.stop()))
    },
  }
}
