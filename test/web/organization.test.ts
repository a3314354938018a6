/** What a company sets up for its chat, in real browsers: one user changes it, and another one sees it at once. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { redPixel } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebLibrary, type WebLibrary } from '../setup/web/web-library.js'
import { closeDialog, inspectPage, openDialog, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The organization in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let library: WebLibrary
  let pages: WebPages
  /** Ada is the owner. */
  let ada: Person
  let grace: Person
  let adaPage: Page
  let gracePage: Page
  let channelId: number
  let groupId: number

  beforeAll(async () => {
    library = await openWebLibrary()
    ;({ pages, ada, grace, adaPage, gracePage, channelId } = library)
  }, 60_000)

  afterAll(() => library?.[Symbol.asyncDispose]())

  const dialogNamed = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

  test('A user creates a group, adds people and a group to it, and others see it change.', async () => {
    await openDialog(gracePage, '#groups/all')
    await gracePage.getByRole('link', { name: 'Create a group' }).click()
    await gracePage.getByLabel('Name', { exact: true }).fill('readers')
    await gracePage.getByLabel('Description').fill('They read everything')
    await gracePage.getByRole('button', { name: 'Create the group' }).click()
    await dialogNamed(gracePage, 'readers').getByText('1 member').waitFor()
    groupId = Number(/#groups\/(\d+)/.exec(gracePage.url())?.[1])

    await openDialog(adaPage, `#groups/${groupId}`)
    await gracePage.getByRole('link', { name: 'Members' }).click()
    const added = gracePage.getByRole('combobox', { name: 'Add people and groups' })
    await added.fill('lin')
    await gracePage.getByRole('option', { name: 'Linus' }).waitFor()
    await added.press('Enter')
    await added.fill('owners')
    await gracePage.getByRole('option', { name: 'Owners' }).click()
    await gracePage.getByRole('button', { name: 'Add', exact: true }).click()
    await dialogNamed(adaPage, 'readers').getByText('3 members').waitFor()
    // The same group is still among the chosen ones for a moment.
    const groups = gracePage.getByRole('region', { name: 'Groups in this group' })
    await groups.getByRole('button', { name: 'Remove Owners' }).click()
    await dialogNamed(adaPage, 'readers').getByText('2 members').waitFor()

    await gracePage.getByRole('link', { name: 'About' }).click()
    await gracePage.getByLabel('Name', { exact: true }).fill('critics')
    await gracePage.getByRole('button', { name: 'Save' }).click()
    await dialogNamed(adaPage, 'critics').waitFor()
  })

  test('Who may join a group is a permission of it, and a member leaves it again.', async () => {
    await openDialog(gracePage, `#groups/${groupId}/critics/permissions`)
    const joining = gracePage.getByRole('combobox', { name: 'Join the group' })
    await joining.press('ArrowDown')
    await gracePage.getByRole('option', { name: 'Moderators' }).waitFor()
    await joining.fill('everyone except')
    await joining.press('Enter')
    await gracePage.getByRole('button', { name: 'Save the permissions' }).click()
    await says(gracePage, 'Saved.')

    await openDialog(adaPage, '#groups/all')
    await adaPage.getByRole('button', { name: 'Join critics' }).click()
    await adaPage.getByRole('listitem').filter({ hasText: 'critics' }).filter({ hasText: '3 members' }).waitFor()
    await adaPage.getByRole('button', { name: 'Leave critics' }).click()
    await adaPage.getByRole('button', { name: 'Join critics' }).waitFor()
    await closeDialog(adaPage)
    await closeDialog(gracePage)
  })

  test('The mention of a group leads to its members, with the keyboard too, and a card names the groups.', async () => {
    const content = `Good morning, @*critics*`
    await ok(grace, 'POST', '/messages', { type: 'stream', to: channelId, topic: 'hello', content })
    await adaPage.goto(`${pages.url}/#narrow/channel/${channelId}-library/topic/hello`)
    await adaPage.getByRole('button', { name: '@critics' }).click()
    await dialogNamed(adaPage, 'critics').waitFor()
    await closeDialog(adaPage)
    await adaPage.getByRole('button', { name: '@critics' }).press('Enter')
    await adaPage.getByRole('link', { name: 'Members', exact: true }).click()
    await dialogNamed(adaPage, 'critics').getByRole('link', { name: 'Linus' }).click()
    await dialogNamed(adaPage, 'Linus').getByRole('link', { name: 'critics' }).waitFor()
    await closeDialog(adaPage)
  })

  test('A group that a permission uses stays active; without it, it is deactivated and reactivated.', async () => {
    await openDialog(adaPage, '#groups/all')
    const update = { new: groupId }
    await ok(ada, 'PATCH', `/streams/${channelId}`, { can_send_message_group: update })
    await openDialog(gracePage, `#groups/${groupId}`)
    await gracePage.getByRole('button', { name: 'Deactivate the group' }).click()
    await gracePage.getByRole('button', { name: 'Deactivate it now' }).click()
    await gracePage.getByText('Take it out of: the permissions of #library.').waitFor()
    const everyone = { new: { direct_members: [ada.user_id, grace.user_id], direct_subgroups: [] } }
    await ok(ada, 'PATCH', `/streams/${channelId}`, { can_send_message_group: everyone })
    await gracePage.getByRole('button', { name: 'Deactivate the group' }).click()
    await gracePage.getByRole('button', { name: 'Deactivate it now' }).click()
    await gracePage.getByRole('button', { name: 'Reactivate the group' }).waitFor()
    await adaPage.getByRole('link', { name: 'critics' }).waitFor({ state: 'detached' })
    await adaPage.getByLabel('Show').selectOption({ label: 'Deactivated groups' })
    await adaPage.getByRole('link', { name: 'critics' }).waitFor()
    await gracePage.getByRole('button', { name: 'Reactivate the group' }).click()
    await gracePage.getByRole('button', { name: 'Deactivate the group' }).waitFor()
    await closeDialog(adaPage)
    await closeDialog(gracePage)
  })

  test('An administrator defines the fields of profiles, changes and orders them, and users see that at once.', async () => {
    await openDialog(gracePage, '#settings/profile')
    await openDialog(adaPage, '#organization/profile-field-settings')
    const newField = adaPage.getByRole('region', { name: 'A new field' })
    const addField = async () => {
      await newField.getByRole('button', { name: 'Add the field' }).click()
      // The form is emptied when the answer has come, which can be after the event.
      await says(adaPage, 'The field was added.')
    }
    await newField.getByLabel('Type').selectOption({ label: 'List of options' })
    await newField.getByLabel('Name of the field').fill('Team')
    await newField.getByLabel('Option 1', { exact: true }).fill('Compilers')
    await newField.getByRole('button', { name: 'Add an option' }).click()
    await newField.getByLabel('Option 2', { exact: true }).fill('Kernels')
    await newField.getByRole('checkbox', { name: 'Ask users to fill it in' }).click()
    await addField()
    await gracePage.getByText('Your organization asks you to fill this in.').waitFor()
    await gracePage.getByLabel('Team').selectOption({ label: 'Kernels' })
    await gracePage.getByRole('button', { name: 'Save your profile' }).click()
    await gracePage.getByText('Your organization asks you to fill this in.').waitFor({ state: 'detached' })

    await newField.getByLabel('Type').selectOption({ label: 'Account at another service' })
    await newField.getByLabel('Service').selectOption({ label: 'GitHub' })
    await newField.getByRole('checkbox', { name: /summary/ }).click()
    await addField()
    await gracePage.getByLabel('GitHub username').waitFor()
    await newField.getByLabel('Service').selectOption({ label: 'Another one' })
    await newField.getByLabel('Name of the field').fill('Wiki')
    await newField.getByLabel('Address of an account').fill('https://wiki.example/%(username)s')
    await newField.getByRole('checkbox', { name: /Users may change/ }).click()
    await addField()
    await gracePage.getByText('Only administrators can change this.').waitFor()

    const names = () =>
      adaPage.getByRole('list', { name: 'Profile fields' }).locator('.dialog-row-title').allTextContents()
    await adaPage.getByRole('button', { name: 'Move Wiki up' }).press('Enter')
    await expect.poll(names, { timeout: PATIENCE_MS }).toEqual(['Team', 'Wiki', 'GitHub username'])
    const focused = () => adaPage.evaluate('document.activeElement.getAttribute("aria-label")')
    await expect.poll(focused).toBe('Move Wiki up')
    await adaPage.getByRole('button', { name: 'Move Wiki up' }).press('Enter')
    await expect.poll(names, { timeout: PATIENCE_MS }).toEqual(['Wiki', 'Team', 'GitHub username'])
    await expect.poll(focused).toBe('Move Wiki down')

    await adaPage.getByRole('button', { name: 'Edit Team' }).click()
    const form = adaPage.getByRole('listitem').filter({ hasText: 'Team' })
    await form.getByRole('button', { name: 'Remove option 1' }).click()
    await form.getByLabel('Name of the field').fill('Squad')
    await form.getByRole('button', { name: 'Save' }).click()
    const options = gracePage.getByLabel('Squad').locator('option')
    await expect.poll(() => options.allTextContents(), { timeout: PATIENCE_MS }).toEqual(['Not chosen', 'Kernels'])
    await adaPage.getByRole('group', { name: 'Wiki' }).getByRole('button', { name: 'Delete' }).click()
    await adaPage.getByRole('button', { name: 'Delete Wiki now' }).click()
    await gracePage.getByLabel('Wiki').waitFor({ state: 'detached' })
    await closeDialog(gracePage)
    await closeDialog(adaPage)
  })

  test('An administrator arranges channels in folders, and the sidebars of others follow.', async () => {
    await openDialog(adaPage, '#organization/channel-folders')
    const newFolder = adaPage.getByRole('region', { name: 'A new folder' })
    for (const name of ['Science', 'Leisure']) {
      await newFolder.getByLabel('Name of the folder').fill(name)
      await newFolder.getByRole('button', { name: 'Create the folder' }).click()
      // The form is emptied when the answer has come, which can be after the event.
      await says(adaPage, 'The folder was created.')
      await adaPage.getByRole('button', { name: `Edit ${name}` }).waitFor()
    }
    await ok(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'stars' }],
      principals: [ada.user_id, grace.user_id],
    })
    const sections = () =>
      gracePage.getByRole('navigation', { name: 'Conversations' }).locator('.sidebar-section h2').allTextContents()
    const place = async (channel: string, folder: string) => {
      const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: channel })
      await openDialog(adaPage, `#channels/${stream_id}/settings/general`)
      await adaPage.getByLabel('Folder').selectOption({ label: folder })
      await gracePage.getByRole('button', { name: folder }).waitFor()
    }
    await place('stars', 'Science')
    await place('library', 'Leisure')
    await openDialog(adaPage, '#organization/channel-folders')
    await adaPage.getByRole('button', { name: 'Move Leisure up' }).click()
    await expect.poll(async () => (await sections()).join(), { timeout: PATIENCE_MS }).toMatch(/Leisure.*Science/)
    await adaPage.getByRole('button', { name: 'Edit Leisure' }).click()
    const form = adaPage.getByRole('listitem').filter({ hasText: 'Leisure' })
    await form.getByLabel('Name of the folder').fill('Evenings')
    await form.getByRole('button', { name: 'Save' }).click()
    await gracePage.getByRole('button', { name: 'Evenings' }).waitFor()

    const archive = async (name: string) => {
      await adaPage.getByRole('group', { name }).getByRole('button', { name: 'Archive' }).click()
      await adaPage.getByRole('button', { name: `Archive ${name} now` }).click()
    }
    await archive('Evenings')
    await adaPage.getByRole('alert').filter({ hasText: 'Remove the channels from this folder' }).waitFor()
    await ok(ada, 'PATCH', `/streams/${channelId}`, { folder_id: null })
    await gracePage.getByRole('button', { name: 'Other channels' }).waitFor()
    await archive('Evenings')
    await adaPage.getByRole('button', { name: 'Take out of the archive: Evenings' }).click()
    await adaPage.getByRole('button', { name: 'Edit Evenings' }).waitFor()
    await closeDialog(adaPage)
  })

  test('An administrator changes the name, the icon and the settings, and other pages show them.', async () => {
    await openDialog(adaPage, '#organization')
    await adaPage.getByLabel('Name of the organization').fill('Observatory')
    await adaPage.getByRole('button', { name: 'Save', exact: true }).click()
    await gracePage.getByRole('banner').getByText('Observatory').waitFor()
    const icon = () => gracePage.getByRole('banner').locator('img').first().getAttribute('src')
    const before = await icon()
    await adaPage.getByLabel(/^An icon/).setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: redPixel })
    await says(adaPage, 'The icon was changed.')
    await expect.poll(icon, { timeout: PATIENCE_MS }).not.toBe(before)

    await adaPage.getByRole('link', { name: 'Settings', exact: true }).click()
    const limit = adaPage.getByLabel('Time to edit a message')
    await limit.selectOption({ label: 'No limit' })
    await expect.poll(() => limit.inputValue(), { timeout: PATIENCE_MS }).toBe('unlimited')
    await limit.selectOption({ label: '1 hour' })
    await expect.poll(() => limit.inputValue(), { timeout: PATIENCE_MS }).toBe('3600')
    const renaming = adaPage.getByRole('checkbox', { name: 'Users change their names' })
    await openDialog(gracePage, '#settings/profile')
    await renaming.click()
    await gracePage.getByText('This organization does not let members change their names.').waitFor()
    const pictures = adaPage.getByLabel('Pictures of users who have uploaded none')
    expect(await pictures.inputValue()).toBe('J')
    const picture = async () => (await ok(ada, 'GET', '/users/me')).avatar_url
    await pictures.selectOption('G')
    await expect.poll(picture, { timeout: PATIENCE_MS }).toContain('gravatar.com')
    await pictures.selectOption('J')
    await expect.poll(picture, { timeout: PATIENCE_MS }).toContain('/user_avatars/drawn/')
    await pictures.scrollIntoViewIfNeeded()
    for (const [screen, width, colorScheme] of [
      ['light', 1280, 'light'],
      ['dark', 1280, 'dark'],
      ['phone', 390, 'light'],
    ] as const) {
      await adaPage.setViewportSize({ width, height: 800 })
      await adaPage.emulateMedia({ colorScheme })
      expect(await inspectPage(adaPage, `organization-settings-${screen}`)).toEqual([])
    }
    await adaPage.setViewportSize({ width: 1280, height: 800 })
    await adaPage.getByLabel('Messages are kept').selectOption({ label: '90 days' })
    await adaPage.getByRole('button', { name: 'Change how long messages are kept' }).click()
    await adaPage.getByRole('button', { name: 'Delete older messages for everyone' }).click()
    await adaPage.getByRole('region', { name: 'Retention' }).getByText('Saved.').waitFor()
    expect(await ok(ada, 'POST', '/register', { fetch_event_types: ['realm'] })).toMatchObject({
      realm_message_retention_days: 90,
      realm_name_changes_disabled: true,
    })
  })

  test('A permission that members lose disappears from their pages.', async () => {
    await openDialog(gracePage, '#groups/all')
    await gracePage.getByRole('link', { name: 'Create a group' }).waitFor()
    await openDialog(adaPage, '#organization/organization-permissions')
    await adaPage.getByRole('list', { name: 'Chosen: Create user groups' }).getByRole('button').click()
    await adaPage.getByRole('combobox', { name: 'Create user groups' }).press('ArrowDown')
    const offered = adaPage.getByRole('listbox', { name: 'Create user groups' })
    await offered.getByRole('option', { name: 'Administrators' }).click()
    await adaPage.getByLabel('Create web-public channels').selectOption({ label: 'Moderators' })
    await adaPage.getByRole('button', { name: 'Save the permissions' }).click()
    await gracePage.getByRole('link', { name: 'Create a group' }).waitFor({ state: 'detached' })
    await says(adaPage, 'Saved.')
    await openDialog(gracePage, '#organization/organization-permissions')
    await gracePage.getByRole('link', { name: 'Custom emoji' }).waitFor()
    expect(await gracePage.getByRole('link', { name: 'Permissions' }).count()).toBe(0)
    await ok(ada, 'PATCH', `/users/${grace.user_id}`, { role: Role.administrator })
    await gracePage.getByRole('combobox', { name: 'Create bots' }).waitFor()
    expect(await gracePage.getByRole('combobox', { name: 'Create user groups' }).count()).toBe(0)
    await ok(ada, 'PATCH', `/users/${grace.user_id}`, { role: Role.member })
    await gracePage.getByRole('combobox', { name: 'Create bots' }).waitFor({ state: 'detached' })
  })

  test('A custom emoji and a linkifier work in messages until an administrator removes them.', async () => {
    await openDialog(gracePage, '#organization/emoji-settings')
    await gracePage.getByLabel('Name of the emoji').fill('pulsar')
    await gracePage.getByLabel('Picture').setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: redPixel })
    await gracePage.getByRole('button', { name: 'Add the emoji' }).click()
    await openDialog(adaPage, '#organization/emoji-settings')
    await adaPage.getByText(':pulsar:').waitFor()
    await adaPage.getByText('Added by Grace').waitFor()

    await adaPage.getByRole('link', { name: 'Linkifiers' }).click()
    await adaPage.getByLabel('Pattern').fill('T-(?P<id>[0-9]+)')
    await adaPage.getByLabel('Address').fill('https://tickets.example/{id}')
    await adaPage.getByRole('button', { name: 'Add the linkifier' }).click()
    await adaPage.getByRole('button', { name: 'Edit T-(?P<id>[0-9]+)' }).waitFor()
    const content = 'T-42 :pulsar:'
    await ok(ada, 'POST', '/messages', { type: 'stream', to: channelId, topic: 'sky', content })
    await closeDialog(gracePage)
    await gracePage.goto(`${pages.url}/#narrow/channel/${channelId}-library/topic/sky`)
    const link = gracePage.getByRole('link', { name: 'T-42' })
    await expect.poll(() => link.getAttribute('href')).toBe('https://tickets.example/42')
    await gracePage.locator('.message-article img.emoji').waitFor()

    await adaPage.getByRole('button', { name: 'Remove', exact: true }).click()
    await adaPage.getByRole('button', { name: /^Remove T-.* now$/ }).click()
    await adaPage.getByRole('button', { name: 'Edit T-(?P<id>[0-9]+)' }).waitFor({ state: 'detached' })
    await openDialog(gracePage, '#organization/emoji-settings')
    await adaPage.getByRole('link', { name: 'Custom emoji' }).click()
    await adaPage.getByRole('button', { name: 'Deactivate' }).click()
    await adaPage.getByRole('button', { name: 'Deactivate :pulsar: now' }).click()
    await gracePage.getByText('There are no custom emoji yet.').waitFor()
    await closeDialog(gracePage)
    await closeDialog(adaPage)
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
