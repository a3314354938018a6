/** The bar at the top of small screens: everything is in sight, nothing overlaps, and fingers can hit it. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const touch = { hasTouch: true, isMobile: true } as const
type Screen = BrowserContextOptions & { name: string; viewport: { width: number; height: number } }

const screens = [
  { name: 'phone', viewport: { width: 390, height: 844 }, ...touch },
  { name: 'small phone', viewport: { width: 320, height: 568 }, ...touch },
  { name: 'phone on its side', viewport: { width: 844, height: 390 }, ...touch },
  { name: 'small phone on its side', viewport: { width: 568, height: 320 }, ...touch },
  { name: 'tablet', viewport: { width: 768, height: 1024 }, ...touch },
  { name: 'laptop at 200 %', viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  { name: 'laptop at 400 %', viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
] as const satisfies readonly Screen[]

/** What a finger can hit without its neighbours, in pixels of CSS. */
const FINGER = 44

const topic = 'A plan for the spring with a long name, which must be read'

describe.skipIf(noBrowser !== undefined)(`On small screens${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let ada: Person
  let grace: Person
  let linus: Person
  let channelId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace Hopper', 'Linus')
    realm = made.realm
    ;[ada, grace, linus] = made.people as [Person, Person, Person]
    channelId = Number(await createChannel(ada, 'gardens and other green places of the city', [ada, grace]))
    await postMessage(grace, channelId, topic, 'Tulips')
    await sendDirectMessage(grace, [ada, linus], 'A direct message')
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTopic = async (options: BrowserContextOptions): Promise<Page> => {
    const page = await pages.logIn('Ada', await pages.newContext(options))
    await page.goto(`${pages.url}/#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`)
    await page.getByText('Tulips').waitFor()
    return page
  }
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

  test.each<Screen>(screens)(
    'The bar of the $name has everything, apart and in sight.',
    async ({ name, viewport, ...more }: Screen) => {
      const options = { viewport, ...more }
      const page = await openTopic(options)
      const bar = page.getByRole('banner')
      const parts: Record<string, Locator> = {
        search: bar.getByRole('button', { name: 'Search messages' }),
        members: bar.getByRole('button', { name: 'Members' }),
        account: bar.getByRole('button', { name: 'Account of Ada' }),
        title: bar.getByRole('heading', { level: 1 }),
        actions: bar.getByRole('link', { name: 'Settings of the channel' }),
      }
      if (viewport.width < 832) {
        parts.menu = bar.getByRole('button', { name: 'Conversations' })
        parts.back = bar.getByRole('link', { name: 'Back to Inbox' })
      }
      const boxes = new Map<string, Box>()
      for (const [part, locator] of Object.entries(parts)) {
        await locator.waitFor()
        boxes.set(part, (await locator.boundingBox()) as Box)
      }
      const { width, height } = viewport
      for (const [part, box] of boxes) {
        expect(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, part).toBe(true)
        if (options.hasTouch)
          expect(Math.min(box.width, box.height), part).toBeGreaterThanOrEqual(part === 'title' ? 30 : FINGER)
        for (const [other, second] of boxes)
          if (other !== part) expect(overlap(box, second), `${part}, ${other}`).toBe(false)
      }
      expect(await page.evaluate(shownWidth), 'the topic').toBeGreaterThan(120)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await inspectPage(page, `bar-${name}`)).toEqual([])
      await page.context().close()
    },
  )

  test('The name of the topic opens a panel with the names in full.', async () => {
    const page = await openTopic(screens[1])
    await page.getByRole('heading', { level: 1 }).getByRole('button').tap()
    const panel = page.getByRole('dialog', { name: 'Name of the view' })
    const whole = panel.getByText(topic)
    await whole.waitFor()
    for (const text of [whole, panel.getByRole('link')]) {
      const [inner, outer] = [(await text.boundingBox()) as Box, (await panel.boundingBox()) as Box]
      expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width)
    }
    expect(await inspectPage(page, 'bar-details')).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.goto(`${pages.url}/#narrow/dm/${grace.user_id},${linus.user_id}-group`)
    await page.getByRole('button', { name: 'All participants' }).tap()
    await page.getByRole('dialog', { name: 'All participants' }).getByRole('button', { name: 'Linus' }).waitFor()
    await page.context().close()
  })

  test('Links and buttons of the columns, the inbox and the title are large enough for fingers.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(screens[0]))
    const small = () => page.evaluate(smallTargets)
    await postMessage(grace, channelId, 'A new topic', 'Roses')
    await page.getByRole('link', { name: /^A new topic/ }).waitFor()
    await expect.poll(small).toEqual([])
    for (const name of ['Conversations', 'Members']) {
      await page.getByRole('banner').getByRole('button', { name }).tap()
      await page.locator('.drawer-shade').waitFor()
      await expect.poll(small).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('.drawer-shade').waitFor({ state: 'detached' })
    }
    await page.goto(`${pages.url}/#narrow/dm/${grace.user_id}`)
    await heading(page, 'Grace Hopper').waitFor()
    await expect.poll(small).toEqual([])
    await page.context().close()
  })

  test('The panels of the bar are in sight on the smallest screen.', async () => {
    for (const screen of [screens[1], screens[3], screens[6]]) {
      const page = await openTopic(screen)
      for (const name of [/^Connection/, /^Account of/, /^Notifications of the topic/]) {
        await page.getByRole('banner').getByRole('button', { name }).click()
        const box = (await page.locator('.floating-panel').boundingBox()) as Box
        const { width, height } = screen.viewport
        expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true)
        await page.keyboard.press('Escape')
        await page.locator('.floating-panel').waitFor({ state: 'detached' })
      }
      await page.context().close()
    }
  })

  test('The theme is changed in the menu of the account.', async () => {
    const page = await openTopic({ ...screens[0], colorScheme: 'light' })
    for (const [item, theme] of [
      ['Dark theme', 'dark'],
      ['Light theme', 'light'],
    ]) {
      await page.getByRole('button', { name: /^Account of/ }).tap()
      await page.getByRole('button', { name: item as string }).tap()
      await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  })

  test('The button back leads to the view before, and at last to the inbox.', async () => {
    const page = await pages.logIn('Ada', await pages.newContext(screens[0]))
    await heading(page, 'Inbox').waitFor()
    const back = page.getByRole('link', { name: /^Back to/ })
    expect(await back.count()).toBe(0)
    await page.goto(`${pages.url}/#narrow/channel/${channelId}`)
    await heading(page, /^#gardens/).waitFor()
    await page.goto(`${pages.url}/#narrow/dm/${grace.user_id}`)
    await heading(page, 'Grace Hopper').waitFor()
    await back.tap()
    await heading(page, /^#gardens/).waitFor()
    await back.tap()
    await heading(page, 'Inbox').waitFor()
    expect(await back.count()).toBe(0)
    await page.context().close()
  })

  test('Search opens over the bar in full width, proposes, and opens what is tapped.', async () => {
    const page = await openTopic(screens[0])
    await page.getByRole('button', { name: 'Search messages' }).tap()
    await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toBe('Search')
    const dialog = page.getByRole('dialog', { name: 'Search messages' })
    const { x, y, width, height } = (await dialog.boundingBox()) as Box
    expect([x, y, width]).toEqual([0, 0, 390])
    expect(height).toBeLessThan(80)
    await page.keyboard.type('sender:grac')
    const option = page.getByRole('option').first()
    await option.waitFor()
    expect(((await option.boundingBox()) as Box).height).toBeGreaterThanOrEqual(FINGER)
    expect(await inspectPage(page, 'search-phone')).toEqual([])
    await option.tap()
    await heading(page, 'from Grace Hopper').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    // The view of the search has taken the place of the open field in the history.
    await page.goBack()
    await heading(page, /A plan for the spring/).waitFor()
    await page.context().close()
  })

  test.each([
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
    ['going back', (page: Page) => page.goBack()],
    ['its button', (page: Page) => page.getByRole('button', { name: 'Close the search' }).click()],
    ['a click beside it', (page: Page) => page.mouse.click(200, 390)],
  ])('The search of a zoomed page opens by its key, and %s closes it.', async (_, close) => {
    const page = await openTopic(screens[5])
    const length = await page.evaluate('history.length')
    const dialog = page.getByRole('dialog', { name: 'Search messages' })
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('article').first().focus()
      await page.keyboard.press('/')
      await dialog.waitFor()
      await field(page).fill('tul')
      await close(page)
      await dialog.waitFor({ state: 'hidden' })
      await heading(page, /A plan for the spring/).waitFor()
      await expect.poll(() => page.evaluate('history.state?.isCover === true')).toBe(false)
    }
    // The second time has taken the place of the first in the history, so nothing is left to go back over.
    expect(await page.evaluate('history.length')).toBe((length as number) + 1)
    await page.context().close()
  })

  test('The page uses the whole bar again when it becomes wide.', async () => {
    const page = await openTopic({ viewport: { width: 640, height: 700 } })
    await page.getByRole('button', { name: 'Search messages' }).click()
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.getByRole('dialog', { name: 'Search messages' }).waitFor({ state: 'detached' })
    await field(page).fill('tulips')
    await field(page).press('Enter')
    await heading(page, 'Search: tulips').waitFor({ timeout: PATIENCE_MS })
    await page.context().close()
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Runs in the page: how many pixels of the topic are in sight, in the heading that cuts it off. */
const shownWidth = `(() => {
  const [topic, heading] = ['.view-topic', 'h1'].map((each) => document.querySelector(each).getBoundingClientRect())
  return Math.min(topic.right, heading.right) - Math.max(topic.left, heading.left)
})()`

/** Runs in the page: what can be touched and is lower than a finger. Links in texts and headings have their lines. */
const smallTargets = `[...document.querySelectorAll('a, button, input:not([type=checkbox]), textarea')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip-link, [hidden], h2 a'))
  .filter((each) => each.getBoundingClientRect().height < ${FINGER})
  .map((each) => each.outerHTML.slice(0, 120))`

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height
