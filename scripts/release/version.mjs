/** Makes the present state of a clone a version: its number in all files, the changelog, a commit and a tag. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFESTS = ['package.json', 'client/package.json', 'web/package.json', 'package-lock.json']
const DEPLOYED = ['compose.yaml', 'kubernetes/gateway.yaml', 'kubernetes/migrate.yaml', 'kubernetes/worker.yaml'].map(
  (name) => `deploy/${name}`,
)
const UNRELEASED = '## Unreleased\n'

/**
 * Checks everything first, and then writes the version, commits and tags.
 * @param date of the release, such as 2026-11-28
 */
export function cutVersion(root, version, date) {
  const git = (...args) => runGit(root, args)
  const read = (name) => readFileSync(join(root, name), 'utf8')
  const before = JSON.parse(read('package.json')).version
  if (!isGreater(version, before)) throw new Error(`${version} is no version after ${before}: use three numbers.`)
  const changelog = read('CHANGELOG.md')
  const [, news = ''] = /\n## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(changelog) ?? []
  if (news.trim() === '') throw new Error('CHANGELOG.md lists nothing below "## Unreleased".')
  if (git('status', '--porcelain') !== '') throw new Error('Commit or remove what has changed in this clone first.')
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already.`)

  for (const name of MANIFESTS) writeFileSync(join(root, name), writeVersion(JSON.parse(read(name)), version))
  for (const name of DEPLOYED)
    writeFileSync(join(root, name), read(name).replaceAll(`parley:${before}`, `parley:${version}`))
  const headings = `${UNRELEASED}\n## ${version}, ${date}\n`
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    changelog.replace(UNRELEASED, () => headings),
  )
  git('commit', '--all', '--quiet', '--message', `release: Name version ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}\n${news.trimEnd()}`, '--cleanup=verbatim')
}

/**
 * Notes a version as the release before the next one. The tests of two neighbouring releases read it (test/releases).
 */
export function notePrevious(root, version) {
  const commit = runGit(root, ['rev-parse', `v${version}^{commit}`])
  writeFileSync(join(root, 'test/releases/previous-release'), `${commit} v${version}\n`)
  runGit(root, ['commit', '--all', '--quiet', '--message', `releases: Note v${version} as the previous release`])
}

/** Writes a version into a package.json or package-lock.json, for its package and those of the workspaces. */
function writeVersion(manifest, version) {
  const own = [manifest, ...['', 'client', 'web'].map((path) => manifest.packages?.[path])]
  for (const each of own.filter((one) => one !== undefined)) {
    each.version = version
    for (const packages of [each.dependencies, each.devDependencies]) {
      if (packages?.['@parley/client'] !== undefined) packages['@parley/client'] = version
    }
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** Whether a version has three numbers, and is after another one. */
function isGreater(version, before) {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false
  const [one, other] = [version, before].map((text) => text.split('.').map(Number))
  const differing = one.findIndex((number, i) => number !== other[i])
  return differing !== -1 && one[differing] > other[differing]
}

function runGit(root, args) {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`git ${args[0]}: ${done.stderr}`)
  return done.stdout.trim()
}
