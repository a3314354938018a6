/**
 * Reading in a real browser: the selected message follows what is in sight, a view without messages says what would be
 * here, and a link that leads to nothing says so.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { awaitRest } from '../setup/web/list-moves.js'
import { inspectPage, openWebPages, type WebPages } from '../setup/web/web-pages.js'

const COUNT = 90

describe.skipIf(noBrowser !== undefined)(`Reading${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let channelId: number
  let secretId: number
  let linkId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    secretId = Number(await createChannel(grace, 'secret', [grace], { invite_only: true }))
    for (let i = 0; i < COUNT; i += 1) await postMessage(grace, channelId, 'story', `Message ${i}`)
    linkId = await postMessage(grace, channelId, 'links', 'A secret: #**secret>plan** and #**secret**')
    await ok(ada, 'POST', '/mark_all_as_read')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const open = async (fragment: string) => {
    await page.evaluate((hash) => {
      location.hash = hash
    }, fragment)
  }

  describe('The selected message', () => {
    const story = async () => {
      await open('#inbox')
      await page.locator('article').first().waitFor({ state: 'detached' })
      await open(`#narrow/channel/${channelId}-plans/topic/story`)
      await page
        .locator('article')
        .filter({ hasText: `Message ${COUNT - 1}` })
        .waitFor()
      await page.locator('.message-scroller').focus()
    }
    /** The number of the message with the focus, and whether it is in sight. */
    const focused = () =>
      page.evaluate(() => {
        const article = document.activeElement?.closest('article')
        const area = document.querySelector('.message-scroller')?.getBoundingClientRect()
        if (article === null || article === undefined || area === undefined) return undefined
        const { top, bottom } = article.getBoundingClientRect()
        const number = Number(/Message (\d+)/.exec(article.textContent ?? '')?.[1])
        return { number, isInSight: bottom > area.top && top < area.bottom }
      })

    test('It is one in sight after the list was scrolled, and j and k go on from there.', async () => {
      await story()
      await page.keyboard.press('k')
      await page.keyboard.press('k')
      expect((await focused())?.number).toBe(COUNT - 2)
      await page.mouse.move(600, 300)
      await page.mouse.wheel(0, -1_200)
      await expect.poll(async () => (await focused())?.number).toBeLessThan(COUNT - 20)
      await page.evaluate(awaitRest)
      await expect.poll(async () => (await focused())?.isInSight).toBe(true)
      const { number = 0 } = (await focused()) ?? {}
      await page.keyboard.press('j')
      const next = (await focused())?.number ?? 0
      expect(Math.abs(next - number)).toBeLessThanOrEqual(30)
      expect((await focused())?.isInSight).toBe(true)
      await page.mouse.wheel(0, 5_000)
      await expect.poll(async () => (await focused())?.number).toBeGreaterThan(COUNT - 30)
      await page.evaluate(awaitRest)
      await page.keyboard.press('k')
      expect((await focused())?.isInSight).toBe(true)
    })

    test('The menu and the keys of messages act on what is read, also where nothing was selected.', async () => {
      await story()
      await page.keyboard.press('.')
      const menu = page.getByRole('menu')
      await menu.waitFor()
      const isNewest = () => page.locator('article').last().locator('.message-tools-open').count()
      expect(await isNewest()).toBe(1)
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await page.mouse.move(600, 300)
      await page.mouse.wheel(0, -900)
      await expect.poll(async () => (await focused())?.number).toBeLessThan(COUNT - 10)
      await page.evaluate(awaitRest)
      await page.keyboard.press('.')
      await menu.waitFor()
      expect((await focused())?.isInSight ?? true).toBe(true)
      const box = await page.locator('.message-tools-open').boundingBox()
      expect(box?.y).toBeGreaterThan(0)
      expect(box?.y).toBeLessThan(800)
      await page.keyboard.press('Escape')
    })

    test('It stays where it is while the user writes or looks at it.', async () => {
      await story()
      await page.keyboard.press('k')
      await page.locator('#compose').focus()
      await page.mouse.move(600, 300)
      await page.mouse.wheel(0, -900)
      await expect.poll(() => page.locator('.list-foot button').count()).toBe(1)
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('compose')
    })
  })

  describe('An empty view', () => {
    test.each([
      ['#narrow/is/mentioned', 'Nobody has mentioned you yet.'],
      ['#narrow/is/starred', 'You have no starred messages.'],
      ['#narrow/is/dm', 'You have no direct messages yet.'],
      ['#narrow/is/unread', 'You have read everything.'],
      ['#narrow/is/followed', 'You follow no topic with messages.'],
      ['#narrow/is/resolved', 'No topic is resolved yet.'],
      ['#narrow/is/alerted', 'No message has one of your alert words.'],
      ['#narrow/search/nonsense', 'No message was found.'],
    ])('%s says what would be here.', async (fragment, title) => {
      await open(fragment)
      await page.getByText(title).waitFor()
      expect(await page.locator('.empty-view .soft-text').textContent()).toMatch(/\.$/)
    })

    test('A topic, a channel and a conversation without messages say how to begin.', async () => {
      const newId = Number(await createChannel(ada, 'new channel', [ada, grace]))
      await open(`#narrow/channel/${channelId}-plans/topic/nothing`)
      await page.getByText('There are no messages in “nothing”.').waitFor()
      expect(await inspectPage(page, 'empty-topic')).toEqual([])
      await page.getByRole('link', { name: 'All messages of #plans' }).click()
      await page.locator('article').first().waitFor()
      await open(`#narrow/channel/${newId}`)
      await page.getByText('There are no messages in #new channel yet.').waitFor()
      await open(`#narrow/dm/${grace.user_id}-Grace`)
      await page.getByText('You have no messages with Grace yet.').waitFor()
      await open(`#narrow/dm/${ada.user_id}-Ada`)
      await page.getByText('You have no notes yet.').waitFor()
      await page.locator('#compose').fill('A note')
      await page.locator('#compose').press('Control+Enter')
      await page.locator('article').filter({ hasText: 'A note' }).waitFor()
      expect(await page.locator('.empty-view').count()).toBe(0)
    })
  })

  describe('A link that leads to nothing', () => {
    const channel = 'This link leads to a channel that does not exist any more, or that you may not read.'
    const person = 'This link leads to a person who does not exist, or whom you may not see.'

    test.each([
      ['#narrow/channel/999999-gone', channel],
      ['#narrow/channel/999999-gone/topic/plan', channel],
      ['#narrow/channel/no.20such.20channel/topic/plan', channel],
      ['#narrow/dm/999999-nobody', person],
      ['#narrow/sender/999999', person],
      ['#narrow/channel/999999-gone/topic/plan/near/999999999', channel],
    ])('%s says so, and offers no text field.', async (fragment, text) => {
      await open('#inbox')
      await page.locator('.empty-view, .error-note').first().waitFor({ state: 'detached' })
      await open(fragment)
      await page.locator('.message-view').getByText(text).waitFor()
      expect(await page.locator('#compose').count()).toBe(0)
    })

    test('A link in a message to a channel that the reader may not read says so.', async () => {
      await open(`#narrow/channel/${channelId}-plans/topic/links`)
      const article = page.locator(`article[data-id="${linkId}"]`)
      await article.waitFor()
      await article.getByRole('link').first().click()
      await page.locator('.message-view').getByText(channel).waitFor()
      expect(await inspectPage(page, 'dead-link')).toEqual([])
      expect(await page.locator('.view-title').textContent()).not.toContain('secret')
      expect(secretId).toBeGreaterThan(0)
    })

    test.each(['#narrow/near/999999999', '#nothing/at/all', '#narrow/channel', '#user/999999', '#groups/999999'])(
      '%s says so in words.',
      async (fragment) => {
        await open(`#narrow/channel/${channelId}-plans/topic/story`)
        await page.locator('article').first().waitFor()
        await open(fragment)
        const said = page
          .locator('main, dialog[open]')
          .getByText(/does not exist|leads to nothing|may not|cannot be shown|no longer|not visible|was not found/i)
        await said.first().waitFor()
        await page.keyboard.press('Escape')
      },
    )
  })

  test('The pages report no error.', () => {
    expect(pages.problems).toEqual([])
  })
})
