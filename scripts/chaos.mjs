/**
 * Runs chaos against a fleet of a clone: random faults of processes, networks, Postgres, Redis, disks and clocks under
 * load, and prints what was checked and what was wrong as a table.
 *
 *   npm run chaos
 *   npm run chaos -- --minutes 10 --seed 42
 *
 * It runs the test in test/chaos. A run with the same seed has the same faults and operations. The exit code is 0 if
 * nothing was wrong.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchNpm } from './npm-above.mjs'
import { root } from './prepare.mjs'

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const minutes = values.minutes ?? '5'
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000))
console.log(`Chaos for ${minutes} minutes with seed ${seed}`)
const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
const report = join(folder, 'report.json')
writeFileSync(report, '')
const child = spawn(process.execPath, [`${root}scripts/test.mjs`, 'test/chaos'], {
  stdio: 'inherit',
  env: { ...process.env, CHAOS_MINUTES: minutes, CHAOS_SEED: seed, CHAOS_REPORT: report },
})
watchNpm(() => child.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
const code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
const text = readFileSync(report, 'utf8')
rmSync(folder, { recursive: true })

const figures = Object.entries(text === '' ? {} : JSON.parse(text))
const width = Math.max(0, ...figures.map(([name]) => name.length))
console.log()
for (const [name, value] of figures) console.log(`${name.padEnd(width)}  ${value}`)
process.exit(code)
