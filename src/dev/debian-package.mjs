/**
 * Unpacks programs and libraries of Debian's or Ubuntu's package archive into a cache folder. Nothing is installed,
 * and no root is needed, because apt writes its lists to the cache folder too. It is JavaScript without dependencies,
 * because scripts/clone/runtime.mjs uses it before packages are installed. debian-package.d.mts has its types and
 * contracts.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The file of a program, searched in the folders of a PATH. */
export function findProgram({ path }, name) {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The root of the unpacked package. */
export const unpackedFolder = (cache) => join(cache, 'unpacked')

/** Downloads a package and its missing dependencies, and unpacks them. */
export function unpackDebianPackage(search, name, tell) {
  return unpack(search, tell, (apt, folder) => [
    runApt(apt, folder, ['update']),
    runApt(apt, folder, ['install', '--download-only', '--no-install-recommends', '--yes', ...name.split(' ')]),
  ])
}

/** Downloads packages of other suites and unpacks them. It does not download their dependencies. */
export function unpackFromArchive(search, archive, names, tell) {
  return unpack(search, tell, (apt, folder) => {
    const list = join(folder, 'sources.list')
    const status = join(folder, 'status')
    writeFileSync(
      list,
      archive.map(({ keyring, site, suite }) => `deb [signed-by=${keyring}] ${site} ${suite} main`).join('\n'),
    )
    writeFileSync(status, '')
    const options = [`Dir::Etc::sourcelist=${list}`, 'Dir::Etc::sourceparts=-', `Dir::State::status=${status}`]
    return [runApt(apt, folder, ['update'], options), runApt(apt, folder, ['download', ...names], options)]
  })
}

/** Unpacks into a folder of its own first: two processes may want the same package at the same time. */
function unpack(search, tell, download) {
  const apt = findProgram(search, 'apt-get')
  const dpkg = findProgram(search, 'dpkg')
  if (apt === undefined || dpkg === undefined) return undefined
  tell()
  const own = `${search.cache}-${randomUUID()}`
  const archives = join(own, 'cache/archives')
  for (const folder of [join(own, 'state/lists/partial'), join(archives, 'partial')]) {
    mkdirSync(folder, { recursive: true })
  }
  const steps = download(apt, own)
  writeFileSync(join(own, 'apt.log'), steps.map(({ text }) => text).join('\n'))
  if (steps.at(-1)?.status === 0) {
    for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb'))) {
      spawnSync(dpkg, ['-x', join(archives, file), unpackedFolder(own)])
    }
  }
  for (const folder of ['state', 'cache']) rmSync(join(own, folder), { recursive: true, force: true })
  return publish(own, search.cache)
}

/** Makes a folder the cache, unless another process was faster. */
function publish(own, cache) {
  const unpacked = unpackedFolder(cache)
  if (!existsSync(unpacked)) {
    rmSync(cache, { recursive: true, force: true })
    try {
      renameSync(own, cache)
    } catch (error) {
      if (!existsSync(unpacked)) throw error
    }
  }
  rmSync(own, { recursive: true, force: true })
  return existsSync(unpacked) ? unpacked : undefined
}

/** Runs apt-get with all its files in a folder. `download` writes into the current folder, `install` into the cache. */
function runApt(apt, folder, command, more = []) {
  const options = [
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(folder, 'cache')}`,
    'Debug::NoLocking=1',
    // As root, apt would switch to an account that may have no access to the cache folder.
    'APT::Sandbox::User=root',
    'Acquire::Retries=2',
    ...more,
  ].flatMap((option) => ['-o', option])
  const done = spawnSync(apt, [...options, ...command], { cwd: join(folder, 'cache/archives'), encoding: 'utf8' })
  return { status: done.status, text: `${done.stdout}${done.stderr}` }
}

/** The environment in which an unpacked program finds its libraries. */
export function libraryEnvironment(root) {
  // Debian puts libraries into a folder per architecture, and some packages one level deeper.
  const architectures = [join(root, 'usr/lib'), join(root, 'lib')].flatMap(listFolders)
  const libraries = [...architectures, ...architectures.flatMap(listFolders)].filter(hasLibrary)
  return { LD_LIBRARY_PATH: libraries.join(delimiter) }
}

const listFolders = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : []

const hasLibrary = (folder) => readdirSync(folder).some((name) => /\.so(\.|$)/.test(name))
