/** Files that are dropped on the page, in a real browser, which would open them. Tab leads to the text. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { useKeyboard } from '../setup/web/keyboard.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'

describe.skipIf(noBrowser !== undefined)(`Dropped files${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let page: Page
  let url: string
  let devtools: CDPSession
  let problems: string[]
  const folder = mkdtempSync(join(tmpdir(), 'parley-drop-'))

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(ada, channelId, 'spring', 'The first plan')
    for (const name of ['one.txt', 'two.txt']) writeFileSync(join(folder, name), `The file ${name}`)
    browser = (await openBrowser()) as Browser
    ;({ page, url, problems } = await openWebPage(browser, realm, ada, { fragment: topicLink() }))
    await page.locator('article').first().waitFor()
    devtools = await page.context().newCDPSession(page)
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const topicLink = () => `#narrow/channel/${channelId}-plans/topic/spring`
  const box = () => page.locator('#compose')
  const zone = () => page.locator('.drop-zone')

  /** Drags files from outside of the browser to the centre of an element. */
  const drag = async (to: Locator, names: string[], steps: ('dragEnter' | 'dragOver' | 'drop' | 'dragCancel')[]) => {
    const { x, y, width, height } = (await to.boundingBox()) as { x: number; y: number; width: number; height: number }
    for (const type of steps) {
      await devtools.send('Input.dispatchDragEvent', {
        type,
        x: x + width / 2,
        y: y + height / 2,
        data: { items: [], files: names.map((name) => join(folder, name)), dragOperationsMask: 1 },
      })
    }
  }
  const drop = (to: Locator, ...names: string[]) => drag(to, names, ['dragEnter', 'dragOver', 'drop'])
  const expectAttached = async (...names: string[]) => {
    for (const name of names) await expect.poll(() => box().inputValue()).toContain(`[${name}](/user_uploads/`)
    expect(page.url().startsWith(url)).toBe(true)
    await expect.poll(() => zone().count()).toBe(0)
  }

  test('Files that are dropped on the list, the bar, the text or a column become links in the text.', async () => {
    await drag(page.locator('article').first(), ['one.txt'], ['dragEnter', 'dragOver'])
    await zone().filter({ hasText: '#plans › spring' }).waitFor()
    await expectAccessible(page, 'drop-zone')
    await drag(page.locator('article').first(), ['one.txt'], ['dragCancel'])
    await zone().waitFor({ state: 'detached' })
    expect(await box().inputValue()).toBe('')
    for (const place of ['article', '.message-scroller', '.app-bar', '#compose', '#left-sidebar', '#members']) {
      await drop(page.locator(place).first(), 'one.txt', 'two.txt')
      await expectAttached('one.txt', 'two.txt')
      await box().fill('')
    }
    await drop(page.locator('article').first(), 'one.txt')
    await expectAttached('one.txt')
    await box().press('Control+Enter')
    await page.locator('article').filter({ hasText: 'one.txt' }).waitFor()
    expect(problems).toEqual([])
  })

  test('A file that is dropped on the form of a message goes there.', async () => {
    const article = page.locator('article').filter({ hasText: 'The first plan' })
    await article.focus()
    await page.keyboard.press('e')
    const text = page.getByRole('form', { name: 'Edit the message' }).locator('textarea')
    await drop(text, 'two.txt')
    await expect.poll(() => text.inputValue()).toContain('[two.txt](/user_uploads/')
    expect(await box().inputValue()).toBe('')
    await text.press('Escape')
  })

  test('Where no message is written, the page says what to do, and the file goes into a new message.', async () => {
    await page.goto(`${url}#inbox`)
    await page.locator('main').waitFor()
    await drag(page.locator('main'), ['one.txt'], ['dragEnter', 'dragOver'])
    await zone().filter({ hasText: 'no text field' }).waitFor()
    await drag(page.locator('main'), ['one.txt'], ['drop'])
    await page.getByRole('alert').filter({ hasText: 'one.txt was not attached' }).waitFor()
    await expectAccessible(page, 'drop-nowhere')
    await page.getByRole('button', { name: 'Attach to a new message' }).click()
    await expectAttached('one.txt')
    await box().fill('')
    await page.goto(`${url}#settings/profile`)
    await page.getByRole('dialog').waitFor()
    await drop(page.getByRole('dialog'), 'one.txt')
    await page.getByRole('alert').filter({ hasText: 'Close the dialog' }).waitFor({ state: 'attached' })
    expect(page.url()).toBe(`${url}#settings/profile`)
    await page.keyboard.press('Escape')
  })

  test('Tab goes from the topic, and from the recipients, to the text.', async () => {
    await ok(ada, 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [channelId], topic: 'other', content: 'A draft', timestamp: 1_700_000_000 }],
    })
    await page.goto(`${url}#inbox`)
    await page.reload()
    await page.getByRole('button', { name: 'New message' }).waitFor()
    const keyboard = useKeyboard(page)
    await keyboard.press('c')
    await keyboard.isAt('Channel')
    await page.keyboard.type('#plans')
    await keyboard.press('Tab')
    await keyboard.isAt('Topic')
    // The written topic stays, although it is the beginning of another one.
    await keyboard.type('spr')
    await page.getByRole('option', { name: 'spring' }).waitFor()
    await keyboard.press('Tab')
    await keyboard.isAt('Write to #plans › spr')
    await expectAccessible(page, 'compose-new')
    await keyboard.press('Escape', 'x')
    await keyboard.isAt('Recipients')
    await keyboard.type('Gra')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    await keyboard.press('Tab')
    await page.getByRole('button', { name: 'Remove Grace' }).waitFor()
    await keyboard.press('Tab')
    await keyboard.isAt('Write to Grace')
    await keyboard.press('Shift+Tab')
    await keyboard.isAt('Recipients')
  })
})
