/**
 * Compiles src/ to dist/ and copies the .sql migrations, which the compiler does not.
 *
 *   npm run build
 *
 * It compiles to another folder and renames it at the end, so a process that starts meanwhile never loads a part of the
 * new program. Type errors are printed and make the exit code 1; the compiled files replace dist/ nevertheless.
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
