/**
 * Runs the tests of a fresh clone: installs the packages, compiles, and starts vitest; see test/setup/global.ts.
 *
 *   npm test
 *   npm test -- test/events/event-queues.test.ts -t 'a part of a name'
 *
 * Vitest runs in this process. When the process is killed, the reaper stops the processes that the tests started.
 */

import { prepare, root } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

watchStarters(() => process.exit(1))
await prepare()
process.chdir(root)
process.argv.splice(2, 0, 'run')
await import('../node_modules/vitest/vitest.mjs')
