/** Waiting for what is done after the answer. */
import { expect } from 'vitest'
import type { TestRealm } from './realm.js'

/** Resolves when no job of the realm is open. */
export const waitForJobs = ({ sql, realm_id }: TestRealm, timeout = 15_000): Promise<void> =>
  expect
    .poll(() => sql`select kind from jobs where realm_id = ${realm_id} and done_at is null`, { timeout, interval: 20 })
    .toEqual([])
