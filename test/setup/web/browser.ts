/** A real browser for the tests of pages: Chromium of this machine, driven by Playwright. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { findChromium, findWholeChromium } from './chromium.js'

const path = findChromium()

/** Says why tests of pages are skipped here, and what makes them run. It is undefined when there is a browser. */
export const noBrowser: string | undefined =
  path === undefined ? ' (skipped: there is no Chromium; `apt-get install chromium` installs it)' : undefined

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // The hosts of the organizations that tests make.
  '--host-resolver-rules=MAP *.parley.test 127.0.0.1',
]

/** The browser of this process, which all files that run in it use. */
let shared: Browser | undefined

/**
 * Opens the browser; undefined when there is none. To close it closes what was opened in it.
 * @param options.keepsPages with the back/forward cache, which Playwright turns off: a browser of its own
 */
export const openBrowser = async ({ keepsPages = false } = {}): Promise<Browser | undefined> => {
  const executablePath = keepsPages ? findWholeChromium() : path
  if (executablePath === undefined) return undefined
  if (keepsPages)
    return chromium.launch({ executablePath, args: flags, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  if (shared?.isConnected() !== true) shared = await chromium.launch({ executablePath, args: flags })
  return lend(shared)
}

/** The browser, of which only the contexts are closed: to start it takes a second of processor time. */
const lend = (browser: Browser): Browser => {
  const opened: BrowserContext[] = []
  const keep = async (context: Promise<BrowserContext>) => {
    opened.push(await context)
    return context
  }
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'newContext') return (options?: BrowserContextOptions) => keep(target.newContext(options))
      if (name === 'newPage')
        return async (options?: BrowserContextOptions) => (await keep(target.newContext(options))).newPage()
      if (name === 'close') return () => Promise.all(opened.map((context) => context.close()))
      return Reflect.get(target, name, target)
    },
  })
}
