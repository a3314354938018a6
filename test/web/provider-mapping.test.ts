/** An owner sets up what a provider says about roles, groups and profiles, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { type ScriptedProvider, startProvider } from '../setup/log-in/scripted-provider.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`A mapping in a browser${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let provider: ScriptedProvider
  let owner: Person
  let group: number
  let field: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[owner] = (await realm.people({ full_name: 'Olga', role: Role.owner })) as [Person]
    provider = await startProvider()
    const created = await ok<{ group_id: number }>(owner, 'POST', '/user_groups/create', {
      name: 'Staff',
      description: '',
      members: [],
    })
    group = created.group_id
    const given = { name: 'Team', field_type: 1 }
    field = (await ok<{ id: number }>(owner, 'POST', '/realm/profile_fields', given)).id
    const options = { issuer: provider.issuer, client_id: 'parley' }
    await ok(owner, 'POST', '/realm/log_in_methods', { name: 'Company', options })
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const storedMapping = async () => {
    const answer = await ok<{ log_in_methods: { options: { mapping: object } }[] }>(
      owner,
      'GET',
      '/realm/log_in_methods',
    )
    return answer.log_in_methods[0]?.options.mapping
  }

  const openForm = async (page: Page) => {
    await page.goto(`${pages.url}/#organization/log-in-providers`)
    await page.getByRole('button', { name: 'Edit Company', exact: true }).click()
    return page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit Company', exact: true }) })
  }

  test('Lines for roles, groups and profile fields are stored, shown again and removed.', async () => {
    const page = await pages.logIn('Olga')
    const form = await openForm(page)
    await form.getByText('From the provider', { exact: true }).click()
    const fill = async (part: string, button: string, values: Record<string, string>, choice: [string, string]) => {
      const lines = form.getByRole('group', { name: part, exact: true })
      await lines.getByRole('button', { name: button, exact: true }).click()
      const line = lines.getByRole('group', { name: 'Line 1', exact: true })
      for (const [label, value] of Object.entries(values)) await line.getByLabel(label, { exact: true }).fill(value)
      await line.getByLabel(choice[0], { exact: true }).selectOption(choice[1])
    }
    const role = { Claim: 'realm_access.roles', Value: 'chat-admin' }
    await fill('Roles', 'Add a line for a role', role, ['Role', 'Administrator'])
    await form.getByLabel('Role of users to whom no line applies', { exact: true }).selectOption('Member')
    const staff = { Claim: 'groups', Value: '/staff' }
    await fill('User groups', 'Add a line for a group', staff, ['User group', 'Staff'])
    await fill('Profile fields', 'Add a line for a profile field', { Claim: 'department' }, ['Profile field', 'Team'])
    await form.getByLabel('When this applies', { exact: true }).selectOption('At the first log-in only')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('Saved.', { exact: true }).waitFor()
    expect(await storedMapping()).toEqual({
      applies: 'first_log_in',
      roles: [{ attribute: 'realm_access.roles', value: 'chat-admin', role: 'administrator' }],
      other_role: 'member',
      groups: [{ attribute: 'groups', value: '/staff', group }],
      profile_fields: [{ attribute: 'department', field }],
    })
    expect(await inspectPage(page, 'provider-mapping')).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await inspectPage(page, 'provider-mapping-dark')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await form.getByText('From the provider', { exact: true }).scrollIntoViewIfNeeded()
    expect(await inspectPage(page, 'provider-mapping-phone')).toEqual([])
    await page.context().close()
    const again = await pages.logIn('Olga')
    const second = await openForm(again)
    const lines = second.getByRole('group', { name: 'User groups', exact: true })
    expect(await lines.getByLabel('Value', { exact: true }).inputValue()).toBe('/staff')
    await lines.getByRole('button', { name: 'Remove line 1', exact: true }).click()
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('Saved.', { exact: true }).waitFor()
    expect(await storedMapping()).toMatchObject({ groups: [] })
    expect(pages.problems).toEqual([])
    await again.context().close()
  })
})
