/** A Postgres whose text has another locale than that of the tests. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { unpackDebianPackage, unpackedFolder } from '../../../src/dev/debian-package.mjs'
import { root } from '../../../src/dev/root.js'
import { startPostgres } from './processes.js'

/**
 * Starts a Postgres that has the locale en_US.UTF-8 of the C library. The locale is compiled from Debian's package.
 * Returns undefined when it cannot be had.
 */
export const startEnglishPostgres = async (): Promise<string | undefined> => {
  const cache = join(root, 'node_modules/.cache/parley-locales')
  const folder = unpackedFolder(cache)
  const path = process.env.PATH ?? ''
  if (!existsSync(folder)) unpackDebianPackage({ path, cache }, 'locales', () => {})
  const compiled = join(inject('log_folder'), `locales-${process.pid}`)
  mkdirSync(compiled, { recursive: true })
  const I18NPATH = join(folder, 'usr/share/i18n')
  const options = ['--inputfile=en_US', '--charmap=UTF-8', join(compiled, 'en_US.UTF-8')]
  // Its exit code is 1 when it only warns.
  spawnSync('localedef', options, { env: { PATH: path, I18NPATH } })
  if (!existsSync(join(compiled, 'en_US.UTF-8/LC_COLLATE'))) return undefined
  process.env.LOCPATH = compiled
  return (await startPostgres()).url
}
