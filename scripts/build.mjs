/**
 * Compiles src/ to dist/ and copies what the compiler leaves behind: the .sql migrations.
 *
 *   npm run build
 *
 * It compiles beside dist/ and swaps at the end, so a process that starts meanwhile never finds half a program.
 * Type errors are reported and make the exit code 1, but what was emitted is still put in place.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { copyMigrations, root, stamp } from './prepare.mjs'

const dist = `${root}dist`
const fresh = `${root}dist.${process.pid}`
const old = `${fresh}.old`
const sources = stamp()

const compiled = spawnSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.json`, '--outDir', fresh],
  { stdio: 'inherit' },
)
if (!existsSync(fresh)) process.exit(compiled.status || 1)
copyMigrations(fresh)
if (compiled.status === 0) writeFileSync(`${fresh}/.stamp`, sources)

if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
process.exit(compiled.status ?? 1)
