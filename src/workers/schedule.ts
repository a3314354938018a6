/**
 * What a worker does by the clock. Every worker does all of it: each turn is harmless to repeat, so nobody has to be
 * chosen, and nothing stops when one of them does.
 */
import { secondsNow } from '../domain/permissions/permissions.js'
import { countChannels, realmToCount } from '../store/channels/channel-activity.js'
import { loadUnclaimedFiles, removeUnclaimedFile } from '../store/files/file-removal.js'
import { removeAbandonedUploads } from '../store/files/resumable-uploads.js'
import { realmsWithNewFullMembers, tellOfFullMembers } from '../store/groups/full-members.js'
import { dueJobs, forgetDoneJobs } from '../store/jobs/job-table.js'
import { trimLog } from '../store/log/log.js'
import type { Realm } from '../store/log/realm.js'
import { WriteContext } from '../store/log/write-context.js'
import { forgetDeleted } from '../store/messages/editing/deletion.js'
import { expireSome, realmsWithRetention } from '../store/messages/editing/retention.js'
import { mailMissed, noteMissed, realmsToLookAt } from '../store/messages/missed/missed-messages.js'
import { indexRealm, realmsToIndex } from '../store/messages/narrow/search-index.js'
import { collectQueues } from '../store/register/queues.js'
import { oneByOne } from './one-by-one.js'
import type { WorkerDependencies } from './run.js'

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

export interface Duties {
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
  }: WorkerDependencies & Duties,
  run: (job_id: number) => Promise<void>,
): Schedule => {
  const { sql } = writing
  const sweep = async () => {
    const jobs = await dueJobs(sql, OVERDUE_SECS, SWEEP_LIMIT)
    for (const { id } of jobs) if (!isStopped) await run(id)
  }
  const inEach = (realm_ids: readonly number[], work: (realm: Realm) => Promise<unknown>) =>
    oneByOne(realm_ids, async (id) => {
      const realm = isStopped ? undefined : await realms.get(id)
      if (realm !== undefined) await work(realm)
    })
  const tellFullMembers = async () =>
    inEach(await realmsWithNewFullMembers(sql), (realm) => tellOfFullMembers(writing, realm))
  const countRealms = async () => {
    for (let id = await realmToCount(sql); id !== undefined && !isStopped; id = await realmToCount(sql)) {
      const realm_id = id
      await countChannels(writing, realm_id, () => realms.get(realm_id))
    }
  }
  const removeUnclaimedFiles = async () =>
    oneByOne(await loadUnclaimedFiles(sql, unclaimed_uploads_days, SWEEP_LIMIT), async (row) => {
      const realm = isStopped ? undefined : await realms.get(row.realm_id)
      if (realm !== undefined) await removeUnclaimedFile(WriteContext.open(writing, realm), files, row)
    })
  const expireMessages = async () =>
    inEach(await realmsWithRetention(sql), async (realm) => {
      while (!isStopped && (await expireSome(writing, realm)));
    })
  const lookWhoMissed = async () =>
    inEach(await realmsToLookAt(sql), async (realm) => {
      while (!isStopped && (await noteMissed(sql, realm, secondsNow())));
    })
  const indexWords = async () =>
    oneByOne(await realmsToIndex(sql), (id) => (isStopped ? Promise.resolve() : indexRealm(sql, id)))
  let isStopped = false
  const turns = [
    every(SWEEP_MS, 'sweep', sweep),
    every(WORDS_MS, 'index words', indexWords),
    ...(mails_missed
      ? [
          every(MISSED_MS, 'look who missed what', lookWhoMissed),
          every(MISSED_MS, 'mail what was missed', () => untilNone(() => mailMissed(writing, secondsNow()))),
        ]
      : []),
    every(MINUTE_MS, 'collect queues', () => collectQueues(sql)),
    every(MINUTE_MS, 'tell of full members', tellFullMembers),
    every(MINUTE_MS, 'count messages in channels', countRealms),
    every(HOUR_MS, 'remove unclaimed files', removeUnclaimedFiles),
    every(HOUR_MS, 'delete messages whose time is over', expireMessages),
    every(HOUR_MS, 'remove abandoned uploads', () => untilNone(() => removeAbandonedUploads(sql, files, SWEEP_LIMIT))),
    every(HOUR_MS, 'trim the log', () => untilNone(() => trimLog(sql, log_retention_days))),
    every(HOUR_MS, 'forget deleted messages', () => untilNone(() => forgetDeleted(sql))),
    every(HOUR_MS, 'forget done jobs', () => untilNone(() => forgetDoneJobs(sql, KEEP_DONE_HOURS))),
  ]

  /** Runs `work` again and again, `ms` after it ended. */
  function every(ms: number, name: string, work: () => Promise<unknown>) {
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> = Promise.resolve()
    const turn = () => {
      running = work()
        .then(() => {})
        .catch((error) => log.warn({ err: error }, `could not ${name}`))
        .then(() => {
          if (!isStopped) timer = setTimeout(turn, ms)
        })
    }
    timer = setTimeout(turn, ms)
    return {
      async stop() {
        clearTimeout(timer)
        await running
      },
    }
  }

  const untilNone = async (batch: () => Promise<number>) => {
    while (!isStopped && (await batch()) > 0);
  }

  return {
    async stop() {
      isStopped = true
      await Promise.all(turns.map((turn) => turn.stop()))
    },
  }
}
