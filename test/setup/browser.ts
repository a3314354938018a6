/** A real browser for the tests of pages: Chromium of this machine, driven by Playwright. */
import { type Browser, chromium } from 'playwright-core'
import { findChromium, findWholeChromium } from './chromium.js'

const path = findChromium()

/** Why tests of pages are skipped here, and what makes them run; undefined when there is a browser. */
export const noBrowser: string | undefined =
  path === undefined ? ' (skipped: there is no Chromium; `apt-get install chromium` installs it)' : undefined

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // The hosts of the organizations that tests make.
  '--host-resolver-rules=MAP *.parley.test 127.0.0.1',
]

/**
 * Starts the browser; undefined when there is none.
 * @param options.keepsPages with the back/forward cache, which Playwright turns off
 */
export const openBrowser = async ({ keepsPages = false } = {}): Promise<Browser | undefined> => {
  const executablePath = keepsPages ? findWholeChromium() : path
  if (executablePath === undefined) return undefined
  const ignoreDefaultArgs = keepsPages ? ['--disable-back-forward-cache'] : []
  return chromium.launch({ executablePath, args: flags, ignoreDefaultArgs })
}
