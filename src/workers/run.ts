/**
 * Runs one job: reads its row, brings the realm to where it was written or later, asks its kind for the effect, and
 * carries that out.
 *
 * 1. The row decides: a job that is done, or that another process is carrying out, is left alone.
 * 2. A job that fails is put off, later each time. It stays in the table until it succeeds.
 */
import type { Logger } from 'pino'
import type { Writer } from '../store/change.js'
import { carryOut, type Effect } from '../store/effects.js'
import { holdJob, type JobKind, type JobRow, openJob, postponeJob } from '../store/jobs-table.js'
import { Moved } from '../store/log.js'
import type { Realms } from '../store/realms.js'
import {
  deactivationMail,
  emailChangedMail,
  emailChangeMail,
  loginMail,
  passwordResetMail,
  welcomeMail,
} from './account-mail.js'
import { channelNews } from './channel-news.js'
import { channelNotices } from './channel-notices.js'
import { deleteRealm } from './delete-realm.js'
import { deleteTopic } from './delete-topic.js'
import { groupNotices } from './group-notices.js'
import { invitationAccepted } from './invitation-accepted.js'
import { invitationMail } from './invitation-mail.js'
import { markRead } from './mark-read.js'
import { missedMail } from './missed-mail.js'
import { moveNotices } from './move-notices.js'
import { outgoingWebhook } from './outgoing-webhook.js'
import { pagePreviews } from './page-previews.js'
import { readLeftChannel } from './read-left-channel.js'
import { realmExport } from './realm-export.js'
import { reminder } from './reminder.js'
import { restartNews } from './restart-news.js'
import { scheduledMessage } from './scheduled-message.js'
import { signupNotice } from './signup-notice.js'
import { subscriptionNotices } from './subscription-notices.js'
import { thumbnail } from './thumbnail.js'
import { type Means, NotYet, type Work } from './work.js'

/** Every kind of job there is. A new one is a file, its payload in store/jobs-table.ts, and a line here. */
const kinds: { readonly [K in JobKind]: Work<K> } = {
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
  login_mail: loginMail,
  password_reset_mail: passwordResetMail,
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

export interface Workshop extends Means {
  writer: Writer
  realms: Realms
  log: Logger
}

/** How often a job is decided anew because the structure of its realm moved under it, before it is put off. */
const MOST_ATTEMPTS = 20

/** Runs the job of this id, if it still needs to be. Never throws. */
export const runJob = async (shop: Workshop, id: number): Promise<void> => {
  const { writer, log } = shop
  try {
    const job = await openJob(writer.sql, id)
    if (job !== undefined) await attempt(shop, job)
  } catch (error) {
    // While a realm's structure changes without pause, whoever needs it to hold still has to wait.
    if (error instanceof Held) return
    if (error instanceof Moved || error instanceof NotYet) log.debug({ job: id, err: error }, 'a job is put off')
    else log.error({ job: id, err: error }, 'a job failed')
    // When Postgres itself is away, the sweeper comes back to the row anyway.
    await postponeJob(writer.sql, id).catch(() => {})
  }
}

/** For so long nobody else does what a job does outside, in seconds: longer than any of it takes. */
const HOLD_SECS = 30

/** Another process is doing it. */
class Held extends Error {}

const attempt = async ({ writer, realms, ...means }: Workshop, job: JobRow): Promise<void> => {
  const realm = await realms.get(job.realm_id)
  if (realm === undefined) throw new Error(`there is no realm ${job.realm_id}`)
  let done: Promise<unknown> | undefined
  const outside = <T>(act: () => Promise<T>): Promise<T> => {
    done ??= holdJob(writer.sql, job.id, HOLD_SECS).then((isOurs) => {
      if (!isOurs) throw new Held()
      return act()
    })
    return done as Promise<T>
  }
  const { payload, attempts } = job
  for (let round = 1; ; round++) {
    await realm.barrier()
    if (!realm.state.realm.is_active && job.kind !== 'delete_realm') throw new NotYet('the organization is deactivated')
    const guard = realm.seq
    const work = kinds[job.kind] as (assignment: object) => Promise<Effect>
    const effect = await work({ ...means, writer, realm, guard, payload, attempts, outside })
    try {
      await carryOut(writer, realm, guard, job.id, effect)
      return
    } catch (error) {
      if (!(error instanceof Moved) || round === MOST_ATTEMPTS) throw error
    }
  }
}
