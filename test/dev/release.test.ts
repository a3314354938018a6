/** The release script: version, changelog, commit and tag. test/deploy/install.test.ts has the archive. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
// @ts-expect-error A script, without types.
import { cutVersion, notePrevious } from '../../scripts/release/version.mjs'
import { root } from '../../src/dev/root.js'

/** A repository with the files that have the version, at version 1.2.3. */
const openRepository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const git = (...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }
    const done = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' })
    expect([args[0], done.status, done.stderr]).toEqual([args[0], 0, ''])
    return done.stdout.trim()
  }
  const names = ['package.json', 'client/package.json', 'web/package.json', 'package-lock.json']
  for (const name of [...names, 'deploy', 'test/releases/previous-release']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  const { version } = JSON.parse(read('package.json')) as { version: string }
  for (const name of names) write(name, read(name).replaceAll(`"${version}"`, '"1.2.3"'))
  for (const name of ['compose.yaml', 'kubernetes/gateway.yaml', 'kubernetes/migrate.yaml', 'kubernetes/worker.yaml']) {
    write(`deploy/${name}`, read(`deploy/${name}`).replaceAll(`parley:${version}`, 'parley:1.2.3'))
  }
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- News for $& all\n\n## 1.2.3, 2026-01-01\n\n- Old\n')
  git('init', '--quiet')
  for (const [name, value] of [
    ['name', 'Ada'],
    ['email', 'ada@example.com'],
  ] as const)
    git('config', `user.${name}`, value)
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'x')
  }
  commit()
  return { folder, read, write, git, commit }
}

test('A release writes its version into every file that had the last one, commits and tags.', () => {
  const { folder, read, git } = openRepository()
  const before = git('grep', '-l', '-F', '1.2.3', '--', '.', ':!CHANGELOG.md', ':!deploy/monitoring').split('\n')
  expect(before.length).toBeGreaterThan(6)
  cutVersion(folder, '1.10.0', '2026-02-03')
  expect(git('status', '--porcelain')).toBe('')
  const left = spawnSync('git', ['grep', '-n', 'parley:1\\.2\\.3\\|client": "1\\.2\\.3\\|^  "version": "1\\.2\\.3'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(left.stdout).toBe('')
  expect(git('diff', '--name-only', 'HEAD~1').split('\n').sort()).toEqual([...before, 'CHANGELOG.md'].sort())
  expect(git('diff', '--numstat', 'HEAD~1', '--', 'package-lock.json')).toMatch(/^5\t5\t/)
  expect(read('CHANGELOG.md')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.10.0, 2026-02-03\n\n- News for $& all\n\n## 1.2.3, 2026-01-01\n\n- Old\n',
  )
  const tagged = git('rev-parse', 'v1.10.0^{commit}')
  expect(tagged).toBe(git('rev-parse', 'HEAD'))
  expect(git('tag', '--list', '--format=%(contents)', 'v1.10.0')).toContain('- News for $& all')
  notePrevious(folder, '1.10.0')
  expect(read('test/releases/previous-release')).toBe(`${tagged} v1.10.0\n`)
})

test('A release is refused before anything is written, with the reason.', () => {
  const { folder, write, git, commit } = openRepository()
  const head = git('rev-parse', 'HEAD')
  const cut = (version: string) => () => cutVersion(folder, version, '2026-02-03')
  for (const version of ['1.2.3', '1.2.2', '0.9.9', '2', '1.3.0-beta', 'v1.3.0']) {
    expect(cut(version), version).toThrow('is no version after 1.2.3')
  }
  git('tag', 'v1.3.0')
  expect(cut('1.3.0')).toThrow('There is a tag v1.3.0 already')
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.2.3, 2026-01-01\n\n- Old\n')
  expect(cut('1.4.0')).toThrow('CHANGELOG.md lists nothing')
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- News\n')
  expect(cut('1.4.0')).toThrow('Commit or remove')
  expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([head, 'v1.3.0'])
  commit()
  cutVersion(folder, '1.4.0', '2026-02-03')
  expect(git('tag')).toBe('v1.3.0\nv1.4.0')
})
