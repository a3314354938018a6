/** Valkey, the fork of Redis: on PATH, or unpacked from the archive of Debian 13, with the C library of it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  findProgram,
  libraryEnvironment,
  unpackDebianPackage,
  unpackedFolder,
  unpackFromArchive,
} from '../../../src/dev/debian-package.mjs'
import type { RedisServer } from '../../../src/dev/find-redis.js'
import { root } from '../../../src/dev/root.js'

const cache = join(root, 'node_modules/.cache/parley-valkey')
const search = { path: `${process.env.PATH}:/usr/sbin`, cache }
/** Starts the unpacked Valkey with its libraries. */
const launcher = join(cache, 'valkey-server')
const archive = {
  keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
  site: 'http://deb.debian.org/debian',
  suite: 'trixie',
}
/** The packages of the program and its libraries. `valkey-check-rdb` is the server under another name. */
const packages =
  'valkey-tools libc6 libstdc++6 libgcc-s1 libatomic1 liblzf1 libjemalloc2 libsystemd0 libssl3t64 libcap2 zlib1g libzstd1'

/** Finds Valkey; undefined when this machine has none and cannot unpack one. */
export const findValkey = (): RedisServer | undefined => {
  const installed = findProgram(search, 'valkey-server')
  if (installed !== undefined) return { command: installed, env: {} }
  if (!existsSync(launcher)) unpack()
  return existsSync(launcher) ? { command: launcher, env: {} } : undefined
}

const unpack = (): void => {
  // The release of this machine has Valkey from Debian 13 and Ubuntu 24.04 on.
  const own = unpackDebianPackage(search, 'valkey-tools', () => {})
  const hasOwn = own !== undefined && existsSync(join(own, 'usr/bin/valkey-check-rdb'))
  if (!hasOwn && existsSync(archive.keyring)) unpackFromArchive(search, [archive], packages.split(' '), () => {})
  const folder = unpackedFolder(cache)
  const program = join(folder, 'usr/bin/valkey-check-rdb')
  if (!existsSync(program)) return
  const libraries = libraryEnvironment(folder).LD_LIBRARY_PATH
  const loader = libraries
    .split(':')
    .filter((each) => each !== '')
    .flatMap((each) => readdirSync(each).map((name) => join(each, name)))
    .find((file) => /\/ld-linux[^/]*$/.test(file))
  const command =
    loader === undefined
      ? `LD_LIBRARY_PATH='${libraries}' exec -a valkey-server '${program}'`
      : `exec '${loader}' --library-path '${libraries}' --argv0 valkey-server '${program}'`
  writeFileSync(launcher, `#!/bin/bash\n${command} "$@"\n`, { mode: 0o755 })
  if (spawnSync(launcher, ['--version'], { encoding: 'utf8' }).stdout?.includes('server v=')) return
  rmSync(launcher)
}
