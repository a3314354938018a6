/** Waiting for the jobs that a request leaves to the worker, and making those due that a user has put off. */
import { expect } from 'vitest'
import type { TestRealm } from './realm.js'

/** Resolves when the realm has no open job that is due within an hour. @param timeout milliseconds */
export const waitForJobs = ({ sql, realm_id }: TestRealm, timeout = 15_000): Promise<void> =>
  expect
    .poll(
      // A job that runs is held by its worker for some seconds, so it is due again only later.
      () => sql`
        select kind from jobs
        where realm_id = ${realm_id} and done_at is null and run_after < now() + interval '1 hour'`,
      { timeout, interval: 20 },
    )
    .toEqual([])

/** Makes all scheduled messages and reminders of the realm due. The sweeper of the worker finds them within seconds. */
export const makeScheduledDue = async ({ sql, realm_id }: Pick<TestRealm, 'sql' | 'realm_id'>): Promise<void> => {
  const due = Math.floor(Date.now() / 1000) - 5
  await sql`update scheduled_messages set deliver_at = ${due} where realm_id = ${realm_id}`
  await sql`
    update jobs set run_after = to_timestamp(${due}), payload = case
        when kind = 'scheduled_message' then (payload::jsonb || jsonb_build_object('deliver_at', ${due}::bigint))::json
        else payload
      end
    where realm_id = ${realm_id} and kind in ('scheduled_message', 'reminder') and done_at is null`
}
