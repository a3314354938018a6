/**
 * The browser's back/forward cache: a reader follows a link out of the page and comes back. The browser then either
 * shows the page as it was, with its scripts and without its connections, or loads it anew.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Back to the page${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let grace: Person
  let channelId: number
  let pages: WebPages

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [ada, other] = made.people as [Person, Person]
    grace = other
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    await postMessage(grace, channelId, 'back', 'Before')
    pages = await openWebPages(realm, {}, { keepsPages: true })
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  /** Tells, after the page was shown again, whether the browser had kept it. */
  const WATCH = `addEventListener('pageshow', ({ persisted }) => { globalThis.wasKept = persisted })`
  const wasKept = (page: Page) => page.evaluate(() => (globalThis as unknown as { wasKept?: boolean }).wasKept)

  test.each(['WebSocket', 'Server-sent events', 'Long polling'])(
    'Over %s, a page that the browser kept is live within seconds, and shows what was missed once.',
    async (transport) => {
      const page = await pages.logIn('Ada')
      const connected = page.getByRole('status').filter({ hasText: 'Connected' })
      const articles = (content: string) => page.locator('article').filter({ hasText: content })
      await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/back`)
      await articles('Before').waitFor()
      await page.locator('button', { hasText: 'Connected' }).click()
      await page.getByRole('radio', { name: transport }).check()
      await connected.waitFor()
      await page.evaluate(WATCH)
      // Another page of this site, and one of another site.
      for (const [n, address] of [`${pages.url}/api/v1/server_settings`, 'data:text/html,elsewhere'].entries()) {
        await page.goto(address)
        const name = (part: string) => `${transport} ${n} ${part}`
        for (const part of ['first', 'second']) await postMessage(grace, channelId, 'back', name(part))
        // A page that was kept has no event `load`.
        await page.goBack({ waitUntil: 'commit' })
        await expect.poll(() => wasKept(page), { timeout: PATIENCE_MS }).toBe(true)
        await articles(name('second')).waitFor()
        await connected.waitFor()
        await postMessage(grace, channelId, 'back', name('third'))
        await articles(name('third')).waitFor()
        for (const part of ['first', 'second', 'third']) expect(await articles(name(part)).count()).toBe(1)
      }
      expect(pages.problems).toEqual([])
      await page.context().close()
    },
  )
})
