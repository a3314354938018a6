/**
 * Which files of src/ open a write context (store/log/write-context.ts, 2), and which say what every commit does
 * besides: a new one is a decision, not an accident.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

const filesWith = (text: RegExp): string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && text.test(readFileSync(join(src, file), 'utf8')))
    .sort()

test('Write contexts are opened only by the pipelines, the schedules and functions that write for the system.', () => {
  expect(filesWith(/\bWriteContext\.open/)).toEqual([
    'administration/administration.ts',
    'gateway/call/authenticate.ts',
    'gateway/events/hubs.ts',
    'store/api-keys/api-keys.ts',
    'store/channels/channel-activity.ts',
    'store/groups/announce-promotions.ts',
    'store/messages/editing/retention.ts',
    'store/messages/sending/bot-owner-notices.ts',
    'store/users/session-uses.ts',
    'store/users/sessions.ts',
    'workers/run.ts',
    'workers/schedule.ts',
  ])
})

test('What every commit does besides is one list, with which every cell writes.', () => {
  expect(filesWith(/\bcommitHooks\b/)).toEqual([
    'store/cell/cell.ts',
    'store/cell/commit-hooks.ts',
    'store/log/change.ts',
    'store/log/write-context.ts',
  ])
})
