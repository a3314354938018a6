/**
 * Starts Parley from a fresh clone: installs the packages, compiles, and calls src/dev/start.ts.
 *
 *   npm start
 *   npm start -- --gateways 3 --workers 2 --port 9991 --data .data
 */

import { prepare } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

// Before the steps that take long: npm may end during them.
watchStarters(() => process.kill(process.pid, 'SIGTERM'))
await prepare()
const { main } = await import('../dist/dev/start.js')
await main(process.argv.slice(2), process.env)
