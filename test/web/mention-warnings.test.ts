/** Before a message is sent whose mentions reach nobody or very many, the user is asked. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { mentionedNames } from '../../web/src/compose/mentions/mention-risks.js'
import { createChannel } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

test('Code, quotations and silent mentions notify nobody.', () => {
  expect(mentionedNames('@**Ada** and @_**Bob** `@**Code**`\n> @**Quoted**\n@**Eve|7**')).toEqual(['Ada', 'Eve|7'])
  expect(mentionedNames('```python\n@**Code**\n```\n@**Ada**\n~~~quote\n@**Quoted**\n~~~')).toEqual(['Ada'])
  expect(mentionedNames('```spoiler End\n@**Ada**\n```\n```\n@**Code** without an end')).toEqual(['Ada'])
})

describe.skipIf(noBrowser !== undefined)(`Before mentions${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let smallId: number
  let largeId: number

  beforeAll(async () => {
    realm = await newRealm()
    const crowd = Array.from({ length: 14 }, (_, i) => ({ full_name: `Member ${i}`, settings: neverFollowing }))
    const people = await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      { full_name: 'Linus', settings: neverFollowing },
      ...crowd,
    )
    ;[ada, grace] = people as [Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    smallId = Number(await createChannel(ada, 'small', [ada, grace]))
    largeId = Number(await createChannel(ada, 'large', people.slice(0, 16)))
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTopic = async (name: string, channelId: number): Promise<Page> => {
    const page = await pages.logIn(name)
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/mentions`)
    await page.locator('#compose').waitFor()
    return page
  }
  const write = async (page: Page, text: string) => {
    await page.locator('#compose').fill(text)
    await page.locator('#compose').press('Control+Enter')
  }
  const article = (page: Page, text: string) => page.locator('article').filter({ hasText: text })
  const subscribers = async () => (await ok(ada, 'GET', `/streams/${smallId}/members`)).subscribers
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })

  test('A person who is not subscribed can be left out, or subscribed with the message.', async () => {
    const page = await openTopic('Ada', smallId)
    const dialog = page.getByRole('dialog', { name: 'Linus is not subscribed' })
    await write(page, 'Look, @**Linus**')
    await dialog.getByText('Linus is not subscribed to #small, and will not be notified.').waitFor()
    expect(await inspectPage(page, 'mention-absent')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator('#compose').inputValue()).toBe('Look, @**Linus**')
    expect(await article(page, 'Look, @Linus').count()).toBe(0)
    await polled(() => page.evaluate('document.activeElement.id')).toBe('compose')
    await page.locator('#compose').press('Control+Enter')
    await dialog.getByRole('button', { name: 'Send anyway' }).click()
    await article(page, 'Look, @Linus').waitFor()
    expect(await page.locator('#compose').inputValue()).toBe('')
    expect(await subscribers()).toHaveLength(2)
    await write(page, 'Once more, @**Linus** and @**Member 0**')
    const both = page.getByRole('dialog', { name: '2 people are not subscribed' })
    await both.getByText('Linus and Member 0 are not subscribed').waitFor()
    await both.getByRole('button', { name: 'Subscribe them and send' }).click()
    await article(page, 'Once more, @Linus').waitFor()
    await polled(subscribers).toHaveLength(4)
    // Now they are there, and so is the other.
    await write(page, 'All of you: @**Linus**, @**Grace** and, not mentioned, `@**Member 1**`')
    await article(page, 'All of you').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })

  test('Nobody is asked about @all in a small channel; in a large one, who may notify all is asked.', async () => {
    const page = await openTopic('Ada', smallId)
    await write(page, '@**all** of the small channel')
    await article(page, 'of the small channel').waitFor()
    await page.goto(`${pages.url}/#narrow/channel/${largeId}/topic/mentions`)
    await page.getByRole('heading', { name: '#large' }).waitFor()
    for (const wildcard of ['all', 'everyone', 'channel']) {
      await write(page, `@**${wildcard}** of the large one`)
      const dialog = page.getByRole('dialog', { name: 'Notify 16 people?' })
      await dialog.getByText('All 16 subscribers of #large will be notified.').waitFor()
      expect(await inspectPage(page, 'mention-all')).toEqual([])
      await dialog.getByRole('button', { name: 'Edit the message' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    expect(await article(page, 'of the large one').count()).toBe(0)
    await page.locator('#compose').press('Control+Enter')
    await page.getByRole('button', { name: 'Notify 16 people' }).click()
    await article(page, 'of the large one').waitFor()
    await page.context().close()
  })

  test('Who may not notify all is told before, and keeps the text.', async () => {
    const page = await openTopic('Grace', largeId)
    await write(page, '@**everyone** must read this')
    const dialog = page.getByRole('dialog', { name: 'Too many people to notify' })
    await dialog.getByText('you may not notify all of them at once').waitFor()
    expect(await dialog.getByRole('button', { name: /Notify|anyway/ }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Edit the message' }).click()
    expect(await page.locator('#compose').inputValue()).toBe('@**everyone** must read this')
    await page.locator('#compose').fill('')
    await page.context().close()
  })

  test('A person who does not take part in a direct conversation is named.', async () => {
    const page = await pages.logIn('Ada')
    await page.goto(`${pages.url}/#narrow/dm/${grace.user_id}`)
    await page.locator('#compose').waitFor()
    await write(page, 'Ask @**Linus**')
    const dialog = page.getByRole('dialog', { name: 'Linus is not here' })
    await dialog.getByRole('button', { name: 'Send anyway' }).click()
    await article(page, 'Ask @Linus').waitFor()
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
