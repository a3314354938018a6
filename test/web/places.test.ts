/** The views of recent conversations, drafts, scheduled messages and reminders, and addresses that lead nowhere. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The places of the page${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let channelId: number
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: { ...neverFollowing, twenty_four_hour_time: true } },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    channelId = Number(await createChannel(ada, 'general', [ada, grace]))
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    context = await pages.newContext()
    page = await pages.logIn('Ada', context)
  })

  afterEach(() => context.close())

  const open = (fragment: string) => page.goto(`${pages.url}/#${fragment}`)
  const row = (text: string) => page.locator('.place-row', { hasText: text })
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const undo = () => page.getByRole('button', { name: 'Undo' }).click()
  const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400

  test('#recent lists conversations with the newest message first, also read ones, and follows new messages.', async () => {
    await postMessage(grace, channelId, 'older', 'One')
    await postMessage(ada, channelId, 'older', 'Two')
    await sendDirectMessage(grace, [ada], 'Three')
    await ok(ada, 'POST', '/mark_all_as_read')
    await open('recent')
    await title('Recent conversations')
    const names = () => page.locator('.place-row .place-title').allInnerTexts()
    await expect.poll(names, { timeout: PATIENCE_MS }).toEqual(['Grace', expect.stringMatching(/general\s+older/)])
    await expect.poll(() => row('older').locator('.place-text').textContent()).toBe('Ada, Grace')
    await postMessage(grace, channelId, 'older', 'Four')
    await expect.poll(async () => (await names())[0]).toMatch(/older/)
    await row('older').getByText('1 unread').waitFor()
    expect(await inspectPage(page, 'recent')).toEqual([])
    await page.getByRole('searchbox', { name: 'Find a conversation' }).fill('gra')
    await expect.poll(() => page.locator('.place-row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Find a conversation' }).fill('older')
    await expect.poll(() => page.locator('.place-row').count()).toBe(1)
    await row('older').getByRole('link').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark the topic as read' }).click()
    await says(page, 'Marked 1 message as read.')
    await row('older').getByRole('link').click()
    await page.getByRole('article').getByText('Four').waitFor()
  })

  test('#drafts opens, resumes and deletes drafts, with Undo.', async () => {
    await open('drafts')
    await page.getByText('No drafts').waitFor()
    expect(await inspectPage(page, 'no-drafts')).toEqual([])
    await ok(ada, 'POST', '/drafts', {
      drafts: [
        { type: 'stream', to: [channelId], topic: 'older', content: 'An unfinished thought' },
        { type: 'private', to: [grace.user_id], topic: '', content: 'Dear Grace' },
      ],
    })
    await page.locator('#left-sidebar').getByRole('link', { name: 'Drafts 2' }).waitFor()
    expect(await inspectPage(page, 'drafts')).toEqual([])
    await row('Dear Grace').getByRole('button', { name: 'Delete the draft' }).click()
    await row('Dear Grace').waitFor({ state: 'detached' })
    await undo()
    await row('Dear Grace').waitFor()
    await row('An unfinished thought').getByRole('button').first().click()
    await expect.poll(() => page.locator('#compose').inputValue()).toBe('An unfinished thought')
    await page.locator('#compose').fill('')
    await page.getByRole('link', { name: 'Drafts 1' }).first().click()
    await title('Drafts')
  })

  test('#scheduled edits, deletes and sends messages before their time.', async () => {
    await open('scheduled')
    await page.getByText('No scheduled messages').waitFor()
    const schedule = (content: string) =>
      ok(ada, 'POST', '/scheduled_messages', {
        type: 'channel',
        to: channelId,
        topic: 'later',
        content,
        scheduled_delivery_timestamp: tomorrow(),
      })
    await schedule('Good morning')
    await schedule('Good night')
    const stored = async () => (await ok(ada, 'GET', '/scheduled_messages')).scheduled_messages
    await row('Good morning')
      .getByText(/Tomorrow, \d\d:\d\d/)
      .waitFor()
    expect(await inspectPage(page, 'scheduled')).toEqual([])
    await row('Good morning').getByRole('button', { name: 'Edit the message' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Good afternoon')
    await page.getByLabel('Send it at').fill('2100-01-02T13:05')
    expect(await inspectPage(page, 'edit-scheduled')).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await row('Good afternoon').getByText('Jan 2, 2100, 13:05').waitFor()
    await expect.poll(async () => (await stored()).map(({ content }) => content)).toContain('Good afternoon')
    await row('Good night').getByRole('button', { name: 'Delete the message' }).click()
    await row('Good night').waitFor({ state: 'detached' })
    await undo()
    await row('Good night').getByRole('button', { name: 'Delete the message' }).click()
    await row('Good night').waitFor({ state: 'detached' })
    await row('Good afternoon').getByRole('button', { name: 'Send it now' }).click()
    await page.getByRole('article').getByText('Good afternoon').waitFor()
    expect(await stored()).toEqual([])
  })

  test('A message is brought back by a reminder, which #reminders lists and deletes.', async () => {
    await postMessage(grace, channelId, 'older', 'Water the plants')
    await open('reminders')
    await page.getByText('No reminders').waitFor()
    await open(`narrow/channel/${channelId}/topic/older`)
    const message = page.getByRole('article').filter({ hasText: 'Water the plants' })
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remind me' }).click()
    expect(await inspectPage(page, 'remind-me')).toEqual([])
    await page.getByRole('button', { name: 'Tomorrow, 09:00' }).click()
    await says(page, 'You will be reminded: Tomorrow, 09:00.')
    await open('reminders')
    await row('Water the plants').getByText('Tomorrow, 09:00').waitFor()
    expect(await inspectPage(page, 'reminders')).toEqual([])
    await row('Water the plants').getByRole('button', { name: 'Delete the reminder' }).click()
    await row('Water the plants').waitFor({ state: 'detached' })
    await undo()
    await row('Water the plants').waitFor()
  })

  test('#starred opens the starred messages, and the keys t and d open their places.', async () => {
    await open('starred')
    await title('Starred messages')
    await page.keyboard.press('t')
    await title('Recent conversations')
    await page.keyboard.press('d')
    await title('Drafts')
  })

  test.each(['there-is-no-such-place', 'narrow', 'narrow/%/x', 'recent-things/5'])(
    'The address #%s says that it leads nowhere, and leads home.',
    async (fragment) => {
      await open(fragment)
      await title('Nothing is here')
      expect(await inspectPage(page, 'unknown')).toEqual([])
      await page.getByRole('main').getByRole('link', { name: 'Open the inbox' }).click()
      await title('Inbox')
    },
  )

  test('A visitor is told that a place needs an account.', async () => {
    await updateRealmSettings(realm, { enable_spectator_access: true })
    await createChannel(ada, 'open to all', [ada], { is_web_public: true })
    const visitor = await pages.newPage()
    await visitor.goto(`${pages.url}/#drafts`)
    await visitor.getByRole('button', { name: 'Read without an account' }).click()
    await visitor.getByText('Only people with an account have this view.').waitFor()
    await visitor.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
