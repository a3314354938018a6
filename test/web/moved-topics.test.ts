/** What users see in a real browser while another user resolves, renames or moves what they read and answer. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, fetchMessage, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { expectAccessible, openWebPage, type WebPage } from '../setup/web/web-page.js'
import { PATIENCE_MS } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`Moved topics${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let owner: Person
  let plans: number
  let notes: number
  let secrets: number
  let web: WebPage
  let page: Page
  let count = 0

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    ;[owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
    plans = Number(await createChannel(grace, 'plans', [ada, grace, owner]))
    notes = Number(await createChannel(grace, 'notes', [ada, grace, owner]))
    secrets = Number(await createChannel(grace, 'secrets', [grace, owner], { invite_only: true }))
    browser = (await openBrowser()) as Browser
    web = await openWebPage(browser, realm, ada)
    page = web.page
  }, 90_000)

  afterEach(() => {
    // The browser reports each refused call and each lost connection too.
    const isExpected = (problem: string) => /Failed to load resource|WebSocket connection|net::ERR/.test(problem)
    expect(web.problems.splice(0).filter((problem) => !isExpected(problem))).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  /** A topic name that no other test uses. */
  const newTopic = (name: string) => {
    count += 1
    return `${name} ${count}`
  }
  const article = (text: string, on = page) => on.locator('article').filter({ hasText: text })
  const box = (on = page) => on.locator('#compose')
  const title = (on = page) => on.locator('.app-bar h1')
  const status = (on = page) => on.getByRole('status').filter({ hasText: /moved|Moved|Marked/ })

  const openTopic = async (channelId: number, topic: string, on = page) => {
    await on.goto(`${web.url}#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`)
  }
  /** Moves messages as Grace. */
  const move = (message_id: number, propagate_mode: string, to: { topic?: string; stream_id?: number }, by = grace) =>
    ok(by, 'PATCH', `/messages/${message_id}`, {
      message_id,
      propagate_mode,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
      ...to,
    })
  const placeOf = async (id: number) => {
    const { stream_id, subject } = await fetchMessage(grace, id)
    return { stream_id, subject }
  }

  /** Sends a message of Ada that she does not have as unread. @returns its id */
  const postRead = async (topic: string, content: string): Promise<number> => {
    const message = { type: 'channel', to: plans, topic, content, read_by_sender: true }
    return (await ok(ada, 'POST', '/messages', message)).id
  }

  /** The messages of a topic, oldest first. */
  const contentsOf = async (channelId: number, topic: string): Promise<string[]> => {
    const { messages } = await ok(grace, 'GET', '/messages', {
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: topic },
      ],
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
    })
    return messages.map(({ content }: { content: string }) => content)
  }

  test('A topic that another user resolves stays open, with the text that is being written and its caret.', async () => {
    const topic = newTopic('picnic')
    const id = await postMessage(grace, plans, topic, 'Who brings bread?')
    await openTopic(plans, topic)
    await article('Who brings bread?').waitFor()
    await box().click()
    await page.keyboard.type('I bring it')
    await page.keyboard.press('Home')
    await move(id, 'change_all', { topic: `✔ ${topic}` })
    await expect.poll(() => title().textContent(), { timeout: PATIENCE_MS }).toContain(`✔ ${topic}`)
    expect(page.url()).toContain('.E2.9C.94')
    await expect.poll(() => article('Who brings bread?').count()).toBe(1)
    // The text field is the same one: it has the focus, and the caret is where it was.
    await page.keyboard.type('Yes: ')
    await expect.poll(() => box().inputValue()).toBe('Yes: I bring it')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await article('Yes: I bring it').waitFor()
    expect(await contentsOf(plans, topic)).toEqual([])
    const contents = await contentsOf(plans, `✔ ${topic}`)
    expect(contents.filter((each) => !each.includes('marked this topic as resolved'))).toEqual([
      'Who brings bread?',
      'Yes: I bring it',
    ])
    // After a reload, the address still shows the conversation.
    await page.reload()
    await article('Yes: I bring it').waitFor()
  })

  test('A topic that another user moves to another channel stays open, and a line says where it is.', async () => {
    const [topic, goal] = [newTopic('budget'), newTopic('money')]
    const ids = [
      await postMessage(grace, plans, topic, 'First sum'),
      await postMessage(ada, plans, topic, 'Second sum'),
    ]
    await openTopic(plans, topic)
    await article('Second sum').waitFor()
    await move(ids[0] as number, 'change_all', { topic: goal, stream_id: notes })
    await status()
      .filter({ hasText: `Grace moved this conversation to #notes › ${goal}.` })
      .waitFor()
    await expect.poll(() => title().textContent()).toContain(`#notes › ${goal}`)
    await expect.poll(() => page.locator('article').count()).toBe(2)
    await expectAccessible(page, 'moved')
    // What is written from now on, by both, is in the same conversation.
    await postMessage(grace, notes, goal, 'Third sum')
    await article('Third sum').waitFor()
    await box().fill('Fourth sum')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await article('Fourth sum').waitFor()
    expect(await contentsOf(notes, goal)).toEqual(['First sum', 'Second sum', 'Third sum', 'Fourth sum'])
  })

  test('A topic that is joined with another one shows the messages of both, in order.', async () => {
    const [topic, goal] = [newTopic('cake'), newTopic('dessert')]
    await postMessage(grace, plans, goal, 'Older than both')
    const id = await postMessage(grace, plans, topic, 'Cake one')
    await postMessage(grace, plans, goal, 'Between them')
    await postMessage(grace, plans, topic, 'Cake two')
    await openTopic(plans, topic)
    await article('Cake two').waitFor()
    await move(id, 'change_all', { topic: goal })
    await expect
      .poll(() => page.locator('article').allTextContents(), { timeout: PATIENCE_MS })
      .toEqual([
        expect.stringContaining('Older than both'),
        expect.stringContaining('Cake one'),
        expect.stringContaining('Between them'),
        expect.stringContaining('Cake two'),
      ])
  })

  test('The back button leads to the new place of a topic that was moved while another view was open.', async () => {
    const [topic, goal] = [newTopic('rent'), newTopic('lease')]
    const id = await postMessage(grace, plans, topic, 'The rent is due')
    await openTopic(plans, topic)
    await article('The rent is due').waitFor()
    await page.goto(`${web.url}#inbox`)
    await page.locator('.inbox-page').waitFor()
    await move(id, 'change_all', { topic: goal })
    await expect.poll(() => placeOf(id)).toEqual({ stream_id: plans, subject: goal })
    await page.goBack()
    await article('The rent is due').waitFor()
    await expect.poll(() => title().textContent()).toContain(goal)
  })

  test('A line with a link says where a single message was moved, to users who may read it there only.', async () => {
    const [topic, goal] = [newTopic('tour'), newTopic('museum')]
    await postMessage(grace, plans, topic, 'Stays')
    const moved = await postMessage(grace, plans, topic, 'Goes to the museum')
    const hidden = await postMessage(grace, plans, topic, 'Goes where Ada may not read')
    await openTopic(plans, topic)
    await article('Goes where Ada').waitFor()
    await move(moved, 'change_one', { topic: goal })
    await article('Goes to the museum').waitFor({ state: 'detached' })
    const line = status().filter({ hasText: 'Grace moved a message to' })
    await line.getByRole('link', { name: `#plans › ${goal}` }).click()
    await article('Goes to the museum').waitFor()
    await line.waitFor({ state: 'detached' })
    await openTopic(plans, topic)
    await article('Goes where Ada').waitFor()
    await move(hidden, 'change_one', { stream_id: secrets })
    await article('Goes where Ada').waitFor({ state: 'detached' })
    await article('Stays').waitFor()
    expect(await page.locator('body').textContent()).not.toContain('secrets')
  })

  test('A view goes along when its newest messages are moved and the user reads them, and stays when others are.', async () => {
    const [topic, goal] = [newTopic('music'), newTopic('concert')]
    const first = await postRead(topic, `Top ${'line\n'.repeat(80)}`)
    const later = await postRead(topic, 'About the concert')
    await postRead(topic, 'More about the concert')
    await openTopic(plans, topic)
    await article('More about the concert').waitFor()
    await move(later, 'change_later', { topic: goal })
    await expect.poll(() => title().textContent()).toContain(goal)
    await expect.poll(() => page.locator('article').count()).toBe(2)
    // Back, and read from the top: then the messages of the end leave, and a line tells where they are.
    await move(later, 'change_later', { topic })
    await openTopic(plans, topic)
    const scrollTop = () => page.evaluate<number>('document.querySelector(".message-scroller").scrollTop')
    // The former view, in which nothing can be scrolled, has one of these messages too.
    await expect.poll(() => page.locator('article').count()).toBe(3)
    await expect.poll(scrollTop).toBeGreaterThan(0)
    await page.locator('.message-scroller').hover()
    await page.mouse.wheel(0, -5_000)
    await expect.poll(scrollTop).toBe(0)
    // The list has noticed where the user reads.
    await page.getByRole('button', { name: 'Jump to the newest' }).waitFor()
    await move(later, 'change_later', { topic: goal })
    await status().filter({ hasText: 'Grace moved 2 messages to' }).waitFor()
    await expect.poll(() => title().textContent()).toContain(topic)
    expect(await placeOf(first)).toEqual({ stream_id: plans, subject: topic })
  })

  test('A draft goes along with its topic, also while another view is open.', async () => {
    const [topic, goal] = [newTopic('draft'), newTopic('drafted')]
    const id = await postMessage(grace, plans, topic, 'Please answer')
    await openTopic(plans, topic)
    await article('Please answer').waitFor()
    await box().fill('Half an answer')
    await page.goto(`${web.url}#inbox`)
    const drafts = async () => {
      const answer = await ok(ada, 'GET', '/drafts')
      return answer.drafts.map(({ topic: at, content }: { topic: string; content: string }) => [at, content])
    }
    await expect.poll(drafts, { timeout: PATIENCE_MS }).toEqual([[topic, 'Half an answer']])
    await move(id, 'change_all', { topic: goal })
    await expect.poll(drafts, { timeout: PATIENCE_MS }).toEqual([[goal, 'Half an answer']])
    await openTopic(plans, goal)
    await expect.poll(() => box().inputValue()).toBe('Half an answer')
    // Two drafts that meet are both kept.
    const joined = newTopic('joined')
    const other = await postMessage(grace, plans, joined, 'Another question')
    await openTopic(plans, joined)
    await article('Another question').waitFor()
    await box().fill('Text of the other topic')
    await move(id, 'change_all', { topic: joined })
    await expect.poll(() => box().inputValue()).toBe('Text of the other topic\n\nHalf an answer')
    await expect.poll(drafts, { timeout: PATIENCE_MS }).toEqual([[joined, 'Text of the other topic\n\nHalf an answer']])
    expect(await placeOf(other)).toEqual({ stream_id: plans, subject: joined })
    await box().fill('')
    await expect.poll(drafts, { timeout: PATIENCE_MS }).toEqual([])
  })

  test('A message that was written without a connection is sent to the new place of its topic.', async () => {
    const [topic, goal] = [newTopic('offline'), newTopic('online')]
    const id = await postMessage(grace, plans, topic, 'Where are you?')
    await openTopic(plans, topic)
    await article('Where are you?').waitFor()
    await web.context.setOffline(true)
    await page.getByRole('status').filter({ hasText: 'Offline' }).waitFor()
    await box().fill('In the tunnel')
    await box().press('Control+Enter')
    await page.locator('.outgoing-message').waitFor()
    await move(id, 'change_all', { topic: goal })
    await web.context.setOffline(false)
    await article('In the tunnel').waitFor()
    await expect.poll(() => title().textContent()).toContain(goal)
    expect(await contentsOf(plans, topic)).toEqual([])
    expect(await contentsOf(plans, goal)).toEqual(['Where are you?', 'In the tunnel'])
  })

  test('Who moves messages is told where they are, and can take it back.', async () => {
    const [topic, goal] = [newTopic('train'), newTopic('railway')]
    const older = await postMessage(grace, plans, goal, 'Older than the train')
    const id = await postMessage(ada, plans, topic, 'Train one')
    const between = await postMessage(grace, plans, goal, 'Between the trains')
    const last = await postMessage(ada, plans, topic, 'Train two')
    await openTopic(plans, topic)
    await article('Train two').waitFor()
    await article('Train one').locator('.message-body').hover()
    await article('Train one').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: /^Move/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Move messages' })
    await dialog.getByRole('combobox', { name: 'Topic' }).fill(goal)
    await dialog.getByLabel('All messages of the topic').check()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    const line = status().filter({ hasText: 'Moved to' })
    await line.getByRole('link', { name: `#plans › ${goal}` }).waitFor()
    await article('Between the trains').waitFor()
    await expectAccessible(page, 'moved-undo')
    await line.getByRole('button', { name: 'Undo' }).click()
    await status()
      .filter({ hasText: `Moved back to #plans › ${topic}.` })
      .waitFor()
    for (const each of [id, last]) expect(await placeOf(each)).toEqual({ stream_id: plans, subject: topic })
    for (const each of [older, between]) expect(await placeOf(each)).toEqual({ stream_id: plans, subject: goal })
  })

  test('Who resolves a topic can take it back.', async () => {
    const topic = newTopic('done')
    const id = await postMessage(ada, plans, topic, 'Is it done?')
    await openTopic(plans, topic)
    await article('Is it done?').locator('.message-body').hover()
    await article('Is it done?').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: /resolved/ }).click()
    const line = status().filter({ hasText: 'Marked as resolved.' })
    await expect.poll(() => title().textContent()).toContain(`✔ ${topic}`)
    await line.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => title().textContent()).not.toContain('✔')
    await expect.poll(() => placeOf(id)).toEqual({ stream_id: plans, subject: topic })
  })

  describe('A copied link', () => {
    const openLink = (place: string, id: number) => page.goto(`${web.url}#narrow/${place}/near/${id}`)

    test('opens its message where it is now, and the message has the focus.', async () => {
      const [topic, goal] = [newTopic('old'), newTopic('new')]
      await postMessage(grace, plans, topic, 'Stays in the old topic')
      const id = await postMessage(grace, plans, topic, 'Linked message')
      await move(id, 'change_one', { topic: goal, stream_id: notes })
      await openLink(`channel/${plans}-plans/topic/${topic.replaceAll(' ', '.20')}`, id)
      await article('Linked message').waitFor()
      await expect.poll(() => title().textContent()).toContain(`#notes › ${goal}`)
      await expect.poll(() => page.evaluate('document.activeElement.dataset.id')).toBe(String(id))
      // The back button does not lead to the old place, which would lead here again.
      expect(page.url()).toContain(`/near/${id}`)
    })

    test('opens after its topic was resolved, and where its channel has another name now.', async () => {
      const topic = newTopic('links')
      const renamed = Number(await createChannel(grace, 'before', [ada, grace]))
      const id = await postMessage(grace, renamed, topic, 'In a renamed channel')
      await move(id, 'change_all', { topic: `✔ ${topic}` })
      await ok(grace, 'PATCH', `/streams/${renamed}`, { new_name: 'afterwards' })
      for (const place of [`channel/${renamed}-before`, 'stream/before']) {
        await openLink(`${place}/topic/${topic.replaceAll(' ', '.20')}`, id)
        await expect.poll(() => title().textContent()).toContain(`#afterwards › ✔ ${topic}`)
        await article('In a renamed channel').waitFor()
        await page.goto(`${web.url}#inbox`)
        await page.locator('.inbox-page').waitFor()
      }
    })

    test('opens a search around a message that the search does not find.', async () => {
      const [topic, other] = [newTopic('sums'), newTopic('others')]
      await postMessage(grace, plans, topic, 'First of the sums')
      const between = await postMessage(grace, plans, other, 'Not of the sums')
      const next = await postMessage(grace, plans, topic, 'Next of the sums')
      await openLink(
        `channel/${plans}-plans/topic/${topic.replaceAll(' ', '.20')}/sender/${grace.user_id}-Grace`,
        between,
      )
      await article('Next of the sums').waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.dataset.id')).toBe(String(next))
      expect(await article('Not of the sums').count()).toBe(0)
    })

    test('says so when its message was deleted or cannot be read, and shows the topic.', async () => {
      const topic = newTopic('deleted')
      await postMessage(ada, plans, topic, 'Still here')
      const gone = await postMessage(ada, plans, topic, 'Deleted soon')
      const secret = await postMessage(grace, secrets, topic, 'Not for Ada')
      await ok(owner, 'DELETE', `/messages/${gone}`)
      for (const id of [gone, secret]) {
        await openLink(`channel/${plans}-plans/topic/${topic.replaceAll(' ', '.20')}`, id)
        await page.getByRole('alert').filter({ hasText: 'The message of this link cannot be shown' }).waitFor()
        await article('Still here').waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await page.goto(`${web.url}#inbox`)
        await page.locator('.inbox-page').waitFor()
      }
    })
  })
})
