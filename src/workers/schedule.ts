/**
 * The periodic work of a worker. Every worker runs all of it: each run is safe to repeat, so workers need no leader,
 * and the work continues when one of them stops.
 */
import { secondsNow } from '#rules/time.js'
import { findRealmsWithExpiredKeys, removeExpiredKeys } from '../store/api-keys/api-keys.js'
import { claimRealmToCount, countChannels } from '../store/channels/channel-activity.js'
import { noteExhaustion } from '../store/disk-space.js'
import { removeOldPictures } from '../store/files/external-pictures.js'
import { loadUnclaimedFiles, removeUnclaimedFile } from '../store/files/file-removal.js'
import { removeAbandonedUploads } from '../store/files/resumable-uploads.js'
import { announceFullMembers, findRealmsWithNewFullMembers } from '../store/groups/announce-promotions.js'
import { deleteDoneJobs, type JobKind, loadOverdueRealms } from '../store/jobs/job-table.js'
import { trimLog } from '../store/log/log.js'
import { deleteOldKeys } from '../store/log/old-keys.js'
import type { Realm } from '../store/log/realm.js'
import { WriteContext } from '../store/log/write-context.js'
import { claimDueRuns } from '../store/log-in/directory-runs.js'
import { purgeDeletedMessages } from '../store/messages/editing/deleted-messages.js'
import { deleteExpiredBatch, findRealmsWithRetention } from '../store/messages/editing/retention.js'
import { enqueueMissedMail, findRealmsToScan, recordMissedMessages } from '../store/messages/missed/missed-messages.js'
import { writeJobsOfUnreadFiles } from '../store/messages/narrow/file-words.js'
import { findRealmsToIndex, indexRealm } from '../store/messages/narrow/index-messages.js'
import { findRealmsToLearn, learnBatch } from '../store/messages/narrow/known-words.js'
import { deleteOldAuditRecords } from '../store/realm/audit-log.js'
import { deleteExpiredArchive, findExpiredArchives } from '../store/realm/realm-exports.js'
import { COLLECT_MS, openQueueCollector } from '../store/register/event-queues.js'
import { deleteUnusedPositions } from '../store/register/queue-positions.js'
import { findRealmsWithExpiredSessions, removeExpiredSessions } from '../store/users/sessions.js'
import type { WorkerDependencies } from './run.js'
import { runEach, runInRounds } from './run-each.js'

/** A job overdue by this many seconds was lost by Redis, or its worker died. */
const OVERDUE_SECS = 3
const SWEEP_MS = 2_000
/** The interval of search indexing; a search scans messages that are not indexed yet. */
const WORDS_MS = 1_000
/** The intervals of reading files of former releases, and of learning words that a search may suggest. */
const UNREAD_FILES_MS = 5_000
const LEARN_MS = 2_000
const SWEEP_LIMIT = 200
/** The interval at which missed messages are recorded, and at which due mails about them are sent. */
const MISSED_MS = 3_000

/** The interval at which directories are looked for whose synchronization is due. */
const DIRECTORIES_MS = 5_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Rows of done jobs are kept this long, so that an operator can check whether a job ran. */
const KEEP_DONE_HOURS = 24

export interface Schedule {
  /** Starts no new run, and resolves when the current ones have ended. */
  stop(): Promise<void>
}

export interface ScheduleOptions {
  /** whether users receive mails about missed messages */
  mails_missed: boolean
  /** how many days log entries, and uploads that no message uses, are kept */
  log_retention_days: number
  audit_log_days: number
  unclaimed_uploads_days: number
}

/** @param wake starts the due jobs of a realm, of the class of a kind */
export const startSchedule = (
  {
    writing,
    realms,
    files,
    directories,
    log,
    log_retention_days,
    audit_log_days,
    unclaimed_uploads_days,
    mails_missed,
  }: WorkerDependencies & ScheduleOptions,
  wake: (realm_id: number, kind: JobKind) => void,
): Schedule => {
  const { sql } = writing
  const collectQueues = openQueueCollector(sql)
  const sweep = async () => {
    for (const { realm_id, kind } of await loadOverdueRealms(sql, OVERDUE_SECS)) wake(realm_id, kind)
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
  const runBatches = (realm_ids: readonly number[], batch: (realm: Realm) => Promise<boolean>) =>
    runInRounds(realm_ids, async (id) => {
      const realm = isStopped ? undefined : await realms.get(id)
      return realm !== undefined && (await batch(realm))
    })
  const expireMessages = async () =>
    runBatches(await findRealmsWithRetention(sql), (realm) => deleteExpiredBatch(writing, realm))
  const scanForMissedMessages = async () =>
    runBatches(await findRealmsToScan(sql), (realm) => recordMissedMessages(sql, realm, secondsNow()))
  const indexWords = async () =>
    runEach(await findRealmsToIndex(sql), (id) => (isStopped ? Promise.resolve() : indexRealm(sql, id)))
  const readUnreadFiles = async () => writing.enqueueJobs(await writeJobsOfUnreadFiles(sql))
  const learnWords = async () =>
    runInRounds(await findRealmsToLearn(sql), async (id) => !isStopped && (await learnBatch(sql, id)))
  const expireSessions = async () =>
    runInEachRealm(await findRealmsWithExpiredSessions(sql, secondsNow()), (realm) =>
      removeExpiredSessions(writing, realm, secondsNow()),
    )
  const removeKeys = async () =>
    runInEachRealm(await findRealmsWithExpiredKeys(sql, secondsNow()), (realm) =>
      removeExpiredKeys(writing, realm, secondsNow()),
    )
  const deleteExpiredExports = async () =>
    runEach(await findExpiredArchives(sql, SWEEP_LIMIT), async ({ realm_id, id }) => {
      const realm = isStopped ? undefined : await realms.get(realm_id)
      if (realm !== undefined) await deleteExpiredArchive(WriteContext.open(writing, realm), files, id)
    })
  const beginDirectoryRuns = async () => writing.enqueueJobs(await claimDueRuns(sql, directories))
  let isStopped = false
  const timers = [
    startTimer(SWEEP_MS, 'sweep', sweep),
    startTimer(WORDS_MS, 'index words', indexWords),
    startTimer(LEARN_MS, 'learn words', learnWords),
    startTimer(UNREAD_FILES_MS, 'read files of former releases', readUnreadFiles),
    ...(mails_missed
      ? [
          startTimer(MISSED_MS, 'record missed messages', scanForMissedMessages),
          startTimer(MISSED_MS, 'mail missed messages', () =>
            repeatUntilEmpty(() => enqueueMissedMail(writing, secondsNow())),
          ),
        ]
      : []),
    startTimer(COLLECT_MS, 'collect queues', () => collectQueues(Date.now()), 0),
    ...(directories.length > 0
      ? [startTimer(DIRECTORIES_MS, 'begin to synchronize with directories', beginDirectoryRuns)]
      : []),
    startTimer(MINUTE_MS, 'announce full members', announceNewFullMembers),
    startTimer(MINUTE_MS, 'count messages in channels', countAllChannels),
    startTimer(HOUR_MS, 'remove unclaimed files', removeUnclaimedFiles),
    startTimer(HOUR_MS, 'delete expired messages', expireMessages),
    startTimer(HOUR_MS, 'remove expired sessions', expireSessions),
    startTimer(HOUR_MS, 'remove expired API keys', removeKeys),
    startTimer(HOUR_MS, 'delete expired exports', deleteExpiredExports),
    startTimer(HOUR_MS, 'remove abandoned uploads', () =>
      repeatUntilEmpty(() => removeAbandonedUploads(sql, files, SWEEP_LIMIT)),
    ),
    startTimer(HOUR_MS, 'remove old pictures of other sites', () =>
      repeatUntilEmpty(() => removeOldPictures(sql, files, SWEEP_LIMIT)),
    ),
    startTimer(HOUR_MS, 'trim the log', () => repeatUntilEmpty(() => trimLog(sql, log_retention_days))),
    startTimer(HOUR_MS, 'trim the audit log', () => repeatUntilEmpty(() => deleteOldAuditRecords(sql, audit_log_days))),
    startTimer(HOUR_MS, 'forget deleted messages', () => repeatUntilEmpty(() => purgeDeletedMessages(sql))),
    startTimer(HOUR_MS, 'forget keys of calls', () => deleteOldKeys(sql, () => isStopped)),
    startTimer(HOUR_MS, 'forget unused positions', () =>
      repeatUntilEmpty(() => deleteUnusedPositions(sql, log_retention_days)),
    ),
    startTimer(HOUR_MS, 'forget done jobs', () => repeatUntilEmpty(() => deleteDoneJobs(sql, KEEP_DONE_HOURS))),
  ]

  /** Runs `work` repeatedly, each time `ms` after it ended. */
  function startTimer(ms: number, name: string, work: () => Promise<unknown>, first_ms = ms) {
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> = Promise.resolve()
    const tick = () => {
      running = work()
        .then(() => {})
        .catch((error) => {
          noteExhaustion(error)
          log.warn({ err: error }, `could not ${name}`)
        })
        .then(() => {
          if (!isStopped) timer = setTimeout(tick, ms)
        })
    }
    timer = setTimeout(tick, first_ms)
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
