/** Names and pictures of users open their cards, wherever they are, by mouse and keyboard. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { closeDialog, inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The cards of users${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let linus: Person
  let channelId: number
  let messageId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace, linus] = (await realm.people(
      { full_name: 'Ada', settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      { full_name: 'Linus', settings: neverFollowing },
    )) as [Person, Person, Person]
    channelId = Number(await createChannel(ada, 'general', [ada, grace, linus]))
    messageId = await postMessage(grace, channelId, 'cards', 'A question for @**Linus**')
    await ok(linus, 'POST', `/messages/${messageId}/reactions`, { emoji_name: 'tada' })
    await ok(linus, 'POST', '/messages/flags', { messages: [messageId], op: 'add', flag: 'read' })
    await ok(grace, 'PATCH', `/messages/${messageId}`, { content: 'A question for @**Linus** and all' })
    const pollId = await postMessage(grace, channelId, 'cards', '/poll Lunch?\nSoup')
    const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
    await ok(linus, 'POST', '/submessage', { message_id: pollId, msg_type: 'widget', content: vote })
    await sendDirectMessage(grace, [ada, linus], 'A direct message')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const open = (fragment: string) => page.goto(`${pages.url}/${fragment}`)
  const topic = () => `#narrow/channel/${channelId}-general/topic/cards`
  const card = (name: string) => page.getByRole('dialog', { name, exact: true })

  /** Expects that a click, Enter and Space on an element open the card; a picture is only clicked. */
  const opensCard = async (name: string, element: Locator, keys: readonly string[] = ['Enter', ' ']) => {
    await element.click()
    await card(name).waitFor()
    await page.keyboard.press('Escape')
    await card(name).waitFor({ state: 'detached' })
    for (const key of keys) {
      await element.focus()
      await page.keyboard.press(key)
      await card(name).waitFor()
      await page.keyboard.press('Escape')
      await card(name).waitFor({ state: 'detached' })
    }
  }

  test('The name and the picture of a sender, and a mention, open the card.', async () => {
    await open(topic())
    const message = page.locator(`article[data-id="${messageId}"]`)
    await opensCard('Grace', message.getByRole('button', { name: 'Grace', exact: true }))
    await opensCard('Grace', message.locator('.avatar'), [])
    await opensCard('Linus', message.getByRole('button', { name: '@Linus' }))
  })

  test('A voter of a poll opens the card.', async () => {
    await opensCard('Linus', page.getByRole('region', { name: 'Poll' }).getByRole('button', { name: 'Linus' }))
  })

  test.each([
    ['Who reacted', 'Reactions', 'Linus'],
    ['Who has read it', 'Read by', 'Linus'],
    ['History', 'History of the message', 'Grace'],
  ])('A name in the dialog of “%s” opens the card.', async (item, title, name) => {
    const message = page.locator(`article[data-id="${messageId}"]`)
    await message.hover()
    await message.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await opensCard(name, dialog.getByRole('button', { name, exact: true }).first())
    expect(await inspectPage(page, `names-${title}`)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('A name in the results of a search opens the card.', async () => {
    await open('#narrow/search/question')
    await opensCard('Grace', page.getByRole('article').getByRole('button', { name: 'Grace', exact: true }))
  })

  test('The names in the title of a direct conversation and of those who type open the card.', async () => {
    await open(`#narrow/dm/${grace.user_id},${linus.user_id}-group`)
    const title = page.getByRole('heading', { level: 1 })
    await opensCard('Linus', title.getByRole('button', { name: 'Linus' }))
    await ok(grace, 'POST', '/typing', { op: 'start', to: [ada.user_id, linus.user_id] })
    await page.locator('.typing-line').getByRole('button', { name: 'Grace' }).click()
    await card('Grace').waitFor()
    await closeDialog(page)
  })

  test('The list of members opens the card, and has a link to write to each member.', async () => {
    const line = page.locator('#members .member-line', { hasText: 'Linus' })
    await opensCard('Linus', line.locator('.member-name'), ['Enter'])
    await opensCard('Linus', line.locator('.avatar'), [])
    await line.hover()
    expect(await inspectPage(page, 'member-line')).toEqual([])
    await line.getByRole('link', { name: 'Write to Linus' }).click()
    await page.getByRole('heading', { level: 1, name: 'Linus' }).waitFor()
  })

  test('The name and the picture of a subscriber open the card.', async () => {
    for (const part of ['a', '.avatar']) {
      await open(`#channels/${channelId}/settings/subscribers`)
      await page.getByRole('dialog').locator('.people-line', { hasText: 'Grace' }).locator(part).click()
      await card('Grace').waitFor()
      await closeDialog(page)
    }
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
