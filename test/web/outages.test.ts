/** Tabs of a browser while a proxy in front of the gateway fails for seconds, and while nothing arrives any more. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Relay, startRelay } from '../setup/proxies/relay.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

/** One more than the connections that a browser opens to one host with HTTP/1.1. */
const TABS = 7

describe.skipIf(noBrowser !== undefined)(`Outages of seconds${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let grace: Person
  let channelId: number
  let pages: WebPages
  let relay: Relay
  let context: BrowserContext
  let url: string

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [ada, other] = made.people as [Person, Person]
    grace = other
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    await postMessage(grace, channelId, 'outage', 'Before')
    pages = await openWebPages(realm)
    relay = await startRelay(pages.url, realm.host)
    url = `http://localhost:${new URL(relay.url).port}/#narrow/channel/${channelId}/topic/outage`
    context = await pages.newContext()
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await relay?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTab = async (): Promise<Page> => {
    const page = await pages.newPage(context)
    await page.goto(url)
    return page
  }
  const connected = (page: Page) => page.getByRole('status').filter({ hasText: 'Connected' })
  const shows = (page: Page, content: string) =>
    page
      .locator('article')
      .filter({ hasText: content })
      // The pauses between attempts of a client grow in an outage.
      .waitFor({ state: 'attached', timeout: 2 * PATIENCE_MS })

  test('Seven tabs work after handshakes of WebSockets failed for six seconds, and each gets every message once.', async () => {
    const first = await openTab()
    await first.getByRole('button', { name: 'Ada' }).click()
    // Before the answer, another tab would show the log-in.
    await connected(first).waitFor()
    const tabs = [first]
    while (tabs.length < TABS) tabs.push(await openTab())
    for (const tab of tabs) await connected(tab).waitFor()
    // From now on the connections have lasted.
    await first.waitForTimeout(11_000)
    relay.refusesSockets = true
    relay.cut()
    await postMessage(grace, channelId, 'outage', 'During the outage')
    await first.waitForTimeout(6_000)
    relay.refusesSockets = false
    for (const tab of tabs) {
      await shows(tab, 'During the outage')
      await connected(tab).waitFor()
    }
    await postMessage(grace, channelId, 'outage', 'After the outage')
    for (const tab of tabs) {
      await shows(tab, 'After the outage')
      expect(await tab.locator('article').filter({ hasText: 'the outage' }).count()).toBe(2)
    }
    // A call has one of the connections at once, and so has a further tab.
    const call = `fetch('/api/v1/server_settings', { cache: 'no-store' }).then(({ status }) => status)`
    expect(await first.evaluate(call)).toBe(200)
    await connected(await openTab()).waitFor()
    for (const page of context.pages().slice(1)) await page.close()
  })

  test('A page that is shown again notices within seconds that its connection is dead.', async () => {
    const [page] = context.pages() as [Page]
    await connected(page).waitFor()
    relay.swallows = true
    await page.evaluate('dispatchEvent(new Event("pageshow"))')
    await connected(page).waitFor({ state: 'detached', timeout: PATIENCE_MS })
    await postMessage(grace, channelId, 'outage', 'While nothing arrived')
    relay.swallows = false
    relay.cut()
    await shows(page, 'While nothing arrived')
    await connected(page).waitFor()
    expect(pages.problems).toEqual([])
  })
})
