/**
 * What only administrators and owners do with an organization, in real browsers: a second administrator sees it at
 * once, and a member neither sees the pages nor gets answers of the API.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { redPixel } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { closeDialog, inspectPage, openDialog, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

const title = `The administration of an organization in a browser${noBrowser ?? ''}`

describe.skipIf(noBrowser !== undefined)(title, { timeout: 60_000 }, () => {
  let library: WebLibrary
  let pages: WebPages
  /** Ada is the owner, and Grace an administrator until she becomes a member. */
  let ada: Person
  let grace: Person
  let adaPage: Page
  let gracePage: Page
  let channelId: number

  beforeAll(async () => {
    library = await openWebLibrary()
    ;({ pages, ada, grace, adaPage, gracePage, channelId } = library)
    await ok(ada, 'PATCH', `/users/${grace.user_id}`, { role: Role.administrator })
  }, 60_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  /** Opens a page of the dialog for both. */
  const openBoth = (name: string) =>
    Promise.all([adaPage, gracePage].map((page) => openDialog(page, `#organization/${name}`)))

  const register = (...fetch_event_types: string[]) => ok(ada, 'POST', '/register', { fetch_event_types })

  test('An owner restricts the domains of mail addresses, and an administrator sees it and cannot change it.', async () => {
    await openBoth('auth-methods')
    await gracePage.getByText('There are no domains yet.').waitFor()
    await adaPage.getByLabel('A new domain').fill('Example.org')
    await adaPage.keyboard.press('Tab')
    await adaPage.keyboard.press('Space')
    await adaPage.keyboard.press('Enter')
    const line = (page: Page) => page.getByRole('list', { name: 'Domains' }).getByRole('listitem')
    await line(gracePage).filter({ hasText: 'example.org' }).waitFor()
    const subdomains = (page: Page) => page.getByRole('checkbox', { name: 'Also subdomains of example.org' })
    expect(await subdomains(gracePage).isChecked()).toBe(true)
    expect(await subdomains(gracePage).isDisabled()).toBe(true)
    expect(await gracePage.getByRole('button', { name: 'Add the domain' }).count()).toBe(0)
    await subdomains(adaPage).click()
    await expect.poll(() => subdomains(gracePage).isChecked(), { timeout: PATIENCE_MS }).toBe(false)
    const restriction = (page: Page) => page.getByRole('checkbox', { name: /^Only addresses of the domains/ })
    await restriction(adaPage).click()
    await expect.poll(() => restriction(gracePage).isChecked(), { timeout: PATIENCE_MS }).toBe(true)
    const stranger = { email: 'x@elsewhere.net', full_name: 'Stranger', password: 'a long enough password' }
    expect((await call(ada, 'POST', '/users', stranger)).body.msg).toContain('does not accept the domain')
    await line(adaPage).getByRole('button', { name: 'Remove' }).click()
    await adaPage.getByRole('button', { name: 'Remove example.org now' }).click()
    await gracePage.getByText('There are no domains yet.').waitFor()
    expect(await register('realm')).toMatchObject({ realm_emails_restricted_to_domains: false })
    const password = adaPage.getByRole('checkbox', { name: /^Mail address and password/ })
    expect([await password.isChecked(), await password.isDisabled()]).toEqual([true, true])
  })

  test('An administrator chooses the channels of new users, and groups of channels.', async () => {
    for (const name of ['sky', 'sea']) await ok(ada, 'POST', '/channels/create', { name, subscribers: [ada.user_id] })
    await openBoth('default-channels-list')
    const everyone = gracePage.getByRole('combobox', { name: 'Channels that new users join' })
    await everyone.fill('library')
    await everyone.press('Enter')
    // In the page of Grace too, whose form does not offer the channel then.
    for (const page of [adaPage, gracePage]) await page.getByRole('button', { name: 'Remove library' }).waitFor()
    const form = gracePage.getByRole('region', { name: 'A new group of channels' })
    await form.getByLabel('Name of the group').fill('Nature')
    await form.getByLabel('Description').fill('Outside')
    const channels = form.getByRole('combobox', { name: 'Its channels' })
    await channels.fill('library')
    expect(await form.getByRole('option').count()).toBe(0)
    await channels.fill('sky')
    await channels.press('Enter')
    await form.getByRole('button', { name: 'Create the group' }).click()
    await adaPage.getByText('Outside · #sky').waitFor()
    await adaPage.getByRole('button', { name: 'Edit Nature' }).click()
    const more = adaPage.getByRole('combobox', { name: 'Channels of Nature' })
    await more.fill('sea')
    await more.press('Enter')
    await gracePage.getByText(/^Outside · #s\w+, #s\w+$/).waitFor()
    const edited = adaPage.getByRole('listitem').filter({ hasText: 'Nature' })
    await edited.getByLabel('Name of the group').fill('Wilderness')
    await edited.getByRole('button', { name: 'Save' }).click()
    await gracePage.getByRole('button', { name: 'Edit Wilderness' }).waitFor()
    await adaPage.getByRole('list', { name: 'Chosen: Channels of Wilderness' }).getByLabel('Remove sky').click()
    await gracePage.getByText('Outside · #sea').waitFor()
    expect(await inspectPage(adaPage, 'default-channels')).toEqual([])
    await gracePage.getByRole('button', { name: 'Remove', exact: true }).click()
    await gracePage.getByRole('button', { name: 'Remove Wilderness now' }).click()
    await adaPage.getByRole('button', { name: 'Edit Wilderness' }).waitFor({ state: 'detached' })
    expect(await register('default_streams')).toMatchObject({ realm_default_streams: [channelId] })
  })

  test('A playground is added and removed, and other administrators see it.', async () => {
    await openBoth('playground-settings')
    await adaPage.getByLabel('Name', { exact: true }).fill('Run it')
    await adaPage.getByLabel('Language').fill('Rust')
    await adaPage.getByLabel('Address').fill('https://play.example/?code={code}')
    await adaPage.keyboard.press('Enter')
    await gracePage.getByText('https://play.example/?code={code}', { exact: true }).waitFor()
    await gracePage.getByRole('button', { name: 'Remove' }).click()
    await gracePage.getByRole('button', { name: 'Remove Run it now' }).click()
    await adaPage.getByText('There are no playgrounds yet.').waitFor()
  })

  test('A new account begins with the settings that an administrator chose for it; other accounts keep theirs.', async () => {
    await openBoth('organization-level-user-defaults')
    const clock = (page: Page) => page.getByRole('checkbox', { name: 'Show times with 24 hours' })
    const mails = (page: Page) => page.getByRole('group', { name: 'Other messages' }).getByLabel('Mails')
    await clock(gracePage).click()
    await mails(gracePage).click()
    await expect.poll(() => clock(adaPage).isChecked(), { timeout: PATIENCE_MS }).toBe(true)
    await expect.poll(() => mails(adaPage).isChecked(), { timeout: PATIENCE_MS }).toBe(true)
    await adaPage.getByLabel('Follow topics by itself').selectOption({ label: 'Never' })
    await says(adaPage, 'Saved.')
    // What is asked of this browser is no setting of an account.
    expect(await adaPage.getByRole('region', { name: 'This browser' }).count()).toBe(0)
    const chosen = { twenty_four_hour_time: true, automatically_follow_topics_policy: 4 }
    expect((await register('realm_user_settings_defaults')).realm_user_settings_defaults).toMatchObject(chosen)
    expect((await register('user_settings')).user_settings.twenty_four_hour_time).toBe(false)
  })

  test('An administrator sets the logos for light and for dark pages, and removes them.', async () => {
    await openBoth('organization-profile')
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: redPixel }
    await adaPage.getByLabel(/^A logo of at most/).setInputFiles(file)
    await gracePage.getByRole('img', { name: 'The logo of the organization' }).waitFor()
    await adaPage.getByLabel(/^A logo for the dark theme of/).setInputFiles(file)
    await gracePage.getByRole('img', { name: 'The logo for the dark theme of the organization' }).waitFor()
    await gracePage.getByRole('button', { name: 'Remove the logo', exact: true }).click()
    await adaPage.getByRole('img', { name: 'The logo of the organization' }).waitFor({ state: 'detached' })
    expect(await register('realm')).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'U' })
  })

  test('An administrator starts an export, downloads it and deletes it, and sees who consented.', async () => {
    await openDialog(gracePage, '#organization/data-exports-admin')
    await gracePage.getByText('0 of 3 users consented.').waitFor()
    await openDialog(adaPage, '#settings/account-and-privacy')
    await adaPage.getByRole('checkbox', { name: /^Let exports of the organization/ }).click()
    await gracePage.getByText('1 of 3 users consented.').waitFor()
    await gracePage.getByRole('radio', { name: /^Also private data/ }).check()
    await gracePage.getByRole('button', { name: 'Start an export' }).click()
    const download = gracePage.getByRole('link', { name: /^Download the export/ })
    await download.waitFor()
    const [archive] = await Promise.all([gracePage.waitForEvent('download'), download.click()])
    expect(archive.suggestedFilename()).toBe('export.tar.gz')
    await openDialog(adaPage, '#organization/data-exports-admin')
    await adaPage.getByText('only its requester can download it').waitFor()
    await gracePage.getByRole('button', { name: 'Delete', exact: true }).click()
    await gracePage.getByRole('button', { name: /^Delete the archive .* now$/ }).click()
    await says(gracePage, 'The archive was deleted.')
    await gracePage.getByText(/ · deleted on /).waitFor()
    expect(await download.count()).toBe(0)
  })

  test('An owner finds acts by account, subject and time, and reads what they changed.', async () => {
    for (let count = 0; count < 51; count++) await ok(grace, 'PATCH', '/realm', { description: `No. ${count}` })
    await adaPage.reload()
    await openDialog(adaPage, '#organization/audit-log')
    const acts = adaPage.getByRole('list', { name: 'Acts' }).getByRole('listitem')
    await expect.poll(() => acts.count(), { timeout: PATIENCE_MS }).toBe(50)
    await adaPage.getByRole('button', { name: 'Show older acts' }).click()
    await expect.poll(() => acts.count(), { timeout: PATIENCE_MS }).toBeGreaterThan(50)
    await acts.first().getByText('Changed the organization').press('Enter')
    await acts.first().getByText('No. 49').waitFor()
    await acts.first().getByText('No. 50').waitFor()
    await adaPage.getByLabel('What').selectOption({ label: 'Users and bots' })
    // The list of everything has that act too, and is shown until the answer comes.
    await expect.poll(() => acts.count(), { timeout: PATIENCE_MS }).toBe(1)
    await acts.first().getByText('Changed the account Grace').waitFor()
    await adaPage.getByLabel('What').selectOption({ label: 'Everything' })
    const who = adaPage.getByRole('combobox', { name: 'Who' })
    await who.fill('linus')
    await adaPage.getByRole('option', { name: 'Linus' }).waitFor()
    await who.press('Enter')
    await adaPage.getByText('There is no such act.').waitFor()
    await adaPage.getByRole('button', { name: 'Remove Linus' }).click()
    await acts.first().waitFor()
    await adaPage.getByLabel('Until').fill('2020-01-01')
    await adaPage.getByText('There is no such act.').waitFor()
    await adaPage.getByLabel('Until').fill('')
    await acts.first().getByText('Changed the organization').click()
    expect(await inspectPage(adaPage, 'audit-log-act')).toEqual([])
  })

  test('An administrator reads how many people there are, and how many messages were sent.', async () => {
    await ok(grace, 'POST', '/messages', { type: 'stream', to: channelId, topic: 'sky', content: 'One' })
    await ok(grace, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content: 'Two' })
    await openDialog(gracePage, '#organization/statistics')
    await gracePage.getByLabel('Time').selectOption({ label: 'Last 7 days' })
    const people = gracePage.getByLabel('Figures').locator('div').filter({ hasText: 'People' })
    expect(await people.textContent()).toBe('People3')
    await gracePage.getByText('As a table').press('Enter')
    const today = gracePage.getByRole('row').last()
    await expect.poll(() => today.getByRole('cell').nth(1).textContent(), { timeout: PATIENCE_MS }).toBe('1')
  })

  test('A user who is no administrator any more sees none of these pages, and the API refuses their calls.', async () => {
    const names = ['Exports', 'Statistics', 'Default channels', 'Playgrounds', 'Mail domains and log-in']
    const links = gracePage.getByRole('navigation', { name: 'Pages of the organization' })
    await links.getByRole('link', { name: 'Statistics' }).waitFor()
    for (const name of ['Audit log', 'Deactivation']) expect(await links.getByRole('link', { name }).count()).toBe(0)
    await ok(ada, 'PATCH', `/users/${grace.user_id}`, { role: Role.member })
    await links.getByRole('link', { name: 'Statistics' }).waitFor({ state: 'detached' })
    for (const name of names) expect(await links.getByRole('link', { name }).count()).toBe(0)
    for (const page of ['audit-log', 'data-exports-admin', 'deactivation']) {
      await openDialog(gracePage, `#organization/${page}`)
      await gracePage.getByLabel('Search users').waitFor()
    }
    const refused = await Promise.all([
      call(grace, 'GET', '/realm/statistics'),
      call(grace, 'GET', '/realm/audit_log'),
      call(grace, 'POST', '/export/realm'),
      call(grace, 'PATCH', '/realm/user_settings_defaults', { enter_sends: true }),
      call(grace, 'POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false }),
      call(grace, 'POST', '/realm/deactivate'),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
    await closeDialog(gracePage)
  })

  test('An owner deactivates the organization after writing its name, and others are told.', async () => {
    await openDialog(adaPage, '#organization/deactivation')
    const button = adaPage.getByRole('button', { name: 'Deactivate the organization' })
    expect(await button.isDisabled()).toBe(true)
    const { realm_name } = await register('realm')
    await adaPage.getByLabel('Name of the organization').fill('Another name')
    await adaPage.keyboard.press('Enter')
    expect(await button.isDisabled()).toBe(true)
    await adaPage.getByLabel('Name of the organization').fill(String(realm_name))
    await button.click()
    for (const page of [gracePage, adaPage])
      await page.getByText('This organization is deactivated. Nobody can log in.').waitFor()
    await gracePage.reload()
    await gracePage.getByText('This organization is deactivated. Nobody can log in.').waitFor()
    expect(await gracePage.getByRole('button', { name: 'Log in' }).count()).toBe(0)
    expect(await inspectPage(gracePage, 'deactivated-organization')).toEqual([])
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
