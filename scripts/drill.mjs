/**
 * Runs the drills of a clone: outages and restarts under load, with more clients than the tests have, and prints their
 * figures as one table.
 *
 *   npm run drill
 *   npm run drill -- postgres
 *   npm run drill -- reconnects --clients 3000
 *
 * The drills are the tests in test/drills. The exit code is 0 if every one of them passes.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

const folder = mkdtempSync(join(tmpdir(), 'parley-drill-'))
const report = join(folder, 'report.jsonl')
writeFileSync(report, '')
const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { clients: { type: 'string', default: '10000' } },
})
const files = names.length === 0 ? ['test/drills'] : names.map((name) => `test/drills/${name}`)
const child = spawn(process.execPath, [`${root}scripts/test.mjs`, ...files, '--no-file-parallelism'], {
  stdio: 'inherit',
  env: { ...process.env, DRILL: 'full', DRILL_REPORT: report, DRILL_CLIENTS: values.clients },
})
watchStarters(() => child.kill('SIGTERM'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
const code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean)
rmSync(folder, { recursive: true })

for (const { scenario, ...figures } of lines.map((line) => JSON.parse(line))) {
  console.log(`\n${scenario}`)
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(width)}  ${value}`)
}
process.exit(code)
