/**
 * Runs one job: reads its row, waits until the realm's state is at least as new as the row, calls the handler of its
 * kind, and carries out the effect that the handler returns.
 *
 * 1. The row decides: a job that is done, or that another process is carrying out, is skipped.
 * 2. A job that fails is postponed, each time for longer. Its row stays in the table until the job succeeds.
 */
import type { Logger } from 'pino'
import { type JobKind, type JobRow, loadOpenJob, postponeJob, reserveJob } from '../store/jobs/job-table.js'
import { StaleStateError } from '../store/log/log.js'
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
import { invitationAccepted } from './accounts/invitation-accepted.js'
import { invitationMail } from './accounts/invitation-mail.js'
import { signupNotice } from './accounts/signup-notice.js'
import { channelNews } from './channels/channel-news.js'
import { channelNotices } from './channels/channel-notices.js'
import { subscriptionNotices } from './channels/subscription-notices.js'
import { thumbnail } from './files/thumbnail.js'
import { groupNotices } from './groups/group-notices.js'
import { applyEffect, type Effect } from './jobs/effects.js'
import { type JobDependencies, type JobHandler, JobNotReadyError } from './jobs/job-handler.js'
import { deleteTopic } from './messages/delete-topic.js'
import { markRead } from './messages/mark-read.js'
import { missedMail } from './messages/missed-mail.js'
import { moveNotices } from './messages/move-notices.js'
import { outgoingWebhook } from './messages/outgoing-webhook.js'
import { pagePreviews } from './messages/page-previews.js'
import { readLeftChannel } from './messages/read-left-channel.js'
import { reminder } from './messages/reminder.js'
import { scheduledMessage } from './messages/scheduled-message.js'
import { deleteRealm } from './realm/delete-realm.js'
import { realmExport } from './realm/realm-export.js'
import { restartNews } from './realm/restart-news.js'

/** Every kind of job there is. A new one is a file, its payload in store/jobs/job-table.ts, and a line here. */
const kinds: { readonly [K in JobKind]: JobHandler<K> } = {
  subscription_notices: subscriptionNotices,
  channel_notices: channelNotices,
  channel_news: channelNews,
  group_notices: groupNotices,
  invitation_mail: invitationMail,
  invitation_accepted: invitationAccepted,
  signup_notice: signupNotice,
  welcome_mail: welcomeMail,
  email_change_mail: emailChangeMail,
  email_changed_mail: emailChangedMail,
  credentials_mail: credentialsMail,
  login_mail: loginMail,
  password_reset_mail: passwordResetMail,
  password_changed_mail: passwordChangedMail,
  deactivation_mail: deactivationMail,
  missed_mail: missedMail,
  outgoing_webhook: outgoingWebhook,
  page_previews: pagePreviews,
  move_notices: moveNotices,
  read_left_channel: readLeftChannel,
  mark_read: markRead,
  reminder,
  scheduled_message: scheduledMessage,
  realm_export: realmExport,
  thumbnail,
  restart_news: restartNews,
  delete_realm: deleteRealm,
  delete_topic: deleteTopic,
}

/** What the worker process is made of. */
export interface WorkerDependencies extends JobDependencies {
  writing: WriteDependencies
  realms: Realms
  log: Logger
}

/** How often a job is decided again because the structure of its realm moved, before it is postponed. */
const MOST_ATTEMPTS = 20

/** Runs the job of this id, if it still needs to be. Never throws. */
export const runJob = async (worker: WorkerDependencies, id: number): Promise<void> => {
  const { writing, log } = worker
  try {
    const job = await loadOpenJob(writing.sql, id)
    if (job !== undefined) await attempt(worker, job)
  } catch (error) {
    if (error instanceof JobHeldError) return
    // A realm whose structure changes without pause makes its jobs wait: that is no failure of the job.
    if (error instanceof StaleStateError || error instanceof JobNotReadyError)
      log.debug({ job: id, err: error }, 'a job is put off')
    else log.error({ job: id, err: error }, 'a job failed')
    // When Postgres itself is away, the sweeper comes back to the row anyway.
    await postponeJob(writing.sql, id).catch(() => {})
  }
}

/** For so long no other process does what a job does outside the database, in seconds: longer than any of it takes. */
const HOLD_SECS = 30

/** Another process holds the job. */
class JobHeldError extends Error {}

const attempt = async ({ writing, realms, ...dependencies }: WorkerDependencies, job: JobRow): Promise<void> => {
  const realm = await realms.get(job.realm_id)
  if (realm === undefined) throw new Error(`there is no realm ${job.realm_id}`)
  let done: Promise<unknown> | undefined
  const outside = <T>(act: () => Promise<T>): Promise<T> => {
    done ??= reserveJob(writing.sql, job.id, HOLD_SECS).then((isOurs) => {
      if (!isOurs) throw new JobHeldError()
      return act()
    })
    return done as Promise<T>
  }
  const { payload, attempts } = job
  for (let round = 1; ; round++) {
    await realm.barrier()
    if (!realm.state.realm.is_active && job.kind !== 'delete_realm')
      throw new JobNotReadyError('the organization is deactivated')
    const write = WriteContext.open(writing, realm)
    const handle = kinds[job.kind] as (job: object) => Promise<Effect>
    const effect = await handle({ ...dependencies, write, realm, payload, attempts, outside })
    try {
      await applyEffect(write, job.id, effect)
      return
    } catch (error) {
      if (!(error instanceof StaleStateError) || round === MOST_ATTEMPTS) throw error
    }
  }
}
