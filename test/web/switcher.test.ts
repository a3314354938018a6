/** Ctrl+K leads to channels, topics, people and views. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const group = /Linus Torvalds ?, Barbara Liskov/

describe.skipIf(noBrowser !== undefined)(`The switcher${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let grace: Person

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace Hopper', 'Linus Torvalds', 'Barbara Liskov')
    realm = made.realm
    const [ada, , linus, barbara] = made.people as [Person, Person, Person, Person]
    grace = made.people[1] as Person
    const designId = Number(await createChannel(ada, 'design', [ada, grace]))
    await createChannel(ada, 'engineering', [ada, grace])
    await postMessage(ada, designId, 'release plan', 'About the release')
    await postMessage(grace, 'engineering', 'build server', 'It is slow')
    await sendDirectMessage(ada, [linus, barbara], 'To both of you')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const dialog = () => page.getByRole('dialog', { name: 'Switch to a conversation' })
  const labels = () => dialog().locator('.suggestion-label').allInnerTexts()
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

  const switchTo = async (words: string, label: string) => {
    await page.keyboard.press('Control+k')
    await dialog().waitFor()
    await page.keyboard.type(words)
    await polled(async () => (await labels())[0]).toBe(label)
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
  }

  test.each([
    ['design', '#design', '#design'],
    ['release', 'release plan', '#design › release plan'],
    ['eng bui', 'build server', '#engineering › build server'],
    ['#engineering', '#engineering', '#engineering'],
    ['hopper', 'Grace Hopper', 'Grace Hopper'],
    ['starred', 'Starred messages', 'Starred messages'],
    ['lskv', 'Barbara Liskov', 'Barbara Liskov'],
    ['rlspln', 'release plan', '#design › release plan'],
    ['linus', 'Linus Torvalds', 'Linus Torvalds'],
    ['inb', 'Inbox', 'Inbox'],
    ['recent', 'Recent conversations', 'Recent conversations'],
    ['drafts', 'Drafts', 'Drafts'],
    ['sched', 'Scheduled messages', 'Scheduled messages'],
    ['remind', 'Reminders', 'Reminders'],
  ])('%s leads to %s.', async (words, label, title) => {
    await switchTo(words, label)
    await heading(title)
  })

  test('A group of direct messages is found by the names of its members.', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('linus barb')
    await polled(labels).toEqual(['Linus Torvalds, Barbara Liskov'])
    await page.keyboard.press('Enter')
    await heading(group)
  })

  test('Without words it offers the latest conversations, and it remembers them.', async () => {
    await switchTo('release', 'release plan')
    await heading('#design › release plan')
    await switchTo('hopper', 'Grace Hopper')
    await heading('Grace Hopper')
    await page.reload()
    await heading('Grace Hopper')
    await page.keyboard.press('Control+k')
    // Not the one that is open.
    await polled(async () => (await labels()).slice(0, 2)).toEqual(['release plan', 'Linus Torvalds, Barbara Liskov'])
    expect(await inspectPage(page, 'switcher')).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(group)
  })

  test('It opens while the user writes, and Escape, its key and going back return to the text.', async () => {
    await page.locator('#compose').fill('An unfinished')
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.keyboard.press('Control+k'),
      () => page.goBack(),
      () => page.mouse.click(10, 10),
    ]) {
      await page.keyboard.press('Control+k')
      await dialog().waitFor()
      await page.keyboard.type('zzz')
      await dialog().getByText('Nothing here is called so.').waitFor()
      await close()
      await dialog().waitFor({ state: 'detached' })
      await polled(() => page.evaluate('document.activeElement.id')).toBe('compose')
      await heading(group)
    }
    expect(await page.locator('#compose').inputValue()).toBe('An unfinished')
    await page.locator('#compose').fill('')
  })

  test('Opened again at once, it stays open, and going back closes it.', async () => {
    for (let presses = 1; presses <= 41; presses++) await page.keyboard.press('Control+k')
    await page.keyboard.type('zzz')
    await dialog().getByText('Nothing here is called so.').waitFor()
    await page.waitForTimeout(500)
    expect(await dialog().isVisible()).toBe(true)
    await page.goBack()
    await dialog().waitFor({ state: 'detached' })
    await heading(group)
  })

  test('A click opens a place, and the list of shortcuts names the key.', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('all mess')
    await dialog().getByRole('option', { name: 'All messages' }).click()
    await heading('All messages')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Switch to a conversation or a view').waitFor()
    await page.getByRole('dialog').getByText('Ctrl+K').waitFor()
    await page.keyboard.press('Escape')
  })

  test('Unread messages are counted, and offered without words.', async () => {
    await page.goto(`${pages.url}/#inbox`)
    await heading('Inbox')
    await postMessage(grace, 'engineering', 'a new topic', 'Unread')
    await page.keyboard.press('Control+k')
    const row = dialog().getByRole('option', { name: /a new topic/ })
    await polled(labels).toContain('a new topic')
    await row.locator('.count-badge', { hasText: '1' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
