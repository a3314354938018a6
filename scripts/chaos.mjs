/**
 * Runs chaos against a fleet of a clone: random faults of processes, networks, Postgres, Redis, disks and clocks under
 * load, and prints what was checked and what was wrong as a table.
 *
 *   npm run chaos
 *   npm run chaos -- --minutes 10 --seed 42
 *   npm run chaos -- --soak --minutes 30 --clients 50000 --gateways 4
 *   npm run chaos -- --bots 200
 *
 * With `--soak` nothing is broken: many clients stay connected, and the memory of the gateways must stay flat. With
 * `--bots`, two copies of a bot and the gateways are killed so many times, and its answers are counted. It runs
 * the tests in test/chaos. A run with the same seed has the same faults and operations. The exit code is 0 if nothing
 * was wrong.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

const text = { type: 'string' }
const { values } = parseArgs({
  options: { minutes: text, seed: text, soak: { type: 'boolean' }, clients: text, gateways: text, bots: text },
})
const minutes = values.minutes ?? (values.soak ? '30' : '5')
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000))
const clients = values.clients ?? '50000'
const [file, env] = values.soak
  ? ['soak', { SOAK_MINUTES: minutes, SOAK_CLIENTS: clients, SOAK_GATEWAYS: values.gateways ?? '4' }]
  : values.bots
    ? ['bots', { CHAOS_BOT_KILLS: values.bots, CHAOS_SEED: seed }]
    : ['chaos', { CHAOS_MINUTES: minutes, CHAOS_SEED: seed }]
if (values.soak) console.log(`${clients} clients for ${minutes} minutes`)
else
  console.log(values.bots ? `${values.bots} kills with seed ${seed}` : `Chaos for ${minutes} minutes with seed ${seed}`)
const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
const report = join(folder, 'report.json')
writeFileSync(report, '')
const child = spawn(process.execPath, [`${root}scripts/test.mjs`, `test/chaos/${file}.test.ts`], {
  stdio: 'inherit',
  env: { ...process.env, ...env, CHAOS_REPORT: report },
})
watchStarters(() => child.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
const code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
const json = readFileSync(report, 'utf8')
rmSync(folder, { recursive: true })

const figures = Object.entries(json === '' ? {} : JSON.parse(json))
const width = Math.max(0, ...figures.map(([name]) => name.length))
console.log()
for (const [name, value] of figures) console.log(`${name.padEnd(width)}  ${value}`)
process.exit(code)
