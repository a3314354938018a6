/** What administrators and members change of channels, invitations, profiles, accounts and bots, in real browsers. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { closeDialog, openDialog, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Administration in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let library: WebLibrary
  let realm: TestRealm
  let pages: WebPages
  /** Ada is the owner. */
  let ada: Person
  let grace: Person
  let adaPage: Page
  let gracePage: Page
  let channelId: number

  beforeAll(async () => {
    library = await openWebLibrary()
    ;({ realm, pages, ada, grace, adaPage, gracePage, channelId } = library)
  }, 60_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  const channel = async () => (await ok(ada, 'GET', `/streams/${channelId}`)).stream

  const memberNamed = async (name: string) => {
    const found = (await ok(ada, 'GET', '/users')).members.find(({ full_name }) => full_name === name)
    if (found === undefined) throw new Error(`There is no account of the name ${name}.`)
    return found
  }

  test('The administrator of a channel changes its privacy, retention, permissions and archive.', async () => {
    await openDialog(gracePage, `#channels/${channelId}/settings/general`)
    await gracePage.getByText('Who can write').waitFor()
    expect(await gracePage.getByRole('link', { name: 'Permissions' }).count()).toBe(0)

    const defaultChannels = async () =>
      (await ok(ada, 'POST', '/register', { fetch_event_types: ['default_streams'] })).realm_default_streams
    const setDefault = async (isDefault: boolean) => {
      const box = adaPage.getByRole('checkbox', { name: /New users are subscribed/ })
      await box.click()
      // The box shows the choice at once. What follows is another form, whose call does not wait for this one.
      await expect.poll(defaultChannels, { timeout: PATIENCE_MS }).toEqual(isDefault ? [channelId] : [])
      await expect.poll(() => box.isChecked(), { timeout: PATIENCE_MS }).toBe(isDefault)
    }
    await openDialog(adaPage, `#channels/${channelId}/settings/administration`)
    await setDefault(true)
    await adaPage.getByRole('radio', { name: 'Private, shared history' }).check()
    await adaPage.getByRole('button', { name: 'Change who can read it' }).click()
    await adaPage.getByRole('alert').filter({ hasText: 'Remove the channel from the default channels' }).waitFor()
    await setDefault(false)
    await adaPage.getByRole('button', { name: 'Change who can read it' }).click()
    await gracePage.getByText('Private, shared history.').waitFor()

    await adaPage.getByLabel('Messages are kept').selectOption({ label: 'For a number of days' })
    await adaPage.getByLabel('Days').fill('30')
    await adaPage.getByRole('button', { name: 'Change how long messages are kept' }).click()
    await expect.poll(channel, { timeout: PATIENCE_MS }).toMatchObject({ message_retention_days: 30 })

    await adaPage.getByRole('link', { name: 'Permissions' }).click()
    const writers = adaPage.getByRole('combobox', { name: 'Send messages' })
    await adaPage.getByRole('list', { name: 'Chosen: Send messages' }).getByRole('button').click()
    await writers.press('ArrowDown')
    await adaPage.getByRole('option', { name: 'Moderators' }).click()
    await writers.fill('gra')
    await adaPage.getByRole('option', { name: 'Grace' }).waitFor()
    await writers.press('Enter')
    await adaPage.getByRole('button', { name: 'Save the permissions' }).click()
    await gracePage.getByText('Moderators, Grace').waitFor()
    expect((await channel()).can_send_message_group).toMatchObject({ direct_members: [grace.user_id] })

    await adaPage.getByRole('link', { name: 'Privacy and more' }).click()
    await adaPage.getByRole('button', { name: 'Archive the channel' }).click()
    await adaPage.getByRole('button', { name: 'Archive it now' }).click()
    await adaPage.getByRole('button', { name: 'Take it out of the archive' }).click()
    await adaPage.getByRole('button', { name: 'Archive the channel' }).waitFor()
    expect(await channel()).toMatchObject({ is_archived: false })
    await closeDialog(gracePage)
    await closeDialog(adaPage)
  })

  test('An invitation link subscribes to the chosen channels and adds to the chosen groups.', async () => {
    const { group_id } = await ok(ada, 'POST', '/user_groups/create', {
      name: 'readers',
      description: '',
      members: [ada.user_id],
    })
    await openDialog(adaPage, '#invite/link')
    await adaPage.getByRole('combobox', { name: 'Other channels to join' }).fill('lib')
    await adaPage.getByRole('option', { name: 'library' }).click()
    await adaPage.getByRole('combobox', { name: 'Groups to join' }).press('ArrowDown')
    await adaPage.getByRole('option', { name: 'readers' }).click()
    await adaPage.getByRole('button', { name: 'Create a link' }).click()
    const link = new URL(await adaPage.getByLabel('The link').inputValue())
    await adaPage.getByRole('link', { name: 'Open invitations' }).click()
    await adaPage.getByText('Link for a member').waitFor()
    const [invitation] = await realm.sql`
      select channel_ids, group_ids from invitations where realm_id = ${realm.realm_id} and not is_revoked`
    expect(invitation).toEqual({ channel_ids: [channelId], group_ids: [group_id] })
    expect(link.pathname).toMatch(/^\/join\//)
    await closeDialog(adaPage)
  })

  test('An invitation by mail is listed, sent again and revoked.', async () => {
    await openDialog(adaPage, '#invite/mail')
    await adaPage.getByLabel('Email addresses').fill('edsger@parley.example, barbara@parley.example')
    await adaPage.getByLabel('Role').selectOption({ label: 'Guest' })
    await adaPage.getByLabel('Valid for').selectOption({ label: 'A week' })
    await adaPage.getByRole('button', { name: 'Send the invitations' }).click()
    await says(adaPage, 'The invitations were sent.')
    await adaPage.getByRole('link', { name: 'Open invitations' }).click()
    await adaPage.getByRole('button', { name: 'Send again: edsger@parley.example' }).click()
    await says(adaPage, 'The invitation was sent again to edsger@parley.example.')
    await adaPage.getByRole('button', { name: 'Revoke: edsger@parley.example' }).click()
    await adaPage.getByText('edsger@parley.example', { exact: true }).waitFor({ state: 'detached' })
    await adaPage.getByText('barbara@parley.example', { exact: true }).waitFor()
    await closeDialog(adaPage)
  })

  test('A user fills in fields of every type, and others see the values at once.', async () => {
    const create = async (name: string, field_type: number, field_data: object = {}) => {
      await ok(ada, 'POST', '/realm/profile_fields', { name, field_type, field_data, hint: `Hint of ${name}` })
    }
    await openDialog(adaPage, `#user/${grace.user_id}`)
    await openDialog(gracePage, '#settings/profile')
    await create('Motto', 1)
    await create('Biography', 2)
    await create('Team', 3, { a: { text: 'Compilers', order: '1' }, b: { text: 'Kernels', order: '2' } })
    await create('Birthday', 4)
    await create('Home page', 5)
    await create('Mentor', 6)
    await create('Code at', 7, { subtype: 'github' })
    await create('Pronouns', 8)
    await gracePage.getByLabel('Motto').fill('Ships are *safe*')
    await gracePage.getByLabel('Biography').fill('First\n\nSecond')
    await gracePage.getByLabel('Team').selectOption({ label: 'Kernels' })
    await gracePage.getByLabel('Birthday').fill('1906-12-09')
    await gracePage.getByLabel('Home page').fill('https://parley.example/grace')
    await gracePage.getByRole('combobox', { name: 'Mentor' }).fill('ada')
    await gracePage.getByRole('option', { name: 'Ada' }).click()
    await gracePage.getByLabel('Code at').fill('grace-hopper')
    await gracePage.getByLabel('Pronouns').fill('she/her')
    await gracePage.getByRole('button', { name: 'Save your profile' }).click()
    const card = adaPage.getByRole('dialog', { name: 'Grace' })
    await card.locator('dd').filter({ hasText: 'she/her' }).waitFor()
    expect(await card.locator('em').textContent()).toBe('safe')
    expect(await card.locator('dd', { hasText: 'Second' }).locator('p').count()).toBe(2)
    for (const text of ['Kernels', 'December 9, 1906']) await card.locator('dd').filter({ hasText: text }).waitFor()
    const linkTo = (name: string) => card.getByRole('link', { name, exact: true }).getAttribute('href')
    expect(await linkTo('https://parley.example/grace')).toBe('https://parley.example/grace')
    expect(await linkTo('grace-hopper')).toBe('https://github.com/grace-hopper')
    expect(await linkTo('Ada')).toBe(`#user/${ada.user_id}`)
    await gracePage.getByLabel('Motto').fill('')
    await gracePage.getByRole('button', { name: 'Save your profile' }).click()
    await card.getByText('Motto').waitFor({ state: 'detached' })
    await closeDialog(gracePage)
    await closeDialog(adaPage)
  })

  test('A user makes a bot, sees its key, replaces the key and deactivates the bot.', async () => {
    await openDialog(gracePage, '#settings/your-bots')
    await gracePage.getByLabel('Name of the bot').fill('Weather Bot')
    await gracePage.getByLabel('Short name').fill('weather')
    await gracePage.getByRole('button', { name: 'Create the bot' }).click()
    await says(gracePage, 'Weather Bot was created.')
    const key = await gracePage.getByLabel('Key of the new bot Weather Bot').inputValue()
    const { user_id, email } = await memberNamed('Weather Bot')
    const bot = { ...grace, user_id, email, api_key: key }
    await ok(bot, 'GET', '/users/me')
    const shownKey = gracePage.getByLabel('Key of Weather Bot')
    await gracePage.getByRole('button', { name: 'Show the key' }).click()
    await expect.poll(() => shownKey.inputValue(), { timeout: PATIENCE_MS }).toBe(key)
    await gracePage.getByRole('button', { name: 'Make a new key' }).press('Enter')
    await gracePage.getByRole('button', { name: 'Replace the key now' }).press('Enter')
    await says(gracePage, 'The former key is not valid any more.')
    const newKey = await shownKey.inputValue()
    expect(newKey).not.toBe(key)
    await ok({ ...bot, api_key: newKey }, 'GET', '/users/me')
    await gracePage.getByRole('button', { name: 'Deactivate' }).click()
    await gracePage.getByRole('button', { name: 'Deactivate it now' }).click()
    await gracePage.getByText('Deactivated', { exact: true }).waitFor()
    expect(await gracePage.getByRole('button', { name: 'Reactivate' }).count()).toBe(0)
    await closeDialog(gracePage)
  })

  test('An owner changes the role of a user, deactivates the account and finds it to reactivate it.', async () => {
    // A second attempt begins where the first one failed.
    await adaPage.goto(`${pages.url}/#inbox`)
    await adaPage.getByRole('button', { name: 'Account of Ada' }).click()
    await adaPage.getByRole('button', { name: 'Users' }).click()
    // The list counts on rows of one height.
    const rows = adaPage.getByRole('region', { name: 'Users' }).getByRole('listitem')
    const heights = () => rows.evaluateAll((items) => items.map((item) => item.clientHeight))
    await expect.poll(heights, { timeout: PATIENCE_MS }).toEqual([44, 44, 44])
    await adaPage.getByLabel('Search users').fill('lin')
    await adaPage.getByRole('dialog').getByRole('link', { name: 'Linus' }).click()
    const card = adaPage.getByRole('dialog', { name: 'Linus' })
    await card.getByLabel('Role').selectOption({ label: 'Moderator' })
    await says(adaPage, 'The role is Moderator now.')
    expect(await memberNamed('Linus')).toMatchObject({ role: Role.moderator })
    await card.getByLabel('End all credentials').check()
    await card.getByRole('button', { name: 'Deactivate the account' }).click()
    await card.getByRole('button', { name: 'Deactivate Linus now' }).click()
    await card.getByText('Deactivated', { exact: true }).waitFor()
    await openDialog(adaPage, '#organization/users')
    await adaPage.getByLabel('Show').selectOption({ label: 'Deactivated accounts' })
    await adaPage.getByRole('dialog').getByRole('link', { name: 'Linus' }).click()
    await card.getByRole('button', { name: 'Reactivate the account' }).click()
    await card.getByRole('button', { name: 'Deactivate the account' }).waitFor()
    expect(await memberNamed('Linus')).toMatchObject({ is_active: true })
    const { user_id } = await memberNamed('Linus')
    const keys = await realm.sql`
      select key_version from users where realm_id = ${realm.realm_id} and id = ${user_id}`
    expect([...keys]).toEqual([{ key_version: 2 }])
    await closeDialog(adaPage)

    await openDialog(gracePage, `#user/${ada.user_id}`)
    await gracePage.getByRole('dialog', { name: 'Ada' }).getByText('Owner').waitFor()
    expect(await gracePage.getByLabel('Role').count()).toBe(0)
    await closeDialog(gracePage)
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
