/**
 * Runs one job: reserves its row, waits until the realm's state is at least as new as the row, calls the handler of its
 * kind, and carries out the effect that the handler returns.
 *
 * 1. The row decides: a job that is done, or that another process has reserved, is skipped. The reservation is extended
 *    while the job runs, so another process runs the job only after this one died.
 * 2. A job that fails is postponed, each time for longer. Its row stays in the table until the job succeeds.
 * 3. A process carries out at most EFFECTS_PER_REALM effects of one realm at a time: they wait for the lock of the
 *    realm's head, and those of one realm must not occupy the connections that the other realms need.
 */
import pLimit, { type LimitFunction } from 'p-limit'
import type { Logger } from 'pino'
import { extendReservation, type JobKind, type JobRow, postponeJob, reserveJob } from '../store/jobs/job-table.js'
import { StaleStateError } from '../store/log/log.js'
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
import { invitationAccepted } from './accounts/invitation-accepted.js'
import { invitationMail, joinMail } from './accounts/invitation-mail.js'
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
  join_mail: joinMail,
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

/** For how long no other process runs a job that this one has reserved, in seconds. */
const RESERVED_SECS = 15
const EXTEND_MS = 5_000
const EFFECTS_PER_REALM = 2

export type RunJob = (id: number) => Promise<void>

/** @returns a function that runs the job of an id, if it still needs to be. It never rejects. */
export const openRunner = (worker: WorkerDependencies): RunJob => {
  const { writing, log } = worker
  const limitEffects = openEffectLimits()
  return async (id) => {
    let extending: NodeJS.Timeout | undefined
    try {
      const job = await reserveJob(writing.sql, id, RESERVED_SECS)
      if (job === undefined) return
      extending = setInterval(() => void extendReservation(writing.sql, id, RESERVED_SECS).catch(() => {}), EXTEND_MS)
      await attempt(worker, job, limitEffects)
    } catch (error) {
      clearInterval(extending)
      // A realm whose structure changes without pause makes its jobs wait: that is no failure of the job.
      if (error instanceof StaleStateError || error instanceof JobNotReadyError)
        log.debug({ job: id, err: error }, 'a job is put off')
      else log.error({ job: id, err: error }, 'a job failed')
      // When Postgres itself is away, the sweeper comes back to the row anyway.
      await postponeJob(writing.sql, id).catch(() => {})
    } finally {
      clearInterval(extending)
    }
  }
}

type LimitEffects = <T>(realm: Realm, work: () => Promise<T>) => Promise<T>

/** @returns a function that runs at most EFFECTS_PER_REALM pieces of work of one realm at a time (3) */
const openEffectLimits = (): LimitEffects => {
  const limits = new WeakMap<Realm, LimitFunction>()
  return (realm, work) => {
    const limit = limits.get(realm) ?? pLimit(EFFECTS_PER_REALM)
    limits.set(realm, limit)
    return limit(work)
  }
}

const attempt = async (
  { writing, realms, ...dependencies }: WorkerDependencies,
  job: JobRow,
  limitEffects: LimitEffects,
): Promise<void> => {
  const realm = await realms.get(job.realm_id)
  if (realm === undefined) throw new Error(`there is no realm ${job.realm_id}`)
  let done: Promise<unknown> | undefined
  const outside = <T>(act: () => Promise<T>): Promise<T> => {
    done ??= act()
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
      await limitEffects(realm, () => applyEffect(write, job.id, effect))
      return
    } catch (error) {
      if (!(error instanceof StaleStateError) || round === MOST_ATTEMPTS) throw error
    }
  }
}
