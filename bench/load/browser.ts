/** Pages of the web client in a real browser, for the benchmarks. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { Failure } from '../../src/dev/failure.js'
import { findChromium, prepareChromium } from '../../test/setup/web/chromium.js'

/** How long a benchmark waits for what a page shows. */
export const PATIENCE_MS = 120_000

/** @throws Failure if there is no Chromium */
export const openBrowser = async (): Promise<Browser> => {
  prepareChromium(console.log)
  const path = findChromium()
  if (path === undefined) throw new Failure('There is no Chromium on PATH: `apt-get install chromium` installs it.')
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

/** Logs in with an empty cache. @param port of a gateway in development, whose root organization has the user */
export const logIn = async (browser: Browser, port: number, user_id: number): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(PATIENCE_MS)
  const form = { user_id: String(user_id) }
  const answer = await context.request.post(`http://127.0.0.1:${port}/api/v1/sessions/demo`, { form })
  if (!answer.ok()) throw new Failure(`The browser could not log in: ${await answer.text()}`)
  return context
}

/**
 * Logs in with an empty cache, and opens a view. Resolves when the page shows a message.
 * @param view.port of a gateway in development, whose root organization has the user
 * @param view.fragment the view: `#feed`
 * @param view.script runs in the page before the page's own scripts
 */
export const openView = async (
  browser: Browser,
  { port, user_id, fragment, script = '' }: { port: number; user_id: number; fragment: string; script?: string },
): Promise<Page> => {
  const context = await logIn(browser, port, user_id)
  const page = await context.newPage()
  await page.addInitScript(script)
  await page.goto(`http://127.0.0.1:${port}/${fragment}`)
  await page.locator('article').first().waitFor({ state: 'attached' })
  return page
}
