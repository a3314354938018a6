/** The buttons of the composer for polls, to-do lists, spoilers and times: what they insert works when it is sent. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The tools of the composer${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let other: Page
  let channelId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    await postMessage(grace, channelId, 'tools', 'The first message')
    pages = await openWebPages(realm)
    page = await openTopic('Ada')
    other = await openTopic('Grace')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTopic = async (name: string, options = {}): Promise<Page> => {
    const opened = await pages.logIn(name, await pages.newContext(options))
    await opened.goto(`${pages.url}/#narrow/channel/${channelId}/topic/tools`)
    await opened.getByText('The first message').waitFor()
    return opened
  }
  const box = () => page.locator('#compose')
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.getAttribute("aria-label")')

  test('A poll is made in a form, and another person votes in it.', async () => {
    await tool('Poll').click()
    const form = dialog('Create a poll')
    await polled(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('Question')
    await page.keyboard.type('Lunch?')
    await form.getByRole('textbox', { name: 'Option 1' }).click()
    await page.keyboard.type('Pizza')
    // Enter goes on, and makes room for more options than the form began with.
    for (const option of ['Soup', 'Salad', 'Nothing']) {
      await page.keyboard.press('Enter')
      await page.keyboard.type(option)
    }
    await polled(() => form.getByRole('textbox', { name: 'Option 4' }).inputValue()).toBe('Nothing')
    await form.getByRole('button', { name: 'Remove option 3' }).click()
    expect(await inspectPage(page, 'tools-poll')).toEqual([])
    await form.getByRole('button', { name: 'Insert the poll' }).click()
    await form.waitFor({ state: 'detached' })
    await polled(() => box().inputValue()).toBe('/poll Lunch?\nPizza\nSoup\nNothing')
    await polled(focused).toBe('compose')
    await page.keyboard.press('Control+Enter')
    await other.getByRole('button', { name: 'Vote for Soup: 0 votes' }).click()
    await page.getByRole('button', { name: 'Vote for Soup: 1 vote' }).waitFor()
    expect(await page.getByRole('button', { name: /^Vote for/ }).count()).toBe(3)
  })

  test('A poll needs a question; without one nothing is inserted.', async () => {
    await tool('Poll').click()
    const form = dialog('Create a poll')
    await form.getByRole('button', { name: 'Insert the poll' }).click()
    expect(
      await form.getByLabel('Question').evaluate((element: HTMLInputElement) => element.validity.valueMissing),
    ).toBe(true)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await box().inputValue()).toBe('')
  })

  test('A to-do list begins with what is written, and tasks have descriptions.', async () => {
    await box().fill('Jobs\n* Water the plants: all of them')
    await tool('To-do list').click()
    const form = dialog('Create a to-do list')
    expect(await form.getByLabel('Title').inputValue()).toBe('Jobs')
    expect(await form.getByRole('textbox', { name: 'Task 1' }).inputValue()).toBe('Water the plants: all of them')
    await form.getByRole('textbox', { name: 'Task 2' }).fill('Cook')
    expect(await inspectPage(page, 'tools-todo')).toEqual([])
    await form.getByRole('button', { name: 'Insert the list' }).click()
    await polled(() => box().inputValue()).toBe('/todo Jobs\nWater the plants: all of them\nCook')
    await box().press('Control+Enter')
    const list = other.getByRole('region', { name: 'To-do list' })
    await list.getByText('Water the plants').waitFor()
    await list.getByText('all of them').waitFor()
    await list.getByRole('checkbox').last().click()
    await expect
      .poll(() => page.getByRole('region', { name: 'To-do list' }).getByRole('checkbox').last().isChecked())
      .toBe(true)
  })

  test('A spoiler hides what is selected, with a heading, also when it contains a code block.', async () => {
    await box().fill('Before\nThe butler did it.')
    await box().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(7, 25))
    await tool('Spoiler').click()
    await page.keyboard.type('The end')
    expect(await box().inputValue()).toBe('Before\n```spoiler The end\nThe butler did it.\n```')
    await box().press('Control+Enter')
    await other.getByText('The end', { exact: true }).waitFor()
    expect(await other.getByText('The butler did it.').isVisible()).toBe(false)
    await box().fill('```\ncode\n```')
    await box().selectText()
    await tool('Spoiler').click()
    expect(await box().inputValue()).toBe('````spoiler \n```\ncode\n```\n````')
    await page.keyboard.press('Control+z')
    expect(await box().inputValue()).toBe('```\ncode\n```')
    await box().fill('')
  })

  test('A time goes to the place of the cursor.', async () => {
    await box().fill('We meet  in the garden')
    await box().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8))
    await tool('Time').click()
    await dialog('Insert a time').getByLabel('Date and time').fill('2031-02-03T04:05')
    await page.keyboard.press('Enter')
    await polled(() => box().inputValue()).toMatch(/^We meet <time:2031-02-03T04:05:00\S+> {2}in the garden$/)
    await box().press('Control+Enter')
    await other.locator('article time[datetime^="2031"]').waitFor()
  })

  test('On a phone, all tools are in one row, which scrolls; each can be reached and touched.', async () => {
    for (const viewport of [
      { width: 320, height: 568 },
      { width: 390, height: 844 },
    ]) {
      const phone = await openTopic('Ada', { viewport, hasTouch: true, isMobile: true })
      const tools = phone.getByRole('toolbar').getByRole('button')
      const boxes = await tools.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
      expect(new Set(boxes.map(({ top }) => top)).size).toBe(1)
      for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
      const send = phone.getByRole('button', { name: 'Send', exact: true })
      const sendBox = await send.boundingBox()
      expect(sendBox !== null && sendBox.x + sendBox.width <= viewport.width && sendBox.height >= 44).toBe(true)
      expect(await inspectPage(phone, `tools-${viewport.width}`)).toEqual([])
      await phone.getByRole('button', { name: 'To-do list', exact: true }).tap()
      const form = phone.getByRole('dialog', { name: 'Create a to-do list' })
      await form.getByRole('textbox', { name: 'Task 1' }).fill('Cook')
      expect(await inspectPage(phone, `tools-form-${viewport.width}`)).toEqual([])
      await form.getByRole('button', { name: 'Insert the list' }).tap()
      await expect.poll(() => phone.locator('#compose').inputValue()).toBe('/todo Task list\nCook')
      await phone.locator('#compose').fill('')
      await phone.context().close()
    }
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
