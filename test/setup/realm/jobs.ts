/** Waiting for the jobs that a request leaves to the worker. */
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
