/**
 * Which files of src/ open a write context (store/log/write-context.ts, 2): a new one is a decision, not an accident.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

test('Write contexts are opened only by the pipelines, the schedules and functions that write for the system.', () => {
  const openers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && /\bWriteContext\.open/.test(readFileSync(join(src, file), 'utf8')))
    .sort()
  expect(openers).toEqual([
    'administration/administration.ts',
    'gateway/call/authenticate.ts',
    'gateway/events/hubs.ts',
    'store/channels/channel-activity.ts',
    'store/groups/full-members.ts',
    'store/messages/editing/retention.ts',
    'store/messages/sending/bot-owner-notices.ts',
    'store/users/session-uses.ts',
    'store/users/sessions.ts',
    'workers/run.ts',
    'workers/schedule.ts',
  ])
})
