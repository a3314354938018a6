/** Log-in with an account of GitHub, which speaks OAuth without OpenID Connect, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../src/dev/ports.js'
import { Role } from '../../src/domain/log/rows.js'
import { gitHubApi } from '../../src/gateway/log-in/github.js'
import { type GitHubServer, startGitHub } from '../setup/log-in/github-server.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, type WebPages } from '../setup/web/web-pages.js'

test.each([
  ['https://github.com', 'https://api.github.com'],
  ['https://octocorp.ghe.com/', 'https://api.octocorp.ghe.com'],
  ['https://github.example.com', 'https://github.example.com/api/v3'],
])('The API of %s is at %s.', (issuer, api) => {
  expect(gitHubApi(issuer)).toBe(api)
})

describe.skipIf(noBrowser !== undefined)(`GitHub in a browser${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let github: GitHubServer
  let owner: Person
  let ada: Person

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people({ full_name: 'Olga', role: Role.owner }, { full_name: 'Ada' })
    ;[owner, ada] = people as [Person, Person]
    const PORT = String(await freePort())
    github = await startGitHub()
    pages = await openWebPages(realm, { PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` })
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await github?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const octocat = { id: 583_231, login: 'octocat', name: 'Ada L.', email: 'olga@example.com' }
  const own = { email: 'ada@example.com', primary: true, verified: true }

  const enter = async (): Promise<Page> => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Log in with GitHub', exact: true }).click()
    await page.getByRole('link', { name: 'Authorize', exact: true }).click()
    return page
  }

  test('An owner adds GitHub in the page, with teams that give a role.', async () => {
    const page = await pages.logIn('Olga')
    await page.goto(`${pages.url}/#organization/log-in-providers`)
    const form = page.getByRole('region', { name: 'A new provider', exact: true })
    await form.getByLabel('Provider', { exact: true }).selectOption('GitHub')
    const issuer = form.getByLabel('Address of the provider (issuer)')
    expect(await issuer.inputValue()).toBe('https://github.com')
    await issuer.fill(github.issuer)
    await form.getByLabel('Client ID').fill('parley')
    await form.getByLabel('Client secret').fill('shared secret')
    await form.getByText('From the provider', { exact: true }).click()
    await form.getByRole('button', { name: 'Add a line for a role', exact: true }).click()
    const line = form.getByRole('group', { name: 'Line 1', exact: true })
    await line.getByLabel('Claim', { exact: true }).fill('teams')
    await line.getByLabel('Value', { exact: true }).fill('acme/chat-admins')
    await line.getByLabel('Role', { exact: true }).selectOption('Administrator')
    await form.getByRole('button', { name: 'Add the provider' }).click()
    await page.getByRole('button', { name: 'Edit GitHub' }).waitFor()
    const { log_in_methods } = await ok<{ log_in_methods: object[] }>(owner, 'GET', '/realm/log_in_methods')
    const roles = [{ attribute: 'teams', value: 'acme/chat-admins', role: 'administrator' }]
    expect(log_in_methods).toMatchObject([{ kind: 'oidc', options: { dialect: 'github', mapping: { roles } } }])
    const settings = await ok(owner, 'GET', '/server_settings')
    expect(settings.authentication_methods).toMatchObject({ github: true })
    await page.context().close()
  })

  test('The verified primary address leads to the account, and the public one of the profile to none.', async () => {
    github.account = {
      ...octocat,
      emails: [{ email: 'olga@example.com', primary: false, verified: true }, own],
      teams: [
        ...Array.from({ length: 100 }, (_, i) => ({ slug: `team-${i}`, organization: 'acme' })),
        { slug: 'chat-admins', organization: 'acme' },
      ],
    }
    const page = await enter()
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    const { identities } = await ok<{ identities: object[] }>(ada, 'GET', '/users/me/identities')
    expect(identities).toMatchObject([{ name: 'GitHub', issuer: github.issuer, email: 'ada@example.com' }])
    expect((await ok<{ role: number }>(ada, 'GET', '/users/me')).role).toBe(Role.administrator)
    expect(github.scopes.at(-1)).toBe('read:user user:email read:org')
    await page.context().close()
  })

  test('An address that is not verified, and a name that another person took over, lead to no account.', async () => {
    github.account = { ...octocat, id: 1, emails: [{ email: 'olga@example.com', primary: true, verified: false }] }
    const unverified = await enter()
    await unverified.getByText('GitHub does not confirm that olga@example.com is your address.').waitFor()
    await unverified.context().close()
    github.account = { ...octocat, id: 2, emails: [own] }
    const other = await enter()
    await other.getByText('The account ada@example.com belongs to another account of GitHub.').waitFor()
    await other.context().close()
  })

  test('A user who refuses at GitHub is told so.', async () => {
    github.account = undefined
    const page = await enter()
    await page.getByText('GitHub did not let you log in.').waitFor()
    await page.context().close()
  })
})
