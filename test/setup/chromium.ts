/** A real Chromium that opens one page. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../src/dev/debian-package.js'

/** Finds Chromium or Chrome on PATH; undefined when there is none. */
export const findChromium = (): string | undefined =>
  ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => findProgram({ path: process.env.PATH ?? '' }, name))
    .find((path) => path !== undefined)

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
