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
    const page = await pages.logIn('Άδα', await pages.newContext({ locale: pseudoLanguage }))
    await page.locator(`html[lang="${pseudoLanguage}"]`).waitFor({ state: 'attached' })
    return page
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

  test('Every menu and every panel is translated.', async () => {
    const page = await logIn()
    const found = new Found()
    const views = listViews(organization)
    for (const view of ['inbox', 'recent', 'topic', 'channel', 'topics', 'direct', 'search', 'drafts', 'scheduled']) {
      await page.evaluate(`location.hash = '${addressOf(views[view] ?? '')}'`)
      await settleView(page, t)
      await found.ignore(page)
      await openPanels(page, (name) => found.add(`${view}, ${name}`, page))
    }
    await page.context().close()
    expect(found.texts).toEqual([])
  })

  test('Every action on a message is translated.', async () => {
    const page = await logIn()
    const found = new Found()
    const topic = `${pages.url}/${addressOf(listViews(organization).topic ?? '')}`
    const open = async (id: number) => {
      await page.goto(`${topic}/near/${id}`)
      await page.reload()
      const message = page.locator(`article[data-id="${id}"]`)
      await message.waitFor()
      await settleView(page, t)
      await message.hover()
      await message.locator('[data-tool=menu]').click()
      await page.getByRole('menuitem').first().waitFor()
    }
    const { messageIds } = organization
    for (const id of [messageIds.at(-1) ?? 0, messageIds[0] ?? 0]) {
      await open(id)
      await found.ignore(page)
      const labels = await page.getByRole('menuitem').allTextContents()
      for (const [index, label] of labels.entries()) {
        if (index > 0) await open(id)
        await page.getByRole('menuitem').nth(index).click()
        await settleView(page, t)
        await found.add(`message ${id}, ${label}`, page)
      }
    }
    await page.context().close()
    expect(found.texts).toEqual([])
  })

  test('What is offered while the user writes and searches is translated.', async () => {
    const page = await logIn()
    const found = new Found()
    await page.goto(`${pages.url}/${addressOf(listViews(organization).topic ?? '')}`)
    await settleView(page, t)
    const field = page.locator('.compose-text')
    for (const text of ['@', '@α', '#', ':', '/', '```', '~', '<', `${'α'.repeat(10_001)}`, '@**Ξένος**', '@**all**']) {
      await field.fill('')
      await field.pressSequentially(text.slice(0, 2))
      await field.fill(text)
      await settleView(page, t)
      await found.add(`text ${text.slice(0, 10)}`, page)
    }
    await field.fill('')
    await page.locator('.compose-text').blur()
    for (const text of ['', 'i', 'has', 'sender:', 'is:', 'ξ', 'before:']) {
      await page.keyboard.press('/')
      const search = page.locator('.search-box input')
      await search.fill(text)
      await settleView(page, t)
      await found.add(`search ${text}`, page)
      await search.fill('')
      await page.keyboard.press('Escape')
      await search.blur()
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    for (const text of ['', 'γ', 'ξξξξ']) {
      await page.getByRole('dialog').locator('input').fill(text)
      await found.add(`switcher ${text}`, page)
    }
    await page.context().close()
    expect(found.texts).toEqual([])
  })

  test('What a visitor and a user without a session see is translated.', async () => {
    const context = await pages.newContext({ locale: pseudoLanguage })
    const page = await pages.newPage(context)
    const found = new Found()
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Άδα' }).waitFor()
    await found.add('log-in', page)
    await page.locator('form input[type=email]').fill('9@example.com')
    await page.locator('form input[type=password]').fill('9')
    await page.locator('form button[type=submit]').click()
    await page.getByRole('alert').waitFor()
    await found.add('refused log-in', page)
    await page.getByRole('button', { name: t('Forgot your password?') }).click()
    await found.add('forgotten password', page)
    await page.locator('input[type=email]').fill('1@example.com')
    await page.locator('form button[type=submit]').click()
    await settleView(page, t)
    await found.add('requested password', page)
    await page.goto(`${pages.url}/${addressOf(listViews(organization).topic ?? '')}`)
    await page.reload()
    await page.getByRole('button', { name: t('Read without an account') }).click()
    await page.locator('#left-sidebar').waitFor()
    await settleView(page, t)
    await found.add('visitor', page)
    await context.close()
    expect(found.texts).toEqual([])
  })
})

/** Opens each menu and panel of a view once, by the name of its button. */
const openPanels = async (page: Page, onOpen: (name: string) => Promise<void>): Promise<void> => {
  const opened = new Set<string>()
  const buttons = page.locator('button[aria-haspopup], button[aria-expanded=false]').filter({ visible: true })
  for (const button of await buttons.elementHandles()) {
    const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? ''
    if (opened.has(name) || !(await button.isVisible()) || !(await button.isEnabled())) continue
    opened.add(name)
    await button.dispatchEvent('click')
    await settleView(page, t)
    await onOpen(name)
    if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
    else if ((await button.getAttribute('aria-expanded')) === 'true') await button.dispatchEvent('click')
  }
}

/** What was found, each text only in the first view that has it. */
class Found {
  readonly texts: string[] = []
  readonly #known = new Set<string>()

  /** Leaves out what a view shows by itself, which another test reports. */
  async ignore(page: Page): Promise<void> {
    for (const text of await findUntranslated(page)) this.#known.add(text)
  }

  async add(view: string, page: Page): Promise<void> {
    for (const text of await findUntranslated(page)) {
      if (this.#known.has(text)) continue
      this.#known.add(text)
      this.texts.push(`${view}: ${text}`)
    }
  }
}
