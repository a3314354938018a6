/** Where a package is searched and unpacked. */
export interface PackageSearch {
  /** The folders in which apt-get and dpkg are searched, in the format of PATH. */
  path: string
  /** The folder of the unpacked package. A further package in the same folder replaces it. */
  cache: string
}

/** A part of an archive from which packages are taken: one line of apt's list of sources. */
export interface ArchiveSuite {
  /** The file with the keys that sign the suite. */
  keyring: string
  /** The address of the archive, as in `http://deb.debian.org/debian`. */
  site: string
  /** The name of a release, as in `trixie`. */
  suite: string
}

/** The file of a program, searched in the folders of a PATH. */
export function findProgram(search: Pick<PackageSearch, 'path'>, name: string): string | undefined

/** The root of an unpacked package. It exists after a successful `unpackDebianPackage`. */
export function unpackedFolder(cache: string): string

/**
 * Downloads and unpacks a package, with its dependencies that are not installed. apt verifies signatures.
 * @param name one package, or several, separated by spaces
 * @param tell is called before the download, if this system has apt
 * @returns the root of the unpacked files; undefined when this system has no apt, or the download failed
 */
export function unpackDebianPackage(search: PackageSearch, name: string, tell: () => void): string | undefined

/**
 * Downloads and unpacks packages from other suites than those of this system. Their dependencies are left out.
 * @param names as apt-get takes them: `libc6`, or `libc6/trixie` where several suites have it
 * @returns as `unpackDebianPackage`
 */
export function unpackFromArchive(
  search: PackageSearch,
  archive: readonly ArchiveSuite[],
  names: readonly string[],
  tell: () => void,
): string | undefined

/** The environment in which an unpacked program finds its unpacked libraries. */
export function libraryEnvironment(root: string): { LD_LIBRARY_PATH: string }
