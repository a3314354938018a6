/**
 * The durable side of jobs: a job is a row, written in the transaction that wants it and marked done in the
 * transaction that does the work; so its effect happens once, however often it runs.
 */
import type { ChannelRow } from '../../domain/log/rows.js'
import type { WebhookCall } from '../../domain/messages/sending/outgoing-webhooks.js'
import type { Db, Sql, Transaction } from '../sql.js'

/** Kinds of jobs, and what each one needs to know: ids, not rows. */
export interface JobPayloads {
  /** tells people that somebody subscribed them to channels */
  subscription_notices: { actor_id: number; user_channels: { user_id: number; channel_ids: number[] }[] }
  /** says in new channels, and where new channels are announced, who created them */
  channel_notices: { actor_id: number; channel_ids: number[]; announce: boolean }
  /** says in a channel what was changed about it */
  channel_news: { actor_id: number; channel_id: number; before: Partial<ChannelRow>; after: Partial<ChannelRow> }
  /** tells people that somebody put them into a user group, or took them out */
  group_notices: { actor_id: number; group_id: number; added: number[]; removed: number[] }
  /** reminds somebody of a message */
  reminder: { user_id: number; message_id: number }
  /** sends a message that was scheduled, if it is still due then */
  scheduled_message: { id: number; deliver_at: number }
  /** says in topics that messages were moved between them, or that one was resolved */
  move_notices: {
    actor_id: number
    old: { channel_id: number; topic: string }
    new: { channel_id: number; topic: string }
    resolves: 'resolved' | 'unresolved' | null
    notify: { old_thread: boolean; new_thread: boolean }
    /** of the messages that went */
    first_id: number
    count: number
    /** none was left behind */
    takes_all: boolean
    /** none was there before */
    into_empty: boolean
  }
  /** mails an invitation */
  invitation_mail: { invitation_id: number; realm_url: string }
  /** tells somebody that they have an account now, and where */
  welcome_mail: { user_id: number; realm_url: string }
  /** asks at a new address whether an account may have it */
  email_change_mail: { change_id: number; realm_url: string }
  /** tells at its former address that an account has another one */
  email_changed_mail: { user_id: number; former_email: string }
  /** tells somebody that their account was logged in to, by a program and from where it was not before */
  login_mail: { user_id: number; client: string; ip: string; at: number; realm_url: string }
  /** mails a link by which somebody can choose another password */
  password_reset_mail: { user_id: number; realm_url: string }
  /** tells somebody that their account was deactivated, with a word of whoever did it */
  deactivation_mail: { user_id: number; actor_id: number; comment: string }
  /** says where the organization announces it that people have joined */
  signup_notice: { user_ids: readonly number[] }
  /** tells an inviter that somebody joined */
  invitation_accepted: { user_id: number; inviter_id: number }
  /** mails somebody the messages that they missed */
  missed_mail: { user_id: number; message_ids: readonly number[] }
  /** calls the server of a bot that a message is addressed to, and posts its answer */
  outgoing_webhook: WebhookCall & { message_id: number; realm_url: string }
  /** fetches the pages that a message links to, and shows them below it, if its text is still this one */
  page_previews: { message_id: number; author_id: number; sha256: string; urls: readonly string[] }
  /** tells an organization's clients that the server is another release, and since when */
  restart_news: { began_at: number }
  /** deletes what a deactivated organization held */
  delete_realm: Record<string, never>
  /** makes the archive of an export of the organization's data */
  realm_export: { export_id: number }
  /** makes the smaller versions of an uploaded picture */
  thumbnail: { attachment_id: number }
  /** marks as read what people had not read in a channel when they left it */
  read_left_channel: { channel_id: number; user_ids: number[] }
  /** marks as read what somebody has not read in a channel, or in one topic of it, between these messages */
  mark_read: { user_id: number; channel_id: number; topic: string | null; from: number; up_to: number }
  /** deletes the messages of a topic up to this one, the newest first */
  delete_topic: { actor_id: number; channel_id: number; topic: string; up_to: number }
}

export type JobKind = keyof JobPayloads

/** `run_after` in UNIX seconds; without it the job is due at once. */
export type JobSpec = { [K in JobKind]: { kind: K; payload: JobPayloads[K]; run_after?: number } }[JobKind]

type OfMessage = 'outgoing_webhook' | 'page_previews'

/** A job that follows from a message. Its id comes with the commit. */
export type MessageJob<O extends OfMessage = OfMessage> = {
  [K in O]: { kind: K; payload: Omit<JobPayloads[K], 'message_id'> }
}[O]

export interface JobRow {
  id: number
  realm_id: number
  kind: JobKind
  payload: JobPayloads[JobKind]
  attempts: number
}

/** A job that is in the table, as the queue knows it. */
export interface QueuedJob {
  id: number
  kind: JobKind
}

/** Writes jobs. @returns their ids, for the queue */
export const writeJobs = async (tx: Transaction, realm_id: number, jobs: readonly JobSpec[]): Promise<QueuedJob[]> => {
  if (jobs.length === 0) return []
  // As text, because the driver would send a value of type json as a quoted string.
  return tx<QueuedJob[]>`
    insert into jobs (realm_id, kind, payload, run_after)
    select ${realm_id}, kind, payload, coalesce(to_timestamp(run_after), now())
    from json_to_recordset(${JSON.stringify(jobs)}::text::json) as r (kind text, payload json, run_after bigint)
    returning id, kind`
}

/** Writes a job for each active organization. @returns their ids, for the queue */
export const writeJobForEach = (tx: Transaction, { kind, payload }: JobSpec): Promise<QueuedJob[]> => tx<QueuedJob[]>`
  insert into jobs (realm_id, kind, payload)
  select id, ${kind}, ${JSON.stringify(payload)}::text::json from realms where is_active
  returning id, kind`

/** Jobs that are due for `secs` and not done, oldest first. Index: jobs_open. */
export const dueJobs = (sql: Sql, secs: number, limit: number): Promise<QueuedJob[]> => sql<QueuedJob[]>`
  select id, kind from jobs
  where done_at is null and run_after <= now() - make_interval(secs => ${secs})
  order by run_after
  limit ${limit}`

/** The job, unless it is done, or not due yet. */
export const openJob = async (sql: Sql, id: number): Promise<JobRow | undefined> => {
  const [job] = await sql<JobRow[]>`
    select id, realm_id, kind, payload, attempts from jobs
    where id = ${id} and done_at is null and run_after <= now()`
  return job
}

/** Deletes jobs that have been done for so long, in bounded batches. @returns how many went */
export const forgetDoneJobs = async (sql: Sql, hours: number, batch = 10_000): Promise<number> => {
  const gone = await sql`
    delete from jobs where id in (
      select id from jobs where done_at < now() - make_interval(hours => ${hours}) limit ${batch}
    )`
  return gone.count
}

/** Locks the job until the transaction ends; false when it is done, or another worker has it. */
export const claimJob = async (tx: Transaction, id: number): Promise<boolean> => {
  const [job] = await tx`
    select from jobs where id = ${id} and done_at is null
    for update skip locked`
  return job !== undefined
}

/** Keeps a job that is due for this process for a while; false when another process keeps it, or it is done. */
export const holdJob = async (sql: Sql, id: number, secs: number): Promise<boolean> => {
  const held = await sql`
    update jobs set run_after = now() + make_interval(secs => ${secs})
    where id = ${id} and done_at is null and run_after <= now()`
  return held.count > 0
}

export const finishJob = (tx: Db, id: number): Promise<unknown> => tx`
  update jobs set done_at = now() where id = ${id}`

/** Puts a failed job off: by a second, two, four, and so on up to an hour. */
export const postponeJob = (sql: Sql, id: number): Promise<unknown> => sql`
  update jobs set attempts = attempts + 1,
    run_after = now() + make_interval(secs => least(3600, power(2, attempts)::int))
  where id = ${id}`
