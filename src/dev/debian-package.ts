/**
 * Unpacks a program of Debian's or Ubuntu's package archive into a cache folder. Nothing is installed, and no root is
 * needed, because apt writes its lists to the cache folder too.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a package is searched and unpacked. */
export interface PackageSearch {
  /** The folders in which apt-get and dpkg are searched, in the format of PATH. */
  path: string
  /** The folder of the unpacked package. A further package in the same folder replaces it. */
  cache: string
}

/** The file of a program, searched in the folders of a PATH. */
export function findProgram({ path }: Pick<PackageSearch, 'path'>, name: string): string | undefined {
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

/** The root of the unpacked package, which exists after a successful `unpackDebianPackage`. */
export const unpackedFolder = (cache: string): string => join(cache, 'unpacked')

/**
 * Downloads a package and those of its dependencies that are not installed, and unpacks them. apt verifies signatures.
 * @param tell is called before the download, if this system has apt
 * @returns the root of the unpacked files; undefined when this system has no apt, or the download failed
 */
export function unpackDebianPackage(search: PackageSearch, name: string, tell: () => void): string | undefined {
  const apt = findProgram(search, 'apt-get')
  const dpkg = findProgram(search, 'dpkg')
  if (apt === undefined || dpkg === undefined) return undefined
  tell()
  const { cache } = search
  rmSync(cache, { recursive: true, force: true })
  if (!downloadPackage(apt, cache, name)) return undefined
  const unpacking = join(cache, 'unpacking')
  const archives = join(cache, 'cache/archives')
  for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb'))) {
    spawnSync(dpkg, ['-x', join(archives, file), unpacking])
  }
  if (!existsSync(unpacking)) return undefined
  renameSync(unpacking, unpackedFolder(cache))
  for (const folder of ['state', 'cache']) rmSync(join(cache, folder), { recursive: true, force: true })
  return unpackedFolder(cache)
}

/** The environment in which an unpacked program finds the libraries that were unpacked with it. */
export function libraryEnvironment(root: string): Record<string, string> {
  // Debian puts libraries into a folder per architecture, and some packages one level deeper.
  const architectures = [join(root, 'usr/lib'), join(root, 'lib')].flatMap(listFolders)
  const libraries = [...architectures, ...architectures.flatMap(listFolders)].filter(hasLibrary)
  return { LD_LIBRARY_PATH: libraries.join(delimiter) }
}

const listFolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : []

const hasLibrary = (folder: string): boolean => readdirSync(folder).some((name) => /\.so(\.|$)/.test(name))

function downloadPackage(apt: string, folder: string, name: string): boolean {
  for (const sub of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, sub), { recursive: true })
  const options = [
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(folder, 'cache')}`,
    'Debug::NoLocking=1',
    // As root, apt would switch to an account that may have no access to the cache folder.
    'APT::Sandbox::User=root',
    'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option])
  const log = ['update', `install --download-only --no-install-recommends --yes ${name}`].map((command) => {
    const done = spawnSync(apt, [...options, ...command.split(' ')], { encoding: 'utf8' })
    return { status: done.status, text: `${done.stdout}${done.stderr}` }
  })
  writeFileSync(join(folder, 'apt.log'), log.map(({ text }) => text).join('\n'))
  return log.at(-1)?.status === 0
}
