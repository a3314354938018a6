/**
 * Sends random, wrong and hostile requests to all endpoints of a gateway of a clone, over HTTP and sockets, and prints
 * what it answered. The answers must never be 5xx, late, or outside of the protocol.
 *
 *   npm run fuzz
 *   npm run fuzz -- --cases 1000000 --seed 42
 *
 * With the name of a parser, it fuzzes this one with coverage feedback instead, for a time (scripts/fuzz-parser.mjs):
 *
 *   npm run fuzz -- markdown --seconds 600
 *
 * It runs the test in test/fuzz. The exit code is 0 if nothing was wrong.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { fuzzParser } from './fuzz-parser.mjs'
import { root } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' }, seconds: { type: 'string', default: '600' } },
  allowPositionals: true,
})
const [parser] = positionals
if (parser !== undefined) process.exit(await fuzzParser(parser, Number(values.seconds)))
const cases = values.cases ?? '1000000'
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000))
console.log(`${cases} cases with seed ${seed}`)
const child = spawn(process.execPath, [`${root}scripts/test.mjs`, 'test/fuzz/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_CASES: cases, FUZZ_SEED: seed },
})
watchStarters(() => child.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
process.exitCode = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
