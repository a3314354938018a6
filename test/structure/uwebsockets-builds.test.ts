/** The builds of uWebSockets.js: the one that is installed, and the official one that an image can be built with. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../../src/dev/root.js'

const SCRIPT = 'check-uwebsockets.mjs'
const PRUNE = 'prune-uwebsockets.mjs'

test('The build that is installed here passes the check of the image.', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', SCRIPT)], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('The check of the image fails for a binary with another hash than the one that is expected.', () => {
  const check = (hash: string) =>
    spawnSync(process.execPath, [join(root, 'scripts', SCRIPT), hash], { encoding: 'utf8' })
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const binary = readFileSync(join(root, 'node_modules/uWebSockets.js', name))
  expect(check(createHash('sha256').update(binary).digest('hex')).status).toBe(0)
  const refused = check('0'.repeat(64))
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(`the SHA-256 of ${name} is `)])
})

test('Pruning leaves the builds that a supported Node of this machine loads, and they pass the check of the image.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-uwebsockets-'))
  try {
    const installed = join(folder, 'node_modules/uWebSockets.js')
    cpSync(join(root, 'node_modules/uWebSockets.js'), installed, { recursive: true })
    for (const name of ['uws_win32_x64_137.node', 'uws_linux_x64_115.node']) writeFileSync(join(installed, name), '')
    mkdirSync(join(folder, 'scripts'))
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
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
