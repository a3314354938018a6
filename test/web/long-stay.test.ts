/** The memory of a page that stays open: after many messages it holds about as many objects and nodes as before. */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, type WebPages } from '../setup/web/web-pages.js'

/** Before the first measurement: the page holds as many rows as it ever holds. */
const WARM_UP = 300
const MESSAGES = 500
/** The page keeps the ids of unread messages. A message with its row has 8 kB. */
const MAX_GROWTH_BYTES = 750_000
/** What the engine keeps for a while is a megabyte in some rounds. A leak grows in each one. */
const MAX_ROUNDS = 3
const MAX_NODES = 1_000

describe.skipIf(noBrowser !== undefined)(`A page that stays open${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let grace: Person
  let channelId: number
  let pages: WebPages
  let page: Page
  let session: CDPSession
  /** the number in the newest message that ends a part of the test and has arrived */
  let last = 0

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [ada, other] = made.people as [Person, Person]
    grace = other
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    await postMessage(grace, channelId, 'stay', 'Before')
    pages = await openWebPages(realm)
    page = await pages.newPage()
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        last = Number(/All (\d+)\./.exec(String(payload))?.[1] ?? last)
      }),
    )
    await page.goto(pages.url)
    await page.getByRole('button', { name: 'Ada' }).click()
    await page.locator('#left-sidebar').waitFor({ state: 'attached' })
    session = await page.context().newCDPSession(page)
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const measure = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes } = await session.send('Memory.getDOMCounters')
    return { bytes: usedSize, nodes }
  }

  let sent = 0
  const sendUntil = async (number: number) => {
    const sendOne = async () => {
      while (sent < number) {
        sent += 1
        await postMessage(grace, channelId, 'stay', `Message ${sent} **with** some [link](https://example.com/${sent})`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, sendOne))
    await postMessage(grace, channelId, 'stay', `All ${number}.`)
    await expect.poll(() => last, { timeout: 30_000 }).toBe(number)
    // The page draws at most once per frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 500))))
  }

  test.each([
    ['a topic', () => `#narrow/channel/${channelId}/topic/stay`],
    ['the inbox', () => '#inbox'],
  ])('In %s, its memory does not grow with the messages that arrive.', async (_, fragment) => {
    await page.goto(`${pages.url}/${fragment()}`)
    const begin = sent
    await sendUntil(begin + WARM_UP)
    let [before, after] = [await measure(), { bytes: Number.POSITIVE_INFINITY, nodes: 0 }]
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      if (round > 1) before = after
      await sendUntil(sent + MESSAGES)
      after = await measure()
      if (after.bytes - before.bytes < MAX_GROWTH_BYTES) break
    }
    expect(after.bytes - before.bytes).toBeLessThan(MAX_GROWTH_BYTES)
    expect(after.nodes - before.nodes).toBeLessThan(MAX_NODES)
    expect(pages.problems).toEqual([])
  })
})
