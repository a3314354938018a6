/** Who may not write is told before, in a real browser, exactly where the server refuses. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateChannelRow, updateUserRow } from '../setup/realm/row-changes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage } from '../setup/web/web-page.js'

describe.skipIf(noBrowser !== undefined)(`Where the user may not write${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let linus: Person
  let page: Page
  let url: string
  const channels: Record<string, number> = {}

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace', 'Linus')
    realm = made.realm
    ;[ada, grace, linus] = made.people as [Person, Person, Person]
    await updateUserRow(realm, grace.user_id, { role: Role.owner })
    for (const name of ['open', 'preview', 'preview too', 'archived', 'news', 'topics', 'chatter', 'soon archived']) {
      const people = name.startsWith('preview') ? [grace] : [ada, grace]
      channels[name] = Number(await createChannel(grace, name, people))
      await postMessage(grace, channels[name], 'spring', `A message in ${name}`)
    }
    await updateChannelRow(realm, 'news', {
      can_send_message_group: { direct_members: [grace.user_id], direct_subgroups: [] },
    })
    await updateChannelRow(realm, 'topics', { topics_policy: 'disable_empty_topic' })
    await updateChannelRow(realm, 'chatter', { topics_policy: 'empty_topic_only' })
    await ok(grace, 'DELETE', `/streams/${channels.archived}`)
    browser = (await openBrowser()) as Browser
    ;({ page, url } = await openWebPage(browser, realm, ada, { fragment: topic('open') }))
    await box().waitFor()
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const topic = (channel: string, name = 'spring') =>
    `#narrow/channel/${channels[channel]}-${channel.replaceAll(' ', '-')}/topic/${name}`
  const direct = (...people: Person[]) => `#narrow/dm/${people.map(({ user_id }) => user_id).join(',')}-group`
  const box = () => page.locator('#compose')
  const notice = () => page.locator('.compose-obstacle')
  const show = async (fragment: string) => {
    await page.goto('about:blank')
    await page.goto(url + fragment)
    await page.locator('#left-sidebar').waitFor()
  }
  /** Whether the server takes a message of Ada. */
  const isTaken = (params: Record<string, unknown>): Promise<boolean> =>
    ok(ada, 'POST', '/messages', { content: 'A try', ...params }).then(
      () => true,
      () => false,
    )
  const toChannel = (channel: string, name = 'spring') =>
    isTaken({ type: 'channel', to: channels[channel], topic: name })
  const toPeople = (...people: Person[]) => isTaken({ type: 'direct', to: people.map(({ user_id }) => user_id) })

  test('A previewed channel has a button to join in the place of the text field.', async () => {
    await show(topic('preview'))
    await notice().filter({ hasText: 'You are not subscribed to #preview' }).waitFor()
    expect(await box().count()).toBe(0)
    await expectAccessible(page, 'posting-preview')
    await page.getByRole('button', { name: 'Join preview' }).click()
    await expect.poll(() => box().evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await notice().count()).toBe(0)
    const { subscribers } = await ok(grace, 'GET', `/streams/${channels.preview}/members`)
    expect(subscribers).toContain(ada.user_id)
    // The list of a channel has the same button, and the server takes messages from outside.
    await show(`#narrow/channel/${channels['preview too']}-preview-too`)
    await page.getByRole('button', { name: 'Join preview too' }).waitFor()
    expect(await page.getByRole('button', { name: 'New message' }).count()).toBe(0)
    await show(topic('preview too'))
    await page.getByRole('button', { name: 'Write without joining' }).click()
    await box().fill('From outside')
    await box().press('Control+Enter')
    await page.locator('article').filter({ hasText: 'From outside' }).waitFor()
    await page.locator('.outgoing-message').waitFor({ state: 'detached' })
  })

  const refused = [
    { what: 'an archived channel', place: () => topic('archived'), says: /#archived is archived.*administrator/ },
    { what: 'a channel of others', place: () => topic('news'), says: /cannot write in #news\. Who can: Grace/ },
    { what: 'a channel without topic', place: () => topic('topics', ''), says: /#topics need a topic/ },
    { what: 'a channel without topics', place: () => topic('chatter'), says: /#chatter have no topic/ },
  ]
  test.for(refused)('In $what the reason is said.', async ({ what, place, says }) => {
    await show(place())
    await expect.poll(() => notice().textContent()).toMatch(says)
    expect(await box().count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
    await expectAccessible(page, `posting-${what.replaceAll(' ', '-')}`)
  })

  test('The server refuses in these places, and takes messages elsewhere.', async () => {
    expect(await toChannel('archived')).toBe(false)
    expect(await toChannel('news')).toBe(false)
    expect(await toChannel('topics', '')).toBe(false)
    expect(await toChannel('topics')).toBe(true)
    expect(await toChannel('chatter')).toBe(false)
    expect(await toChannel('chatter', '')).toBe(true)
    expect(await toChannel('open')).toBe(true)
    await show(topic('topics'))
    await box().waitFor()
    expect(await notice().count()).toBe(0)
  })

  test('A chosen channel says its rule in the form, and a topic is asked for.', async () => {
    await show('#inbox')
    await page.getByRole('button', { name: 'New message' }).click()
    const field = page.getByRole('combobox', { name: 'Channel' })
    await field.fill('news')
    await page.getByRole('option', { name: /news/ }).click()
    await expect.poll(() => notice().textContent()).toMatch(/cannot write in #news/)
    await expectAccessible(page, 'posting-chosen')
    await box().fill('Not for news')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot write in #news' }).waitFor()
    await field.fill('topics')
    await page.getByRole('option', { name: /topics/ }).click()
    await page.getByPlaceholder('Topic (needed)').waitFor()
    expect(await notice().count()).toBe(0)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'need a topic' }).waitFor()
    expect(await box().inputValue()).toBe('Not for news')
    await box().fill('')
  })

  test('A text that is being written stays when the channel is archived, and the reason is said.', async () => {
    await show(topic('soon archived'))
    await box().fill('Almost done')
    await ok(grace, 'DELETE', `/streams/${channels['soon archived']}`)
    await expect.poll(() => notice().textContent()).toMatch(/is archived/)
    expect(await box().inputValue()).toBe('Almost done')
    await box().press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'is archived' }).waitFor()
    expect(await page.locator('.outgoing-message').count()).toBe(0)
    await box().fill('')
    await box().waitFor({ state: 'detached' })
  })

  test('A deactivated recipient, and direct messages that are turned off or not to be begun, are said before.', async () => {
    await sendDirectMessage(linus, [ada], 'I leave')
    await ok(grace, 'DELETE', `/users/${linus.user_id}`)
    await show(direct(linus))
    await expect.poll(() => notice().textContent()).toMatch(/Linus is deactivated/)
    expect(await box().count()).toBe(0)
    expect(await toPeople(linus)).toBe(false)
    await expectAccessible(page, 'posting-deactivated')
    const onlyGrace = { direct_members: [grace.user_id], direct_subgroups: [] }
    await ok(grace, 'PATCH', '/realm', { direct_message_initiator_group: { new: onlyGrace } })
    await show(direct(grace))
    await expect.poll(() => notice().textContent()).toMatch(/cannot begin a direct conversation/)
    expect(await toPeople(grace)).toBe(false)
    await sendDirectMessage(grace, [ada], 'You may answer')
    await box().waitFor()
    expect(await notice().count()).toBe(0)
    expect(await toPeople(grace)).toBe(true)
    const nobody = { direct_members: [], direct_subgroups: [] }
    await ok(grace, 'PATCH', '/realm', { direct_message_permission_group: { new: nobody } })
    await expect.poll(() => notice().textContent()).toMatch(/One of the people|turned off/)
    expect(await toPeople(grace)).toBe(false)
    // Notes to oneself need no permission.
    await show(direct(ada))
    await box().waitFor()
    expect(await toPeople(ada)).toBe(true)
  })
})
