/**
 * Messages that users missed, until a mail reports them.
 *
 * 1. A send does no work for this: a worker scans new messages up to a mark, one batch at a time.
 * 2. A user who missed a message (find-missed.ts) may read it later: the job that writes the mail checks this
 *    (workers/messages/missed-mail.ts).
 * 3. When the first missed message of a user is due, one mail reports all missed messages of that user.
 */

import { type QueuedJob, writeJobs } from '../../jobs/job-table.js'
import { transaction } from '../../log/change.js'
import type { Realm } from '../../log/realm.js'
import type { WriteDependencies } from '../../log/write-context.js'
import type { Sql } from '../../sql.js'
import { findMissedMessages, type SentMessage } from './find-missed.js'

/** Messages per transaction. */
const BATCH = 500
/** Older messages, in seconds, cause no mail: they were imported, or no worker ran for a long time. */
const MAX_AGE_SECONDS = 86_400

/** Realms with messages that no worker has scanned. */
export const findRealmsToScan = async (sql: Sql): Promise<number[]> => {
  const rows = await sql<{ realm_id: number }[]>`
    select h.realm_id from log_heads h left join mail_marks m on m.realm_id = h.realm_id
    where h.last_message_id > coalesce(m.looked_up_to, 0)`
  return rows.map(({ realm_id }) => realm_id)
}

/**
 * Records the missed messages of the next batch (1, 2). Index: the key of messages.
 * @param now UNIX seconds
 * @returns whether there may be more; false also while another worker holds the mark
 */
export const recordMissedMessages = (sql: Sql, realm: Realm, now: number): Promise<boolean> =>
  sql.begin(async (tx) => {
    const realm_id = realm.id
    await tx`insert into mail_marks (realm_id, looked_up_to) values (${realm_id}, 0) on conflict do nothing`
    const [mark] = await tx<{ from: number; to: number }[]>`
      select m.looked_up_to as from, h.last_message_id as to
      from mail_marks m join log_heads h on h.realm_id = m.realm_id
      where m.realm_id = ${realm_id}
      for update of m skip locked`
    if (mark === undefined || mark.from >= mark.to) return false
    const sent = await tx<SentMessage[]>`
      select id, sender_id, channel_id, dm_id, lower(topic) as topic, timestamp from messages
      where realm_id = ${realm_id} and id > ${mark.from} and id <= ${mark.to} and timestamp > ${now - MAX_AGE_SECONDS}
      order by id limit ${BATCH}`
    await realm.barrier()
    const missed = await findMissedMessages(tx, realm.state, sent)
    await tx`
      insert into missed_messages (realm_id, user_id, message_id, due_at)
      select ${realm_id}, user_id, message_id, due_at
      from json_to_recordset(${JSON.stringify(missed)}::text::json) as r (user_id int, message_id bigint, due_at bigint)
      on conflict do nothing`
    const to = sent.length < BATCH ? mark.to : (sent.at(-1)?.id ?? mark.to)
    await tx`update mail_marks set looked_up_to = ${to} where realm_id = ${realm_id}`
    return to < mark.to
  }) as Promise<boolean>

/** Enqueues the mail jobs of due messages (3). @returns the number of jobs. Index: missed_messages_due. */
export const enqueueMissedMail = async (
  { sql, enqueueJobs }: Pick<WriteDependencies, 'sql' | 'enqueueJobs'>,
  now: number,
  most = 200,
): Promise<number> => {
  const jobs = await transaction(sql, async (tx) => {
    const due = await tx<{ realm_id: number; user_id: number; message_ids: number[] }[]>`
      with due as (
        select distinct realm_id, user_id from (
          select realm_id, user_id from missed_messages where due_at <= ${now} order by due_at limit ${most}
          for update skip locked
        ) ripe
      ), gone as (
        delete from missed_messages m using due
        where m.realm_id = due.realm_id and m.user_id = due.user_id
        returning m.realm_id, m.user_id, m.message_id
      )
      select realm_id, user_id, array_agg(message_id order by message_id) as message_ids from gone
      group by realm_id, user_id`
    const jobs: QueuedJob[] = []
    for (const { realm_id, ...payload } of due)
      jobs.push(...(await writeJobs(tx, realm_id, [{ kind: 'missed_mail', payload }])))
    return jobs
  })
  enqueueJobs(jobs)
  return jobs.length
}
