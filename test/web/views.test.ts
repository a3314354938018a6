/**
 * Every view and dialog of the page on four screens: a picture of each is kept, axe finds nothing, nothing is wider
 * than the screen, and the console is quiet.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BusyOrganization, createBusyOrganization } from '../setup/clients/busy-organization.js'
import { noBrowser } from '../setup/web/browser.js'
import { dialogNames, listViews, settleView } from '../setup/web/views.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

interface Look {
  name: string
  options: BrowserContextOptions
}

/** A laptop in light and dark, a phone, and a laptop whose page is zoomed to 200 %. */
const looks: readonly Look[] = [
  { name: 'light', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
  { name: 'dark', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } },
  {
    name: 'phone',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  },
  { name: 'zoomed', options: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 } },
]

describe.skipIf(noBrowser !== undefined)(`The views of the page${noBrowser ?? ''}`, { timeout: 180_000 }, () => {
  let organization: BusyOrganization
  let pages: WebPages

  beforeAll(async () => {
    organization = await createBusyOrganization()
    pages = await openWebPages(organization.realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await organization?.[Symbol.asyncDispose]()
  })

  test('Every dialog that has an address is among the views.', () => {
    const shown = Object.values(listViews(organization)).map((fragment) => fragment.slice(1).split('/')[0])
    expect(dialogNames.filter((name) => !shown.includes(name))).toEqual([])
  })

  test.each(looks)('On the $name screen, every view is accessible and fits.', async ({ name, options }) => {
    const context = await pages.newContext(options)
    const page = await pages.logIn('Ada', context)
    const found: Record<string, string[]> = {}
    for (const [view, fragment] of Object.entries(listViews(organization))) {
      await page.goto(`${pages.url}/${fragment}`)
      await settleView(page)
      const violations = await inspectPage(page, `view-${view}-${name}`)
      const tooWide = await widerThanScreen(page)
      if (violations.length + tooWide.length > 0) found[view] = [...violations, ...tooWide]
    }
    await context.close()
    expect(found).toEqual({})
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})

/** What is not reachable without scrolling the page sideways. */
const widerThanScreen = async (page: Page): Promise<string[]> =>
  (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
    ? ['The page is wider than the screen.']
    : []
