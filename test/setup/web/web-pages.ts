/** Pages of the web client in a real browser, each logged in to the demo organization of one gateway. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startGateway } from '../processes/processes.js'
import type { TestRealm } from '../realm/realm.js'
import { findViolations } from './axe.js'
import { openBrowser } from './browser.js'
import { keepPicture } from './pictures.js'

/** How long a change may take to appear. It appears within milliseconds; a machine under test stalls for seconds. */
export const PATIENCE_MS = 15_000

/** Browsers that show the web client of one organization. */
export interface WebPages extends AsyncDisposable {
  /** the address of the page */
  url: string
  /** what the consoles said that they should not */
  problems: string[]
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Opens a page that reports its problems. */
  newPage(context?: BrowserContext): Promise<Page>
  /** Logs in with a click on the account of this name, in a browser of its own unless one is given. */
  logIn(name: string, context?: BrowserContext): Promise<Page>
}

/**
 * Starts a gateway and a browser for the realm. The accounts of the realm log in with one click. Those that exist have
 * dismissed the list of first steps, which would be above everything in their inbox.
 */
export const openWebPages = async (
  realm: TestRealm,
  variables: Record<string, string> = {},
  options: Parameters<typeof openBrowser>[0] = {},
): Promise<WebPages> => {
  await realm.sql`
    insert into onboarding_steps (realm_id, user_id, step)
    select realm_id, id, 'parley_first_steps' from users where realm_id = ${realm.realm_id} on conflict do nothing`
  const gateway = await startGateway({
    NODE_ENV: 'development',
    ROOT_REALM: realm.host.split('.')[0] ?? '',
    ...variables,
  })
  const browser = (await openBrowser(options)) as Browser
  const problems: string[] = []
  const pages: WebPages = {
    url: gateway.url,
    problems,
    async newContext(options) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      context.setDefaultTimeout(PATIENCE_MS)
      return context
    },
    async newPage(context) {
      const page = await (context ?? (await pages.newContext())).newPage()
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        // The browser reports every refused call and every lost connection as an error.
        const isExpected = /Failed to load resource|WebSocket connection|net::ERR/.test(message.text())
        if (message.type() === 'error' && !isExpected) problems.push(message.text())
      })
      return page
    },
    async logIn(name, context) {
      const page = await pages.newPage(context)
      await page.goto(gateway.url)
      await page.getByRole('button', { name }).click()
      // On a small screen the column is there, and hidden.
      await page.locator('#left-sidebar').waitFor({ state: 'attached' })
      return page
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await gateway.stop()
    },
  }
  return pages
}

/** Opens the dialog of an address such as `#settings/profile`. */
export const openDialog = async (page: Page, fragment: string): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/${fragment}`)
  await page.getByRole('dialog').waitFor()
}

/** Closes the open dialog. */
export const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Waits until the page tells that something was done. */
export const says = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

/** Keeps a picture, and returns the violations that axe finds. */
export const inspectPage = async (page: Page, name: string): Promise<string[]> => {
  await keepPicture(page, `web-${name}`)
  return findViolations(page)
}
