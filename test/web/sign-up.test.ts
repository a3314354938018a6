/** Signing up in the page, from the log-in to the chat, and the queue of administrators. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { readMails, waitForMails } from '../setup/realm/mails.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openDialog, openWebPages, type WebPages } from '../setup/web/web-pages.js'

const password = 'wander mosaic lantern'
let addresses = 0
const newAddress = () => `web-sign-up-${process.pid}-${++addresses}@example.com`

describe.skipIf(noBrowser !== undefined)(`Signing up in the page${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let owner: Person
  let pages: WebPages

  beforeAll(async () => {
    realm = await newRealm()
    ;[owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    await ok(owner, 'PATCH', '/realm', { name: 'The Garden Club', invite_required: false })
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  /** Looks at a page in light and dark, and on a phone. */
  const expectGoodLook = async (page: Page, name: string): Promise<void> => {
    const found: string[] = []
    for (const [screen, width, height, colorScheme] of [
      ['light', 1280, 800, 'light'],
      ['dark', 1280, 800, 'dark'],
      ['phone', 360, 740, 'light'],
      ['phone-dark', 360, 740, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      found.push(...(await inspectPage(page, `sign-up-${name}-${screen}`)))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${screen}: too wide`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(found).toEqual([])
  }

  /** Requests a link with the keyboard. @returns the path of the mailed link */
  const requestLink = async (page: Page, email: string): Promise<string> => {
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Create an account', exact: true }).press('Enter')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(`A link to join was mailed to ${email}.`).waitFor()
    return /\/accounts\/sign_up\/[\w-]+/.exec((await waitForMails(email))[0] ?? '')?.[0] ?? ''
  }

  const join = async (page: Page, path: string, name: string): Promise<void> => {
    await page.goto(`${pages.url}${path}`)
    await page.getByLabel('Full name', { exact: true }).fill(name)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }

  test('A user requests a link at the log-in, and is in the chat with the time zone of the browser.', async () => {
    const page = await pages.newPage()
    const email = newAddress()
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Create an account', exact: true }).waitFor()
    await expectGoodLook(page, 'log-in')
    await page.getByRole('button', { name: 'Create an account', exact: true }).click()
    await page.getByText('Create an account to read and write', { exact: true }).waitFor()
    await page.getByLabel('Email', { exact: true }).fill('ada@mailinator.com')
    await page.getByRole('button', { name: 'Send the link', exact: true }).click()
    await page.getByText('The organization does not accept disposable email addresses.').waitFor()
    await expectGoodLook(page, 'address')
    const path = await requestLink(page, email)
    await expectGoodLook(page, 'mailed')
    await page.goto(`${pages.url}${path}`)
    const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
    expect(await page.getByLabel('Time zone', { exact: true }).inputValue()).toBe(zone)
    expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('en')
    await expectGoodLook(page, 'link')
    await join(page, path, 'Mary Gold')
    await page.getByRole('heading', { name: 'Welcome to The Garden Club', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open the chat', exact: true }).click()
    await page.locator('#left-sidebar').waitFor()
    const { members } = await ok(owner, 'GET', '/users')
    expect(members).toContainEqual(expect.objectContaining({ full_name: 'Mary Gold', timezone: zone }))
  })

  test('The page without scripts does the same.', async () => {
    const page = await pages.newPage()
    await page.goto(`${pages.url}/register`)
    await page.getByRole('heading', { name: 'Join The Garden Club', exact: true }).waitFor()
    const email = newAddress()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Send the link', exact: true }).click()
    await page.getByRole('heading', { name: 'Check your mail', exact: true }).waitFor()
    expect(await waitForMails(email)).toHaveLength(1)
  })

  test('An owner asks for approval and refuses domains; administrators decide in a queue with the keyboard.', async () => {
    const page = await pages.logIn('Owner')
    await openDialog(page, '#organization/auth-methods')
    const joining = page.getByRole('region', { name: 'Joining', exact: true })
    await joining.getByLabel('Administrators approve who joins without an invitation').check()
    await page.getByLabel('Domains of which no address can join', { exact: true }).fill('rival.example')
    await page.getByRole('button', { name: 'Save the refused domains', exact: true }).press('Enter')
    const settings = async () => (await ok(owner, 'POST', '/register', { fetch_event_types: ['realm'] })) as object
    await expect.poll(settings).toMatchObject({
      realm_sign_up_approval_required: true,
      realm_refused_email_domains: 'rival.example',
    })
    await expectGoodLook(page, 'settings')

    const [first, second] = [newAddress(), newAddress()]
    for (const [email, name] of [
      [first, 'Grace Hall'],
      [second, 'Eve Stone'],
    ] as const) {
      const guest = await pages.newPage()
      await join(guest, await requestLink(guest, email), name)
      await guest.getByRole('heading', { name: 'An administrator decides', exact: true }).waitFor()
      if (email === first) await expectGoodLook(guest, 'waiting')
      await guest.goto(pages.url)
      await guest.getByLabel('Email', { exact: true }).fill(email)
      await guest.getByLabel('Password', { exact: true }).fill(password)
      await guest.keyboard.press('Enter')
      await guest.getByText('Your account waits for the approval of an administrator.').waitFor()
    }
    await openDialog(page, '#organization/sign-ups')
    const list = page.getByRole('list', { name: 'Requests to join', exact: true })
    await list.getByText('Eve Stone').waitFor()
    await expectGoodLook(page, 'queue')
    await page.getByRole('button', { name: 'Approve: Grace Hall', exact: true }).press('Enter')
    await page.getByText('Grace Hall was approved.').waitFor()
    const refuse = list
      .getByRole('listitem')
      .filter({ hasText: 'Eve Stone' })
      .getByRole('button', { name: 'Refuse', exact: true })
    await refuse.press('Enter')
    await page.getByRole('button', { name: 'Refuse Eve Stone now', exact: true }).press('Enter')
    await page.getByText('Nobody waits for approval.').waitFor()
    await expect.poll(() => readMails(second)).toHaveLength(2)
    const { members } = await ok(owner, 'GET', '/users')
    expect(members.map(({ full_name }) => full_name)).toContain('Grace Hall')
    expect(members.map(({ full_name }) => full_name)).not.toContain('Eve Stone')
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
