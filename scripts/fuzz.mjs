/**
 * Sends random, wrong and hostile requests to all endpoints of a gateway of a clone, over HTTP and sockets, and prints
 * what it answered. The answers must never be 5xx, late, or outside of the protocol.
 *
 *   npm run fuzz
 *   npm run fuzz -- --cases 1000000 --seed 42
 *
 * It runs the test in test/fuzz. The exit code is 0 if nothing was wrong.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

const { values } = parseArgs({ options: { cases: { type: 'string' }, seed: { type: 'string' } } })
const cases = values.cases ?? '1000000'
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000))
console.log(`${cases} cases with seed ${seed}`)
const child = spawn(process.execPath, [`${root}scripts/test.mjs`, 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_CASES: cases, FUZZ_SEED: seed },
})
watchStarters(() => child.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
process.exitCode = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
