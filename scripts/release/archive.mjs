/**
 * Packs a built clone into an archive that runs without npm.
 *
 * 1. It holds the packages that package-lock.json marks for production, in the versions and with the hashes that
 *    `npm ci` checked, and no file that only compilers, editors or other systems read.
 * 2. Two archives of one commit and one build are equal, byte by byte.
 * 3. Every account can read the unpacked files, and only their owner can change them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readCommit } from '../clone/commit.mjs'

/** What operators need beside the program and its packages. */
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'ARCHITECTURE.md', 'docs', 'deploy', 'package.json']
/** Scripts for operators, which need no package. */
const SCRIPTS = ['scripts/move-from-zulip.mjs', 'scripts/check-uwebsockets.mjs', 'scripts/uwebsockets.sha256']

/** Lists the folders of the installed packages that run in production. */
export function listProductionPackages(root) {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(`${root}/${path}`))
}

/** Names the release, such as `parley-0.2.0`. The name contains the commit if it is not that of the version. */
export function nameRelease(root) {
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const commit = readCommit(root)
  if (commit === undefined || commit === readTagged(root, version)) return `parley-${version}`
  return `parley-${version}-${commit.slice(0, 7)}${commit.endsWith('-dirty') ? '-dirty' : ''}`
}

const readTagged = (root, version) =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', `v${version}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  }).stdout?.trim()

/**
 * Writes the archive. Its only entry at the top is a folder with the name of the release.
 * @param options.level of the compression; 0: none
 */
export function packRelease(root, archive, { level = 6, name = nameRelease(root) } = {}) {
  const paths = [...DOCUMENTS, ...SCRIPTS, 'dist', ...listProductionPackages(root)].flatMap((path) =>
    listEntries(root, path),
  )
  const folders = new Set(paths.flatMap(listParents))
  const list = `${archive}.list`
  const entries = [...new Set([...folders, ...paths])].sort().map((path) => `./${path}`)
  writeFileSync(list, ['.', ...entries].join('\0'))
  const time = spawnSync('git', ['log', '-1', '--format=@%ct'], { cwd: root, encoding: 'utf8' }).stdout?.trim()
  const options = [
    ...['--format=gnu', '--no-recursion', '--null', '--owner=0', '--group=0', '--numeric-owner'],
    ...['--mode=u+rwX,go+rX,go-w', `--mtime=${time || '@0'}`, `--transform=s,^\\.,${name},S`],
    ...[`--use-compress-program=${level === 0 ? 'cat' : `gzip -n${level}`}`, '-cf', archive, '-C', root, '-T', list],
  ]
  const done = spawnSync('tar', options, { encoding: 'utf8' })
  rmSync(list)
  if (done.status !== 0) throw new Error(`The archive could not be written: ${done.error?.message ?? done.stderr}`)
}

/** A file, or a folder with all that is in it. */
function listEntries(root, path) {
  if (isLeftOut(path)) return []
  if (!lstatSync(`${root}/${path}`).isDirectory()) return [path]
  return [path, ...readdirSync(`${root}/${path}`).flatMap((name) => listEntries(root, `${path}/${name}`))]
}

/** The builds of uWebSockets.js and of other native packages for this system, on Node 22 and 24. */
const kept = [`${process.platform}_${process.arch}_127.node`, `${process.platform}_${process.arch}_137.node`]

function isLeftOut(path) {
  const name = basename(path)
  // Packages inside of a package are in the list of packages, if they are for production.
  if (/^node_modules\/.*\/node_modules$/.test(path)) return true
  if (/^node_modules\/.*(\.map|\.[cm]?ts|\.tsbuildinfo)$/.test(path)) return true
  // Tests of packages, builds for browsers, and documents other than licences.
  if (/^node_modules\/.*\/(tests?|__tests__|benchmarks?|[^/]+\.bc\.js)$/.test(path)) return true
  if (/^node_modules\/.*\/(readme|changelog|history)(\.[\w-]+)?\.md$/i.test(path)) return true
  if (/^node_modules\/uWebSockets\.js\/.*\.node$/.test(path)) return !kept.some((build) => name.endsWith(build))
  if (/^node_modules\/.*\/prebuilds\/[^/]+$/.test(path)) return name !== `${process.platform}-${process.arch}`
  return path === 'dist/dev'
}

function listParents(path) {
  const parent = dirname(path)
  return parent === '.' ? [] : [...listParents(parent), parent]
}

/** Computes the SHA-256 of a file. */
export const hashFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')
