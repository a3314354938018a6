/**
 * Every view, dialog and menu of the page in a language whose texts have accents on all letters. What has none is in no
 * catalogue, or is put together outside of one.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pseudoLanguage } from '../../rules/src/languages.js'
import { openTexts } from '../../rules/src/texts.js'
import type { BusyOrganization } from '../setup/clients/busy-organization.js'
import { createGreekOrganization, greekTopics } from '../setup/clients/greek-organization.js'
import { noBrowser } from '../setup/web/browser.js'
import { findUntranslated } from '../setup/web/untranslated.js'
import { listViews, settleView } from '../setup/web/views.js'
import { openWebPages, type WebPages } from '../setup/web/web-pages.js'

const t = openTexts(pseudoLanguage, {})
const language = `localStorage.setItem('language', '${pseudoLanguage}')`

describe.skipIf(noBrowser !== undefined)(`The pseudo language${noBrowser ?? ''}`, { timeout: 300_000 }, () => {
  let organization: BusyOrganization
  let pages: WebPages

  beforeAll(async () => {
    organization = await createGreekOrganization(pseudoLanguage)
    pages = await openWebPages(organization.realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await organization?.[Symbol.asyncDispose]()
  })

  const logIn = async (): Promise<Page> => {
    const context = await pages.newContext()
    await context.addInitScript(language)
    return pages.logIn('Άδα', context)
  }

  const addressOf = (fragment: string): string =>
    Object.entries(greekTopics).reduce((text, [topic, greek]) => text.replace(topic, greek), fragment)

  test('Every view and every dialog with an address is translated.', async () => {
    const page = await logIn()
    const found = new Found()
    for (const [view, fragment] of Object.entries(listViews(organization))) {
      await page.evaluate(`location.hash = '${addressOf(fragment)}'`)
      await settleView(page, t)
      await found.add(view, page)
    }
    await page.context().close()
    expect(found.texts).toEqual([])
  })
})

/** What was found, each text only in the first view that has it. */
class Found {
  readonly texts: string[] = []
  readonly #known = new Set<string>()

  async add(view: string, page: Page): Promise<void> {
    for (const text of await findUntranslated(page)) {
      if (this.#known.has(text)) continue
      this.#known.add(text)
      this.texts.push(`${view}: ${text}`)
    }
  }
}
