/** Small signs that people rely on: presence marks, what was copied, and the way back of archived channels. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openDialog, openWebPages, says, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Small signs of the page${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let channelId: number
  let context: BrowserContext

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  afterEach(() => context?.close())

  const logIn = async (options: Parameters<WebPages['newContext']>[0] = {}): Promise<Page> => {
    context = await pages.newContext(options)
    return pages.logIn('Ada', context)
  }

  test.each([1, 1.25, 1.5, 2, 3])('Presence marks are circles at a density of %d.', async (deviceScaleFactor) => {
    const page = await logIn({ deviceScaleFactor })
    await openDialog(page, `#user/${ada.user_id}`)
    await page.locator('.presence-mark').first().waitFor()
    const shapes = () =>
      page.evaluate<boolean[]>(`[...document.querySelectorAll('.presence-mark circle')].map((circle) => {
        const { width, height } = circle.getBoundingClientRect()
        return Math.abs(width - height) < 0.01 && width > 5
      })`)
    // The lists beside the card are drawn after it.
    await expect.poll(async () => (await shapes()).length).toBeGreaterThan(1)
    expect(new Set(await shapes())).toEqual(new Set([true]))
    expect(await inspectPage(page, `presence-${deviceScaleFactor}`)).toEqual([])
  })

  test('What was copied is said, and so is the refusal of the browser.', async () => {
    await postMessage(grace, channelId, 'code', '```python\nprint(1)\n```')
    const page = await logIn({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/code`)
    const message = page.getByRole('article').filter({ hasText: 'print(1)' })
    await message.hover()
    await message.getByRole('button', { name: 'Copy the python code' }).click()
    await says(page, 'The code was copied.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('print(1)\n')
    await message.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy the link' }).click()
    await says(page, 'The link was copied.')
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
    await message.getByRole('button', { name: 'Copy the python code' }).click()
    await page.getByRole('alert').getByText('The browser does not allow this page to copy.').waitFor()
  })

  test('An archived channel is listed for the administrator of it, who opens it again.', async () => {
    await ok(grace, 'DELETE', `/streams/${channelId}`)
    const page = await logIn()
    await openDialog(page, '#channels/all')
    await page.getByRole('link', { name: 'Archived channels (1)' }).click()
    const row = page.getByRole('dialog').locator('.dialog-row', { hasText: 'general' })
    expect(await inspectPage(page, 'archived-channels')).toEqual([])
    await row.getByRole('button', { name: 'Take out of the archive: general' }).click()
    await says(page, '#general is open again.')
    await row.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('#left-sidebar').getByRole('link', { name: 'general' }).waitFor()
    const { streams } = await ok(grace, 'GET', '/streams')
    expect(streams.map(({ name }) => name)).toContain('general')
    await realm.people({ full_name: 'Linus' })
    const other = await pages.logIn('Linus')
    await ok(grace, 'DELETE', `/streams/${channelId}`)
    await openDialog(other, '#channels/all')
    await other.getByRole('searchbox', { name: 'Search channels' }).waitFor()
    expect(await other.getByRole('link', { name: /Archived/ }).count()).toBe(0)
    await other.context().close()
  })

  test('A status ends at the time that its user chose, for every user who sees it.', async () => {
    const page = await logIn()
    const reader = await pages.logIn('Grace')
    await openDialog(page, '#settings/profile')
    const form = page.locator('form', { has: page.getByRole('heading', { name: 'Status' }) })
    await form.getByLabel('Text').fill('Writing')
    await form.getByLabel('It ends').selectOption('In 1 hour')
    await form.getByRole('button', { name: 'Set the status' }).click()
    await says(page, 'Saved.')
    const status = async () => (await ok(grace, 'GET', `/users/${ada.user_id}/status`)).status
    const inAnHour = Math.floor(Date.now() / 1_000) + 3_600
    expect(Math.abs(((await status()).scheduled_end_time ?? 0) - inAnHour)).toBeLessThan(60)
    await form.getByLabel('It ends').selectOption('At a time that I choose')
    await form.getByLabel('Ends at').fill('2100-01-02T13:05')
    expect(await inspectPage(page, 'status-that-ends')).toEqual([])
    await form.getByRole('button', { name: 'Set the status' }).click()
    await openDialog(reader, `#user/${ada.user_id}`)
    await reader.getByRole('dialog').getByText('Writing · until Jan 2, 2100').waitFor()
    // The form allows no time so near; the server does, as long as it has not passed when the call arrives.
    await ok(ada, 'POST', '/users/me/status', { scheduled_end_time: Math.floor(Date.now() / 1_000) + 5 })
    await reader.getByRole('dialog').getByText('Writing').waitFor({ state: 'detached' })
    await expect.poll(status).toEqual({})
    await reader.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
