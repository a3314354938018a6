/**
 * Runs the benchmarks of a clone.
 *
 *   npm run bench
 *   npm run bench -- fanout send
 *
 * It compiles bench/, and what it imports from src/ and test/, to dist-bench/, where Node finds the packages of bench/
 * through a link, and calls `main(args, env)` of bench/run.ts. The benchmarks start the gateways of dist/.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { installPackages } from './clone/packages.mjs'
import { copyMigrations, prepare, root, stop } from './prepare.mjs'
import { watchStarters } from './starters.mjs'

watchStarters(() => process.kill(process.pid, 'SIGTERM'))
await prepare()
installPackages('bench')
rmSync(`${root}dist-bench`, { recursive: true, force: true })
const compiler = `${root}node_modules/typescript/bin/tsc`
const args = [compiler, '-p', `${root}tsconfig.bench.json`, '--noCheck']
const compiled = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (compiled.status !== 0) stop('The benchmarks do not compile.')
copyMigrations(`${root}dist-bench/src`)
symlinkSync('../bench/node_modules', `${root}dist-bench/node_modules`)

const { main } = await import('../dist-bench/bench/run.js')
await main(process.argv.slice(2), process.env)
