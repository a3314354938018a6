/**
 * Messages without a connection, in a real browser: each is sent by itself when the connection is back, once, and is
 * not lost when the page is closed. Grace counts what arrives.
 */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { startGateway } from '../setup/processes/processes.js'
import { startTcpFront } from '../setup/proxies/tcp-front.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateUserRow } from '../setup/realm/row-changes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'
import { PATIENCE_MS } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Messages that were not sent${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let context: BrowserContext
  let page: Page
  let url: string

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    await updateUserRow(realm, grace.user_id, { role: Role.owner })
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'The first plan')
    await postMessage(grace, channelId, 'autumn', 'The last plan')
    browser = (await openBrowser()) as Browser
    ;({ page, context, url } = await openWebPage(browser, realm, ada, { fragment: topicLink('spring') }))
    await page.locator('article').first().waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const topicLink = (topic: string) => `#narrow/channel/${channelId}-plans/topic/${topic}`
  const directLink = () => `#narrow/dm/${grace.user_id}-Grace`
  const unsent = (text: string, on = page) => on.locator('.outgoing-message').filter({ hasText: text })
  const article = (text: string, on = page) => on.locator('article').filter({ hasText: text })
  const countButton = (on = page) => on.getByRole('button', { name: /\d not sent/ })

  const write = async (text: string, on = page) => {
    await on.locator('#compose').fill(text)
    await on.locator('#compose').press('Control+Enter')
  }
  const show = async (fragment: string) => {
    await page.evaluate((to) => location.assign(to), fragment)
    await page.locator('#compose').waitFor()
  }

  /** The newest messages, as another person received them. */
  const received = async (): Promise<string[]> => {
    const range = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
    return (await ok(grace, 'GET', '/messages', range)).messages.map(({ content }: { content: string }) => content)
  }
  /** How often each text arrived, as soon as all did. */
  const countReceived = async (...texts: string[]): Promise<number[]> => {
    const count = async () => {
      const all = await received()
      return texts.map((text) => all.filter((content) => content === text).length)
    }
    await expect.poll(async () => Math.min(...(await count())), { timeout: 30_000 }).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.outgoing-message').count(), { timeout: PATIENCE_MS }).toBe(0)
    return count()
  }
  const goOffline = async () => {
    await context.setOffline(true)
    await page.getByRole('status').filter({ hasText: 'Offline' }).waitFor()
  }

  test('What is written without a connection waits in its conversation, and is sent once when it is back.', async () => {
    await goOffline()
    await write('Offline, first')
    await write('Offline, second')
    await unsent('Offline, second').getByRole('button', { name: 'Send now' }).waitFor()
    await expect.poll(() => countButton().textContent()).toBe('2 not sent')
    await expectAccessible(page, 'unsent')
    await show(directLink())
    await write('Offline, to Grace')
    await unsent('Offline, to Grace').waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(1)
    await page.evaluate((to) => location.assign(to), '#inbox')
    await page.locator('.inbox-page').waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(0)
    // A message that is just being tried counts when the attempt has failed.
    await expect.poll(() => countButton().textContent(), { timeout: PATIENCE_MS }).toBe('3 not sent')
    await countButton().click()
    const rows = page.getByRole('dialog').getByRole('listitem')
    await expect
      .poll(() => rows.locator('a').allTextContents(), { timeout: PATIENCE_MS })
      .toEqual(['#plans › spring', '#plans › spring', 'Grace'])
    await expectAccessible(page, 'unsent-list')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page, 'unsent-phone')
    await countButton().click()
    await expectAccessible(page, 'unsent-list-phone')
    await page.setViewportSize({ width: 1200, height: 800 })
    await context.setOffline(false)
    await page.getByRole('dialog').getByText('Everything is sent.').waitFor({ timeout: 30_000 })
    await page.keyboard.press('Escape')
    await countButton().waitFor({ state: 'detached' })
    expect(await countReceived('Offline, first', 'Offline, second', 'Offline, to Grace')).toEqual([1, 1, 1])
    const order = await received()
    expect(order.indexOf('Offline, first')).toBeLessThan(order.indexOf('Offline, second'))
    await show(topicLink('spring'))
    await article('Offline, second').waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(0)
  })

  test('A message of a page that was closed without a connection is sent by the next page, or by another one.', async () => {
    await show(topicLink('spring'))
    await goOffline()
    await write('Closed too early')
    await unsent('Closed too early').waitFor()
    await page.goto('about:blank')
    await context.setOffline(false)
    await page.goto(url + topicLink('spring'))
    await article('Closed too early').waitFor()
    expect(await countReceived('Closed too early')).toEqual([1])

    const other = await context.newPage()
    await other.goto(url + topicLink('autumn'))
    await article('The last plan', other).waitFor()
    await goOffline()
    await write('From the page that is left')
    await unsent('From the page that is left').waitFor()
    await other.reload().catch(() => undefined)
    await context.setOffline(false)
    await other.goto(url + topicLink('autumn'))
    expect(await countReceived('From the page that is left')).toEqual([1])
    await goOffline()
    await write('From the page that is closed')
    await unsent('From the page that is closed').waitFor()
    await page.close()
    page = other
    await context.setOffline(false)
    expect(await countReceived('From the page that is closed')).toEqual([1])
    expect(await countReceived('From the page that is left')).toEqual([1])
  })

  test('A message that waits is edited or deleted from the list, and is not sent by itself then.', async () => {
    await show(topicLink('spring'))
    await goOffline()
    await write('With a mistke')
    await write('Superfluous')
    await show(topicLink('autumn'))
    await countButton().click()
    const row = (text: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: text })
    await row('Superfluous').getByRole('button', { name: 'Delete' }).click()
    await row('Superfluous').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.setOffline(false)
    expect(await countReceived('With a mistke')).toEqual([1])
    expect(await received()).not.toContain('Superfluous')
  })

  test('A refusal is said at the message, with the reason, and the message is not sent again by itself.', async () => {
    const closedId = Number(await createChannel(grace, 'closed', [ada, grace]))
    await postMessage(grace, closedId, 'end', 'The last message')
    await show(`#narrow/channel/${closedId}-closed/topic/end`)
    await article('The last message').waitFor()
    await goOffline()
    await write('Too late')
    await write('Too late as well')
    await unsent('Too late as well').waitFor()
    await ok(grace, 'DELETE', `/streams/${closedId}`)
    await context.setOffline(false)
    const failed = page.locator('.outgoing-failed')
    await expect.poll(() => failed.count(), { timeout: 30_000 }).toBe(2)
    await failed
      .first()
      .getByText(/Not sent\. .*closed/)
      .waitFor()
    await expectAccessible(page, 'unsent-refused')
    await expect.poll(() => countButton().textContent()).toBe('2 not sent')
    await show(topicLink('spring'))
    expect(await page.locator('.outgoing-message').count()).toBe(0)
    // Others are sent nevertheless, and the refused ones stay.
    await write('Not held up')
    expect(await countReceived('Not held up')).toEqual([1])
    expect(await countButton().textContent()).toBe('2 not sent')
    await countButton().click()
    const row = (text: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: text })
    await row('Too late as well').getByRole('button', { name: 'Delete' }).click()
    await row('Too late as well').waitFor({ state: 'detached' })
    await row('Too late').getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => page.locator('#compose').inputValue()).toBe('Too late')
    await countButton().waitFor({ state: 'detached' })
    await page.locator('#compose').fill('')
  })

  test('Who logs out leaves no unsent message in the browser.', async () => {
    const kept = `Object.keys(localStorage).filter((key) => key.startsWith('parley.user.'))`
    const refuse = (route: Route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', msg: 'Not now.', code: 'BAD_REQUEST' } })
        : route.continue()
    await page.evaluate(`location.hash = ${JSON.stringify(topicLink('spring'))}`)
    await page.route('**/api/v1/messages', refuse)
    await page.getByRole('button', { name: /^Connection/ }).click()
    // Calls over HTTP are the ones that the test can refuse.
    await page.getByRole('radio', { name: 'Server-sent events' }).check()
    await page.keyboard.press('Escape')
    await write('Only for Ada')
    await unsent('Only for Ada').getByText('Not now.').waitFor()
    expect(await page.evaluate(kept)).not.toEqual([])
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await expect.poll(() => page.evaluate(kept)).toEqual([])
    await page.unrouteAll()
    ;({ page, context, url } = await openWebPage(browser, realm, ada, { fragment: topicLink('spring') }))
  })

  test('A message whose gateway is killed between the commit and the answer is there once.', async () => {
    const env = { NODE_ENV: 'development', ROOT_REALM: realm.host.split('.')[0] ?? '' }
    const gateways = await Promise.all([startGateway(env), startGateway(env)])
    await using front = await startTcpFront(gateways.map((gateway) => gateway.url))
    const own = await browser.newContext()
    await own.addInitScript('delete globalThis.WebSocket')
    page = await own.newPage()
    await page.goto(front.url)
    await page.getByRole('button', { name: 'Ada' }).click()
    await page.locator('#left-sidebar').waitFor()
    await show(topicLink('spring'))
    await article('The first plan').waitFor()
    let isKilled = false
    const killAfterCommit = async (route: Route) => {
      if (route.request().method() !== 'POST' || isKilled) return route.continue()
      isKilled = true
      await route.fetch()
      gateways[0]?.signal('SIGKILL')
      await gateways[0]?.ended
      return route.abort()
    }
    await page.route('**/api/v1/messages', killAfterCommit)
    await write('Committed, not answered')
    await write('After it')
    expect(await countReceived('Committed, not answered', 'After it')).toEqual([1, 1])
    // Nothing reached the server: the attempt that follows is the first one to arrive.
    const cutOff = async (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.continue())
    await page.route('**/api/v1/messages', cutOff)
    await write('Cut off')
    await unsent('Cut off').getByText('There was no answer.').waitFor()
    await page.unroute('**/api/v1/messages', cutOff)
    expect(await countReceived('Cut off')).toEqual([1])
    // The same text, written again, is another message.
    await write('Cut off')
    await expect.poll(async () => (await received()).filter((text) => text === 'Cut off').length).toBe(2)
    await own.close()
    await gateways[1]?.stop()
  })
})
