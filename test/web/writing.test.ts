/** Writing, acting on messages and searching in a real browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { findViolations } from '../setup/web/axe.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { openWebPage } from '../setup/web/web-page.js'

describe.skipIf(noBrowser !== undefined)(`Writing in the web client${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let page: Page
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let problems: string[]

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'The first plan')
    browser = (await openBrowser()) as Browser
    const fragment = `#narrow/channel/${channelId}-plans/topic/spring`
    ;({ page, problems } = await openWebPage(browser, realm, ada, { fragment }))
    await page.waitForSelector('article')
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const box = () => page.locator('#compose')
  const article = (text: string) => page.locator('article').filter({ hasText: text }).last()

  const chooseAction = async (text: string, action: string) => {
    await article(text).hover()
    await article(text).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  test('Names of users, channels, topics and emoji are completed, and the preview shows them.', async () => {
    await box().pressSequentially('Hi @gra')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await box().press('Enter')
    await box().pressSequentially('see #pla')
    await page.getByRole('option', { name: '#plans' }).waitFor()
    await box().press('>')
    await page.getByRole('option', { name: '#plans › spring' }).waitFor()
    await box().press('Tab')
    await box().pressSequentially(':octop')
    await page.getByRole('option', { name: ':octopus:' }).waitFor()
    await box().press('Tab')
    expect(await box().inputValue()).toBe('Hi @**Grace** see #**plans>spring** :octopus: ')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.compose-preview .user-mention').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
  })

  test('A file becomes a link, and the text is a draft until it is sent.', async () => {
    await page.setInputFiles('.compose-tools input[type=file]', {
      name: 'note.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('A note'),
    })
    await expect.poll(() => box().inputValue()).toContain('[note.txt](/user_uploads/')
    const drafts = async () => (await ok(ada, 'GET', '/drafts')).drafts
    await expect.poll(async () => (await drafts())[0]?.content).toContain('[note.txt](')
    await page.reload()
    await expect.poll(() => box().inputValue()).toContain('Hi @**Grace**')
    await box().press('Control+Enter')
    await article('note.txt').waitFor()
    await expect.poll(async () => (await drafts()).length).toBe(0)
    expect(await box().inputValue()).toBe('')
  })

  test('A message that the server refuses stays with its text, and can be sent again.', async () => {
    expect(problems).toEqual([])
    await page.context().setOffline(true)
    await page.getByRole('status').filter({ hasText: 'Offline' }).waitFor()
    await box().fill('Is this allowed?')
    await box().press('Control+Enter')
    await ok(ada, 'PATCH', `/streams/${channelId}`, {
      can_send_message_group: JSON.stringify({ new: { direct_members: [grace.user_id], direct_subgroups: [] } }),
    })
    await page.context().setOffline(false)
    const failed = page.locator('.outgoing-failed').filter({ hasText: 'Is this allowed?' })
    await failed.getByRole('button', { name: 'Send again' }).waitFor()
    await page.getByText('You cannot write in #plans').waitFor()
    await ok(ada, 'PATCH', `/streams/${channelId}`, {
      can_send_message_group: JSON.stringify({
        new: { direct_members: [ada.user_id, grace.user_id], direct_subgroups: [] },
      }),
    })
    await failed.getByRole('button', { name: 'Send again' }).click()
    await article('Is this allowed?').waitFor()
    await failed.waitFor({ state: 'detached' })
    expect(await page.locator('article').filter({ hasText: 'Is this allowed?' }).count()).toBe(1)
    // The browser reports the outage and the refusal.
    problems.splice(0)
  })

  test('The other user sees that the user types, until the text is empty.', async () => {
    const listener = await listen(grace, {
      event_types: ['typing'],
      client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
    })
    const seen: unknown[] = []
    const operations = async () => {
      seen.push(...(await listener.events()).map(({ op }) => op))
      return seen
    }
    await box().pressSequentially('Hm')
    await expect.poll(operations).toContain('start')
    await box().fill('')
    await expect.poll(operations).toEqual(['start', 'stop'])
  })

  test('A message is edited, moved, quoted and deleted, where the user may do it.', async () => {
    const focused = page.evaluate(whetherFieldAppearsFocused)
    await chooseAction('Is this allowed?', 'Edit')
    expect(await focused).toBe(true)
    const field = page.getByRole('textbox', { name: 'Text of the message' })
    await field.fill('It is allowed.')
    await field.press('Control+Enter')
    await article('It is allowed.').waitFor()
    await chooseAction('It is allowed.', 'History')
    await page.getByRole('dialog').getByText('Is this allowed?').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseAction('The first plan', 'Quote and reply')
    await expect.poll(() => box().inputValue()).toContain('```quote\nThe first plan\n```')
    await box().fill('')
    await article('The first plan').hover()
    await article('The first plan').getByRole('button', { name: 'More actions' }).click()
    expect(await findViolations(page)).toEqual([])
    expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await chooseAction('It is allowed.', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await article('It is allowed.').waitFor({ state: 'detached' })
  })

  test('A poll is created, and shows the votes of others.', async () => {
    await box().fill('/poll Lunch?\nPizza\nSoup')
    await box().press('Control+Enter')
    await page.getByRole('button', { name: 'Vote for Pizza: 0 votes' }).click()
    await page.getByRole('button', { name: 'Vote for Pizza: 1 vote' }).waitFor()
    const { messages } = await ok(grace, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
    await ok(grace, 'POST', '/submessage', { message_id: messages[0]?.id, msg_type: 'widget', content })
    await page.getByRole('button', { name: 'Vote for Pizza: 2 votes' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('A reaction is found by its name.', async () => {
    await article('The first plan').hover()
    await article('The first plan').getByRole('button', { name: 'React' }).click()
    await page.getByRole('combobox', { name: 'Search emoji' }).fill('octop')
    await page.getByRole('option', { name: 'octopus' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await article('The first plan').getByRole('button', { name: '1 octopus: You' }).waitFor()
  })

  test('A search with operators opens its narrow.', async () => {
    await page.getByRole('combobox', { name: 'Search messages' }).fill('sen')
    await page.keyboard.press('Tab')
    await page.keyboard.type('gra')
    await page.getByRole('option', { name: 'sender:Grace' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.type('plan')
    await page.keyboard.press('Enter')
    await page.locator('article .highlight').first().waitFor()
    expect(await page.locator('article').count()).toBe(1)
    expect(problems).toEqual([])
  })
})

/** Runs in the page: whether the field of an edited message has the focus, and its cursor the end, when it appears. */
const whetherFieldAppearsFocused = () =>
  new Promise<boolean>((resolve) => {
    new MutationObserver((_changes, observer) => {
      const field = document.querySelector<HTMLTextAreaElement>('.edit-form textarea')
      if (field === null) return
      observer.disconnect()
      resolve(document.activeElement === field && field.selectionStart === field.value.length)
    }).observe(document.body, { childList: true, subtree: true })
  })
