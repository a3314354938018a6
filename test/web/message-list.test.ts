/**
 * Reading in a real browser: a list of messages that is longer than what the page holds. It opens where the user has to
 * read on, follows the user in both directions without a jump, and marks as read what was in sight.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxRows } from '../../web/src/messages/slice.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { awaitRest, readList, type ShownList, watchMoves } from '../setup/web/list-moves.js'
import { openWebPage } from '../setup/web/web-page.js'

const HEIGHT = 800
const MESSAGES = 700

describe.skipIf(noBrowser !== undefined)(`A list of messages${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let browser: Browser
  let page: Page
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  const ids: number[] = []
  let problems: string[]

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'long', [ada, grace]))
    for (let i = 0; i < MESSAGES; i += 50) {
      const texts = Array.from({ length: 50 }, (_, k) => `Message ${i + k} ${'and more words '.repeat((i + k) % 17)}`)
      ids.push(...(await Promise.all(texts.map((text) => postMessage(grace, channelId, 'story', text)))))
    }
    ids.sort((a, b) => a - b)
    await ok(ada, 'POST', '/messages/flags', { messages: ids.slice(0, 300), op: 'add', flag: 'read' })
    browser = (await openBrowser()) as Browser
    const fragment = `#narrow/channel/${channelId}-long/topic/story`
    ;({ page, problems } = await openWebPage(browser, realm, ada, { fragment }))
    await page.waitForSelector('article')
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await realm?.[Symbol.asyncDispose]()
  })

  const list = () => page.evaluate(readList) as Promise<ShownList>

  /** Scrolls until the condition holds. */
  const scrollUntil = async (pixels: number, condition: (shown: ShownList) => boolean): Promise<ShownList> => {
    await page.mouse.move(600, HEIGHT / 2)
    for (let i = 0; i < 400; i++) {
      const shown = await list()
      if (condition(shown)) return shown
      await page.mouse.wheel(0, pixels)
      await page.waitForTimeout(20)
    }
    throw new Error(`The list did not get there: ${JSON.stringify(await list())}`)
  }

  test('opens at the first unread message, with a line above it.', async () => {
    await page.waitForSelector('.unread-line')
    const article = await page.$('article:has(.unread-line)')
    expect(Number(await article?.getAttribute('data-id'))).toBe(ids[300])
    expect(await article?.isVisible()).toBe(true)
  })

  test('asks once for the place at which it opens.', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const anchors: string[] = []
    devtools.on('Network.webSocketFrameSent', ({ response: { payloadData } }) => {
      const { path, params } = JSON.parse(payloadData)
      if (path === '/messages') anchors.push(params.anchor)
    })
    const { hash } = new URL(page.url())
    await page.goto(`${page.url().split('#')[0]}#inbox`)
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.goto(`${page.url().split('#')[0]}${hash}`)
    await page.waitForSelector('.unread-line')
    // Then it grows.
    expect(anchors.filter((anchor) => anchor === 'first_unread')).toHaveLength(1)
    await devtools.detach()
  })

  test('marks as read what was in sight, and nothing else.', async () => {
    const isRead = async (id: number) => {
      const { message } = await ok(ada, 'GET', `/messages/${id}`)
      return (message.flags as string[]).includes('read')
    }
    await expect.poll(() => isRead(ids[300] as number), { timeout: 20_000 }).toBe(true)
    expect(await isRead(ids.at(-1) as number)).toBe(false)
  })

  test('leads to the first message and back to the newest, without a jump, and the page stays small.', async () => {
    await page.evaluate(watchMoves)
    const moves = async () => {
      const taken = (await page.evaluate('moves.splice(0)')) as number[]
      return { up: taken.filter((move) => move < -2), down: taken.filter((move) => move > 2) }
    }
    let largest = 0
    const isAt = (id: number | undefined) => (shown: ShownList) => {
      largest = Math.max(largest, shown.ids.length)
      return shown.ids.includes(id as number)
    }
    await scrollUntil(-700, isAt(ids[0]))
    expect((await moves()).up).toEqual([])
    await scrollUntil(700, (shown) => isAt(ids.at(-1))(shown) && shown.below < 1)
    expect((await moves()).down).toEqual([])
    expect(largest).toBeLessThanOrEqual(maxRows(HEIGHT))
  })

  test('shows a new message to a user at its end, and does not move for a user who reads further up.', async () => {
    const atEnd = await postMessage(grace, channelId, 'story', 'To a reader at the end')
    await page.waitForSelector(`article[data-id="${atEnd}"]`)
    await expect.poll(async () => (await list()).below, { timeout: 10_000 }).toBeLessThan(1)

    await scrollUntil(-500, ({ below }) => below > 2_500)
    await page.evaluate(awaitRest)
    const before = await list()
    const further = await postMessage(grace, channelId, 'story', 'To a reader further up')
    await page.waitForSelector('.sidebar-topics .count-badge')
    const { first, offset } = await list()
    expect({ first, offset }).toEqual({ first: before.first, offset: before.offset })
    await page.keyboard.press('End')
    await page.waitForSelector(`article[data-id="${further}"]`)
  })

  test('is where the user left it after going back, also by a link once all is read, without a jump.', async () => {
    await scrollUntil(-500, ({ below }) => below > 4_000)
    await page.evaluate(awaitRest)
    const place = async () => {
      const { first, offset } = await list()
      return { first, offset }
    }
    const before = await place()
    /** Notes where the list is in each frame from its first message on. */
    const watchPlaces = `(() => {
      globalThis.places = new Set()
      const look = () => {
        const isOpen = document.querySelector('.message-scroller article') !== null
        if (isOpen) { const { first, offset } = ${readList}; places.add(first + ' ' + Math.round(offset)) }
        globalThis.watching = requestAnimationFrame(look)
      }
      look()
    })()`
    const places = async () => {
      const seen = await page.evaluate('(() => { cancelAnimationFrame(watching); return [...places] })()')
      return seen as string[]
    }
    await page.goto(`${page.url().split('#')[0]}#inbox`)
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.evaluate(watchPlaces)
    await page.goBack()
    await page.waitForSelector('article')
    await expect.poll(place).toEqual(before)
    await page.waitForTimeout(300)
    expect(await places()).toEqual([`${before.first} ${Math.round(before.offset)}`])

    await ok(ada, 'POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' })
    await ok(ada, 'POST', '/mark_stream_as_read', { stream_id: channelId })
    await page.locator('#left-sidebar').getByRole('link', { name: 'Mentions' }).click()
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.goto(`${page.url().split('#')[0]}#narrow/channel/${channelId}-long/topic/story`)
    await page.waitForSelector('article')
    await expect.poll(place).toEqual(before)
    await page.keyboard.press('End')
    await expect.poll(async () => (await list()).below).toBeLessThan(1)
  })

  test('goes from message to message with the keys j and k.', async () => {
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    const selected = () => page.evaluate('Number(document.activeElement?.dataset.id)')
    const upper = await selected()
    await page.keyboard.press('j')
    expect(await selected()).toBeGreaterThan(upper as number)
  })

  test.each(['Server-sent events', 'Long polling', 'WebSocket'])('continues over %s while reading.', async (name) => {
    await page.click('.connection-button')
    await page.click(`.connection-panel >> text=${name}`)
    await page.waitForSelector('.connection-button.connection-open')
    await page.click('.connection-button')
    const id = await postMessage(grace, channelId, 'story', `Sent while ${name} was switched on`)
    await page.waitForSelector(`article[data-id="${id}"]`)
  })

  test('causes no error in the page.', () => {
    expect(problems).toEqual([])
  })
})
