/** A page of the web client in a real browser, in which a person is logged in. */

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { anyGateway, type Person, type TestRealm } from '../realm/realm.js'
import { findViolations } from './axe.js'
import { logIn, setPassword } from './browser-session.js'
import { keepPicture } from './pictures.js'

/** How long a change may take to appear. It appears within milliseconds; a machine under test stalls for seconds. */
const PATIENCE_MS = 20_000

export interface WebPage {
  page: Page
  context: BrowserContext
  /** the address of the page without a fragment */
  url: string
  /** the errors that the page reported */
  problems: string[]
}

/**
 * Opens the web client as a person.
 * @param options.fragment the view with which it opens: `#inbox`
 * @param options.script runs in each page of the context before the page's own scripts
 */
export const openWebPage = async (
  browser: Browser,
  realm: TestRealm,
  person: Person,
  { fragment = '#inbox', script }: { fragment?: string; script?: string } = {},
): Promise<WebPage> => {
  await setPassword(realm, person)
  const gateway = anyGateway()
  const [name = '', value = ''] = (await logIn(person, { url: gateway })).cookie.split(/=(.*)/s)
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addCookies([{ name, value, domain: realm.host, path: '/' }])
  if (script !== undefined) await context.addInitScript(script)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
  const url = `http://${realm.host}:${new URL(gateway).port}/`
  await page.goto(url + fragment)
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
  return { page, context, url, problems }
}

/** Expects that axe finds no violation, and keeps a picture. */
export const expectAccessible = async (page: Page, name: string): Promise<void> => {
  await keepPicture(page, `web-${name}`)
  expect(await findViolations(page), name).toEqual([])
}
