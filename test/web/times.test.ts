/** Every time of the page has 12 or 24 hours, as the user chose. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { type BusyOrganization, createBusyOrganization } from '../setup/clients/busy-organization.js'
import { postMessage } from '../setup/realm/messages.js'
import { ok } from '../setup/realm/realm.js'
import { redPixel, upload } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { listViews, settleView } from '../setup/web/views.js'
import { openDialog, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

/** What only a clock with 12 hours writes. */
const halves = /\b\d{1,2}:\d\d\s?[AP]M\b/gi

describe.skipIf(noBrowser !== undefined)(`The times of the page${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let organization: BusyOrganization
  let pages: WebPages

  beforeAll(async () => {
    organization = await createBusyOrganization()
    pages = await openWebPages(organization.realm)
    const { ada, grace, channelId } = organization
    await ok(grace, 'PATCH', '/settings', { timezone: 'Asia/Tokyo' })
    const id = await postMessage(ada, channelId, 'times', 'A first text at <time:2026-11-27T15:00:00Z>')
    await ok(ada, 'PATCH', `/messages/${id}`, { content: 'A second text at <time:2026-11-27T15:00:00Z>' })
    const { json } = await upload(ada, '/user_uploads', { filename: 'sky.png', type: 'image/png', data: redPixel })
    await postMessage(ada, channelId, 'times', `The sky: [sky.png](${json.url})`)
    await ok(ada, 'POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [channelId] })
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await organization?.[Symbol.asyncDispose]()
  })

  /** All times with AM or PM that the page shows or says: texts, labels and titles. */
  const readHalves = async (page: Page): Promise<string[]> => {
    const all =
      await page.evaluate<string>(`[document.body.innerText, ...[...document.querySelectorAll('[title], [aria-label]')]
      .flatMap((one) => [one.title, one.getAttribute('aria-label') ?? ''])].join('\\n')`)
    return [...all.matchAll(halves)].map(([text]) => text)
  }

  const openTimes = async (page: Page): Promise<void> => {
    await page.goto(`${pages.url}/#narrow/channel/${organization.channelId}-general/topic/times`)
    await page.getByText('A second text at').waitFor()
  }

  test('The choice changes every time that is on the screen at once, also inside messages.', async () => {
    const page = await pages.logIn('Ada')
    await openTimes(page)
    const written = page.locator('.rendered-message time')
    await expect.poll(() => written.textContent()).toMatch(halves)
    const other = await pages.logIn('Ada')
    await openDialog(other, '#settings/preferences')
    await other.getByRole('checkbox', { name: /24 hours/ }).click()
    await expect.poll(() => readHalves(page), { timeout: PATIENCE_MS }).toEqual([])
    await expect.poll(() => written.textContent()).toMatch(/\d\d:\d\d/)
    await other.getByRole('checkbox', { name: /24 hours/ }).click()
    await expect.poll(() => written.textContent()).toMatch(halves)
    await other.getByRole('checkbox', { name: /24 hours/ }).click()
    await expect.poll(() => written.textContent()).not.toMatch(halves)
  })

  test('No view and no dialog shows another clock than the chosen one.', async () => {
    await ok(organization.ada, 'PATCH', '/settings', { twenty_four_hour_time: true })
    const page = await pages.logIn('Ada')
    const found: Record<string, string[]> = {}
    const look = async (view: string) => {
      const times = await readHalves(page)
      if (times.length > 0) found[view] = times
    }
    for (const [view, fragment] of Object.entries(listViews(organization))) {
      await page.evaluate(`location.hash = '${fragment}'`)
      await settleView(page)
      await look(view)
    }
    await openTimes(page)
    const message = page.getByRole('article').filter({ hasText: 'A second text' })
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'history' }).click()
    await page.getByRole('dialog').getByText('A first text').first().waitFor()
    await look('history')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'sky.png' }).last().click()
    await page.getByRole('dialog').getByText('Ada,').waitFor()
    await look('picture')
    expect(found).toEqual({})
  })

  test('Only one file formats times and dates.', () => {
    const sources = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    )
    const found = sources.filter((file) =>
      /toLocale(?:Date|Time)String|DateTimeFormat|\.toTimeString/.test(
        readFileSync(join(root, 'web/src', file), 'utf8'),
      ),
    )
    expect(found).toEqual(['ui/times.ts'])
  })

  test('A visitor has the clock of the organization.', async () => {
    await ok(organization.ada, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true })
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Read without an account' }).click()
    await openTimes(page)
    expect(await page.locator('.message-time').first().textContent()).toMatch(/^\d\d:\d\d$/)
    expect(await readHalves(page)).toEqual([])
  })
})
