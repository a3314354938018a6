/** Forwarding, editing by the arrow key, differences of versions, running code and reports, in a real browser. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { type Keyboard, useKeyboard } from '../setup/web/keyboard.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'

describe.skipIf(noBrowser !== undefined)(`Acting on messages${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let browser: Browser
  let page: Page
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let problems: string[]
  let keys: Keyboard

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people(
      // Ada stays in the view where she acts.
      { full_name: 'Ada', role: Role.owner, settings: { ...neverFollowing, web_navigate_to_sent_message: false } },
      { full_name: 'Grace', settings: neverFollowing },
    )) as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'spring', 'The first plan')
    browser = (await openBrowser()) as Browser
    const fragment = `#narrow/channel/${channelId}-plans/topic/spring`
    ;({ page, problems } = await openWebPage(browser, realm, ada, { fragment }))
    keys = useKeyboard(page)
    await page.waitForSelector('article')
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const box = () => page.locator('#compose')
  const article = (text: string) => page.locator('article').filter({ hasText: text }).last()
  const openMenu = async (message: Locator) => {
    await message.focus()
    await page.keyboard.press('.')
    await page.getByRole('menu').waitFor()
  }
  const item = (name: string) => page.getByRole('menuitem', { name })
  /** How a width and a theme show what is open. */
  const inspectEverywhere = async (name: string) => {
    await expectAccessible(page, name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, `${name}-dark`)
    await page.setViewportSize({ width: 390, height: 800 })
    await expectAccessible(page, `${name}-dark-small`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1200, height: 800 })
  }

  test('A message with fences is forwarded to a chosen person, as a quotation with its author and a link.', async () => {
    const source = 'Look: `one` and\n````quote\n```js\nlet a\n```\n````\n@**Grace**'
    const id = await postMessage(grace, channelId, 'spring', source)
    await page.keyboard.press('x')
    await keys.isAt('Recipients')
    await box().fill('Written to nobody yet')
    await openMenu(article('Look:'))
    await item('Forward').click()
    const recipient = page.getByRole('combobox', { name: 'Channel' })
    await keys.isAt('Channel')
    await expect.poll(() => box().inputValue()).toContain('`````quote\nLook: `one`')
    // What was begun for another recipient does not go along.
    expect(await box().inputValue()).not.toContain('nobody')
    await inspectEverywhere('forward')
    await recipient.fill('Gra')
    await page.getByRole('option', { name: 'Grace' }).click()
    const notes = await recordNotes(page)
    await box().press('Control+Enter')
    await page.getByRole('status').filter({ hasText: 'Sent to Grace' }).waitFor()
    // It is called sent when the server has it, and not before.
    expect(await notes.evaluate((texts) => texts[0])).toMatch(/^Sending to/)
    const { messages } = await ok(grace, 'GET', '/messages', {
      narrow: [{ operator: 'dm', operand: [ada.user_id] }],
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })
    const { content } = messages[0] ?? { content: '' }
    // The whole text is inside of one quotation, its own quotation in that, and nothing follows.
    expect(content).toMatch(
      /^<p><span class="user-mention silent" data-user-id="\d+">Grace<\/span> <a [^>]*>said<\/a>:<\/p>/,
    )
    expect(content).toContain(`/near/${id}"`)
    expect(content).toMatch(
      /<blockquote>\n<p>Look: <code>one<\/code> and<\/p>\n<blockquote>[\s\S]*let[\s\S]*<\/blockquote>/,
    )
    expect(content).toMatch(/<\/blockquote>$/)
    // In a quotation, a mention does not notify.
    expect((await fetchMessage(grace, messages[0]?.id ?? 0)).flags).not.toContain('mentioned')
    await page.getByRole('button', { name: 'Close the text field' }).click()
    await page.keyboard.press('x')
    await expect.poll(() => box().inputValue()).toBe('Written to nobody yet')
    await box().fill('')
    await page.getByRole('button', { name: 'Close the text field' }).click()
  })

  test('Arrow up in an empty text field edits the last own message, and Escape gives the field the focus.', async () => {
    await box().fill('Two spelings')
    await box().press('Control+Enter')
    await article('Two spelings').waitFor()
    await postMessage(grace, channelId, 'spring', 'Something later')
    await article('Something later').waitFor()
    await box().focus()
    await box().press('ArrowUp')
    const form = page.getByRole('form', { name: 'Edit the message' })
    const field = form.getByRole('textbox', { name: 'Text of the message' })
    await expect.poll(() => field.inputValue()).toBe('Two spelings')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await keys.isAt(/^Write to/)
    // With a text, the key moves the cursor.
    await box().fill('A text')
    await box().press('ArrowUp')
    await box().fill('')
    expect(await form.count()).toBe(0)
    await box().press('ArrowUp')
    await field.fill('Two spellings of a word')
    await field.press('Control+Enter')
    await article('Two spellings of a word').waitFor()
    await ok(ada, 'PATCH', '/realm', { allow_message_editing: false })
    await openMenu(article('Two spellings'))
    await expect.poll(() => item('Edit').count()).toBe(0)
    await page.keyboard.press('Escape')
    await box().press('ArrowUp')
    await page.getByRole('button', { name: 'Preview' }).click()
    expect(await form.count()).toBe(0)
    await ok(ada, 'PATCH', '/realm', { allow_message_editing: true })
  })

  test('The history marks the words that an edit added and removed.', async () => {
    await openMenu(article('Two spellings'))
    await item('History').click()
    const dialog = page.getByRole('dialog', { name: 'History of the message' })
    await dialog.getByRole('insertion').filter({ hasText: 'spellings of a word' }).waitFor()
    expect(await dialog.getByRole('deletion').allInnerTexts()).toEqual(['spelings'])
    await inspectEverywhere('history')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('Code runs in the playground of its language, of which the page takes only an encoded address.', async () => {
    await ok(ada, 'POST', '/realm/playgrounds', {
      name: 'Sandbox',
      pygments_language: 'Python',
      url_template: 'https://sandbox.example/run{?code}',
    })
    const hostile = 'print("</a><script>x=1</script>", \'&a=#?%00\')\njavascript:alert(1)'
    await postMessage(grace, channelId, 'spring', `\`\`\`python\n${hostile}\n\`\`\`\n\n\`\`\`js\nother()\n\`\`\``)
    const run = page.getByRole('link', { name: 'Run the Python code in Sandbox' })
    await run.waitFor({ state: 'attached' })
    const address = new URL((await run.getAttribute('href')) ?? '')
    expect([address.origin, address.hash]).toEqual(['https://sandbox.example', ''])
    expect([...address.searchParams]).toEqual([['code', `${hostile}\n`]])
    expect([await run.getAttribute('target'), await run.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
    await article('other()').hover()
    await page.locator('.codehilite').first().hover()
    await inspectEverywhere('run')
    await page.context().route('https://*.example/**', (route) => route.fulfill({ body: 'A playground' }))
    const opened = page.context().waitForEvent('page')
    await run.click()
    const other = await opened
    await other.getByText('A playground').waitFor()
    expect(await other.evaluate('[opener, document.referrer]')).toEqual([null, ''])
    await other.close()
  })

  test('A language with two playgrounds has a menu, and a playground that is removed leaves the page.', async () => {
    const { id } = await ok(ada, 'POST', '/realm/playgrounds', {
      name: 'Workshop',
      pygments_language: 'Python',
      url_template: 'https://workshop.example/#{code}',
    })
    const button = page.getByRole('button', { name: 'Run the Python code' })
    await button.waitFor({ state: 'attached' })
    await button.focus()
    await page.keyboard.press('Enter')
    await item('Sandbox').waitFor()
    await expectAccessible(page, 'run-menu')
    const opened = page.context().waitForEvent('page')
    await item('Workshop').click()
    const other = await opened
    await other.waitForURL('https://workshop.example/**')
    expect(await other.evaluate('opener')).toBe(null)
    await other.close()
    await ok(ada, 'DELETE', `/realm/playgrounds/${id}`)
    await page.getByRole('link', { name: 'Run the Python code in Sandbox' }).waitFor({ state: 'attached' })
    const script = { name: 'Script', pygments_language: 'Python', url_template: 'javascript:alert({code})' }
    expect((await call(ada, 'POST', '/realm/playgrounds', script)).status).toBe(400)
  })

  test('A message is reported with a reason, once there is a channel for reports.', async () => {
    await openMenu(article('The first plan'))
    expect(await item('Report').count()).toBe(0)
    await page.keyboard.press('Escape')
    const reportsId = Number(await createChannel(ada, 'moderation', [ada], { invite_only: true }))
    await ok(ada, 'PATCH', '/realm', { moderation_request_channel_id: reportsId })
    await openMenu(article('The first plan'))
    await item('Report to the moderators').click()
    const dialog = page.getByRole('dialog', { name: 'Report the message' })
    await dialog.getByRole('radio', { name: 'Another reason' }).check()
    const report = dialog.getByRole('button', { name: 'Report', exact: true })
    await report.click()
    // The browser asks for the description that this reason needs.
    await keys.isAt('What is wrong with it')
    await dialog.getByRole('textbox').fill('It is about winter')
    await inspectEverywhere('report')
    await report.click()
    await page.getByRole('status').filter({ hasText: 'was reported to the moderators' }).waitFor()
    await page.locator('#left-sidebar').getByRole('link', { name: 'moderation' }).click()
    const text = article('It is about winter')
    await text.getByText('The first plan').waitFor()
    await text.getByRole('link', { name: '#plans > spring' }).first().click()
    await article('The first plan').waitFor()
    await openMenu(article('Two spellings'))
    expect(await item('Report').count()).toBe(0)
    await page.keyboard.press('Escape')
    // The queue of the moderators: who reads the channel sees it.
    await page.evaluate((to) => location.assign(to), '#organization/reports')
    const queue = page.getByRole('list', { name: 'Open reports' })
    await queue.getByRole('link', { name: 'Reports about Grace' }).waitFor()
    await inspectEverywhere('reports')
    await queue.getByRole('button', { name: 'Mark as resolved: Reports about Grace' }).click()
    await page.getByText('No open reports').waitFor()
    await page.getByText('Settled reports').first().click()
    await page.getByRole('list', { name: 'Settled reports' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Reports about Grace' }).waitFor()
    await page.keyboard.press('Escape')
    expect(problems).toEqual([])
  })
})

/** Records what the note above the text field says from now on. */
const recordNotes = (page: Page) =>
  page.evaluateHandle<string[]>(`(() => {
    const texts = []
    const record = () => {
      const text = document.querySelector('.compose-note')?.textContent
      if (text !== undefined && text !== texts.at(-1)) texts.push(text)
    }
    new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true })
    return texts
  })()`)
