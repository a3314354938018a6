/**
 * Runs one job: reserves its row, waits until the realm's state is at least as new as the row, calls the handler of its
 * kind, and carries out the effect that the handler returns.
 *
 * 1. The row decides: a job that is done, or that another process has reserved, is skipped. The reservation is extended
 *    while the job runs, so another process runs the job only after this one died.
 * 2. A job that fails is postponed, each time for longer. Its row stays in the table until the job succeeds.
 * 3. A process carries out few effects of one realm at a time: they wait for the lock of the realm's head, and those of
 *    one realm must not occupy the connections that the other realms need.
 */
import type { Logger } from 'pino'
import { ApiError } from '../domain/protocol/errors.js'
import { noteExhaustion } from '../store/disk-space.js'
import type { FairQueue } from '../store/fairness/fair-queue.js'
import { openFairQueue } from '../store/fairness/fair-queues.js'
import {
  extendReservation,
  type JobKind,
  type JobRow,
  postponeJob,
  RESERVED_SECS,
  reserveJob,
} from '../store/jobs/job-table.js'
import { changeRealm } from '../store/log/change-realm.js'
import type { Realm } from '../store/log/realm.js'
import type { Realms } from '../store/log/realms.js'
import { WriteContext, type WriteDependencies } from '../store/log/write-context.js'
import {
  credentialsMail,
  deactivationMail,
  emailChangedMail,
  emailChangeMail,
  loginMail,
  passwordChangedMail,
  passwordResetMail,
  welcomeMail,
} from './accounts/account-mail.js'
import { endStatus } from './accounts/end-status.js'
import { invitationAccepted } from './accounts/invitation-accepted.js'
import { invitationMail, joinMail } from './accounts/invitation-mail.js'
import { secondFactorMail } from './accounts/second-factor-mail.js'
import { signUpDecidedMail, signUpMail } from './accounts/sign-up-mail.js'
import { signupNotice } from './accounts/signup-notice.js'
import { welcomeMessage } from './accounts/welcome-message.js'
import { channelNews } from './channels/channel-news.js'
import { channelNotices } from './channels/channel-notices.js'
import { subscriptionNotices } from './channels/subscription-notices.js'
import { brokenEventSubscription } from './event-subscriptions/broken-event-subscription.js'
import { externalPicture } from './files/external-picture.js'
import { fileWords } from './files/file-words.js'
import { thumbnail } from './files/thumbnail.js'
import { groupNotices } from './groups/group-notices.js'
import { applyEffect, type Effect } from './jobs/effects.js'
import type { JobCounts } from './jobs/job-counts.js'
import { type JobDependencies, type JobHandler, JobNotReadyError } from './jobs/job-handler.js'
import { directoryChanges } from './log-in/directory-changes.js'
import { directoryPicture } from './log-in/directory-picture.js'
import { directoryRun } from './log-in/directory-run.js'
import { endQueues } from './log-in/end-queues.js'
import { archiveFlags } from './messages/archive-flags.js'
import { deleteTopic } from './messages/delete-topic.js'
import { markRead } from './messages/mark-read.js'
import { missedMail } from './messages/missed-mail.js'
import { moveNotices } from './messages/move-notices.js'
import { outgoingWebhook } from './messages/outgoing-webhook.js'
import { pagePreviews } from './messages/page-previews.js'
import { readLeftChannel } from './messages/read-left-channel.js'
import { reminder } from './messages/reminder.js'
import { scheduledMessage } from './messages/scheduled-message.js'
import { starredAccess } from './messages/starred-access.js'
import { deleteRealm } from './realm/delete-realm.js'
import { realmExport } from './realm/realm-export.js'
import { restartNews } from './realm/restart-news.js'

/** The handler of each kind of job. A new kind is a file, a payload in store/jobs/job-table.ts, and a line here. */
const handlers: { readonly [K in JobKind]: JobHandler<K> } = {
  subscription_notices: subscriptionNotices,
  channel_notices: channelNotices,
  channel_news: channelNews,
  group_notices: groupNotices,
  invitation_mail: invitationMail,
  join_mail: joinMail,
  sign_up_mail: signUpMail,
  sign_up_decided_mail: signUpDecidedMail,
  invitation_accepted: invitationAccepted,
  signup_notice: signupNotice,
  welcome_mail: welcomeMail,
  welcome_message: welcomeMessage,
  email_change_mail: emailChangeMail,
  email_changed_mail: emailChangedMail,
  credentials_mail: credentialsMail,
  login_mail: loginMail,
  second_factor_mail: secondFactorMail,
  password_reset_mail: passwordResetMail,
  password_changed_mail: passwordChangedMail,
  deactivation_mail: deactivationMail,
  missed_mail: missedMail,
  outgoing_webhook: outgoingWebhook,
  broken_event_subscription: brokenEventSubscription,
  page_previews: pagePreviews,
  external_picture: externalPicture,
  move_notices: moveNotices,
  read_left_channel: readLeftChannel,
  starred_access: starredAccess,
  archive_flags: archiveFlags,
  mark_read: markRead,
  reminder,
  end_status: endStatus,
  scheduled_message: scheduledMessage,
  realm_export: realmExport,
  thumbnail,
  file_words: fileWords,
  restart_news: restartNews,
  delete_realm: deleteRealm,
  delete_topic: deleteTopic,
  directory_run: directoryRun,
  directory_changes: directoryChanges,
  directory_picture: directoryPicture,
  end_queues: endQueues,
}

/** The parts of a worker process. */
export interface WorkerDependencies extends JobDependencies {
  writing: WriteDependencies
  realms: Realms
  counts: JobCounts
  log: Logger
}

/** Milliseconds between two extensions of a reservation. */
const EXTEND_MS = 5_000

/** Runs the job with this id, if it is due and not done. Never rejects. */
export type RunJob = (id: number) => Promise<void>

/** Creates the function that runs jobs in this worker. */
export const openRunner = (worker: WorkerDependencies): RunJob => {
  const { writing, log, counts } = worker
  const effects = openFairQueue('job_effects')
  return async (id) => {
    let extending: NodeJS.Timeout | undefined
    let kind: JobKind | undefined
    try {
      const job = await reserveJob(writing.sql, id, RESERVED_SECS)
      if (job === undefined) return
      kind = job.kind
      extending = setInterval(() => void extendReservation(writing.sql, id, RESERVED_SECS).catch(() => {}), EXTEND_MS)
      const began = performance.now()
      await attempt(worker, job, effects)
      counts.countDone(job.kind, (performance.now() - began) / 1000)
    } catch (error) {
      clearInterval(extending)
      noteExhaustion(error)
      // Continuous structural changes of a realm, and servers that are not ready, are no failures of the job.
      const isPostponed = isAlwaysStale(error) || error instanceof JobNotReadyError
      if (isPostponed) log.debug({ job: id, err: error }, 'a job was postponed')
      else log.error({ job: id, kind, err: error }, 'a job failed')
      if (kind !== undefined && !isPostponed) counts.countFailure(kind)
      // If Postgres is unreachable, the sweeper finds the row later.
      await postponeJob(writing.sql, id, String(error)).catch(() => {})
    } finally {
      clearInterval(extending)
    }
  }
}

/** Whether the structure of the realm changed during each attempt of a job (store/log/change-realm.ts, 3). */
const isAlwaysStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'SERVER_NOT_READY'

const attempt = async (
  { writing, realms, ...dependencies }: WorkerDependencies,
  job: JobRow,
  effects: FairQueue,
): Promise<void> => {
  const realm = await realms.get(job.realm_id)
  if (realm === undefined) throw new Error(`there is no realm ${job.realm_id}`)
  let result: Promise<unknown> | undefined
  const runExternalCall = <T>(call: () => Promise<T>): Promise<T> => {
    result ??= call()
    return result as Promise<T>
  }
  const { payload, attempts } = job
  const handle = handlers[job.kind] as (job: object) => Promise<Effect>
  await realm.barrier()
  await changeRealm(WriteContext.open(writing, realm), async (write) => {
    requireOpen(realm, job.kind)
    const effect = await handle({ ...dependencies, write, realm, job_id: job.id, payload, attempts, runExternalCall })
    await effects.run(realm, () => applyEffect(write, job.id, effect))
  })
}

/** Throws JobNotReadyError while jobs of the realm do not run. */
const requireOpen = ({ state }: Realm, kind: JobKind): void => {
  if (!state.realm.is_active && kind !== 'delete_realm') throw new JobNotReadyError('the organization is deactivated')
  if (state.realm.is_moving) throw new JobNotReadyError('the organization is moved to another cell')
}
