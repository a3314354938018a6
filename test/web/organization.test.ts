/** What a company sets up for its chat, in real browsers: one user changes it, and another one sees it at once. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { noBrowser } from '../setup/browser.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm.js'
import { neverFollowing } from '../setup/realm-with-people.js'
import { closeDialog, inspectPage, openDialog, openWebPages, says, type WebPages } from '../setup/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The organization in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  /** Ada is the owner. */
  let ada: Person
  let grace: Person
  let adaPage: Page
  let gracePage: Page
  let channelId: number
  let groupId: number

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      { full_name: 'Linus', settings: neverFollowing },
    )
    ;[ada, grace] = people as [Person, Person]
    await ok(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'library' }],
      principals: [ada.user_id, grace.user_id],
    })
    channelId = (await ok(ada, 'GET', '/get_stream_id', { stream: 'library' })).stream_id
    pages = await openWebPages(realm)
    adaPage = await pages.logIn('Ada')
    gracePage = await pages.logIn('Grace')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

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
    await gracePage.getByRole('button', { name: 'Remove Owners' }).click()
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
    await gracePage.getByRole('alert').waitFor()
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

  test.each([
    { colorScheme: 'light', screen: 'large', width: 1280 },
    { colorScheme: 'dark', screen: 'small', width: 390 },
  ] as const)('axe finds no violation in $colorScheme pages on a $screen screen.', async ({ colorScheme, width }) => {
    await adaPage.emulateMedia({ colorScheme })
    await adaPage.setViewportSize({ width, height: 860 })
    for (const fragment of [
      '#groups/all',
      '#groups/new',
      `#groups/${groupId}/critics/general`,
      `#groups/${groupId}/critics/members`,
      `#groups/${groupId}/critics/permissions`,
    ]) {
      await openDialog(adaPage, fragment)
      const name = fragment.replace('#', '').replace(String(groupId), 'one').replaceAll('/', '-')
      expect(await inspectPage(adaPage, `${name}-${colorScheme}`), fragment).toEqual([])
    }
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
