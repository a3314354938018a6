/** The filter of the left column, the groups of the right one, the tabs of emoji, and the deletion of a topic. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { useKeyboard } from '../setup/web/keyboard.js'
import { expectAccessible, openWebPage, type WebPage } from '../setup/web/web-page.js'

describe.skipIf(noBrowser !== undefined)(`The columns of the page${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let browser: Browser
  let web: WebPage
  let page: Page
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let linus: Person
  let gardenId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace, linus] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      { full_name: 'Linus', settings: neverFollowing },
    )) as [Person, Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    gardenId = Number(await createChannel(ada, 'garden', [ada, grace]))
    const kitchenId = await createChannel(ada, 'kitchen', [ada, grace, linus])
    await postMessage(grace, gardenId, 'roses', 'Red ones')
    await postMessage(grace, kitchenId, 'Garlic and roses')
    await postMessage(grace, kitchenId, 'bread')
    await sendDirectMessage(grace, [ada])
    browser = (await openBrowser()) as Browser
    web = await openWebPage(browser, realm, ada)
    page = web.page
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const sidebar = () => page.locator('#left-sidebar')
  const filter = () => page.getByRole('searchbox', { name: 'Filter channels, topics and direct messages' })
  const found = () => page.getByRole('list', { name: 'Found conversations' }).locator('.sidebar-label')
  const poll = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 })

  test('A key leads to the filter, which finds channels, topics of all channels and direct messages.', async () => {
    await page.keyboard.press('q')
    await useKeyboard(page).isAt('Filter channels, topics and direct messages')
    await page.keyboard.type('gar')
    await poll(() => found().allInnerTexts()).toEqual(['garden', 'kitchen', 'Garlic and roses'])
    await expectAccessible(page, 'sidebar-filter')
    await page.keyboard.press('Escape')
    await sidebar().getByRole('heading', { name: 'Direct messages' }).waitFor()
    expect(await filter().inputValue()).toBe('')
    await useKeyboard(page).isAt('Filter channels, topics and direct messages')
    await page.keyboard.type('grace')
    await poll(() => found().allInnerTexts()).toEqual(['Grace'])
    await page.keyboard.type('less')
    await sidebar().getByText('No channel, topic or direct message has this name.').waitFor()
    await filter().fill('ROSES')
    await poll(() => found().allInnerTexts()).toEqual(['garden', 'roses', 'kitchen', 'Garlic and roses'])
    await postMessage(grace, gardenId, 'more roses')
    await poll(() => found().allInnerTexts()).toContain('more roses')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /roses/ }).waitFor()
    await sidebar().getByRole('heading', { name: 'Direct messages' }).waitFor()
    await filter().fill('kitch')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'kitchen' }).waitFor()
    expect(await filter().inputValue()).toBe('')
  })

  test('On a small screen the key opens the column.', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.keyboard.press('q')
    await useKeyboard(page).isAt('Filter channels, topics and direct messages')
    await page.keyboard.type('bread')
    await poll(() => found().allInnerTexts()).toEqual(['kitchen', 'bread'])
    await expectAccessible(page, 'sidebar-filter-dark-small')
    await sidebar().getByRole('link', { name: 'bread' }).click()
    await page.getByRole('heading', { level: 1, name: /bread/ }).waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('The members of the open channel come first, and arrow keys pass the headings.', async () => {
    await page.goto(`${web.url}#narrow/channel/${gardenId}-garden`)
    // The list takes the focus when it is loaded.
    await page.getByRole('article').getByText('Red ones').waitFor()
    const rows = () => page.locator('#members .virtual-list-row').locator('h2, .sidebar-label').allTextContents()
    const bot = 'Notification Bot'
    const plain = async () => (await rows()).map((text) => text.replace(/\s+/g, ' ').trim())
    await poll(plain).toEqual(['In this channel 2', 'Ada (you)', 'Grace', 'Others 2', 'Linus', bot])
    await expectAccessible(page, 'channel-members')
    await page.locator('#members .member-name', { hasText: 'Ada' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const focused = () => page.evaluate('document.activeElement.innerText')
    await poll(focused).toContain('Linus')
    await page.keyboard.press('Home')
    await poll(focused).toContain('Ada')
    await ok(linus, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    await poll(plain).toEqual(['In this channel 3', 'Ada (you)', 'Grace', 'Linus', 'Others 1', bot])
    await page.goto(`${web.url}#narrow/dm/${grace.user_id}-Grace`)
    await poll(plain).toEqual(['In this conversation 2', 'Ada (you)', 'Grace', 'Others 2', 'Linus', bot])
    await page.goto(`${web.url}#inbox`)
    await poll(plain).toEqual(['Ada (you)', 'Grace', 'Linus', bot])
  })

  test('Emoji are in tabs of categories, also for the keyboard.', async () => {
    await page.goto(`${web.url}#narrow/channel/${gardenId}-garden/topic/roses`)
    await page.getByRole('article').getByText('Red ones').waitFor()
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    const tab = (name: string) => page.getByRole('tab', { name })
    const first = () => page.getByRole('option').first().getAttribute('aria-label')
    await tab('Flags').waitFor()
    expect(await page.getByRole('tab').count()).toBe(10)
    await poll(first).toBe('+1')
    await tab('Animals & Nature').click()
    await poll(first).toBe('monkey face')
    await expectAccessible(page, 'emoji-tabs')
    await page.keyboard.press('ArrowRight')
    await poll(() => tab('Food & Drink').getAttribute('aria-selected')).toBe('true')
    await poll(first).toBe('grapes')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await page.locator('#compose').inputValue()).toBe(':melon: ')
    await page.locator('#compose').fill('')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await tab('Objects').click()
    await expectAccessible(page, 'emoji-tabs-dark-small')
    await page.keyboard.press('Escape')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('A topic is deleted with its number of messages and progress, also after the connection was lost.', async () => {
    const counted = Array.from({ length: 120 }, (_, k) => postMessage(grace, gardenId, 'weeds', `weed ${k}`))
    await Promise.all(counted)
    const reader = await openWebPage(browser, realm, linus, {
      fragment: `#narrow/channel/${gardenId}-garden/topic/weeds`,
    })
    await reader.page.getByRole('article').first().waitFor()
    // Without sockets, calls are requests.
    await page.addInitScript('delete globalThis.WebSocket')
    await page.goto(`${web.url}#narrow/channel/${gardenId}-garden/topic/roses`)
    await page.reload()
    let calls = 0
    let answerSecond = () => {}
    const isSeen = new Promise<void>((resolve) => {
      answerSecond = resolve
    })
    await page.route('**/delete_topic', async (route) => {
      calls += 1
      // The library repeats a call once, and then the page waits and tries again.
      if (calls <= 2) return route.abort('connectionreset')
      if (calls > 3) return route.continue()
      await ok(ada, 'POST', `/streams/${gardenId}/delete_topic`, { topic_name: 'weeds' })
      await isSeen
      await route.fulfill({ json: { result: 'success', msg: '', complete: false } })
    })
    await sidebar().locator('.sidebar-row', { hasText: 'weeds' }).getByRole('link').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete the topic' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('with its 120 messages').waitFor()
    await dialog.getByRole('button', { name: 'Delete the topic' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('0 of 120 messages. The connection is lost').waitFor()
    await page.getByText('Deleting #garden › weeds: 120 of 120 messages', { exact: true }).waitFor()
    await expectAccessible(page, 'topic-deletion')
    await reader.page.locator('#left-sidebar').getByRole('link', { name: 'weeds' }).waitFor({ state: 'detached' })
    await reader.page.getByRole('article').first().waitFor({ state: 'detached' })
    answerSecond()
    await page.getByRole('status').getByText('#garden › weeds was deleted.').waitFor()
    expect(calls).toBe(4)
    expect(await page.getByText('Deleting #garden').count()).toBe(0)
    expect(reader.problems).toEqual([])
  })
})
