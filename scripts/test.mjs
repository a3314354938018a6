/**
 * Runs the tests of a fresh clone: installs, compiles, and leaves the rest to vitest and test/setup/global.ts.
 *
 *   npm test
 *   npm test -- test/events/event-queues.test.ts -t 'a part of a name'
 *
 * Vitest runs in this very process: whoever kills the command kills the run, and the run's leash cleans up.
 */
import { watchNpm } from './npm-above.mjs'
import { prepare, root } from './prepare.mjs'

watchNpm(() => process.exit(1))
prepare()
process.chdir(root)
process.argv.splice(2, 0, 'run')
await import('../node_modules/vitest/vitest.mjs')
