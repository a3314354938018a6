/** What belongs to one user: snippets, alert words, muted people, topics, files, the sidebar, and the account. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { waitForMails } from '../setup/realm/mails.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { redPixel, upload } from '../setup/requests/files.js'
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

describe.skipIf(noBrowser !== undefined)(`The personal settings${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: { ...neverFollowing, twenty_four_hour_time: true } },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'Lunch', 'The first message')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTopic = async () => {
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/Lunch`)
    await page.getByText('The first message').waitFor()
  }
  const button = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const line = (text: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: text })
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })

  test('A snippet is saved in the settings, changed, inserted into a message, and deleted.', async () => {
    await openDialog(page, '#settings/saved-snippets')
    await page.getByLabel('Title').fill('Welcome')
    await page.getByLabel('Text').fill('Welcome to **plans**!\nHave a look around.')
    await button('Save the snippet').click()
    await says(page, 'The snippet was saved.')
    await ok(ada, 'POST', '/saved_snippets', { title: 'Regrets', content: 'Not this week.' })
    await line('Regrets').waitFor()
    await button('Edit Welcome').click()
    expect(await inspectPage(page, 'settings-snippet-form')).toEqual([])
    await line('Welcome').getByLabel('Title').fill('Greeting')
    await line('Welcome').getByRole('button', { name: 'Save', exact: true }).click()
    await button('Edit Greeting').waitFor()
    await closeDialog(page)

    await openTopic()
    const box = page.locator('#compose')
    await box.fill('Hello.')
    await page.getByRole('toolbar').getByRole('button', { name: 'Snippet' }).click()
    const found = page.getByRole('dialog').getByRole('list', { name: 'Snippets' }).getByRole('button')
    await polled(() => found.allInnerTexts()).toEqual([
      expect.stringContaining('Greeting'),
      expect.stringContaining('Regrets'),
    ])
    expect(await inspectPage(page, 'insert-snippet')).toEqual([])
    await page.getByLabel('Find a snippet').fill('WEEK regr')
    await polled(() => found.count()).toBe(1)
    await page.keyboard.press('Enter')
    await polled(() => box.inputValue()).toBe('Hello.Not this week.')
    await page.getByRole('toolbar').getByRole('button', { name: 'Snippet' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('As written')
    await button('Save as a snippet').click()
    await found.filter({ hasText: 'As written' }).waitFor()
    await closeDialog(page)
    await box.fill('')

    await openDialog(page, '#settings/saved-snippets')
    await line('Regrets').getByRole('button', { name: 'Delete' }).click()
    await button('Delete Regrets now').click()
    await line('Regrets').waitFor({ state: 'detached' })
    const { saved_snippets } = await ok(ada, 'GET', '/saved_snippets')
    expect(saved_snippets.map(({ title, content }) => [title, content])).toEqual([
      ['Greeting', 'Welcome to **plans**!\nHave a look around.'],
      ['As written', 'Hello.Not this week.'],
    ])
  })

  test('What is typed while the value before it is being saved stays in the field.', async () => {
    await openDialog(page, '#settings/alert-words')
    const field = page.getByLabel('Word or phrase')
    await field.fill('Salad')
    await realm.sql.begin(async (tx) => {
      // The commit of the word waits.
      await tx`select from log_heads where realm_id = ${realm.realm_id} for update`
      await button('Add the word').click()
      await field.fill('Soup')
    })
    await says(page, '“Salad” was added.')
    expect(await field.inputValue()).toBe('Soup')
    await button('Remove Salad').click()
    await line('Salad').waitFor({ state: 'detached' })
    await closeDialog(page)
  })

  test('An alert word is added, marked in messages that have it as a word, and removed.', async () => {
    await openDialog(page, '#settings/alert-words')
    for (const word of ['Pizza', '日本']) {
      await page.getByLabel('Word or phrase').fill(word)
      await button('Add the word').click()
      await line(word).waitFor()
    }
    await page.getByLabel('Word or phrase').fill('pizza')
    await button('Add the word').click()
    await page.getByText('You have this word already.').waitFor()
    expect(await inspectPage(page, 'settings-alert-words-form')).toEqual([])
    await closeDialog(page)
    await postMessage(grace, channelId, 'Lunch', 'A **pizza**, but no pizzas: 日本人 `pizza`')
    await openTopic()
    const marks = page.getByRole('article').filter({ hasText: 'but no pizzas' }).locator('mark')
    await polled(() => marks.allInnerTexts()).toEqual(['pizza', '日本', 'pizza'])
    expect(await inspectPage(page, 'alert-words')).toEqual([])
    await openDialog(page, '#settings/alert-words')
    await button('Remove Pizza').click()
    await line('Pizza').waitFor({ state: 'detached' })
    await polled(() => marks.allInnerTexts()).toEqual(['日本'])
    expect(await ok(ada, 'GET', '/users/me/alert_words')).toMatchObject({ alert_words: ['日本'] })
  })

  test('The page of topics lists those with a policy as they are written, and changes them.', async () => {
    await openDialog(page, '#settings/topics')
    await page.getByText('You have muted or followed no topic.').waitFor()
    const set = (topic: string, visibility_policy: number) =>
      ok(ada, 'POST', '/user_topics', { stream_id: channelId, topic, visibility_policy })
    await set('Lunch', 3)
    await set('Noise', 1)
    await line('Lunch').waitFor()
    expect(await inspectPage(page, 'settings-topic-list')).toEqual([])
    await page.getByLabel('Show', { exact: true }).selectOption('Muted topics')
    await line('Lunch').waitFor({ state: 'detached' })
    await page.getByLabel('You and Noise').selectOption('Followed')
    await line('Noise').waitFor({ state: 'detached' })
    await page.getByLabel('Show', { exact: true }).selectOption('All')
    await page.getByLabel('Find a topic').fill('noi')
    await page.getByLabel('You and Noise').selectOption('As the channel')
    await line('Noise').waitFor({ state: 'detached' })
    await page.getByLabel('Find a topic').fill('')
    await line('Lunch').getByRole('link').click()
    await page.getByRole('article').getByText('The first message').waitFor()
  })

  test('People are muted and unmuted in the settings.', async () => {
    await openDialog(page, '#settings/muted-users')
    await page.getByText('You have muted nobody.').waitFor()
    await page.getByRole('combobox', { name: 'People' }).fill('gra')
    await page.getByRole('option', { name: 'Grace' }).click()
    await button('Mute them').click()
    await button('Unmute Grace').waitFor()
    expect(await inspectPage(page, 'settings-muted-people')).toEqual([])
    await button('Unmute Grace').click()
    await page.getByText('You have muted nobody.').waitFor()
  })

  test('The page of files lists the own ones with sizes and messages, sorts them, and deletes them.', async () => {
    const send = async (filename: string, data: Buffer) => {
      const { json } = await upload(ada, '/user_uploads', { filename, type: 'image/png', data })
      return `[${filename}](${json.url})`
    }
    const link = await send('red.png', redPixel)
    await send('large.bin', Buffer.alloc(3 * 1024 * 1024))
    await postMessage(ada, channelId, 'Lunch', `See ${link}`)
    await openDialog(page, '#settings/uploaded-files')
    const names = () => page.getByRole('list', { name: 'Your files' }).locator('a').allInnerTexts()
    await polled(names).toEqual(['large.bin', 'red.png'])
    await page.getByText(/You have uploaded 2 files, 3 MB in all\./).waitFor()
    await line('large.bin').getByText('in no message').waitFor()
    await page.getByLabel('Order').selectOption('By name')
    await polled(names).toEqual(['large.bin', 'red.png'])
    await page.getByLabel('Order').selectOption('Newest first')
    await page.getByText('In 1 message').click()
    expect(await inspectPage(page, 'settings-file-list')).toEqual([])
    // Another file appears at once, in its place.
    await send('another.png', redPixel)
    await page.getByLabel('Order').selectOption('Largest first')
    await polled(async () => (await names())[0]).toBe('large.bin')
    await line('large.bin').getByRole('button', { name: 'Delete' }).click()
    await button('Delete large.bin now').click()
    await polled(names).toEqual(['another.png', 'red.png'])
    expect((await ok(ada, 'GET', '/attachments')).attachments.map(({ name }) => name)).toEqual([
      'another.png',
      'red.png',
    ])
    await page.getByRole('button', { name: /^Message of / }).click()
    await page.getByRole('article').getByText('See red.png').waitFor()
  })

  test('Views are hidden, shown and pinned, in every browser of the user at once.', async () => {
    const sidebar = page.locator('#left-sidebar')
    const view = (name: string) => sidebar.getByRole('link', { name, exact: true })
    await openTopic()
    // The view is pinned without the message at which it was opened.
    const { messages } = await ok(ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    await page.evaluate(`location.hash = '#narrow/channel/${channelId}-plans/topic/Lunch/near/${messages[0]?.id}'`)
    await page.getByRole('button', { name: 'Pin the view to the sidebar' }).click()
    await view('#plans › Lunch').waitFor()
    await openDialog(page, '#settings/sidebar')
    await page.getByLabel('Starred').click()
    await view('Starred').waitFor({ state: 'detached' })
    await page.getByLabel('Reminders').click()
    await page.getByLabel('Reactions to my messages').click()
    await view('Reactions to my messages').waitFor()
    await button('Edit #plans › Lunch').click()
    await line('Lunch').getByLabel('Name').fill('Where we eat')
    await line('Lunch').getByRole('button', { name: 'Save', exact: true }).click()
    await view('Where we eat').waitFor()
    expect(await inspectPage(page, 'settings-sidebar-form')).toEqual([])
    await closeDialog(page)
    const stored = async () => (await ok(ada, 'GET', '/navigation_views')).navigation_views
    await expect.poll(stored, { timeout: PATIENCE_MS }).toEqual(
      expect.arrayContaining([
        { fragment: 'narrow/is/starred', is_pinned: false, name: null },
        { fragment: 'reminders', is_pinned: false, name: 'Reminders' },
        { fragment: 'narrow/has/reaction/sender/me', is_pinned: true, name: null },
        { fragment: `narrow/channel/${channelId}-plans/topic/Lunch`, is_pinned: true, name: 'Where we eat' },
      ]),
    )
    await sidebar.getByRole('button', { name: 'More views' }).click()
    await view('Starred').click()
    await page.getByRole('heading', { level: 1, name: 'Starred messages' }).waitFor()
    expect(await inspectPage(page, 'sidebar-views')).toEqual([])
    await sidebar.getByRole('button', { name: 'More views' }).click()
    // The view that is open stays in sight.
    await view('Starred').waitFor()
    await view('Reactions to my messages').click()
    await view('Starred').waitFor({ state: 'detached' })
    await postMessage(grace, channelId, 'Lunch', 'Soup?')
    await sidebar.getByRole('link', { name: /^Where we eat 1/ }).click()
    await page.getByRole('article').getByText('Soup?').waitFor()
    await page.getByRole('button', { name: 'Pinned as “Where we eat”' }).click()
    await line('Where we eat').getByRole('button', { name: 'Remove' }).click()
    await button('Remove Where we eat now').click()
    await view('Where we eat').waitFor({ state: 'detached' })
    await closeDialog(page)
  })

  test('A message is sent later, and its reminder gets another time and a note.', async () => {
    await openTopic()
    const box = page.locator('#compose')
    await box.fill('See you tomorrow')
    await page.getByRole('button', { name: 'Send later' }).click()
    expect(await inspectPage(page, 'send-later')).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Tomorrow, 09:00' }).click()
    await says(page, 'The message will be sent: Tomorrow, 09:00.')
    await polled(() => box.inputValue()).toBe('')
    await page.getByRole('status').getByRole('link', { name: 'Scheduled messages' }).click()
    await page.locator('.place-row', { hasText: 'See you tomorrow' }).getByText('To be sent: Tomorrow, 09:00').waitFor()
    expect((await ok(ada, 'GET', '/scheduled_messages')).scheduled_messages).toMatchObject([
      { to: channelId, topic: 'Lunch', content: 'See you tomorrow' },
    ])

    const message_id = await postMessage(grace, channelId, 'Lunch', 'Water the plants')
    const tomorrow = Math.floor(Date.now() / 1000) + 86_400
    await ok(ada, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp: tomorrow, note: 'With rain' })
    await page.goto(`${pages.url}/#reminders`)
    const reminder = page.locator('.place-row', { hasText: 'Water the plants' })
    await reminder.getByRole('button', { name: 'Change the reminder' }).click()
    await polled(() => reminder.getByLabel('Note').inputValue()).toBe('With rain')
    await reminder.getByLabel('Note').fill('With rain water')
    await reminder.getByLabel('Another time').fill('2100-01-02T13:05')
    expect(await inspectPage(page, 'edit-reminder')).toEqual([])
    await reminder.getByRole('button', { name: 'Save' }).click()
    await reminder.getByText('Jan 2, 2100, 13:05').waitFor()
    // The page makes the new reminder before it deletes the old one.
    const reminders = async () => (await ok(ada, 'GET', '/reminders')).reminders
    await polled(reminders).toMatchObject([{ reminder_target_message_id: message_id, note: 'With rain water' }])
  })

  test('The quiet hours are saved with their days, in the time zone of the account.', async () => {
    await openDialog(page, '#settings/notifications')
    const form = page.locator('form').filter({ hasText: 'Quiet hours' })
    await form.getByLabel('Do not notify me at these times').check()
    await form.getByLabel('From').fill('21:30')
    await form.getByLabel('To', { exact: true }).fill('06:15')
    await form.getByText('06:15, on the next day').waitFor()
    await form.getByLabel('Sunday').uncheck()
    await form.scrollIntoViewIfNeeded()
    expect(await inspectPage(page, 'quiet-hours')).toEqual([])
    await form.getByRole('button', { name: 'Save the quiet hours' }).click()
    await says(page, 'Saved.')
    const { user_settings } = await ok(ada, 'POST', '/register', { fetch_event_types: ['user_settings'] })
    expect(user_settings).toMatchObject({
      quiet_hours_enabled: true,
      quiet_hours_start: 1290,
      quiet_hours_end: 375,
      quiet_hours_days: 63,
      timezone: await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
    })
    await closeDialog(page)
  })

  test('A user asks for another address, sees the API key, and replaces it.', async () => {
    await setPassword(realm, ada)
    await openDialog(page, '#settings/account-and-privacy')
    const address = `new-address-${ada.user_id}-${realm.realm_id}@example.com`
    await page.getByLabel('New address').fill(address)
    await button('Change the address').click()
    await says(page, `A link was mailed to ${address}.`)
    expect((await waitForMails(address))[0]).toContain('/confirm_email/')
    await page.getByLabel('Your password').fill('not the password')
    await button('Show the key').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Your password').fill(password)
    await button('Show the key').click()
    const key = () => page.getByLabel('Your API key').inputValue()
    await polled(key).toBe(ada.api_key)
    expect(await inspectPage(page, 'settings-account-forms')).toEqual([])
    await closeDialog(page)
    await openDialog(page, '#settings/account-and-privacy')
    await page.getByLabel('Your password').fill(password)
    await button('Make a new key').click()
    await button('Replace the key now').click()
    await says(page, 'The former key is not valid any more.')
    const replaced = await key()
    expect(replaced).not.toBe(ada.api_key)
    ada = { ...ada, api_key: replaced }
    expect(await ok(ada, 'GET', '/users/me')).toMatchObject({ full_name: 'Ada' })
  })

  test('A user closes the own account; the only owner is refused.', async () => {
    const close = async (closing: Page) => {
      await openDialog(closing, '#settings/account-and-privacy')
      await closing.getByRole('button', { name: 'Close my account…' }).click()
      const address = closing.getByLabel(/^Write .* to confirm$/)
      await address.fill('someone@example.com')
      await closing.getByRole('button', { name: 'Close my account', exact: true }).click()
      await closing.getByText('This is not the address of your account').waitFor()
      const [, own = ''] =
        /^Write (.*) to confirm$/.exec((await closing.locator('label', { hasText: /^Write / }).textContent()) ?? '') ??
        []
      await address.fill(own)
      await closing.getByRole('button', { name: 'Close my account', exact: true }).click()
    }
    await close(page)
    await page.getByText('This is the only organization owner left').waitFor()
    expect(await inspectPage(page, 'close-account')).toEqual([])
    const other = await pages.logIn('Grace')
    await close(other)
    await other.getByRole('button', { name: 'Forgot your password?' }).waitFor()
    const { user } = await ok(ada, 'GET', `/users/${grace.user_id}`)
    expect(user).toMatchObject({ is_active: false })
    await other.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
