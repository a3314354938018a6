/** The builds of uWebSockets.js: the one that is installed, and the official one that an image can be built with. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { root } from '../../src/dev/root.js'
import { loadNativeLibrary } from '../../src/gateway/transport/native-library.js'

const SCRIPT = 'check-uwebsockets.mjs'
const PRUNE = 'prune-uwebsockets.mjs'
const HASHES = 'uwebsockets.sha256'

const buildName = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('The build that is installed here passes the check of the image.', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', SCRIPT)], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('Every recorded hash is that of the file in the package that package-lock.json fixes.', () => {
  const recorded = readFileSync(join(root, 'scripts', HASHES), 'utf8')
    .trim()
    .split('\n')
  const installed = join(root, 'node_modules/uWebSockets.js')
  const files = recorded.map((line) => line.split('  ')).filter(([, name = '']) => existsSync(join(installed, name)))
  // A clone is pruned to the builds that its machine can load.
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const [sha256, name = ''] of files)
    expect([name, hashOf(readFileSync(join(installed, name)))]).toEqual([name, sha256])
  // Nothing else in the package is code.
  const names = readdirSync(installed).filter((name) => !['package.json', 'index.d.ts', 'LICENSE'].includes(name))
  expect(names.sort()).toEqual(files.map(([, name]) => name).sort())
})

test('No server but the native one is loaded: the package has no other, and one in JavaScript is refused.', () => {
  loadNativeLibrary()
  const require = createRequire(import.meta.url)
  const [loaded] = Object.values(require.cache).filter((one) => one?.filename?.endsWith('/uWebSockets.js/uws.js'))
  expect(loaded?.children.map(({ filename }) => basename(filename))).toEqual([buildName])

  const load = vi.fn(() => ({ App: () => ({}), getParts() {} }))
  expect(() => loadNativeLibrary(load)).toThrow(/does not load on .*not native code/)
  expect(load).toHaveBeenCalledWith('uWebSockets.js')

  const folder = mkdtempSync(join(tmpdir(), 'parley-uwebsockets-'))
  try {
    const copied = join(folder, 'node_modules/uWebSockets.js')
    cpSync(join(root, 'node_modules/uWebSockets.js'), copied, { recursive: true })
    for (const name of readdirSync(copied)) if (name.endsWith('.node')) rmSync(join(copied, name))
    expect(() => loadNativeLibrary(createRequire(join(folder, 'index.js')))).toThrow(/does not load on /)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('The check of the image fails for a binary with another hash than the one that is expected.', () => {
  const check = (hash: string) =>
    spawnSync(process.execPath, [join(root, 'scripts', SCRIPT), hash], { encoding: 'utf8' })
  expect(check(hashOf(readFileSync(join(root, 'node_modules/uWebSockets.js', buildName)))).status).toBe(0)
  const refused = check('0'.repeat(64))
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(`the SHA-256 of ${buildName} is `)])
})

test('Pruning leaves the builds that a supported Node of this machine loads, and they pass the check of the image.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-uwebsockets-'))
  try {
    const installed = join(folder, 'node_modules/uWebSockets.js')
    cpSync(join(root, 'node_modules/uWebSockets.js'), installed, { recursive: true })
    for (const name of ['uws_win32_x64_137.node', 'uws_linux_x64_115.node']) writeFileSync(join(installed, name), '')
    mkdirSync(join(folder, 'scripts'))
    copyFileSync(join(root, 'scripts', HASHES), join(folder, 'scripts', HASHES))
    for (const script of [PRUNE, SCRIPT]) {
      copyFileSync(join(root, 'scripts', script), join(folder, 'scripts', script))
      const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', script)], { encoding: 'utf8' })
      expect([status, stderr], script).toEqual([0, ''])
    }
    const builds = readdirSync(installed).filter((name) => name.endsWith('.node'))
    expect(builds).toEqual(['127', '137'].map((version) => `uws_${process.platform}_${process.arch}_${version}.node`))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const official = /official=(https:\S+)/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? ''

/** Why the official build cannot be tried on this machine; undefined: it can. */
const obstacle = async (): Promise<string | undefined> => {
  const Report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })
  const { glibcVersionRuntime = 'none' } = Report.parse(process.report.getReport()).header
  const [major = 0, minor = 0] = glibcVersionRuntime.split('.').map(Number)
  if (major !== 2 || minor < 38)
    return `the C library is ${glibcVersionRuntime}, and the official build needs glibc 2.38`
  const reached = await fetch(official, { method: 'HEAD', signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  return reached?.ok === true ? undefined : `${official} cannot be reached`
}

test('The official build passes the check of the image.', { timeout: 300_000 }, async (context) => {
  expect(official).not.toBe('')
  const reason = await obstacle()
  if (reason !== undefined) return context.skip(reason)
  const folder = mkdtempSync(join(tmpdir(), 'parley-uwebsockets-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{}')
    copyFileSync(join(root, 'scripts', SCRIPT), join(folder, SCRIPT))
    const install = [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `uWebSockets.js@${official}`,
    ]
    expect(spawnSync('npm', install, { cwd: folder, encoding: 'utf8' }).status).toBe(0)
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, 'any'], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
