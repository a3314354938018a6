/**
 * A reader at the end of a conversation stays there, whatever changes its height, in a real browser with a second
 * person who writes meanwhile. Only the reader leaves the end, and then a button leads back to it.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { awaitRest, readList, type ShownList } from '../setup/web/list-moves.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const OLD = 60
const LONG = 300
const lines = (count: number, text = 'line') => Array.from({ length: count }, (_, i) => `${text} ${i + 1}`).join('\n')

describe.skipIf(noBrowser !== undefined)(`Following a conversation${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let channelId: number
  let topics = 0
  let topic = ''

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, grace]))
    for (let i = 0; i < LONG; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, k) => postMessage(grace, channelId, 'long', `Plan ${i + k}`)))
    }
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    if (await box().isVisible()) await box().fill('')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  const box = () => page.locator('#compose')
  const jump = () => page.getByRole('button', { name: /new messages?$|^Jump to the newest$/ })
  const list = () => page.evaluate(readList) as Promise<ShownList>
  const fragment = (name: string) => `#narrow/channel/${channelId}-plans/topic/${name.replaceAll(' ', '.20')}`

  /** Opens a new topic at its end. */
  const openTopic = async (count = OLD) => {
    topics += 1
    topic = `topic ${topics}`
    for (let i = 0; i < count; i += 1) await postMessage(grace, channelId, topic, `Old message ${i}`)
    await ok(ada, 'POST', '/mark_all_as_read')
    await page.goto(`${pages.url}/${fragment(topic)}`)
    await page
      .locator('article')
      .filter({ hasText: `Old message ${count - 1}` })
      .waitFor()
    await staysAtEnd()
  }

  /** What the list shows when the smooth scrolling of the browser has ended. */
  const restingList = async () => {
    await page.evaluate(awaitRest)
    return list()
  }

  /** The first message of the long topic. */
  const oldestId = async () => {
    const narrow = [{ operator: 'topic', operand: 'long' }]
    const { messages } = await ok(ada, 'GET', '/messages', { narrow, anchor: 'oldest', num_before: 0, num_after: 1 })
    return messages[0]?.id ?? 0
  }

  /** What of the article with this text is cut off by the area of the messages, in pixels. */
  const hidden = (text: string) =>
    page.evaluate((wanted) => {
      const area = document.querySelector('.message-scroller')?.getBoundingClientRect()
      const found = [...document.querySelectorAll('article, .outgoing-message')].findLast((one) =>
        one.textContent?.includes(wanted),
      )
      if (found === undefined || area === undefined) return Number.NaN
      const { top, bottom } = found.getBoundingClientRect()
      // The begin of a message that is higher than the area cannot be in sight too.
      return Math.max(0, bottom - area.bottom) + (bottom - top > area.height ? 0 : Math.max(0, area.top - top))
    }, text)

  const staysAtEnd = async () => {
    await expect.poll(async () => (await list()).below, { timeout: PATIENCE_MS }).toBeLessThan(1)
    // The button follows what the list notices of its scrolling.
    await expect.poll(() => jump().count(), { timeout: PATIENCE_MS }).toBe(0)
  }

  /** Expects that the end is in sight, also after the second person has written. */
  const follows = async () => {
    await staysAtEnd()
    const text = `Grace writes ${Math.random()}`
    await postMessage(grace, channelId, topic, text)
    await expect.poll(() => hidden(text), { timeout: PATIENCE_MS }).toBe(0)
    await staysAtEnd()
  }

  const send = async (text: string) => {
    await box().fill(text)
    await box().press('Control+Enter')
  }

  const isShown = async (text: string) => {
    await page.locator('article').filter({ hasText: text }).last().waitFor()
    await expect.poll(() => hidden(text), { timeout: PATIENCE_MS }).toBe(0)
  }

  /** Moves the reader away from the end by the wheel. */
  const readUp = async (pixels = 400) => {
    await page.mouse.move(300, 300)
    await page.mouse.wheel(0, -pixels)
    await expect.poll(async () => (await list()).below).toBeGreaterThan(pixels / 2)
  }

  test.each([2, 5, 30])(
    'A sent message of %d lines is shown completely, and so is each one after it.',
    async (count) => {
      await openTopic()
      for (const name of ['first', 'second', 'third']) {
        await send(lines(count, `${name} of ${count}:`))
        await isShown(`${name} of ${count}: ${count}`)
        await follows()
      }
    },
  )

  test('The end stays in sight while the text field grows and shrinks, and while the other writes.', async () => {
    await openTopic()
    for (const count of [4, 12, 1, 20, 0, 7, 1]) {
      await box().fill(lines(count))
      await follows()
    }
    // The heights change and change back before the page is drawn.
    await page.evaluate(() => {
      const field = document.querySelector<HTMLElement>('#compose')
      const scroller = document.querySelector('.message-scroller')
      for (const height of ['300px', '60px', '300px', '60px']) {
        field?.style.setProperty('height', height)
        scroller?.getBoundingClientRect()
      }
      field?.style.removeProperty('height')
    })
    await follows()
  })

  test('The end stays in sight when the text field shrinks and the list grows in the next frame.', async () => {
    await openTopic()
    await box().fill(lines(10))
    await staysAtEnd()
    await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const field = document.querySelector<HTMLElement>('#compose')
      const last = [...document.querySelectorAll<HTMLElement>('article')].at(-1)
      field?.style.setProperty('max-height', '40px')
      await frame()
      last?.style.setProperty('padding-bottom', '150px')
      await frame()
      field?.style.removeProperty('max-height')
      last?.style.removeProperty('padding-bottom')
    })
    await follows()
  })

  test('A draft, its preview and a file that is uploaded do not take the reader from the end.', async () => {
    await openTopic()
    await box().fill(lines(15, 'draft'))
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.compose-preview').waitFor()
    await follows()
    await page.getByRole('button', { name: 'Preview' }).click()
    await follows()
    await page.goto(`${pages.url}/#inbox`)
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.goto(`${pages.url}/${fragment(topic)}`)
    await page.locator('article').first().waitFor()
    expect(await box().inputValue()).toContain('draft 15')
    await follows()
    await box().fill('')
    let proceed = () => {}
    const isHeld = new Promise<void>((resolve) => {
      proceed = resolve
    })
    await page.route('**/user_uploads', async (route) => {
      await isHeld
      await route.continue()
    })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('notes'),
      })
    await page.locator('.upload-row').waitFor()
    await follows()
    proceed()
    await page.locator('.upload-row').waitFor({ state: 'detached' })
    await page.unroute('**/user_uploads')
    await follows()
    await box().press('Control+Enter')
    await isShown('notes.txt')
    await follows()
  })

  test('What makes a message higher or lower does not take the reader from the end.', async () => {
    await openTopic()
    const id = await postMessage(grace, channelId, topic, 'It will change')
    await isShown('It will change')
    for (const count of [25, 1, 12]) {
      await ok(grace, 'PATCH', `/messages/${id}`, { content: lines(count, `edited to ${count}:`) })
      await isShown(`edited to ${count}: ${count}`)
      await follows()
    }
    await ok(grace, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await page.locator('.reaction-button').first().waitFor()
    await follows()
    await ok(grace, 'DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await page.locator('.reaction-button').first().waitFor({ state: 'detached' })
    await follows()
    // A picture without a known size, and a font, that arrive late.
    await page.evaluate(() => {
      const picture = document.createElement('canvas')
      picture.height = 260
      document.querySelector('article:last-of-type .rendered-message')?.append(picture)
    })
    await follows()
    await page.evaluate(() => document.documentElement.style.setProperty('--line-height', '1.7'))
    await follows()
    await page.evaluate(() => document.documentElement.style.removeProperty('--line-height'))
    await follows()
  })

  test('A window of another size, a phone with its keyboard, and zoom keep the end in sight.', async () => {
    await openTopic()
    for (const [width, height] of [
      [1280, 500],
      [1280, 900],
      [640, 450],
      [390, 844],
      [390, 420],
      [390, 844],
      [844, 390],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await follows()
      if (height < 400) continue
      await send(lines(3, `at ${width} × ${height}:`))
      await isShown(`at ${width} × ${height}: 3`)
      await follows()
    }
    for (const size of ['32px', '24px', '']) {
      await page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size)
      await follows()
    }
  })

  test('A line above the list does not take the reader from the end.', async () => {
    await openTopic()
    for (const height of ['120px', '0px']) {
      await page.evaluate((value) => {
        const banner = document.querySelector<HTMLElement>('#banner') ?? document.createElement('div')
        banner.id = 'banner'
        banner.style.setProperty('flex', 'none')
        banner.style.setProperty('height', value)
        document.querySelector('.message-view')?.prepend(banner)
      }, height)
      await follows()
    }
  })

  test('Many messages in a short time do not take the reader from the end, while the reader writes.', async () => {
    await openTopic()
    const flood = Promise.all(
      Array.from({ length: 40 }, (_, i) => postMessage(grace, channelId, topic, lines((i % 5) + 1, `flood ${i}:`))),
    )
    for (let i = 0; i < 5; i += 1) {
      await send(lines(6, `own ${i}:`))
      await box().fill(lines(10))
    }
    // The last one of all is the own one.
    await flood
    await send(lines(6, 'own 5:'))
    await isShown('own 5: 6')
    await follows()
  })

  test('A reader who went far up and comes back follows again.', async () => {
    await openTopic(120)
    await page.mouse.move(700, 400)
    for (const pixels of [-600, 600]) {
      for (let step = 0; step < 6; step += 1) {
        await page.mouse.wheel(0, pixels)
        await restingList()
      }
    }
    await follows()
  })

  test('A sent message is shown also to a reader far above, in a topic and in a channel.', async () => {
    await ok(ada, 'POST', '/mark_all_as_read')
    await page.goto(`${pages.url}/${fragment('long')}`)
    topic = 'long'
    await page.locator('article').first().waitFor()
    const firstId = await oldestId()
    for (const isLoaded of [true, false]) {
      await page.mouse.move(600, 300)
      await expect
        .poll(
          async () => {
            await page.mouse.wheel(0, isLoaded ? -1500 : -6000)
            const { ids, below } = await list()
            return isLoaded ? below > 2000 : ids[0] === firstId
          },
          { timeout: 30_000 },
        )
        .toBe(true)
      await send(lines(4, `from above ${isLoaded}:`))
      await isShown(`from above ${isLoaded}: 4`)
      await follows()
    }
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-plans`)
    await page.locator('article').first().waitFor()
    await staysAtEnd()
    await readUp(1500)
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('combobox', { name: 'Topic', exact: true }).fill('new topic')
    await send('to another topic\nof the channel')
    await isShown('of the channel')
    topic = 'new topic'
    await follows()
    await page.getByRole('button', { name: 'Close the text field' }).click()
  })

  test.each([
    ['the wheel', async () => readUp()],
    [
      'the key k',
      async () => {
        await page.locator('.message-scroller').focus()
        for (let i = 0; i < 30; i += 1) await page.keyboard.press('k')
      },
    ],
    [
      'PageUp',
      async () => {
        await page.locator('.message-scroller').focus()
        await page.keyboard.press('PageUp')
      },
    ],
    [
      'a script or a search of the browser',
      async () => {
        await page.evaluate(() => document.querySelector('.message-scroller')?.scrollBy(0, -300))
      },
    ],
  ])('A reader who leaves the end by %s is not moved, and a button counts what is new.', async (_, leave) => {
    await openTopic()
    await leave()
    await jump().waitFor()
    expect(await jump().textContent()).toBe('Jump to the newest')
    const before = await restingList()
    for (const count of [1, 2, 3]) {
      await postMessage(grace, channelId, topic, `New ${count}`)
      await expect.poll(() => jump().textContent()).toBe(`${count} new message${count === 1 ? '' : 's'}`)
    }
    await box().fill(lines(9))
    await box().fill('')
    const { first, offset } = await list()
    expect(first).toBe(before.first)
    expect(Math.abs(offset - before.offset)).toBeLessThan(2)
    // It covers neither the text field nor a message.
    const { y = 0, height = 0 } = (await jump().boundingBox()) ?? {}
    const scroller = await page.locator('.message-scroller').boundingBox()
    const field = await page.locator('.compose-box').boundingBox()
    expect(y).toBeGreaterThanOrEqual((scroller?.y ?? 0) + (scroller?.height ?? 0))
    expect(y + height).toBeLessThanOrEqual(field?.y ?? 0)
    await jump().focus()
    await page.keyboard.press('Enter')
    await follows()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('New 3')
  })

  test('The button counts what is new where the newest messages are not loaded.', async () => {
    await ok(ada, 'POST', '/mark_all_as_read')
    await page.goto(`${pages.url}/${fragment('long')}/near/${await oldestId()}`)
    await page.locator('article').first().waitFor()
    await expect.poll(() => jump().textContent()).toBe('Jump to the newest')
    await postMessage(grace, channelId, 'long', 'Far below')
    await expect.poll(() => jump().textContent()).toBe('1 new message')
    expect(await inspectPage(page, 'new-messages')).toEqual([])
    await jump().click()
    await isShown('Far below')
    await expect.poll(() => jump().count()).toBe(0)
  })

  test('A sent message is shown where the newest messages are not loaded, and in all messages.', async () => {
    topic = 'long'
    await page.goto(`${pages.url}/#inbox`)
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.goto(`${pages.url}/${fragment('long')}/near/${await oldestId()}`)
    await page.locator('article').first().waitFor()
    await jump().waitFor()
    await send(lines(5, 'from the first message'))
    await isShown('from the first message 5')
    await follows()
    await page.goto(`${pages.url}/#feed`)
    await page.locator('article').filter({ hasText: 'from the first message 5' }).waitFor()
    await staysAtEnd()
    await readUp(900)
    await page.locator('article').first().focus()
    await page.keyboard.press('r')
    await page.locator('#compose').waitFor()
    await send(lines(3, 'a reply from above'))
    await isShown('a reply from above 3')
    await follows()
  })

  test('The list of a phone shows what was sent, and the button covers nothing.', async () => {
    const context = await pages.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const desktop = page
    page = await pages.logIn('Ada', context)
    try {
      await openTopic()
      await send(lines(6, 'by phone'))
      await isShown('by phone 6')
      await follows()
      await readUp(500)
      await postMessage(grace, channelId, topic, 'New to the phone')
      await expect.poll(() => jump().textContent()).toBe('1 new message')
      expect(await inspectPage(page, 'new-messages-phone')).toEqual([])
      await jump().tap()
      await isShown('New to the phone')
      await follows()
    } finally {
      page = desktop
      await context.close()
    }
  })

  test('Before the messages are loaded, the page says nothing of them.', async () => {
    await openTopic(3)
    await page.goto(`${pages.url}/#inbox`)
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.evaluate(() => {
      const seen = new Set<string>()
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        for (const note of document.querySelectorAll('.message-view-note, .list-foot button')) {
          seen.add(note.textContent ?? '')
        }
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    const short = topic
    await openTopic(40)
    for (const name of [short, topic, short]) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, fragment(name))
      await expect.poll(() => page.locator('.view-title').textContent()).toContain(name)
      await page.locator('article').first().waitFor()
    }
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
    expect(seen.filter((text) => text !== 'Loading…')).toEqual([])
  })

  test('The pages report no error.', () => {
    expect(pages.problems).toEqual([])
  })
})
