/** Log-in with a SAML provider in a real browser: an owner sets it up, and users come in. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { Role } from '../../src/domain/log/rows.js'
import { type HonestSamlProvider, startHonestSamlProvider } from '../setup/log-in/honest-saml-provider.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`SAML in a browser${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let provider: HonestSamlProvider
  let ada: Person

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people({ full_name: 'Olga', role: Role.owner }, { full_name: 'Ada' })
    ada = people[1] as Person
    provider = await startHonestSamlProvider()
    const PORT = String(await freePort())
    pages = await openWebPages(realm, { PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` })
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const enterAtProvider = async (page: Page, login: string): Promise<void> => {
    await page.locator('input[name=login]').fill(login)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('input[name=SAMLResponse]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('An owner adds a provider in the page, with the keyboard.', async () => {
    const context = await pages.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    const page = await pages.logIn('Olga', context)
    await page.goto(`${pages.url}/#organization/log-in-providers`)
    const form = page.getByRole('region', { name: 'A new provider', exact: true })
    await form.getByLabel('Protocol', { exact: true }).selectOption('SAML 2.0')
    await form.getByLabel('Name on the button').fill('Company')
    const metadata = form.getByLabel('Address of its metadata')
    await metadata.fill('http://127.0.0.1:9/metadata')
    await form.getByLabel('All addresses count as verified').focus()
    await page.keyboard.press('Space')
    await form.getByLabel('A log-out here also ends the session at the provider').check()
    expect(await inspectPage(page, 'saml-provider-new')).toEqual([])
    const add = form.getByRole('button', { name: 'Add the provider' })
    await add.focus()
    await page.keyboard.press('Enter')
    await form.getByText('These are no metadata of a SAML provider').waitFor()
    await metadata.fill(provider.metadata)
    await add.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Company' }).click()
    const acs = page.getByLabel('Address for answers (ACS)')
    expect(await acs.inputValue()).toBe(`${pages.url}/accounts/login/external/1/acs`)
    expect(await inspectPage(page, 'saml-provider')).toEqual([])
    await context.close()
  })

  test('A user comes in by the form of another site, and logs out there too.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Log in with Company' }).click()
    await enterAtProvider(page, 'ada')
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    expect(new URL(page.url()).origin).toBe(pages.url)
    const { identities } = await ok<{ identities: object[] }>(ada, 'GET', '/users/me/identities')
    expect(identities).toMatchObject([{ name: 'Company', email: 'ada@example.com' }])
    await page.goto(`${pages.url}/#settings/sessions`)
    await page.getByRole('button', { name: 'Log out of this browser' }).click()
    await page.getByRole('link', { name: 'Log in with Company' }).waitFor()
    expect(provider.logOuts.length).toBe(1)
    await page.context().close()
  })

  test('A person without an account is told why they do not come in.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Log in with Company' }).click()
    await enterAtProvider(page, 'stranger')
    await page.getByText('There is no account for stranger@example.com here.').waitFor()
    expect(pages.problems).toEqual([])
    await page.context().close()
  })
})
