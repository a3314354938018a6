/**
 * The table of jobs. The transaction that causes a job inserts its row, and the transaction that carries out the job's
 * effect marks the row as done. So the effect happens once, however often the job runs.
 */
import type { BrokenReason } from '../../domain/event-subscriptions/event-subscriptions.js'
import type { ChannelRow } from '../../domain/log/rows.js'
import type { AccountChange, GroupChange, PictureChange } from '../../domain/log-in/directory-synchronization.js'
import type { WebhookCall } from '../../domain/messages/sending/outgoing-webhooks.js'
import type { Db, Sql, Transaction } from '../sql.js'

/** The kinds of jobs, and their payloads. A payload contains ids, not rows. */
export interface JobPayloads {
  /** notifies users whom another user subscribed to channels */
  subscription_notices: { actor_id: number; user_channels: { user_id: number; channel_ids: number[] }[] }
  /** announces new channels in the organization's channel for announcements */
  channel_notices: { actor_id: number; channel_ids: number[]; announce: boolean }
  /** reports in a channel that its properties were changed */
  channel_news: { actor_id: number; channel_id: number; before: Partial<ChannelRow>; after: Partial<ChannelRow> }
  /** notifies users whom another user added to a user group, or removed from it */
  group_notices: { actor_id: number; group_id: number; added: number[]; removed: number[] }
  /** reminds a user of a message */
  reminder: { user_id: number; message_id: number; reminder_id?: number; note?: string }
  /** clears the status of a user, if it still ends at this time */
  end_status: { user_id: number; ends_at: number }
  /** sends a scheduled message, if its delivery time is still the same */
  scheduled_message: { id: number; deliver_at: number }
  /** reports in the affected topics that messages were moved, or that a topic was resolved or unresolved */
  move_notices: {
    actor_id: number
    old: { channel_id: number; topic: string }
    new: { channel_id: number; topic: string }
    resolves: 'resolved' | 'unresolved' | null
    notify: { old_thread: boolean; new_thread: boolean }
    /** the lowest id of the moved messages */
    first_id: number
    count: number
    /** whether no message stays in the old topic */
    takes_all: boolean
    /** whether the new topic had no messages */
    into_empty: boolean
  }
  /** mails an invitation */
  invitation_mail: { invitation_id: number; realm_url: string }
  /** mails the link that confirms the address of a user who joins by a reusable invitation */
  join_mail: { invitation_id: number; email: string; realm_url: string }
  /** mails the link that confirms the address of a user who signs up */
  sign_up_mail: { sign_up_id: number; realm_url: string }
  /** mails a user who signed up what an administrator decided; `language` is '' for that of the organization */
  sign_up_decided_mail: { email: string; is_approved: boolean; language: string; realm_url: string }
  /** mails a welcome to the user of a new account */
  welcome_mail: { user_id: number; realm_url: string }
  /** writes to a user who joined by an invitation; the text of the organization where the invitation has none */
  welcome_message: { user_id: number; invitation_text: string | null }
  /** mails a confirmation link to the new address of an account */
  email_change_mail: { change_id: number; realm_url: string }
  /** notifies the former address of an account that the address was changed */
  email_changed_mail: { user_id: number; former_email: string }
  /** mails to one address that another user changed the address, the API key or all credentials of an account */
  credentials_mail: { user_id: number; actor_id: number; to: string } & (
    | { changed: 'email'; former_email: string }
    | { changed: 'api_key' | 'credentials' }
  )
  /** mails a user about a login from a new client or network */
  login_mail: { user_id: number; client: string; ip: string; at: number; realm_url: string }
  /** mails a user what happened to the second factor of the account; `actor_id`: an administrator ended it */
  second_factor_mail: {
    user_id: number
    happened: 'added' | 'removed' | 'codes_renewed' | 'recovery_code_used' | 'refused' | 'ended'
    actor_id: number | null
    ip: string
    at: number
    realm_url: string
  }
  /** mails a link for setting a new password */
  password_reset_mail: { user_id: number; realm_url: string }
  /** notifies a user that their password was changed */
  password_changed_mail: { user_id: number; realm_url: string }
  /** notifies a user that their account was deactivated, with the comment of the administrator */
  deactivation_mail: { user_id: number; actor_id: number; comment: string }
  /** announces new users in the organization's channel for it */
  signup_notice: { user_ids: readonly number[] }
  /** notifies an inviter that the invited user has joined */
  invitation_accepted: { user_id: number; inviter_id: number }
  /** mails a user the messages that the user missed */
  missed_mail: { user_id: number; message_ids: readonly number[] }
  /** calls the server of a bot to which a message is addressed, and posts the response */
  outgoing_webhook: WebhookCall & { message_id: number; realm_url: string }
  /** tells the owner of an event subscription that it is broken */
  broken_event_subscription: { subscription_id: string; reason: BrokenReason }
  /** fetches the pages to which a message links, and adds previews if the text of the message is unchanged */
  page_previews: { message_id: number; author_id: number; sha256: string; urls: readonly string[] }
  /** sends an organization's clients the `restart` event of a new release */
  restart_news: { began_at: number }
  /** deletes the data of a deactivated organization */
  delete_realm: Record<string, never>
  /** makes the archive of an export of the organization's data */
  realm_export: { export_id: number }
  /** makes the thumbnails of an uploaded image */
  thumbnail: { attachment_id: number }
  /** loads a picture of another site for the readers of the organization */
  external_picture: { url: string }
  /** reads the words of an uploaded file to which a message links, for the search */
  file_words: { attachment_id: number }
  /** marks as read the messages that users had unread in a channel when they unsubscribed */
  read_left_channel: { channel_id: number; user_ids: number[] }
  /** tells users which of their starred messages they cannot reach any more, or reach again */
  starred_access: { user_ids: number[]; channel_ids: number[] }
  /** tells clients without archived channels what is not unread any more, or again; null: what is starred */
  archive_flags: { channel_id: number; user_ids: number[] | null }
  /** marks a user's messages of a channel or topic as read, from `from` up to `up_to` */
  mark_read: { user_id: number; channel_id: number; topic: string | null; from: number; up_to: number }
  /** reads a directory, and begins what follows from it */
  directory_run: { directory: string }
  /** changes accounts and groups as a directory says */
  directory_changes: { directory: string; accounts: readonly AccountChange[]; groups: readonly GroupChange[] }
  /** sets the avatar of an account to the picture in a directory */
  directory_picture: { directory: string } & PictureChange
  /** deletes the event queues of deactivated accounts */
  end_queues: { user_ids: readonly number[] }
  /** deletes the messages of a topic up to `up_to`, the newest first */
  delete_topic: { actor_id: number; channel_id: number; topic: string; up_to: number; deletion_id?: string }
}

/** The name of a kind of job. */
export type JobKind = keyof JobPayloads

/** A job to write. `run_after`: UNIX seconds; without it the job is due at once. */
export type JobSpec = { [K in JobKind]: { kind: K; payload: JobPayloads[K]; run_after?: number } }[JobKind]

type MessageJobKind = 'outgoing_webhook' | 'page_previews'

/** A job that a message causes. The commit of the message adds the message's id to the payload. */
export type MessageJob = {
  [K in MessageJobKind]: { kind: K; payload: Omit<JobPayloads[K], 'message_id'> }
}[MessageJobKind]

/** A row of the table of jobs. */
export interface JobRow {
  id: number
  realm_id: number
  kind: JobKind
  payload: JobPayloads[JobKind]
  attempts: number
}

/** A job of the table, as the queue needs it. */
export interface QueuedJob {
  id: number
  realm_id: number
  kind: JobKind
}

/** Inserts jobs. @returns their ids and kinds, for the queue */
export const writeJobs = async (tx: Transaction, realm_id: number, jobs: readonly JobSpec[]): Promise<QueuedJob[]> => {
  if (jobs.length === 0) return []
  // Cast to text first: the driver would send a json parameter as a quoted string.
  return tx<QueuedJob[]>`
    insert into jobs (realm_id, kind, payload, run_after)
    select ${realm_id}, kind, payload, coalesce(to_timestamp(run_after), now())
    from json_to_recordset(${JSON.stringify(jobs)}::text::json) as r (kind text, payload json, run_after bigint)
    returning id, realm_id, kind`
}

/** Inserts a job for each active organization. @returns their ids and kinds, for the queue */
export const writeJobForEachRealm = (tx: Transaction, { kind, payload }: JobSpec): Promise<QueuedJob[]> => tx<
  QueuedJob[]
>`
  insert into jobs (realm_id, kind, payload)
  select id, ${kind}, ${JSON.stringify(payload)}::text::json from realms where is_active
  returning id, realm_id, kind`

/**
 * Loads the realms with an overdue job, and the kinds of these jobs. The jobs are overdue by `secs` seconds or more.
 * Index: jobs_open_by_realm, one step for each realm and kind, however many jobs they have.
 */
export const loadOverdueRealms = (sql: Sql, secs: number): Promise<Omit<QueuedJob, 'id'>[]> => sql<
  Omit<QueuedJob, 'id'>[]
>`
  with recursive pairs as (
    (select realm_id, kind from jobs where done_at is null order by realm_id, kind limit 1)
    union all
    select next.realm_id, next.kind from pairs p, lateral (
      select realm_id, kind from jobs
      where done_at is null and (realm_id, kind) > (p.realm_id, p.kind)
      order by realm_id, kind limit 1
    ) next
  )
  select realm_id, kind from pairs p
  where exists (
    select from jobs j
    where j.done_at is null and j.realm_id = p.realm_id and j.kind = p.kind
      and j.run_after <= now() - make_interval(secs => ${secs})
  )`

/**
 * Loads the next due jobs of a realm. Jobs of an earlier kind come first, then those that are the longest overdue.
 * Index: jobs_open_by_realm, at most `limit` rows of each kind.
 */
export const loadDueJobs = (
  sql: Sql,
  realm_id: number,
  kinds: readonly JobKind[],
  limit: number,
): Promise<QueuedJob[]> => sql<QueuedJob[]>`
  select j.id, j.realm_id, j.kind
  from unnest(${kinds as JobKind[]}::text[]) with ordinality as k (kind, rank), lateral (
    select id, realm_id, kind, run_after from jobs
    where realm_id = ${realm_id} and kind = k.kind and done_at is null and run_after <= now()
    order by run_after
    limit ${limit}
  ) j
  order by k.rank, j.run_after
  limit ${limit}`

/** Seconds for which a process reserves a job. */
export const RESERVED_SECS = 15

/**
 * Reserves a due job for this process. The job is not due for other processes for `secs` seconds.
 * @returns the job; undefined when it is done, not due, reserved by another process, or claimed
 */
export const reserveJob = async (sql: Sql, id: number, secs: number): Promise<JobRow | undefined> => {
  const [job] = await sql<JobRow[]>`
    update jobs set run_after = now() + make_interval(secs => ${secs})
    where id = (
      select id from jobs where id = ${id} and done_at is null and run_after <= now() for update skip locked
    )
    returning id, realm_id, kind, payload, attempts`
  return job
}

/**
 * Extends the reservation of this process. A claimed job (claimJob) needs none, and is skipped: waiting for its
 * transaction would take a connection for each extension, until the process has none for other jobs.
 */
export const extendReservation = (sql: Sql, id: number, secs: number): Promise<unknown> => sql`
  update jobs set run_after = now() + make_interval(secs => ${secs})
  where id = (select id from jobs where id = ${id} and done_at is null for update skip locked)`

/** Deletes a batch of jobs that were done `hours` hours ago or earlier. @returns the number of deleted jobs */
export const deleteDoneJobs = async (sql: Sql, hours: number, batch = 10_000): Promise<number> => {
  const deleted = await sql`
    delete from jobs where id in (
      select id from jobs where done_at < now() - make_interval(hours => ${hours}) limit ${batch}
    )`
  return deleted.count
}

/** Locks the job until the transaction ends. @returns false when it is done, or another worker has locked it */
export const claimJob = async (tx: Transaction, id: number): Promise<boolean> => {
  const [job] = await tx`
    select from jobs where id = ${id} and done_at is null
    for update skip locked`
  return job !== undefined
}

/** Marks a job as done. */
export const finishJob = (tx: Db, id: number): Promise<unknown> => tx`
  update jobs set done_at = now() where id = ${id}`

/** The longest text of an error that is stored. */
const ERROR_CHARACTERS = 500

/**
 * Postpones a failed job by 1, 2, 4, … seconds, at most an hour.
 * @param error why it failed; operators see it
 */
export const postponeJob = (sql: Sql, id: number, error: string): Promise<unknown> => sql`
  update jobs set attempts = attempts + 1, last_error = ${error.slice(0, ERROR_CHARACTERS)},
    run_after = now() + make_interval(secs => least(3600, power(2, attempts)::int))
  where id = ${id}`

/** The jobs of one kind that are not done. */
export interface OpenJobs {
  kind: JobKind
  /** how many are due */
  due: number
  /** how many seconds the first of them has waited */
  longest_wait: number
  /** how many wait for a later time and have not failed */
  scheduled: number
  /** how many failed and will run again */
  failed: number
}

/** Counts the jobs of each kind that are not done. Index: jobs_open_by_realm. */
export const countOpenJobs = (sql: Sql): Promise<OpenJobs[]> => sql<OpenJobs[]>`
  select kind,
    count(*) filter (where run_after <= now())::int as due,
    coalesce(extract(epoch from now() - min(run_after) filter (where run_after <= now())), 0)::float8 as longest_wait,
    count(*) filter (where run_after > now() and attempts = 0)::int as scheduled,
    count(*) filter (where attempts > 0)::int as failed
  from jobs where done_at is null group by kind`
