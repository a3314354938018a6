/** The language of the page: that of the account, or that of the browser before the log-in. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages } from '../../rules/src/languages.js'
import { Role } from '../../src/domain/log/rows.js'
import german from '../../web/src/languages/catalogues/de.json' with { type: 'json' }
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openDialog, openWebPages, type WebPages } from '../setup/web/web-pages.js'

const inGerman = (text: string): string => (german as Record<string, string>)[text] ?? text

/** Waits until the page is shown in a language. */
const isIn = (page: Page, language: string, direction = 'ltr'): Promise<void> =>
  page.locator(`html[lang="${language}"][dir="${direction}"]`).waitFor({ state: 'attached' })

describe.skipIf(noBrowser !== undefined)(`The language of the page${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'Lunch', 'The first message')
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  test('The settings offer the languages by their own names, and the page is shown in the chosen one.', async () => {
    const page = await pages.logIn('Ada')
    await isIn(page, 'en')
    await openDialog(page, '#settings/preferences')
    const field = page.getByRole('dialog').getByLabel('Language', { exact: true })
    const offered = await field
      .locator('option')
      .evaluateAll((options) => options.map((each) => [each.getAttribute('lang'), each.textContent]))
    expect(offered).toEqual(Object.entries(languages).map(([code, { name }]) => [code, name]))

    await field.selectOption({ label: 'Deutsch' })
    await isIn(page, 'de')
    // The address still names the page of the settings.
    const dialog = page.getByRole('dialog', { name: inGerman('Settings') })
    await dialog.getByRole('link', { name: inGerman('Display'), exact: true }).waitFor()
    const translated = dialog.getByLabel(inGerman('Language'), { exact: true })
    await expect.poll(() => translated.inputValue()).toBe('de')

    await translated.selectOption({ label: 'English' })
    await isIn(page, 'en')
    await page.close()
  })

  test('A page in Arabic runs from right to left, on all open pages of the account.', async () => {
    const context = await pages.newContext()
    const page = await pages.logIn('Grace', context)
    const other = await pages.newPage(context)
    await other.goto(`${pages.url}/#narrow/channel/${channelId}/topic/Lunch`)
    await other.getByText('The first message').waitFor()
    await ok(grace, 'PATCH', '/settings', { default_language: 'ar' })
    await isIn(page, 'ar', 'rtl')
    await isIn(other, 'ar', 'rtl')
    await other.getByText('The first message').waitFor()
    expect(await inspectPage(other, 'language-arabic')).toEqual([])
    await ok(grace, 'PATCH', '/settings', { default_language: 'en' })
    await isIn(other, 'en')
    await context.close()
  })

  test('An unfinished text survives the change of the language.', async () => {
    const page = await pages.logIn('Ada')
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/Lunch`)
    await page.getByText('The first message').waitFor()
    await page.locator('#compose').fill('Soup, or')
    await ok(ada, 'PATCH', '/settings', { default_language: 'fr' })
    await isIn(page, 'fr')
    await expect.poll(() => page.locator('#compose').inputValue()).toBe('Soup, or')
    await ok(ada, 'PATCH', '/settings', { default_language: 'en' })
    await isIn(page, 'en')
    await expect.poll(() => page.locator('#compose').inputValue()).toBe('Soup, or')
    await page.close()
  })

  /** The log-in page in a browser whose user prefers these languages. */
  const openLogIn = async (preferred: string[]): Promise<[Page, BrowserContext]> => {
    const context = await pages.newContext()
    await context.addInitScript((codes) => {
      Object.defineProperty(navigator, 'languages', { value: codes })
    }, preferred)
    const page = await pages.newPage(context)
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Ada' }).waitFor()
    return [page, context]
  }

  test('The log-in page is in the first language of the browser that exists.', async () => {
    for (const [preferred, language, direction] of [
      [['fr-CA', 'en'], 'fr', 'ltr'],
      [['nl', 'ja-JP', 'de'], 'ja', 'ltr'],
      [['ar-EG'], 'ar', 'rtl'],
      [['nl', 'pt-BR'], 'en', 'ltr'],
    ] as const) {
      const [page, context] = await openLogIn([...preferred])
      await isIn(page, language, direction)
      await context.close()
    }
  })

  test('The log-in page stays in the language of the account that used the browser last.', async () => {
    const [page, context] = await openLogIn(['es'])
    await isIn(page, 'es')
    await ok(ada, 'PATCH', '/settings', { default_language: 'de' })
    await page.getByRole('button', { name: 'Ada' }).click()
    await page.locator('#left-sidebar').waitFor()
    await isIn(page, 'de')
    // Without its cookie, the session has ended.
    await context.clearCookies()
    await page.reload()
    await page.getByRole('button', { name: 'Ada' }).waitFor()
    await isIn(page, 'de')
    await ok(ada, 'PATCH', '/settings', { default_language: 'en' })
    await context.close()
  })

  test('The consoles of the pages show no errors.', () => {
    expect(pages.problems).toEqual([])
  })
})
