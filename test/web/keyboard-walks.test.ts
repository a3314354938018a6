/** The most frequent tasks, done with the keyboard alone. No test here uses the mouse. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { type Keyboard, useKeyboard } from '../setup/web/keyboard.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(
  `With the keyboard alone, a user${noBrowser ?? ''}`,
  { timeout: 60_000 },
  () => {
    let realm: TestRealm
    let ada: Person
    let grace: Person
    let pages: WebPages
    let page: Page
    let keys: Keyboard
    let channelId: number

    beforeAll(async () => {
      realm = await newRealm()
      const people = await realm.people(
        { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
        { full_name: 'Grace', settings: neverFollowing },
      )
      ;[ada, grace] = people as [Person, Person]
      await updateRealmSettings(realm, { send_channel_events_messages: false })
      channelId = Number(await createChannel(ada, 'general', people))
      await createChannel(grace, 'observatory', [grace])
      await postMessage(grace, channelId, 'spring', 'The first plan')
      pages = await openWebPages(realm)
      page = await pages.newPage()
      keys = useKeyboard(page)
    }, 60_000)

    afterAll(async () => {
      await pages?.[Symbol.asyncDispose]()
      await realm?.[Symbol.asyncDispose]()
    })

    const article = (text: string) => page.locator('article').filter({ hasText: text }).last()
    const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
    const flagsOf = async (id: number) => (await fetchMessage(ada, id)).flags
    const newestId = async (): Promise<number> => {
      const { messages } = await ok(ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
      return messages[0]?.id ?? 0
    }
    const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })

    test('logs in.', async () => {
      await page.goto(pages.url)
      await page.getByRole('button', { name: 'Ada' }).waitFor()
      await keys.moveTo(/Ada/)
      await keys.press('Enter')
      await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    })

    test('uses a shortcut in the moment in which the page is drawn.', async () => {
      const context = await pages.newContext()
      await context.addInitScript(pressWhenDrawn)
      const other = await pages.logIn('Grace', context)
      await other.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
      await context.close()
    })

    test('opens the next unread topic.', async () => {
      await keys.press('n')
      await article('The first plan').waitFor()
    })

    test('writes a message.', async () => {
      await keys.press('c')
      await keys.isAt(/Write to/)
      await keys.type('From the keyboard')
      await keys.press('Control+Enter')
      await article('From the keyboard').waitFor()
      await keys.press('Escape')
    })

    test('edits the own message.', async () => {
      await keys.press('ArrowUp')
      await keys.isAt(/^Ada/)
      await keys.press('e')
      await keys.isAt('Text of the message')
      await keys.press('Control+End')
      await keys.type(' alone')
      await keys.press('Control+Enter')
      await article('From the keyboard alone').waitFor()
    })

    test('reacts to a message, also faster than the emoji are loaded.', async () => {
      await page.route('**/emoji-data.json', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await route.continue()
      })
      await page.getByRole('textbox', { name: 'Edit' }).waitFor({ state: 'detached' })
      await select('From the keyboard alone')
      await keys.press(':')
      await keys.isAt('Search emoji')
      await keys.type('octop')
      await keys.press('Enter')
      await article('From the keyboard alone')
        .getByRole('button', { name: /octopus/ })
        .waitFor()
    })

    /** Moves the focus to the article with this text, which is the newest one or near it. */
    const select = async (text: string) => {
      await keys.press('End')
      const selected = () => page.evaluate('document.activeElement.closest("article")?.innerText ?? ""')
      const isSelected = async () => ((await selected()) as string).includes(text)
      for (let step = 0; step < 30 && !(await isSelected()); step += 1) await keys.press('k')
      expect(await isSelected(), text).toBe(true)
    }

    test('stars a message, and marks it as unread.', async () => {
      const id = await postMessage(grace, channelId, 'spring', 'To be starred')
      await article('To be starred').waitFor()
      await select('To be starred')
      await keys.press('*')
      await polled(() => flagsOf(id)).toContain('starred')
      await polled(() => flagsOf(id)).toContain('read')
      await keys.press('U')
      await polled(() => flagsOf(id)).not.toContain('read')
    })

    test('quotes a message in a reply.', async () => {
      await select('To be starred')
      await keys.press('>')
      await keys.isAt(/Write to/)
      await keys.type('My answer')
      await keys.press('Control+Enter')
      await article('My answer').locator('blockquote').waitFor()
      await keys.press('Escape')
    })

    test('deletes the own message.', async () => {
      await select('My answer')
      await keys.press('.')
      await page.getByRole('menu').waitFor()
      await keys.moveTo(/^Delete/, 'ArrowDown')
      await keys.press('Enter')
      await dialog(/Delete/).waitFor()
      await keys.moveTo(/^Delete/)
      await keys.press('Enter')
      await article('My answer').waitFor({ state: 'detached' })
    })

    test('moves messages to another topic.', async () => {
      const id = await postMessage(ada, channelId, 'spring', 'About summer')
      await article('About summer').waitFor()
      await select('About summer')
      await keys.press('m')
      await dialog('Move messages').waitFor()
      await keys.moveTo(/^Topic/)
      await keys.press('Control+a')
      await keys.type('summer')
      await keys.moveTo('Move')
      await keys.press('Enter')
      await polled(async () => (await fetchMessage(ada, id)).subject).toBe('summer')
      await dialog('Move messages').waitFor({ state: 'detached' })
      // The view goes along with its newest message.
      await page.getByRole('heading', { level: 1, name: /summer/ }).waitFor()
    })

    test('starts a conversation of direct messages.', async () => {
      const before = page.url()
      await keys.press('x')
      await keys.isAt(/Recipients/)
      await keys.type('gra')
      await page.getByRole('option', { name: /Grace/ }).waitFor()
      await keys.press('Enter')
      await page.getByRole('button', { name: 'Remove Grace' }).waitFor()
      await keys.moveTo(/Write to/)
      await keys.type('Only for you')
      await keys.press('Control+Enter')
      await polled(async () => (await fetchMessage(grace, await newestId())).content).toContain('Only for you')
      // The page went to the conversation, and its text field has the focus.
      await page.getByRole('heading', { name: 'Grace' }).first().waitFor()
      await keys.isAt(/Write to Grace/)
      await keys.press('Escape')
      await page.goBack()
      await polled(async () => page.url()).toBe(before)
      await page
        .getByRole('heading', { name: /summer/ })
        .first()
        .waitFor()
    })

    test('starts a topic in a channel.', async () => {
      // From here on, Ada stays in the view from which she sends.
      await ok(ada, 'PATCH', '/settings', { web_navigate_to_sent_message: false })
      await keys.press('C')
      await keys.isAt(/Channel|Topic/)
      await keys.moveTo(/^Topic/)
      await keys.type('autumn')
      await keys.moveTo(/Write to/)
      await keys.type('Leaves fall')
      await keys.press('Control+Enter')
      await polled(async () => (await fetchMessage(ada, await newestId())).subject).toBe('autumn')
      await keys.press('Escape')
    })

    test('searches messages.', async () => {
      await keys.press('/')
      await keys.type('plan')
      await keys.press('Enter')
      await page.getByRole('heading', { name: /plan/ }).first().waitFor()
      await article('The first plan').waitFor()
    })

    test('opens a channel from the sidebar.', async () => {
      await keys.press('Escape', 'i')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await keys.moveTo(/^Inbox/)
      await keys.moveTo(/^general/, 'ArrowDown')
      await keys.press('Enter')
      await page.getByRole('heading', { name: '#general' }).waitFor()
    })

    test('marks a topic as read in the inbox.', async () => {
      const id = await postMessage(grace, channelId, 'winter', 'Snow')
      await keys.press('i')
      await page
        .getByRole('link', { name: /winter/ })
        .first()
        .waitFor()
      await keys.moveTo('Mark winter as read')
      await keys.press('Enter')
      await polled(() => flagsOf(id)).toContain('read')
    })

    test('joins a channel.', async () => {
      await keys.moveTo(/^Find or create channels/)
      await keys.press('Enter')
      await dialog('Channels').waitFor()
      await keys.moveTo('Join observatory')
      await keys.press('Enter')
      await page.getByRole('button', { name: 'Leave observatory' }).waitFor()
      await keys.press('Escape')
      await dialog('Channels').waitFor({ state: 'detached' })
    })

    test('creates a channel.', async () => {
      await keys.moveTo(/^Find or create channels/)
      await keys.press('Enter')
      await dialog('Channels').waitFor()
      await keys.moveTo('Create a channel')
      await keys.press('Enter')
      await dialog('Create a channel').waitFor()
      await keys.moveTo(/^Name/)
      await keys.type('library')
      await keys.moveTo('Create the channel')
      await keys.press('Enter')
      await page.getByRole('heading', { name: '#library' }).first().waitFor()
      await keys.press('Escape')
    })

    test('changes a setting and the status.', async () => {
      await keys.moveTo(/^Account of Ada/)
      await keys.press('Enter')
      await keys.moveTo(/^Settings/)
      await keys.press('Enter')
      await dialog(/Settings/).waitFor()
      await keys.moveTo(/In a meeting/)
      await keys.press('Enter')
      const statuses = async () => (await ok(ada, 'GET', `/users/${ada.user_id}/status`)).status
      await polled(statuses).toMatchObject({ status_text: 'In a meeting' })
      await keys.press('Escape')
      await dialog(/Settings/).waitFor({ state: 'detached' })
    })

    test('opens the list of shortcuts, and comes back to where the focus was.', async () => {
      await keys.press('?')
      await dialog('Keyboard shortcuts').waitFor()
      await keys.press('Escape')
      await dialog('Keyboard shortcuts').waitFor({ state: 'detached' })
    })

    test('invites a person.', async () => {
      await keys.moveTo(/^Invite people/)
      await keys.press('Enter')
      await dialog(/Invite/).waitFor()
      await keys.moveTo(/link/i)
      await keys.press('Enter')
      await keys.moveTo('Create a link')
      await keys.press('Enter')
      await page.getByLabel('The link').waitFor()
      await keys.press('Escape')
      await dialog(/Invite/).waitFor({ state: 'detached' })
    })

    test('logs out.', async () => {
      await keys.moveTo(/^Account of Ada/)
      await keys.press('Enter')
      await keys.moveTo('Log out')
      await keys.press('Enter')
      await page.locator('#left-sidebar').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Ada' }).waitFor()
      expect(pages.problems).toEqual([])
    })
  },
)

/** Runs before the page: presses `d` as soon as the page of the chat is there, before the browser shows it. */
const pressWhenDrawn = `new MutationObserver((_changes, observer) => {
  if (document.querySelector('#left-sidebar') === null) return
  observer.disconnect()
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true, cancelable: true }))
}).observe(document, { childList: true, subtree: true })`
