/** The menus of channels, topics and people, and marking as read with Undo. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { noBrowser } from '../setup/web/browser.js'
import { useKeyboard } from '../setup/web/keyboard.js'
import { inspectPage, openWebPages, PATIENCE_MS, says, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The menus of the sidebar${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let linus: Person
  let channelId: number
  let otherId: number
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace, linus] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      { full_name: 'Linus', settings: neverFollowing },
    )) as [Person, Person, Person]
    await updateRealmSettings(realm, { send_channel_events_messages: false })
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  let run = 0
  const name = () => `general ${run}`
  const otherName = () => `plans ${run}`

  /** What Ada has not read, by the server. */
  const unreadIds = async (): Promise<number[]> => {
    const { messages } = await ok(ada, 'GET', '/messages', {
      narrow: [{ operator: 'is', operand: 'unread' }],
      anchor: 'oldest',
      num_before: 0,
      num_after: 1_000,
    })
    return messages.map(({ id }) => id)
  }

  beforeEach(async () => {
    run += 1
    await ok(ada, 'POST', '/mark_all_as_read')
    channelId = Number(await createChannel(ada, name(), [ada, grace, linus]))
    otherId = Number(await createChannel(ada, otherName(), [ada, grace]))
    context = await pages.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    page = await pages.logIn('Ada', context)
  })

  afterEach(() => context.close())

  const sidebar = () => page.locator('#left-sidebar')
  const line = (label: string) => sidebar().locator('.sidebar-row', { hasText: label })
  const member = (label: string) => page.locator('#members .member-line', { hasText: label })
  const item = (label: string) => page.getByRole('menuitem', { name: label, exact: true })
  const openMenu = async (place: Locator) => {
    await place.getByRole('link').first().click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  }
  const choose = async (place: Locator, label: string) => {
    await openMenu(place)
    await item(label).click()
  }
  const undo = () => page.getByRole('button', { name: 'Undo' }).click()
  const clipboard = () => page.evaluate('navigator.clipboard.readText()')

  test('A channel is marked as read, and Undo makes exactly its messages unread again.', async () => {
    const readId = await postMessage(grace, channelId, 'one', 'read before')
    await ok(ada, 'POST', '/messages/flags', { messages: [readId], op: 'add', flag: 'read' })
    const ids = [
      await postMessage(grace, channelId, 'one', 'first'),
      await postMessage(grace, channelId, 'two', `second @**Ada**`),
    ]
    const mutedId = await postMessage(grace, channelId, 'quiet', 'third')
    await ok(ada, 'POST', '/user_topics', { stream_id: channelId, topic: 'quiet', visibility_policy: 1 })
    const elsewhere = await postMessage(grace, otherId, 'one', 'elsewhere')
    // The page knows the last message, so it knows all: the count is 2 before the third one arrives, too.
    await line(otherName()).getByText('1 unread').waitFor()
    await line(name()).getByText('2 unread').waitFor()
    await choose(line(name()), 'Mark the channel as read')
    await says(page, 'Marked 3 messages as read.')
    await expect.poll(unreadIds).toEqual([elsewhere])
    await expect.poll(() => line(name()).textContent()).not.toContain('unread')
    expect(await inspectPage(page, 'marked-as-read')).toEqual([])
    const laterId = await postMessage(grace, channelId, 'one', 'later')
    await undo()
    await says(page, '3 messages are unread again.')
    await expect.poll(unreadIds).toEqual([...ids, mutedId, elsewhere, laterId])
    await line(name()).getByText('You are mentioned.').waitFor()
    await openMenu(line(name()))
    await page.keyboard.press('Escape')
  })

  test('After Undo, messages in sight stay unread until the user opens another view.', async () => {
    const id = await postMessage(grace, channelId, 'open', 'in sight')
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/open`)
    await page.getByRole('article').getByText('in sight').waitFor()
    await expect.poll(unreadIds).toEqual([])
    await ok(ada, 'POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
    await choose(line('open'), 'Mark the topic as read')
    await says(page, 'Marked 1 message as read.')
    await undo()
    await says(page, '1 message is unread again.')
    const next = await postMessage(grace, channelId, 'open', 'newer')
    await page.getByRole('article').getByText('newer').waitFor()
    await expect.poll(async () => (await unreadIds()).includes(next)).toBe(false)
    expect(await unreadIds()).toEqual([id])
    await page.goto(`${pages.url}/#inbox`)
    await page.getByRole('article').getByText('newer').waitFor({ state: 'detached' })
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/open`)
    await expect.poll(unreadIds, { timeout: PATIENCE_MS }).toEqual([])
  })

  test('Everything is marked as read from the inbox, also messages that the registration left out.', async () => {
    const ids = [
      await postMessage(grace, channelId, 'one'),
      await postMessage(grace, otherId, 'two'),
      await sendDirectMessage(grace, [ada]),
    ]
    await page.route('**/api/v1/register', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      answer.unread_msgs.streams = []
      answer.unread_msgs.old_unreads_missing = true
      await route.fulfill({ response, json: answer })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await says(page, 'Marked 3 messages as read.')
    expect(await unreadIds()).toEqual([])
    await undo()
    await says(page, '3 messages are unread again.')
    expect(await unreadIds()).toEqual(ids)
  })

  test('If marking fails, the user is told how many messages were marked.', async () => {
    const ids = [await postMessage(grace, channelId, 'one'), await postMessage(grace, channelId, 'two')]
    await line(name()).getByText('2 unread').waitFor()
    // Without sockets, calls are requests.
    await page.addInitScript('delete globalThis.WebSocket')
    await page.reload()
    await page.route('**/api/v1/messages/flags', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg: 'Not now.', code: 'BAD_REQUEST' } }),
    )
    await choose(line(name()), 'Mark the channel as read')
    await page.getByRole('alert').getByText('0 of 2 messages are marked as read.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(await unreadIds()).toEqual(ids)
  })

  test('A conversation of direct messages and a row of the inbox are marked as read.', async () => {
    const ids = [await sendDirectMessage(grace, [ada]), await sendDirectMessage(linus, [ada])]
    await choose(line('Grace'), 'Mark as read')
    await says(page, 'Marked 1 message as read.')
    await undo()
    await says(page, '1 message is unread again.')
    expect(await unreadIds()).toEqual(ids)
    await page.getByRole('button', { name: 'Mark Linus as read' }).click()
    await says(page, 'Marked 1 message as read.')
    expect(await unreadIds()).toEqual([ids[0]])
  })

  test('A menu opens by keys and by its button, and gives the focus back.', async () => {
    await postMessage(grace, channelId, 'one')
    const keyboard = useKeyboard(page)
    const link = line(name()).getByRole('link')
    // The first item of the menu is there only for a channel with unread messages.
    await line(name()).getByText('1 unread').waitFor()
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await link.focus()
      await page.keyboard.press(key)
      await keyboard.isAt('Mark the channel as read')
      await keyboard.press('ArrowDown', 'ArrowDown')
      await keyboard.isAt('Pin to the top')
      await keyboard.press('End')
      await keyboard.isAt('Leave the channel')
      await keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await keyboard.isAt(new RegExp(name()))
    }
    await keyboard.moveTo(`Actions for ${name()}`)
    await keyboard.press('Enter')
    await keyboard.isAt('Mark the channel as read')
    expect(await inspectPage(page, 'channel-menu')).toEqual([])
    await keyboard.press('Escape')
    await keyboard.isAt(`Actions for ${name()}`)
    await line(name()).hover()
    await line(name())
      .getByRole('button', { name: `Actions for ${name()}` })
      .click()
    await page.getByRole('menu').waitFor()
    await line(name())
      .getByRole('button', { name: `Actions for ${name()}` })
      .click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('The menu of a channel pins, mutes, colours, copies and opens the settings.', async () => {
    const property = async (key: 'pin_to_top' | 'is_muted' | 'color') => {
      const { subscriptions } = await ok(ada, 'GET', '/users/me/subscriptions')
      return subscriptions.find(({ stream_id }) => stream_id === channelId)?.[key]
    }
    await choose(line(name()), 'Pin to the top')
    await expect.poll(() => property('pin_to_top')).toBe(true)
    await sidebar().getByRole('button', { name: 'Pinned' }).waitFor()
    await choose(line(name()), 'Mute the channel')
    await expect.poll(() => property('is_muted')).toBe(true)
    await choose(line(name()), 'Unmute the channel')
    await expect.poll(() => property('is_muted')).toBe(false)
    await choose(line(name()), 'Unpin')
    await expect.poll(() => property('pin_to_top')).toBe(false)
    await choose(line(name()), 'Change the colour')
    const former = await property('color')
    const color = page.getByRole('menuitemradio', { checked: false }).nth(3)
    expect(await inspectPage(page, 'channel-colours')).toEqual([])
    await color.click()
    await expect.poll(() => property('color')).not.toBe(former)
    await choose(line(name()), 'Copy the link')
    await says(page, 'The link to the channel was copied.')
    expect(await clipboard()).toContain(`#narrow/channel/${channelId}-`)
    await choose(line(name()), 'Settings of the channel')
    await page.getByRole('dialog', { name: `#${name()}` }).waitFor()
  })

  test('A user leaves a channel and comes back with Undo; who cannot come back is asked first.', async () => {
    await choose(line(otherName()), 'Leave the channel')
    await says(page, `You left #${otherName()}.`)
    await line(otherName()).waitFor({ state: 'detached' })
    await undo()
    await line(otherName()).waitFor()
    const closed = `closed ${run}`
    await createChannel(ada, closed, [ada, grace], { invite_only: true })
    await choose(line(closed), 'Leave the channel')
    await page.getByRole('dialog', { name: 'Leave the channel?' }).getByRole('button', { name: 'Cancel' }).click()
    await line(closed).waitFor()
    await choose(line(closed), 'Leave the channel')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the channel' }).click()
    await line(closed).waitFor({ state: 'detached' })
  })

  test('The menu of a topic follows, mutes, copies, resolves, renames and deletes it.', async () => {
    const id = await postMessage(grace, channelId, 'garden')
    const reader = await pages.logIn('Grace')
    await reader.goto(`${pages.url}/#narrow/channel/${channelId}`)
    await page.goto(`${pages.url}/#narrow/channel/${channelId}`)
    const policy = async () => {
      const { user_topics } = await ok(ada, 'POST', '/register', { fetch_event_types: ['user_topic'] })
      return user_topics.find(({ topic_name }) => topic_name.endsWith('garden'))?.visibility_policy
    }
    await choose(line('garden'), 'Follow the topic')
    await expect.poll(policy).toBe(3)
    await choose(line('garden'), 'Unfollow the topic')
    await expect.poll(policy).toBeUndefined()
    await choose(line('garden'), 'Mute the topic')
    await expect.poll(policy).toBe(1)
    await choose(line('garden'), 'Unmute the topic')
    await expect.poll(policy).toBeUndefined()
    await choose(line('garden'), 'Copy the link')
    await says(page, 'The link to the topic was copied.')
    expect(await clipboard()).toMatch(new RegExp(`#narrow/channel/${channelId}-.*/topic/garden/with/${id}$`))
    await choose(line('garden'), 'Mark as resolved')
    await line('✔ garden').waitFor()
    await choose(line('✔ garden'), 'Mark as not resolved')
    await expect.poll(() => line('garden').textContent()).not.toContain('✔')
    await page.goto(`${pages.url}/#inbox`)
    await postMessage(grace, channelId, 'garden')
    await openMenu(page.locator('.inbox-row', { hasText: 'garden' }))
    await item('Rename or move').click()
    const dialog = page.getByRole('dialog', { name: 'Rename or move the topic' })
    expect(await inspectPage(page, 'rename-topic')).toEqual([])
    await dialog.getByLabel('Topic').fill('orchard')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await dialog.waitFor({ state: 'detached' })
    await reader.locator('#left-sidebar').getByRole('link', { name: 'orchard' }).waitFor()
    await page.goto(`${pages.url}/#narrow/channel/${channelId}`)
    await choose(line('orchard'), 'Delete the topic')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the topic' }).click()
    await line('orchard').waitFor({ state: 'detached' })
    await reader.locator('#left-sidebar').getByRole('link', { name: 'orchard' }).waitFor({ state: 'detached' })
    await reader.context().close()
  })

  test('The menu of a person writes, opens the profile, finds messages and mutes.', async () => {
    await choose(member('Grace'), 'Show the profile')
    await page.getByRole('dialog', { name: 'Grace' }).waitFor()
    await page.keyboard.press('Escape')
    await choose(member('Grace'), 'Write a direct message')
    await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor()
    await choose(member('Grace'), 'Find all messages of this person')
    await page.getByRole('heading', { level: 1, name: 'from Grace' }).waitFor()
    const muted = async () => (await ok(ada, 'POST', '/register', { fetch_event_types: ['muted_users'] })).muted_users
    await choose(member('Linus'), 'Mute this person')
    await says(page, 'You muted Linus.')
    await expect.poll(async () => (await muted()).length).toBe(1)
    await undo()
    await expect.poll(async () => (await muted()).length).toBe(0)
  })

  test('Who may not change a topic is not offered it.', async () => {
    await postMessage(grace, channelId, 'garden')
    await context.close()
    context = await pages.newContext()
    page = await pages.logIn('Linus', context)
    await page.goto(`${pages.url}/#narrow/channel/${channelId}`)
    await openMenu(line('garden'))
    await item('Follow the topic').waitFor()
    expect(await item('Delete the topic').count()).toBe(0)
  })

  test('On a touch screen a long press opens the menu, which shows no keys, and a tap follows the link.', async () => {
    await context.close()
    context = await pages.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    page = await pages.logIn('Ada', context)
    await page.getByRole('button', { name: 'Conversations' }).tap()
    const devtools = await context.newCDPSession(page)
    const link = line(name()).getByRole('link')
    // The drawer has come to rest.
    await link.tap({ trial: true })
    const { x, y } = (await link.boundingBox()) as { x: number; y: number }
    const touchPoints = [{ x: x + 20, y: y + 10 }]
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await page.getByRole('menu').waitFor()
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    expect(await inspectPage(page, 'touch-menu')).toEqual([])
    await item('New topic').waitFor()
    expect(page.url()).not.toContain(`channel/${channelId}`)
    await page.keyboard.press('Escape')
    await link.tap()
    await page.waitForURL(new RegExp(`channel/${channelId}`))
    await postMessage(ada, channelId, 'touched', 'A message')
    const message = page.getByRole('article').filter({ hasText: 'A message' })
    await message.tap()
    await message.getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Quote and reply' }).waitFor()
    expect(await page.locator('.popup-menu kbd:visible').count()).toBe(0)
    expect(await page.locator('.popup-menu kbd').count()).toBeGreaterThan(0)
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
