/** The dialogs of the web client in real browsers: what one user changes, the other sees. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { readUntil } from '../setup/realm/event-reader.js'
import { anyGateway, call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { password, setPassword } from '../setup/web/browser-session.js'
import {
  closeDialog,
  inspectPage,
  openDialog,
  openWebPages,
  PATIENCE_MS,
  says,
  type WebPages,
} from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The dialogs in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let pages: WebPages
  /** Ada is the owner. */
  let adaPage: Page
  let gracePage: Page

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
    )
    ;[ada, grace] = people as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    await setPassword(realm, grace)
    pages = await openWebPages(realm)
    adaPage = await pages.logIn('Ada')
    gracePage = await pages.logIn('Grace')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  test('A channel appears for its first subscribers when it is created, and each of them mutes it alone.', async () => {
    await adaPage.getByRole('link', { name: 'Find or create channels' }).click()
    await adaPage.getByRole('link', { name: 'Create a channel' }).click()
    await adaPage.getByLabel('Name', { exact: true }).fill('observatory')
    await adaPage.getByLabel('Description').fill('What the night brings')
    await adaPage.getByRole('radio', { name: 'Private, shared history' }).check()
    const people = adaPage.getByRole('combobox', { name: 'First subscribers besides you' })
    await people.fill('gra')
    await adaPage.getByRole('option', { name: 'Grace' }).waitFor()
    await people.press('Enter')
    await adaPage.getByRole('button', { name: 'Remove Grace' }).waitFor()
    await adaPage.getByRole('button', { name: 'Create the channel' }).click()
    await adaPage.getByRole('heading', { name: '#observatory' }).waitFor()

    await gracePage.getByRole('navigation').getByRole('link', { name: 'observatory' }).click()
    const settings = gracePage.getByRole('link', { name: 'Settings of the channel' })
    await settings.click()
    await gracePage.getByRole('checkbox', { name: 'Mute the channel' }).click()
    await says(gracePage, 'Saved.')
    await closeDialog(gracePage)
    await gracePage.getByRole('link', { name: /observatory.*muted/ }).waitFor()
    expect(await settings.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Settings of the channel')
    expect(await adaPage.getByRole('link', { name: /observatory.*muted/ }).count()).toBe(0)
  })

  test('A user leaves a channel and joins it again, and others see the number of subscribers change.', async () => {
    await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'library' }] })
    const library = adaPage.getByRole('listitem').filter({ hasText: 'library' })
    await openDialog(adaPage, '#channels/all')
    await library.getByText('1 subscriber', { exact: true }).waitFor()
    await openDialog(gracePage, '#channels/all')
    await gracePage.getByRole('button', { name: 'Join library' }).click()
    await library.getByText('2 subscribers', { exact: true }).waitFor()
    await gracePage.getByRole('button', { name: 'Leave library' }).click()
    await library.getByText('1 subscriber', { exact: true }).waitFor()
    await closeDialog(gracePage)
    await closeDialog(adaPage)
  })

  test('A user follows a topic with the keyboard.', async () => {
    await ok(ada, 'POST', '/messages', { type: 'channel', to: 'library', topic: 'maps', content: 'Found one' })
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'library' })
    await adaPage.goto(`${pages.url}/#narrow/channel/${stream_id}-library/topic/maps`)
    await adaPage.getByRole('button', { name: 'Notifications of the topic: As the channel' }).press('Enter')
    await adaPage.getByRole('menuitemradio', { name: 'As the channel' }).press('ArrowDown')
    await adaPage.keyboard.press('Enter')
    await adaPage.getByRole('button', { name: 'Notifications of the topic: Follow' }).waitFor()
    expect(await ok(ada, 'POST', '/register', { event_types: ['user_topic'] })).toMatchObject({
      user_topics: [{ stream_id, topic_name: 'maps', visibility_policy: 3 }],
    })
  })

  test('A status and a picture appear on the card of the user that another has open.', async () => {
    await openDialog(adaPage, `#user/${grace.user_id}`)
    await openDialog(gracePage, '#settings/profile')
    await gracePage.getByRole('button', { name: 'Vacationing' }).click()
    await adaPage.getByRole('dialog', { name: 'Grace' }).getByText('Vacationing').waitFor()
    await gracePage
      .getByLabel(/^A picture/)
      .setInputFiles({ name: 'grace.png', mimeType: 'image/png', buffer: picture })
    await says(gracePage, 'Your picture was changed.')
    await adaPage.getByRole('dialog').locator('img').waitFor({ state: 'attached' })
    expect(await inspectPage(adaPage, 'user-card')).toEqual([])
    await adaPage.getByRole('link', { name: 'Send a direct message' }).click()
    await adaPage.getByRole('heading', { name: 'Grace' }).first().waitFor()
    await closeDialog(gracePage)
  })

  test('An invitation link is created, listed and revoked.', async () => {
    await openDialog(adaPage, '#invite/link')
    await adaPage.getByRole('button', { name: 'Create a link' }).click()
    const link = await adaPage.getByLabel('The link').inputValue()
    expect(link).toContain('/join/')
    await adaPage.getByRole('link', { name: 'Open invitations' }).click()
    await adaPage.getByRole('button', { name: /^Revoke/ }).click()
    await adaPage.getByText('No invitation is open.').waitFor()
    await closeDialog(adaPage)
  })

  test('A setting that is changed in one browser changes in the other.', async () => {
    const other = await pages.logIn('Ada')
    await openDialog(other, '#settings/notifications')
    await openDialog(adaPage, '#settings/notifications')
    const box = (page: Page) => page.getByRole('group', { name: 'Other messages' }).getByLabel('Mails')
    await box(adaPage).click()
    await expect.poll(() => box(other).isChecked(), { timeout: PATIENCE_MS }).toBe(true)
    await other.context().close()
    await closeDialog(adaPage)
  })

  test('A setting that is changed while another one is being saved is saved too.', async () => {
    await openDialog(gracePage, '#settings/notifications')
    const box = (name: string) => gracePage.getByRole('group', { name: 'Followed topics' }).getByLabel(name)
    const names = ['Mails', 'Also for mentions of everyone']
    const areChecked = () => Promise.all(names.map((name) => box(name).isChecked()))
    const before = await areChecked()
    await realm.sql.begin(async (tx) => {
      // The first call waits for this row, and is not answered until both boxes were used.
      await tx`select from log_heads where realm_id = ${realm.realm_id} for update`
      for (const name of names) await box(name).click()
    })
    await says(gracePage, 'Saved.')
    const after = before.map((isChecked) => !isChecked)
    const saved = async () => {
      const { user_settings: settings } = await ok(grace, 'POST', '/register', { fetch_event_types: ['user_settings'] })
      return [
        settings.enable_followed_topic_email_notifications,
        settings.enable_followed_topic_wildcard_mentions_notify,
      ]
    }
    await expect.poll(saved, { timeout: PATIENCE_MS }).toEqual(after)
    await expect.poll(areChecked, { timeout: PATIENCE_MS }).toEqual(after)
    await closeDialog(gracePage)
  })

  test('A box that is pressed again while its first change is being saved is as before, here and on the server.', async () => {
    await openDialog(gracePage, '#settings/notifications')
    const box = gracePage.getByRole('group', { name: 'Other messages' }).getByLabel('Mails')
    const saved = async () => {
      const { user_settings: settings } = await ok(grace, 'POST', '/register', { fetch_event_types: ['user_settings'] })
      return settings.enable_stream_email_notifications
    }
    const before = await box.isChecked()
    const url = anyGateway()
    const queue = await ok(grace, 'POST', '/register', { event_types: ['user_settings'] }, { url })
    await realm.sql.begin(async (tx) => {
      await tx`select from log_heads where realm_id = ${realm.realm_id} for update`
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(!before)
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(before)
    })
    // Both changes are made, one after the other.
    await readUntil('poll', url, grace, queue, ({ value }) => value === before)
    expect(await saved()).toBe(before)
    await expect.poll(() => box.isChecked(), { timeout: PATIENCE_MS }).toBe(before)
    await closeDialog(gracePage)
  })

  test('A message notifies in the browser unless its conversation is in sight.', async ({ skip }) => {
    const context = await pages.newContext()
    await context.grantPermissions(['notifications'], { origin: pages.url })
    // Records the titles; the notifications are those of the browser.
    await context.addInitScript(`{
      const Original = Notification
      globalThis.titles = []
      globalThis.Notification = class extends Original {
        constructor(title, options) { super(title, options); titles.push(title + ': ' + options.body) }
      }
    }`)
    const page = await pages.logIn('Grace', context)
    const permission = await page.evaluate('Notification.permission')
    skip(permission !== 'granted', 'this browser shows no notifications')
    const write = (content: string) => ok(ada, 'POST', '/messages', { type: 'direct', to: [grace.user_id], content })
    await write('First, with **bold** text')
    await expect.poll(() => page.evaluate('titles'), { timeout: PATIENCE_MS }).toEqual(['Ada: First, with bold text'])
    await page.goto(`${pages.url}/#narrow/dm/${ada.user_id}-Ada`)
    await page.locator('article').first().waitFor()
    await write('Second')
    await page.locator('article').filter({ hasText: 'Second' }).waitFor()
    expect(await page.evaluate('titles.length')).toBe(1)
    // The events arrive in order: when the last message notifies, the one in the quiet hours has not.
    await page.goto(`${pages.url}/#inbox`)
    const wholeWeek = { quiet_hours_start: 0, quiet_hours_end: 0, quiet_hours_days: 127 }
    await ok(grace, 'PATCH', '/settings', { ...wholeWeek, quiet_hours_enabled: true })
    await write('Hush')
    await ok(grace, 'PATCH', '/settings', { quiet_hours_enabled: false })
    await write('Third')
    await expect
      .poll(() => page.evaluate('titles'), { timeout: PATIENCE_MS })
      .toEqual(['Ada: First, with bold text', 'Ada: Third'])
    await context.close()
  })

  test('A user makes an API key and ends it, and an administrator ends that of another.', async () => {
    const make = async (name: string) => {
      await gracePage.getByLabel('Name', { exact: true }).fill(name)
      await gracePage.getByLabel('What it permits').selectOption('write')
      await gracePage.getByRole('button', { name: 'Make the key' }).click()
      await gracePage.getByRole('button', { name: `End ${name}`, exact: true }).waitFor()
      return { ...grace, api_key: await gracePage.getByLabel('The new API key').inputValue() }
    }
    const statusOf = async (account: Person) => (await call(account, 'GET', '/users/me')).status
    await openDialog(gracePage, '#settings/api-keys')
    const first = await make('Build server')
    await expect.poll(() => statusOf(first)).toBe(200)
    const second = await make('Dashboard')
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'light'],
      [1280, 'dark'],
    ] as const) {
      await gracePage.setViewportSize({ width, height: 800 })
      await gracePage.emulateMedia({ colorScheme })
      expect(await inspectPage(gracePage, `api-keys-${width}-${colorScheme}`)).toEqual([])
    }
    await gracePage.setViewportSize({ width: 1280, height: 800 })
    await gracePage.emulateMedia({ colorScheme: 'light' })
    await gracePage.getByRole('button', { name: 'End Build server', exact: true }).click()
    await gracePage.getByRole('button', { name: 'End Build server now' }).click()
    await says(gracePage, 'The key was ended.')
    await expect.poll(() => statusOf(first)).toBe(401)
    await openDialog(adaPage, '#organization/api-keys')
    await adaPage.getByText('Dashboard of Grace').waitFor()
    expect(await inspectPage(adaPage, 'organization-api-keys')).toEqual([])
    await adaPage.getByRole('button', { name: 'End Dashboard', exact: true }).click()
    await adaPage.getByRole('button', { name: 'End Dashboard now' }).click()
    await says(adaPage, 'The key was ended.')
    await expect.poll(() => statusOf(second)).toBe(401)
    await closeDialog(adaPage)
    await closeDialog(gracePage)
  })

  test('A user ends the other browsers, and keeps this one with a new password.', async () => {
    const other = await pages.logIn('Grace')
    await openDialog(gracePage, '#settings/sessions')
    await gracePage.getByText('(this browser)').waitFor()
    await gracePage.getByRole('button', { name: 'End all others' }).click()
    await other.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    await gracePage.getByRole('link', { name: 'Account and privacy' }).click()
    await gracePage.getByLabel('Present password').fill(password)
    await gracePage.getByLabel('New password').fill('several quiet telescopes at dawn')
    await gracePage.evaluate(`{
      globalThis.wasLoggedOut = false
      new MutationObserver(() => {
        if (document.querySelector('.log-in-page') !== null) globalThis.wasLoggedOut = true
      }).observe(document.body, { childList: true, subtree: true })
    }`)
    await gracePage.getByRole('button', { name: 'Change the password' }).click()
    await says(gracePage, 'Your password was changed.')
    expect(await gracePage.evaluate('wasLoggedOut')).toBe(false)
    await gracePage.getByRole('link', { name: 'Browsers' }).click()
    await gracePage.getByText('(this browser)').waitFor()
    await gracePage.getByRole('status').filter({ hasText: 'Connected' }).waitFor()
    await closeDialog(gracePage)
  })

  test('A user who forgot the password requests a link in the log-in view.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(grace.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await says(page, 'a link to set a new password was mailed')
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
