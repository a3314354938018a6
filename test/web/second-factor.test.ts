/** The second factor in a real browser: set up, used and removed, with the keyboard, on a phone, in dark. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeCode, freshCode } from '../setup/log-in/one-time-codes.js'
import { newRealm, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { password, setPassword } from '../setup/web/browser-session.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

/** How much of the log-in a narrow screen hides, in pixels. */
const hiddenWidth = (page: Page): Promise<number> =>
  page.locator('.log-in-page').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

describe.skipIf(noBrowser !== undefined)(`A second factor in a browser${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let secret = ''
  let recovery = ''

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada] = (await realm.people({ full_name: 'Ada' }, { full_name: 'Olga', role: 100 })) as [Person]
    await setPassword(realm, ada)
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const nextCode = () => freshCode(realm, { person: ada, secret, recovery_codes: [], session: undefined as never })

  const enterPassword = async (page: Page): Promise<void> => {
    await page.goto(pages.url)
    await page.getByLabel('Email', { exact: true }).fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your account has a second factor.' }).waitFor()
  }

  test('A user sets it up with the keyboard, and sees the recovery codes once.', async () => {
    const page = await pages.logIn('Ada')
    await page.goto(`${pages.url}/#settings/second-factor`)
    await page.getByLabel('Your password', { exact: true }).focus()
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    secret = await page.getByLabel('Key for the app', { exact: true }).inputValue()
    expect(await page.getByRole('img', { name: 'Code for the app' }).boundingBox()).toMatchObject({
      width: expect.any(Number),
    })
    expect(await inspectPage(page, 'second-factor-set-up')).toEqual([])
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong, or was used already').waitFor()
    await code.fill(composeCode(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    // The new session has opened the whole page anew, and the codes are still there.
    const codes = page.getByRole('listitem').filter({ hasText: /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/ })
    await expect.poll(() => codes.count()).toBe(10)
    recovery = (await codes.first().textContent()) ?? ''
    expect(await inspectPage(page, 'second-factor-codes')).toEqual([])
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 recovery codes are left.').waitFor()
    expect(await inspectPage(page, 'second-factor-present')).toEqual([])
    await page.context().close()
  })

  test('The log-in asks for it, on a phone in dark too, and keeps the step over a reload.', async () => {
    const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true } as const
    const page = await pages.newPage(await pages.newContext(phone))
    await enterPassword(page)
    expect(await inspectPage(page, 'second-factor-log-in-phone')).toEqual([])
    expect(await hiddenWidth(page)).toBe(0)
    await page.reload()
    const code = page.getByLabel('Code', { exact: true })
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong, or was used already').waitFor()
    await code.fill(recovery)
    await page.keyboard.press('Enter')
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    await page.goto(`${pages.url}/#settings/second-factor`)
    await page.getByText('9 recovery codes are left.').waitFor()
    expect(await inspectPage(page, 'second-factor-phone')).toEqual([])
    await page.context().close()
  })

  test('The API key is shown for a code, and the second factor is removed with one.', async () => {
    const page = await pages.newPage()
    await enterPassword(page)
    await page.getByLabel('Code', { exact: true }).fill(await nextCode())
    await page.keyboard.press('Enter')
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    await page.goto(`${pages.url}/#settings/account-and-privacy`)
    const code = page.getByLabel('Code', { exact: true })
    await code.fill(await nextCode())
    await page.getByRole('button', { name: 'Show the key', exact: true }).click()
    const key = page.getByLabel('Your API key', { exact: true })
    await expect.poll(async () => (await key.inputValue()).length).toBe(32)
    await page.goto(`${pages.url}/#settings/second-factor`)
    await code.fill(await nextCode())
    await page.getByRole('button', { name: 'Remove the second factor', exact: true }).click()
    await page.getByRole('button', { name: 'Remove it now', exact: true }).click()
    await page.getByRole('heading', { name: 'Set up an app', exact: true }).waitFor()
    await page.context().close()
  })

  test('Where the organization asks for it, a user sets it up at the log-in, before anything else.', async () => {
    const admin = await pages.logIn('Olga')
    await admin.goto(`${pages.url}/#organization/auth-methods`)
    await admin.getByLabel('Who must have a second factor', { exact: true }).selectOption('Everyone but guests')
    await admin.getByText('Saved.').waitFor()
    expect(await inspectPage(admin, 'second-factor-rule')).toEqual([])
    const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true } as const
    const page = await pages.newPage(await pages.newContext(phone))
    await page.goto(pages.url)
    await page.getByLabel('Email', { exact: true }).fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    secret = await page.getByLabel('Key for the app', { exact: true }).inputValue()
    expect(await inspectPage(page, 'second-factor-first-phone')).toEqual([])
    expect(await hiddenWidth(page)).toBe(0)
    await page.getByLabel('Code', { exact: true }).fill(composeCode(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await inspectPage(page, 'second-factor-first-codes-phone')).toEqual([])
    expect(await hiddenWidth(page)).toBe(0)
    await page.getByRole('button', { name: 'I have stored them', exact: true }).click()
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    await admin.goto(`${pages.url}/#user/${ada.user_id}`)
    await admin.getByRole('button', { name: 'End the second factor', exact: true }).click()
    await admin.getByRole('button', { name: 'End it, and log Ada out', exact: true }).click()
    await admin.getByText('The password of the account is enough now.').waitFor()
    await page.getByLabel('Password', { exact: true }).waitFor()
    expect(pages.problems).toEqual([])
    await page.context().close()
    await admin.context().close()
  })
})
