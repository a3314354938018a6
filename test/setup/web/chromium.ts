/** A real Chromium that opens one page. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, libraryEnvironment, unpackDebianPackage } from '../../../src/dev/debian-package.mjs'
import { root } from '../../../src/dev/root.js'

const search = { path: process.env.PATH ?? '', cache: join(root, 'node_modules/.cache/parley-chromium') }

/** Chromium without windows, menus and extensions: it draws and runs the same pages, for half of the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
/** The unpacked programs. */
const UNPACKED = [HEADLESS_SHELL, 'chromium']

/** Starts an unpacked program with its libraries and fonts. */
const launcherOf = (program: string): string => join(search.cache, program)

/** Without this, the page gets the first font that there is, which is one for formulas. */
const fontsOfFamilies =
  '<match><test name="family"><string>monospace</string></test>' +
  '<edit name="family" mode="append" binding="strong"><string>DejaVu Sans Mono</string></edit></match>' +
  '<match><edit name="family" mode="append"><string>DejaVu Sans</string></edit></match>'

/**
 * Finds Chromium or Chrome on PATH, or the one that `prepareChromium` unpacked. Returns undefined when there is none.
 */
export const findChromium = (): string | undefined => find([HEADLESS_SHELL, ...WHOLE])

/** Finds a Chromium that also keeps pages for the way back. That is a part of the browser around the pages. */
export const findWholeChromium = (): string | undefined => find(WHOLE)

const find = (names: readonly string[]): string | undefined =>
  names.map((name) => findProgram(search, name)).find((path) => path !== undefined) ??
  names.map(launcherOf).find(existsSync)

/**
 * Unpacks Chromium from Debian's archive, if this machine has none. It unpacks about 150 MB, once per clone.
 * @param tell is called before the download
 */
export const prepareChromium = (tell: (line: string) => void): void => {
  if (findWholeChromium() !== undefined) return
  const folder = unpackDebianPackage(search, UNPACKED.join(' '), () =>
    tell("No Chromium on this machine: unpacking it from the distribution's archive (nothing is installed)"),
  )
  if (folder === undefined) return
  const fonts = join(search.cache, 'fonts.conf')
  writeFileSync(
    fonts,
    `<fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/usr/share/fonts</dir>` +
      fontsOfFamilies +
      `<cachedir>${search.cache}/fonts</cachedir></fontconfig>`,
  )
  const variables = Object.entries({ ...libraryEnvironment(folder), FONTCONFIG_FILE: fonts })
  const exports = variables.map(([name, value]) => `export ${name}='${value}'`)
  for (const program of UNPACKED) {
    const command = join(folder, 'usr/lib/chromium', program)
    const launcher = launcherOf(program)
    writeFileSync(launcher, `#!/bin/sh\n${exports.join('\n')}\nexec '${command}' "$@"\n`, { mode: 0o755 })
    if (spawnSync(launcher, ['--version']).status !== 0) rmSync(launcher)
  }
}

/** Opens a page until it is disposed of. @param domain its hosts are those of this machine */
export const openPage = (command: string, url: string, domain: string): AsyncDisposable => {
  const profile = mkdtempSync(join(tmpdir(), 'parley-chromium-'))
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
    `--user-data-dir=${profile}`,
    `--host-resolver-rules=MAP *.${domain} 127.0.0.1`,
    url,
  ]
  const child = spawn(command, flags, { stdio: 'ignore', detached: true })
  return {
    async [Symbol.asyncDispose]() {
      // The group, because a browser is several processes.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
