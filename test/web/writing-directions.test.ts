/** Text that is written from right to left, in the fields of a real browser. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'

const ARABIC = 'مرحبا بالعالم and English'
const ENGLISH = 'English and مرحبا'

describe.skipIf(noBrowser !== undefined)(`The direction of a field${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let page: Page
  let url: string
  let channelId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'يوسف')
    realm = made.realm
    const [ada, yusuf] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, yusuf]))
    await postMessage(ada, channelId, 'spring', 'To be edited')
    browser = (await openBrowser()) as Browser
    const fragment = `#narrow/channel/${channelId}-plans/topic/spring`
    ;({ page, url } = await openWebPage(browser, realm, ada, { fragment }))
    await page.locator('article').first().waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  /** Expects that a field follows the first letter of what is written. */
  const expectToFollow = async (field: Locator) => {
    const direction = () => field.evaluate((element) => getComputedStyle(element).direction)
    await field.fill(ARABIC)
    await expect.poll(direction).toBe('rtl')
    await field.fill(ENGLISH)
    await expect.poll(direction).toBe('ltr')
    await field.fill(ARABIC)
  }

  test('The text, the topic, the recipients and the form of a message follow what is written.', async () => {
    await expectToFollow(page.locator('#compose'))
    await page.locator('#compose').fill('')
    await page.locator('article').focus()
    await page.keyboard.press('e')
    await expectToFollow(page.getByRole('form', { name: 'Edit the message' }).locator('textarea'))
    await page.keyboard.press('Escape')
    await page.goto(`${url}#inbox`)
    await page.getByRole('button', { name: 'New message' }).click()
    await expectToFollow(page.getByRole('combobox', { name: 'Channel' }))
    await page.keyboard.press('Escape')
    await expectToFollow(page.getByRole('combobox', { name: 'Topic' }))
    await expectToFollow(page.locator('#compose'))
    await expectAccessible(page, 'writing-rtl')
    await page.getByRole('radio', { name: 'Direct message' }).check()
    await expectToFollow(page.getByRole('combobox', { name: 'Recipients' }))
    await page.getByRole('combobox', { name: 'Recipients' }).fill('يوس')
    await page.getByRole('option', { name: 'يوسف' }).click()
    await page.getByRole('button', { name: 'Remove يوسف' }).waitFor()
  })

  test('The fields of dialogs follow what is written.', async () => {
    await page.goto('about:blank')
    await page.goto(`${url}#channels/new`)
    await expectToFollow(page.getByRole('dialog').getByLabel('Name', { exact: true }))
    await expectToFollow(page.getByRole('dialog').getByLabel('Description', { exact: true }))
  })
})
