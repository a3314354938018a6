/**
 * Tasks of a user who has no mouse and does not see the screen. The user presses keys, and finds the way by the role
 * and the name of what has the focus, as the browser tells them to a screen reader. No task clicks, and none looks for
 * an element by its place in the HTML. Where a task has an effect for others, another user asks the server for it.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { password, setPassword } from '../setup/web/browser-session.js'
import { type ScreenReader, useScreenReader } from '../setup/web/screen-reader.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const title = `With keys and the names that a screen reader says, a user${noBrowser ?? ''}`

describe.skipIf(noBrowser !== undefined)(title, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let pages: WebPages
  let page: Page
  let reader: ScreenReader
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: { ...neverFollowing, web_navigate_to_sent_message: false } },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    channelId = Number(await createChannel(ada, 'general', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'Shall we plant tulips?')
    await setPassword(realm, ada)
    pages = await openWebPages(realm)
    page = await pages.newPage()
    reader = await useScreenReader(page)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  /** The newest message that Grace has. */
  const newest = async () => {
    const { messages } = await ok(grace, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    })
    return messages[0]
  }
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const flagsOf = async (id: number) => (await fetchMessage(ada, id)).flags
  const policyOf = async (topic: string) =>
    (await ok(ada, 'POST', '/register', { event_types: ['user_topic'] })).user_topics?.find(
      ({ topic_name }) => topic_name === topic,
    )?.visibility_policy

  /** Opens a topic by its name in the switcher. */
  const openTopic = async (topic: string) => {
    await reader.press('Control+k')
    await reader.isAt('combobox', 'Channel, topic, person or view')
    await reader.type(topic)
    await reader.isAt('option', new RegExp(topic))
    await reader.press('Enter')
    await page.getByRole('heading', { level: 1, name: new RegExp(topic) }).waitFor()
  }
  /** Moves to the message with this text, from the newest one up. */
  const goToMessage = async (text: string) => {
    await page.getByRole('article').filter({ hasText: text }).first().waitFor()
    await reader.press('End')
    return reader.goTo('article', /^(Ada|Grace), /, { key: 'k', text })
  }
  /** Opens the menu of the message that has the focus, and chooses an entry. */
  const chooseAction = async (name: RegExp) => {
    await reader.press('.')
    await reader.isAt('menuitem', /^Reply/)
    await reader.goTo('menuitem', name, { key: 'ArrowDown' })
    await reader.press('Enter')
  }
  /** Opens a dialog from the menu of the account. */
  const openFromAccount = async (name: string) => {
    await reader.goTo('button', 'Account of Ada')
    await reader.press('Enter')
    await reader.goTo('button', name)
    await reader.press('Enter')
    await page.getByRole('dialog').waitFor()
  }
  const closeDialog = async () => {
    await reader.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('logs in with a password.', async () => {
    await page.goto(pages.url)
    await page.getByRole('textbox', { name: 'Email' }).waitFor()
    await reader.goTo('textbox', 'Email')
    await reader.type(ada.email)
    await reader.press('Tab')
    await reader.isAt('textbox', 'Password')
    await reader.type(password)
    await reader.press('Enter')
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
  })

  test('skips to the messages.', async () => {
    await reader.goTo('button', 'Skip to the messages')
    await reader.press('Enter')
    // The list of the inbox has the focus: the next element is in it.
    await polled(async () => (await reader.readFocus()).role).not.toBe('button')
    await reader.goTo('button', /read/)
  })

  test('opens a topic by its name.', async () => {
    await openTopic('spring')
    await goToMessage('Shall we plant tulips?')
  })

  test('writes a message.', async () => {
    await reader.press('c')
    await reader.isAt('textbox', /Write to/)
    await reader.type('Yes, red ones')
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.content).toBe('Yes, red ones')
    await reader.press('Escape')
  })

  test('edits a message.', async () => {
    const { text } = await goToMessage('Yes, red ones')
    expect(text).toContain('Ada')
    await chooseAction(/^Edit/)
    await reader.isAt('textbox', 'Text of the message')
    await reader.press('Control+End')
    await reader.type(' and white ones')
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.content).toBe('Yes, red ones and white ones')
  })

  test('reads the history of a message.', async () => {
    await goToMessage('and white ones')
    await chooseAction(/^History/)
    await page.getByRole('dialog', { name: 'History of the message' }).getByText('and white ones').first().waitFor()
    await closeDialog()
  })

  test('replies to a message with a quotation.', async () => {
    await goToMessage('Shall we plant tulips?')
    await chooseAction(/^Quote and reply/)
    await reader.isAt('textbox', /Write to/)
    await reader.type('I have bulbs')
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.content).toMatch(/Shall we plant tulips\?[\s\S]*I have bulbs/)
    await reader.press('Escape')
  })

  test('reacts to a message.', async () => {
    await goToMessage('Shall we plant tulips?')
    await reader.goTo('button', 'React')
    await reader.press('Enter')
    await polled(async () => (await page.getByRole('combobox', { name: 'Search emoji' }).count()) > 0).toBe(true)
    await reader.type('octop')
    await reader.isAt('option', 'octopus')
    await reader.press('Enter')
    const reactions = async () =>
      (await ok(grace, 'GET', '/messages', { anchor: 'first_unread', num_before: 50, num_after: 50 })).messages.flatMap(
        (message) => message.reactions.map(({ emoji_name }) => emoji_name),
      )
    await polled(reactions).toContain('octopus')
  })

  test('stars a message, and finds it.', async () => {
    const id = await postMessage(grace, channelId, 'spring', 'The shop opens at nine')
    await goToMessage('The shop opens at nine')
    await reader.goTo('button', 'Star')
    await reader.press('Enter')
    await polled(() => flagsOf(id)).toContain('starred')
    await reader.goTo('link', /^Starred/)
    await reader.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Starred/ }).waitFor()
    await goToMessage('The shop opens at nine')
  })

  test('deletes a message.', async () => {
    await openTopic('spring')
    await goToMessage('I have bulbs')
    await chooseAction(/^Delete/)
    await page.getByRole('dialog', { name: 'Delete the message?' }).waitFor()
    await reader.goTo('button', /^Delete/)
    await reader.press('Enter')
    await polled(async () => (await newest())?.content).toBe('The shop opens at nine')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('starts a topic.', async () => {
    await reader.press('C')
    await reader.goTo('combobox', /^Topic/)
    await reader.type('autumn')
    await reader.goTo('textbox', /^Write to/)
    await reader.type('Leaves fall')
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.subject).toBe('autumn')
    await reader.press('Escape')
  })

  test('follows a topic, and mutes it.', async () => {
    await openTopic('autumn')
    for (const [choice, policy] of [
      ['Follow', 3],
      ['Mute', 1],
    ] as const) {
      const button = await reader.goTo('button', /^Notifications of the topic/)
      expect(button.states.expanded).toBe('false')
      await reader.press('Enter')
      await reader.goTo('menuitemradio', choice, { key: 'ArrowDown' })
      await reader.press('Enter')
      await polled(() => policyOf('autumn')).toBe(policy)
      await reader.isAt('button', `Notifications of the topic: ${choice}`)
    }
  })

  test('writes a direct message.', async () => {
    await reader.press('x')
    await reader.isAt('combobox', /Recipients/)
    await reader.type('gra')
    await reader.isAt('option', /Grace/)
    await reader.press('Enter')
    await reader.goTo('textbox', /^Write to Grace/)
    await reader.type('Only for you')
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.content).toBe('Only for you')
    await reader.press('Escape')
  })

  test('sends a file.', async () => {
    await openTopic('spring')
    await reader.press('c')
    await reader.isAt('textbox', /Write to/)
    await reader.goTo('button', 'Attach files')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), reader.press('Enter')])
    // The dialog of the system has its own keys.
    await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Beds and paths') })
    await reader.goTo('textbox', /Write to/, { key: 'Shift+Tab' })
    await polled(async () => (await reader.readFocus()).value).toMatch(/\[plan\.txt\]\(\/user_uploads/)
    await reader.press('Control+Enter')
    await polled(async () => (await newest())?.content).toMatch(/\[plan\.txt\]/)
    await reader.press('Escape')
  })

  test('creates a poll, and votes.', async () => {
    await reader.press('c')
    await reader.isAt('textbox', /Write to/)
    await reader.goTo('button', 'Poll')
    await reader.press('Enter')
    await page.getByRole('dialog', { name: 'Create a poll' }).waitFor()
    await reader.goTo('textbox', /^Question/)
    await reader.type('Lunch?')
    await reader.goTo('textbox', /^Option 1/)
    await reader.type('Soup')
    await reader.goTo('button', 'Insert the poll')
    await reader.press('Enter')
    await reader.isAt('textbox', /Write to/)
    await reader.press('Control+Enter')
    await page.getByRole('button', { name: /^Vote for Soup: 0 votes/ }).waitFor()
    await reader.press('Escape')
    await goToMessage('Lunch?')
    await reader.goTo('button', 'Vote for Soup: 0 votes')
    await reader.press('Enter')
    await reader.isAt('button', 'Vote for Soup: 1 vote')
    await polled(async () => (await newest())?.submessages?.length).toBeGreaterThan(1)
  })

  test('searches messages.', async () => {
    await reader.press('/')
    await reader.isAt('combobox', 'Search messages')
    await reader.type('tulips')
    await reader.press('Enter')
    await page.getByRole('heading', { level: 1, name: /tulips/ }).waitFor()
    await goToMessage('Shall we plant')
  })

  test('marks a topic as read.', async () => {
    const id = await postMessage(grace, channelId, 'winter', 'Snow')
    await reader.press('i')
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page
      .getByRole('link', { name: /winter/ })
      .first()
      .waitFor()
    await reader.goTo('button', 'Mark winter as read')
    await reader.press('Enter')
    await polled(() => flagsOf(id)).toContain('read')
  })

  test('creates a channel, and subscribes a person to it.', async () => {
    await reader.goTo('link', /^Find or create channels/)
    await reader.press('Enter')
    await page.getByRole('dialog', { name: 'Channels' }).waitFor()
    await reader.goTo('link', 'Create a channel')
    await reader.press('Enter')
    await reader.goTo('textbox', /^Name/)
    await reader.type('library')
    await reader.goTo('button', 'Create the channel')
    await reader.press('Enter')
    await page.getByRole('heading', { level: 1, name: '#library' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await reader.goTo('link', 'Settings of the channel')
    await reader.press('Enter')
    await page.getByRole('dialog', { name: '#library' }).waitFor()
    await reader.goTo('link', 'Subscribers')
    await reader.press('Enter')
    await reader.goTo('combobox', /^Add people/)
    await reader.type('gra')
    await reader.isAt('option', /Grace/)
    await reader.press('Enter')
    await reader.goTo('button', 'Add')
    await reader.press('Enter')
    const subscriptions = async () =>
      (await ok(grace, 'GET', '/users/me/subscriptions')).subscriptions.map(({ name }) => name)
    await polled(subscriptions).toContain('library')
    await reader.hears('Added.')
    await closeDialog()
  })

  test('changes a setting.', async () => {
    await openFromAccount('Settings')
    await reader.goTo('link', 'Display')
    await reader.press('Enter')
    const box = await reader.goTo('checkbox', 'High contrast')
    expect(box.states.checked).toBe('false')
    await reader.press('Space')
    await polled(async () => (await reader.readFocus()).states.checked).toBe('true')
    const setting = async () =>
      (await ok(ada, 'POST', '/register', { event_types: ['user_settings'] })).user_settings?.high_contrast_mode
    await polled(setting).toBe(true)
    await closeDialog()
  })

  test('sets a status.', async () => {
    await openFromAccount('Settings')
    await reader.goTo('button', /In a meeting/)
    await reader.press('Enter')
    const status = async () => (await ok(grace, 'GET', `/users/${ada.user_id}/status`)).status
    await polled(status).toMatchObject({ status_text: 'In a meeting' })
    await closeDialog()
  })

  test('reads the profile of another user.', async () => {
    await reader.press('w')
    await reader.isAt('searchbox', /Search members/)
    await reader.type('Grace')
    await reader.goTo('link', /^Grace/)
    await reader.press('Enter')
    await page.getByRole('dialog', { name: 'Grace' }).waitFor()
    await closeDialog()
  })

  test('invites a person by a link.', async () => {
    await reader.goTo('link', /^Invite people/)
    await reader.press('Enter')
    await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
    await reader.goTo('link', 'By link')
    await reader.press('Enter')
    await reader.goTo('button', 'Create a link')
    await reader.press('Enter')
    await page.getByRole('textbox', { name: 'The link' }).waitFor()
    const link = await reader.goTo('textbox', 'The link')
    expect(link.value).toMatch(/^http.*\/join\//)
    await closeDialog()
  })

  test('turns the shortcuts of single letters off, and on again.', async () => {
    const toggle = async () => {
      await openFromAccount('Keyboard shortcuts')
      await reader.goTo('checkbox', /^Letters and signs alone are shortcuts/)
      await reader.press('Space')
      await closeDialog()
    }
    await toggle()
    const before = page.url()
    await reader.press('t', 'd', '?')
    // A key with Control works, and the letters before it have done nothing.
    await reader.press('Control+k')
    await reader.isAt('combobox', 'Channel, topic, person or view')
    await reader.press('Escape')
    expect(page.url()).toBe(before)
    await toggle()
    await reader.press('t')
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  })

  test('logs out.', async () => {
    await reader.goTo('button', 'Account of Ada')
    await reader.press('Enter')
    await reader.goTo('button', 'Log out')
    await reader.press('Enter')
    await page.getByRole('textbox', { name: 'Email' }).waitFor()
    expect(pages.problems).toEqual([])
  })
})
