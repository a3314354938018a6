/** Log-in with the account of a provider in a real browser: an owner sets it up, and users come in. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { Role } from '../../src/domain/log/rows.js'
import { type HonestProvider, startHonestProvider } from '../setup/log-in/honest-provider.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Providers in a browser${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let provider: HonestProvider
  let owner: Person
  let ada: Person

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people({ full_name: 'Olga', role: Role.owner }, { full_name: 'Ada' })
    ;[owner, ada] = people as [Person, Person]
    const PORT = String(await freePort())
    provider = await startHonestProvider(`http://127.0.0.1:${PORT}`)
    pages = await openWebPages(realm, { PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` })
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  /** Fills in the forms of the provider. */
  const enterAtProvider = async (page: Page, login: string): Promise<void> => {
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('An owner adds a provider in the page.', async () => {
    const page = await pages.logIn('Olga')
    await page.goto(`${pages.url}/#organization/log-in-providers`)
    const form = page.getByRole('region', { name: 'A new provider', exact: true })
    await form.getByLabel('Provider', { exact: true }).selectOption('Keycloak')
    const issuer = form.getByLabel('Address of the provider (issuer)')
    expect(await issuer.inputValue()).toBe('https://{host}/realms/{realm}')
    await form.getByLabel('Name on the button').fill('Company')
    await issuer.fill('http://127.0.0.1:9')
    await form.getByLabel('Client ID').fill('parley')
    await form.getByLabel('Client secret').fill('shared secret')
    await form.getByRole('button', { name: 'Add the provider' }).click()
    await form.getByText('At this address there is no provider that describes itself').waitFor()
    await issuer.fill(provider.issuer)
    await form.getByLabel('A log-out here also ends the session at the provider').check()
    await form.getByRole('button', { name: 'Add the provider' }).click()
    await page.getByRole('button', { name: 'Edit Company' }).click()
    const back = page.getByLabel('Address for the way back (redirect URI)')
    expect(await back.inputValue()).toBe(`${pages.url}/accounts/login/external/1/callback`)
    expect(await inspectPage(page, 'providers')).toEqual([])
    await page.context().close()
  })

  test('A user comes in with the account of the provider, finds it among the linked ones, and logs out there.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    expect(await inspectPage(page, 'log-in-with-provider')).toEqual([])
    await page.getByRole('link', { name: 'Log in with Company' }).click()
    await enterAtProvider(page, 'ada')
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    const { identities } = await ok<{ identities: object[] }>(ada, 'GET', '/users/me/identities')
    expect(identities).toMatchObject([{ name: 'Company', email: 'ada@example.com' }])
    await page.goto(`${pages.url}/#settings/linked-accounts`)
    await page.getByRole('list', { name: 'Linked accounts' }).getByText('ada@example.com').waitFor()
    await page.getByRole('button', { name: 'Unlink', exact: true }).click()
    await page.getByRole('button', { name: 'Unlink Company now' }).click()
    await page.getByText('This is the only way in which you can log in. Set a password first.').waitFor()
    await page.goto(`${pages.url}/#settings/sessions`)
    await page.getByRole('button', { name: 'Log out of this browser' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.getByRole('link', { name: 'Log in with Company' }).waitFor()
    expect(page.url()).toMatch(new RegExp(`^${pages.url}/`))
    await page.context().close()
  })

  test('A person without an account is told why they do not come in.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Log in with Company' }).click()
    await enterAtProvider(page, 'stranger')
    await page.getByText('There is no account for stranger@example.com here.').waitFor()
    expect(await inspectPage(page, 'refused-by-provider')).toEqual([])
    await page.context().close()
  })

  test('A desktop app comes in with the text that its user carries from the browser.', async () => {
    const context = await pages.newContext({ userAgent: 'Mozilla/5.0 Chrome/120 Electron/30 ZulipElectron/5.11' })
    const app = await pages.newPage(context)
    await app.goto(pages.url)
    const opened = context.waitForEvent('page')
    await app.getByRole('button', { name: 'Log in with Company' }).click()
    const browser = await opened
    await enterAtProvider(browser, 'ada')
    const text = await browser.getByLabel('Text for the app').inputValue()
    expect(text).toMatch(/^[0-9a-f]+$/)
    await app.getByLabel('Text from the browser').fill('00ff')
    await app.getByRole('button', { name: 'Go on' }).click()
    await app.getByText('This is not the text that the browser shows. Copy all of it.').waitFor()
    expect(await inspectPage(app, 'desktop-log-in')).toEqual([])
    await app.getByLabel('Text from the browser').fill(text)
    await app.getByRole('button', { name: 'Go on' }).click()
    await app.locator('#left-sidebar').waitFor({ state: 'attached' })
    await context.close()
  })

  test('Without passwords, the page offers the providers only.', async () => {
    await ok(owner, 'PATCH', '/realm', { authentication_methods: { Email: false } })
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Log in with Company' }).waitFor()
    await expect.poll(() => page.getByLabel('Password').count()).toBe(0)
    expect(pages.problems).toEqual([])
    await page.context().close()
  })
})
