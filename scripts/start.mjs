/**
 * Starts a whole Parley from a fresh clone: installs, compiles, and hands over to src/dev/start.ts.
 *
 *   npm start
 *   npm start -- --gateways 3 --workers 2 --port 9991 --data .data
 */
import { watchNpm } from './npm-above.mjs'
import { prepare } from './prepare.mjs'

// Before anything that takes long: later there may be no npm left to notice.
watchNpm(() => process.kill(process.pid, 'SIGTERM'))
prepare()
const { main } = await import('../dist/dev/start.js')
await main(process.argv.slice(2), process.env)
