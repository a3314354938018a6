/** A real Chromium that opens one page. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, libraryEnvironment, unpackDebianPackage } from '../../src/dev/debian-package.mjs'
import { root } from '../../src/dev/root.js'

const search = { path: process.env.PATH ?? '', cache: join(root, 'node_modules/.cache/parley-chromium') }
/** Starts the unpacked Chromium with its libraries and fonts. */
const launcher = join(search.cache, 'chromium')

/** Without this, the page gets the first font that there is, which is one for formulas. */
const fontsOfFamilies =
  '<match><test name="family"><string>monospace</string></test>' +
  '<edit name="family" mode="append" binding="strong"><string>DejaVu Sans Mono</string></edit></match>' +
  '<match><edit name="family" mode="append"><string>DejaVu Sans</string></edit></match>'

/** Finds Chromium or Chrome on PATH, or the one that `prepareChromium` unpacked; undefined when there is none. */
export const findChromium = (): string | undefined =>
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => findProgram(search, name))
    .find((path) => path !== undefined) ?? (existsSync(launcher) ? launcher : undefined)

/**
 * Unpacks Chromium from Debian's archive, if this machine has none: about 100 MB, once per clone.
 * @param tell is called before the download
 */
export const prepareChromium = (tell: (line: string) => void): void => {
  if (findChromium() !== undefined) return
  const folder = unpackDebianPackage(search, 'chromium', () =>
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
  const program = join(folder, 'usr/lib/chromium/chromium')
  writeFileSync(launcher, `#!/bin/sh\n${exports.join('\n')}\nexec '${program}' "$@"\n`, { mode: 0o755 })
  if (spawnSync(launcher, ['--version']).status !== 0) rmSync(launcher)
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
