import type { Transaction } from '../sql.js'

/**
 * Deletes the job that would end the former status of a user. A user who changes the status often thus has one job. A
 * job that runs at this moment is locked: it finds another status, and does nothing. Index: jobs_open_status_ends.
 */
export const dropStatusEnd = (tx: Transaction, realm_id: number, user_id: number): Promise<unknown> => tx`
  delete from jobs where id in (
    select id from jobs
    where realm_id = ${realm_id} and kind = 'end_status' and done_at is null
      and (payload ->> 'user_id')::int = ${user_id}
    for update skip locked)`
