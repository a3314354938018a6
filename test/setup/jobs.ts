/** Waiting for the jobs that a request leaves to the worker. */
import { expect } from 'vitest'
import type { TestRealm } from './realm.js'

/** Resolves when the realm has no open job. @param timeout milliseconds */
export const waitForJobs = ({ sql, realm_id }: TestRealm, timeout = 15_000): Promise<void> =>
  expect
    .poll(() => sql`select kind from jobs where realm_id = ${realm_id} and done_at is null`, { timeout, interval: 20 })
    .toEqual([])
