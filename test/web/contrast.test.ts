/** The contrast of every button, link and field of the page in every state, light and dark. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BusyOrganization, createBusyOrganization } from '../setup/clients/busy-organization.js'
import { noBrowser } from '../setup/web/browser.js'
import { type ContrastMeter, openContrastMeter } from '../setup/web/contrast.js'
import { listViews, settleView } from '../setup/web/views.js'
import { openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The contrast of the page${noBrowser ?? ''}`, { timeout: 180_000 }, () => {
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

  test.each(['light', 'dark'] as const)('Each control can be read in each state in %s.', async (colorScheme) => {
    const page = await pages.logIn('Ada', await pages.newContext({ colorScheme }))
    const meter = await openContrastMeter(page)
    const found: string[] = []
    for (const [view, fragment] of Object.entries(listViews(organization))) {
      await page.evaluate(`location.hash = '${fragment}'`)
      await settleView(page)
      found.push(...label(view, await meter.measure()))
      if (view === 'topic') found.push(...(await measureMenus(page, meter)))
      found.push(...label(`${view}, first press`, await measureFirstPress(page, meter)))
    }
    await page.context().close()
    expect(meter.count).toBeGreaterThan(1_000)
    expect(found).toEqual([])
  })

  test.each(['light', 'dark'] as const)('Each control of a phone can be read in %s.', async (colorScheme) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme }
    const page = await pages.logIn('Ada', await pages.newContext(phone))
    const meter = await openContrastMeter(page)
    const found: string[] = []
    const views = listViews(organization)
    for (const view of ['inbox', 'topic', 'direct', 'drafts', 'channel-about', 'card', 'settings-profile', 'users']) {
      await page.evaluate(`location.hash = '${views[view]}'`)
      await settleView(page)
      found.push(...label(view, await meter.measure()))
    }
    await page.context().close()
    expect(meter.count).toBeGreaterThan(300)
    expect(found).toEqual([])
  })

  test.each(['light', 'dark'] as const)('Each control before the log-in can be read in %s.', async (colorScheme) => {
    const page = await pages.newPage(await pages.newContext({ colorScheme }))
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Ada' }).waitFor()
    const meter = await openContrastMeter(page)
    const found = label('log-in', await meter.measure())
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    found.push(...label('forgotten password', await meter.measure()))
    await page.context().close()
    expect(found).toEqual([])
  })
})

const label = (view: string, faint: readonly string[]): string[] => faint.map((text) => `${view}: ${text}`)

/** Opens each menu and panel of a view, and the dialogs of the menu of a message. */
const measureMenus = async (page: Page, meter: ContrastMeter): Promise<string[]> => {
  const found: string[] = []
  const buttons = page.locator('button[aria-haspopup], button[aria-expanded=false]').filter({ visible: true })
  const opened = new Set<string>()
  for (const button of await buttons.elementHandles()) {
    const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? ''
    if (opened.has(name) || !(await button.isVisible())) continue
    opened.add(name)
    await button.dispatchEvent('click')
    // Without a text, it is disabled.
    const hasDialog = name === 'Send later' && (await button.isEnabled())
    if (hasDialog) await page.getByRole('dialog', { name }).waitFor()
    found.push(...label(`menu ${name}`, await meter.measure()))
    if (hasDialog) await page.keyboard.press('Escape')
    else if ((await button.getAttribute('aria-expanded')) === 'true') await button.dispatchEvent('click')
  }
  await page.locator('.compose-text').fill('@')
  await page.getByRole('option').first().waitFor()
  found.push(...label('suggestions', await meter.measure()))
  await page.locator('.compose-text').fill('')
  await page.getByRole('link', { name: 'red.png' }).last().click()
  await page.getByRole('dialog').waitFor()
  found.push(...label('picture', await meter.measure()))
  await page.keyboard.press('Escape')
  const last = page.getByRole('article').last()
  for (const name of ['Edit', 'Move', 'Delete', 'History', 'Read receipts', 'Remind me']) {
    await last.hover()
    await last.getByRole('button', { name: 'More actions' }).click()
    const item = page.getByRole('menuitem', { name })
    if ((await item.count()) > 0) await item.click()
    found.push(...label(`action ${name}`, await meter.measure()))
    await page.keyboard.press('Escape')
  }
  return found
}

/** Presses a button that acts only when it is pressed twice, once. */
const measureFirstPress = async (page: Page, meter: ContrastMeter): Promise<string[]> => {
  const name = /^(Archive the|Deactivate)/
  const button = page.getByRole('dialog').getByRole('button', { name, disabled: false })
  if ((await button.count()) === 0) return []
  await button.first().click()
  return meter.measure()
}
