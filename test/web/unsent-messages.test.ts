/**
 * Messages that could not be sent, in a real browser: none is lost when the page is loaded again, none is sent twice.
 */
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noBrowser, openBrowser } from '../setup/browser.js'
import { createChannel, postMessage } from '../setup/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm.js'
import { newQuietRealm } from '../setup/realm-with-people.js'
import { expectAccessible, openWebPage } from '../setup/web-page.js'

describe.skipIf(noBrowser !== undefined)(`Messages that were not sent${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let channelId: number
  let page: Page

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [first, grace] = made.people as [Person, Person]
    ada = first
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'The first plan')
    browser = (await openBrowser()) as Browser
    page = (
      await openWebPage(browser, realm, ada, {
        fragment: `#narrow/channel/${channelId}-plans/topic/spring`,
        // Without sockets, each call is a request that the test can cut off.
        script: 'delete globalThis.WebSocket',
      })
    ).page
    await page.locator('article').first().waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const failed = (text: string) => page.locator('.outgoing-failed').filter({ hasText: text })
  const box = () => page.locator('#compose')

  /** Writes a message whose call does not get through. @param meanwhile runs before the call is cut off */
  const writeWithoutAnswer = async (text: string, meanwhile: () => Promise<unknown> = async () => {}) => {
    const cutOff = async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await meanwhile()
      return route.abort()
    }
    await page.route('**/api/v1/messages', cutOff)
    await box().fill(text)
    await box().press('Control+Enter')
    await failed(text).waitFor()
    await page.unroute('**/api/v1/messages', cutOff)
  }

  /** How often the server has the message. */
  const countStored = async (text: string): Promise<number> => {
    const { messages } = await ok(ada, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      apply_markdown: false,
    })
    return messages.filter(({ content }: { content: string }) => content === text).length
  }

  test('A message that was not sent is still there after a reload, and is sent then.', async () => {
    await writeWithoutAnswer('Not yet')
    await page.reload()
    await failed('Not yet').getByRole('button', { name: 'Send again' }).waitFor()
    await expectAccessible(page, 'unsent')
    await failed('Not yet').getByRole('button', { name: 'Send again' }).click()
    await page.locator('article').filter({ hasText: 'Not yet' }).waitFor()
    await failed('Not yet').waitFor({ state: 'detached' })
    expect(await countStored('Not yet')).toBe(1)
    await page.reload()
    await page.locator('article').filter({ hasText: 'Not yet' }).waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(0)
  })

  test('A message that was not sent is edited in the text field, or discarded.', async () => {
    await writeWithoutAnswer('With a mistke')
    await page.reload()
    await failed('With a mistke').getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => box().inputValue()).toBe('With a mistke')
    await failed('With a mistke').waitFor({ state: 'detached' })
    await box().fill('')
    await writeWithoutAnswer('Superfluous')
    await failed('Superfluous').getByRole('button', { name: 'Discard' }).click()
    await failed('Superfluous').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('article').first().waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(0)
  })

  test('A message whose answer was lost is not sent a second time.', async () => {
    const arrive = (text: string) => () => postMessage(ada, channelId, 'spring', text)
    await writeWithoutAnswer('Arrived once', arrive('Arrived once'))
    await failed('Arrived once').getByRole('button', { name: 'Send again' }).click()
    await failed('Arrived once').waitFor({ state: 'detached' })
    await writeWithoutAnswer('Arrived too', arrive('Arrived too'))
    await page.reload()
    await page.locator('article').filter({ hasText: 'Arrived too' }).waitFor()
    await page.locator('.outgoing-message').waitFor({ state: 'detached' })
    expect([await countStored('Arrived once'), await countStored('Arrived too')]).toEqual([1, 1])
    // The same text, written again, is another message.
    await writeWithoutAnswer('Arrived too')
    await failed('Arrived too').getByRole('button', { name: 'Send again' }).click()
    // It is no failed message any more as soon as it is being sent.
    await page.locator('.outgoing-message').waitFor({ state: 'detached' })
    expect(await countStored('Arrived too')).toBe(2)
  })
})
