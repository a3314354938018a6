/** Texts that are too long, in a real browser: none is cut, and none is sent. A message becomes a file instead. */
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateUserRow } from '../setup/realm/row-changes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'

const MOST = 10_000
/** One character for people and for the server, two units of UTF-16. */
const WIDE = '😀'

describe.skipIf(noBrowser !== undefined)(`Texts that are too long${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let page: Page
  let url: string

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    await updateUserRow(realm, ada.user_id, { role: Role.owner })
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'The first plan')
    browser = (await openBrowser()) as Browser
    ;({ page, url } = await openWebPage(browser, realm, ada, { fragment: topicLink('spring') }))
    await page.locator('article').first().waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const topicLink = (topic: string) => `#narrow/channel/${channelId}-plans/topic/${topic}`
  const box = () => page.locator('#compose')
  const sendButton = () => page.getByRole('button', { name: 'Send', exact: true })
  /** The words of the counter that describes a field. */
  const counterOf = (field: Locator) =>
    field.evaluate((element) => {
      const ids = element.getAttribute('aria-describedby')?.split(' ') ?? []
      return document.getElementById(ids.at(-1) ?? '')?.textContent
    })
  const counter = () => page.locator('.text-limit:not(:empty)')

  /** The newest messages, as another person reads them. */
  const readAsGrace = async (): Promise<{ content: string; subject: string }[]> => {
    const range = { anchor: 'newest', num_before: 30, num_after: 0, apply_markdown: false }
    return (await ok(grace, 'GET', '/messages', range)).messages
  }
  const hasLongestMessage = async () => (await readAsGrace()).some(({ content }) => content === WIDE.repeat(MOST))

  test('A counter appears near the limit of a message, and counts as the server does.', async () => {
    await box().fill('a'.repeat(0.9 * MOST - 1))
    expect(await counter().count()).toBe(0)
    await box().fill('a'.repeat(0.9 * MOST))
    await expect.poll(() => counter().textContent()).toBe('9,000 of 10,000 characters')
    await page.getByRole('status').filter({ hasText: '9,000 of 10,000 characters' }).waitFor()
    await expectAccessible(page, 'limit-near')
    // In a topic of its own: axe takes a minute for so many emoji.
    await box().fill('')
    await page.goto(url + topicLink('wall'))
    await page.locator('.empty-view').waitFor()
    // Line breaks at the end are not sent, so they do not count.
    await box().fill(`${WIDE.repeat(MOST)}\n\n\n`)
    await expect.poll(() => counter().textContent()).toBe('10,000 of 10,000 characters')
    await box().press('Control+Enter')
    await expect.poll(hasLongestMessage).toBe(true)
    expect(await box().inputValue()).toBe('')
    await page.goto(url + topicLink('spring'))
    await page.locator('article').filter({ hasText: 'The first plan' }).waitFor()
  })

  test('A message that is too long is kept whole over a reload, and is sent as a file.', async () => {
    const text = `${WIDE.repeat(MOST)}end`
    await box().fill(text)
    await expect.poll(() => counter().textContent()).toBe('3 characters too many. At most 10,000 fit.')
    expect(await sendButton().isDisabled()).toBe(true)
    await box().press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'The message is too long.' }).waitFor()
    await expectAccessible(page, 'limit-over')
    // The draft on the server, which cannot be so long, does not replace the text.
    await page.reload()
    await expect.poll(() => box().inputValue()).toBe(text)
    await page.getByRole('button', { name: 'Send as a file' }).click()
    await page.locator('article').filter({ hasText: 'message.txt' }).waitFor()
    const sent = (await readAsGrace()).at(-1)?.content ?? ''
    const [, path = ''] = /^\[message\.txt\]\((\/user_uploads\/[^)]+)\)$/.exec(sent) ?? []
    const stored = await page.evaluate(async (address) => (await fetch(address)).text(), path)
    expect(stored).toBe(text)
    expect(await box().inputValue()).toBe('')
    await page.reload()
    await page.locator('article').first().waitFor()
    expect(await box().inputValue()).toBe('')
  })

  test('A text that cannot be uploaded stays in the text field.', async () => {
    await page.route('**/user_uploads', (route) => route.abort())
    await page.route('**/tus/**', (route) => route.abort())
    const text = 'b'.repeat(MOST + 1)
    await box().fill(text)
    await page.getByRole('button', { name: 'Send as a file' }).click()
    await page.getByRole('alert').filter({ hasText: 'not uploaded' }).waitFor()
    expect(await box().inputValue()).toBe(text)
    expect(await counter().textContent()).toContain('1 character too many')
    await page.unroute('**/user_uploads')
    await page.unroute('**/tus/**')
    await box().fill('')
  })

  test('An edited message that is too long is not saved, unless as a file.', async () => {
    await ok(ada, 'POST', '/messages', { type: 'channel', to: channelId, topic: 'spring', content: 'To be longer' })
    const article = page.locator('article').filter({ hasText: 'To be longer' })
    await article.hover()
    await article.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('form', { name: 'Edit the message' })
    const text = 'c'.repeat(MOST + 2)
    await form.locator('textarea').fill(text)
    await expect.poll(() => counter().textContent()).toBe('2 characters too many. At most 10,000 fit.')
    expect(await form.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await form.locator('textarea').press('Control+Enter')
    await form.getByRole('alert').filter({ hasText: 'The message is too long.' }).waitFor()
    await expectAccessible(page, 'limit-edit')
    expect((await readAsGrace()).at(-1)?.content).toBe('To be longer')
    expect(await form.locator('textarea').inputValue()).toBe(text)
    await form.getByRole('button', { name: 'Save as a file' }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(async () => (await readAsGrace()).at(-1)?.content).toMatch(/^\[message\.txt\]\(\/user_uploads\//)
  })

  test('A topic that is too long is refused in words, when a message is sent or moved or its topic resolved.', async () => {
    await page.goto(`${url}#inbox`)
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).fill('plans')
    await page.getByRole('combobox', { name: 'Channel' }).press('Enter')
    await page.getByRole('combobox', { name: 'Topic' }).fill(`${WIDE.repeat(60)}x`)
    await expect.poll(() => counter().textContent()).toBe('1 character too many. At most 60 fit.')
    await box().fill('In a long topic')
    await expectAccessible(page, 'limit-topic')
    await sendButton().click()
    await page.getByRole('alert').filter({ hasText: 'The topic is too long. 1 character too many.' }).waitFor()
    await page.getByRole('combobox', { name: 'Topic' }).fill(WIDE.repeat(60))
    await sendButton().click()
    await expect.poll(async () => (await readAsGrace()).at(-1)?.subject).toBe(WIDE.repeat(60))

    await page.goto(url + topicLink(encodeURIComponent(WIDE.repeat(60)).replaceAll('%', '.')))
    const article = page.locator('article').filter({ hasText: 'In a long topic' })
    await article.hover()
    await article.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /resolved/ }).click()
    await page.getByRole('alert').filter({ hasText: '2 characters too many' }).waitFor()
    await article.hover()
    await article.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Move/ }).click()
    const topic = page.getByRole('dialog').getByRole('combobox', { name: 'Topic' })
    await topic.fill('y'.repeat(61))
    await expect.poll(() => counter().textContent()).toBe('1 character too many. At most 60 fit.')
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    expect(await topic.inputValue()).toBe('y'.repeat(61))
    await page.keyboard.press('Escape')
    expect((await readAsGrace()).at(-1)?.subject).toBe(WIDE.repeat(60))
  })

  test('An option of a poll and a task of a to-do list are not longer than the server takes.', async () => {
    await page.goto('about:blank')
    await page.goto(url + topicLink('lists'))
    for (const [command, label] of [
      ['/poll Where?', 'Add an option'],
      ['/todo Soon', 'Add a task'],
    ] as const) {
      await box().fill(command)
      await box().press('Control+Enter')
      const field = page.getByLabel(label)
      await field.fill('z'.repeat(MOST))
      await expect.poll(() => counterOf(field)).toMatch(/^\d\d characters too many/)
      const most = Number(/At most ([\d,]+)/.exec((await counterOf(field)) ?? '')?.[1]?.replace(',', ''))
      if (command.startsWith('/poll')) await expectAccessible(page, 'limit-poll')
      await field.press('Enter')
      expect(await field.inputValue()).toBe('z'.repeat(MOST))
      await field.fill('z'.repeat(most))
      await field.press('Enter')
      // The server took it: the field is empty.
      await expect.poll(() => field.inputValue()).toBe('')
      await expect.poll(() => page.getByText('z'.repeat(most), { exact: true }).count()).toBe(1)
    }
  })

  const fields = [
    { at: '#channels/new', label: 'Name', most: 60, button: 'Create the channel' },
    { at: '#channels/new', label: 'Description', most: 1024, button: 'Create the channel' },
    { at: '#groups/new', label: 'Name', most: 100, button: 'Create the group' },
    { at: '#settings/profile', label: 'Full name', most: 100, button: 'Change the name' },
    { at: '#settings/profile', label: 'Text', most: 60, button: 'Set the status' },
    { at: '#settings/your-bots', label: 'Name of the bot', most: 100, button: 'Create the bot' },
    { at: '#organization/organization-profile', label: 'Name of the organization', most: 40, button: 'Save' },
    { at: '#organization/organization-profile', label: 'Description', most: 1000, button: 'Save' },
    { at: '#organization/channel-folders', label: 'Name of the folder', most: 100, button: 'Create the folder' },
    { at: '#organization/channel-folders', label: 'Description', most: 1024, button: 'Create the folder' },
    { at: '#organization/profile-field-settings', label: 'Name of the field', most: 40, button: 'Add the field' },
    { at: '#organization/profile-field-settings', label: 'Hint for users', most: 80, button: 'Add the field' },
  ]
  test.for(fields)(
    'The field $label of $at has a counter, and sends nothing too long.',
    async ({ at, label, most, button }) => {
      await page.goto('about:blank')
      await page.goto(url + at)
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel(label, { exact: true }).last()
      await field.fill(WIDE.repeat(most))
      const shown = most.toLocaleString('en')
      await expect.poll(() => counterOf(field)).toBe(`${shown} of ${shown} characters`)
      expect(await field.evaluate((element) => (element as HTMLInputElement).validity.customError)).toBe(false)
      await field.fill(`${WIDE.repeat(most)}abc`)
      await expect.poll(() => counterOf(field)).toBe(`3 characters too many. At most ${shown} fit.`)
      expect(await field.inputValue()).toBe(`${WIDE.repeat(most)}abc`)
      // Other fields that the form needs have a text.
      for (const other of await dialog.locator('input:required').all()) {
        if ((await other.inputValue()) === '') await other.fill('x')
      }
      const calls: string[] = []
      const note = (request: Request) => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname)
      page.on('request', note)
      await dialog.getByRole('button', { name: button, exact: true }).first().click()
      if (label === 'Hint for users') await expectAccessible(page, 'limit-form')
      // The browser shows the reason at the field, and gives it the focus.
      await expect.poll(() => field.evaluate((element) => document.activeElement === element)).toBe(true)
      expect(await field.evaluate((element) => (element as HTMLInputElement).validationMessage)).toContain(
        '3 characters',
      )
      page.off('request', note)
      // The page tells by itself that the user is there.
      expect(calls.filter((path) => !path.endsWith('/presence'))).toEqual([])
    },
  )
})
