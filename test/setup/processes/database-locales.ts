/** Databases whose text has another locale than that of the tests. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { unpackDebianPackage, unpackedFolder } from '../../../src/dev/debian-package.mjs'
import { root } from '../../../src/dev/root.js'
import { migrate } from '../../../src/store/migrations.js'
import { openSql } from '../../../src/store/sql.js'
import { startPostgres } from './processes.js'

let count = 0

/**
 * Creates a database with the tables of Parley.
 * @param locale the part of `create database` that names its locale
 */
export const createDatabase = async (server_url: string, locale: string): Promise<string> => {
  const url = new URL(server_url)
  const name = `locale_${process.pid}_${++count}`
  const outside = openSql(url.href, 1)
  await outside.unsafe(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
  await outside.end()
  url.pathname = `/${name}`
  const inside = openSql(url.href, 1)
  await migrate(inside)
  await inside.end()
  return url.href
}

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
