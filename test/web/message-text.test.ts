/**
 * How the text of messages reads, in a real browser: what is wide scrolls inside itself, what is long is folded, each
 * block has its own direction, emoji alone are large, and `/me` is told of its sender.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `Paragraph ${i + 1}.`).join('\n\n')

const texts = {
  table:
    '| Quarter | Revenue | Responsible | Incomprehensibilities | Remarks |\n|---|---:|---|---|---|\n| First | 1,200 | Grace | Counterrevolutionaries | It was better than the year before, and nobody knows why |',
  narrow: '| a | b |\n|---|---|\n| 1 | 2 |',
  code: `\`\`\`python\nprint("${'a long line '.repeat(30)}")\n\`\`\``,
  short: '```python\nprint(1)\n```',
  display: `\`\`\`math\n${Array.from({ length: 40 }, (_, i) => `x_{${i}}`).join(' + ')} = \\sum_{i=0}^{39} x_i\n\`\`\``,
  inline: `A formula $$\\underbrace{${Array.from({ length: 40 }, (_, i) => `x_{${i}}`).join(' + ')}}_{\\text{many}}$$ in a line`,
  small: 'A small formula $$a^2 + b^2$$ in a line',
  mixed: 'Good morning everyone\n\nصباح الخير للجميع (hello)\n\n* one\n* שתיים\n\n> ציטוט בעברית\n\n`שלום()`',
  lines: 'English first\nשלום עולם, זו הודעה.',
  arabic: 'مرحبا بالعالم، هذه رسالة بالعربية مع words in English داخلها',
  hebrewTable: '| שם | גיל |\n|---|---|\n| דנה | 7 |',
  emoji: ':tada: :heart:',
  wall: ':tada: '.repeat(9),
  notOnly: 'Well done :tada:',
  me: '/me is having **lunch**',
  long: paragraphs(60),
  link: `${paragraphs(50)}\n\n[the last link](https://example.com)`,
}

describe.skipIf(noBrowser !== undefined)(`The text of messages${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let channelId: number
  const ids = {} as Record<keyof typeof texts, number>

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(ada, 'texts', [ada, grace]))
    for (const name of Object.keys(texts) as (keyof typeof texts)[]) {
      ids[name] = await postMessage(grace, channelId, name, texts[name])
    }
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  /** Opens the topic of a message. @returns its article */
  const show = async (name: keyof typeof texts): Promise<Locator> => {
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-texts/topic/${name}`)
    const article = page.locator(`article[data-id="${ids[name]}"]`)
    await article.waitFor()
    return article
  }

  const small = { width: 390, height: 844 }
  const large = { width: 1280, height: 900 }

  /** How much wider an element is than what is in sight of it. */
  const hiddenWidth = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth)

  describe('that is wide', () => {
    test.each([
      ['table', '.table-frame', 'Table'],
      ['code', 'pre', 'Code'],
      ['display', '.katex-display', 'Formula'],
      ['inline', '.katex', 'Formula'],
    ] as const)(
      'A wide %s scrolls inside itself, also by keys, and the page does not.',
      async (name, selector, label) => {
        await page.setViewportSize(small)
        const article = await show(name)
        const part = article.locator(selector).first()
        await expect.poll(() => part.getAttribute('aria-label'), { timeout: PATIENCE_MS }).toBe(label)
        expect(await hiddenWidth(part)).toBeGreaterThan(20)
        expect(await hiddenWidth(page.locator('.message-scroller'))).toBe(0)
        const { x = 0, width = 0 } = (await part.boundingBox()) ?? {}
        expect(x + width).toBeLessThanOrEqual(small.width)
        await part.focus()
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => part.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
        expect(await inspectPage(page, `wide-${name}`)).toEqual([])
        await page.setViewportSize(large)
      },
    )

    test('The words of a table are never broken.', async () => {
      await page.setViewportSize(small)
      const article = await show('table')
      for (const word of ['Incomprehensibilities', 'Counterrevolutionaries']) {
        const { height = 0 } = (await article.getByText(word, { exact: true }).boundingBox()) ?? {}
        const line = await article.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight))
        const rows = await article.getByText(word, { exact: true }).evaluate((cell) => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
        })
        expect(rows).toBe(1)
        expect(height).toBeGreaterThanOrEqual(line)
      }
      await page.setViewportSize(large)
    })

    test.each([
      ['narrow', '.table-frame'],
      ['short', 'pre'],
      ['small', '.katex'],
    ] as const)('A %s part, which does not scroll, is no stop of the Tab key.', async (name, selector) => {
      const part = (await show(name)).locator(selector).first()
      await part.waitFor()
      await expect.poll(() => part.getAttribute('tabindex')).toBeNull()
      expect(await hiddenWidth(part)).toBeLessThan(2)
    })
  })

  describe('in several directions', () => {
    const directions = (article: Locator, selector: string) =>
      article
        .locator(`.rendered-message ${selector}`)
        .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction))

    test('Each block of a message has the direction of its first letter; code is written from left to right.', async () => {
      const article = await show('mixed')
      expect(await directions(article, '> p')).toEqual(['ltr', 'rtl', 'ltr'])
      expect(await directions(article, 'li')).toEqual(['ltr', 'rtl'])
      expect(await directions(article, 'blockquote')).toEqual(['rtl'])
      expect(await directions(article, 'code')).toEqual(['ltr'])
      expect(await inspectPage(page, 'directions')).toEqual([])
    })

    test.each(['arabic', 'hebrewTable'] as const)('A message in one direction reads so: %s.', async (name) => {
      const article = await show(name)
      expect(await directions(article, name === 'arabic' ? 'p' : 'table')).toEqual(['rtl'])
      await inspectPage(page, `direction-${name}`)
    })

    test('Each line of a paragraph is aligned for itself.', async () => {
      const article = await show('lines')
      const [first, second] = await article.locator('p').evaluate((paragraph) => {
        const frame = paragraph.getBoundingClientRect()
        return [...paragraph.childNodes]
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map((text) => {
            const range = document.createRange()
            range.selectNodeContents(text)
            const rect = [...range.getClientRects()].findLast(({ width }) => width > 10) as DOMRect
            return { left: rect.left - frame.left, right: frame.right - rect.right }
          })
      })
      expect(first?.left).toBeLessThan(2)
      expect(second?.right).toBeLessThan(2)
      expect(second?.left).toBeGreaterThan(50)
    })
  })

  describe('of emoji', () => {
    const size = async (name: keyof typeof texts) =>
      (await show(name))
        .locator('.emoji')
        .first()
        .evaluate((emoji) => Number.parseFloat(getComputedStyle(emoji).fontSize))

    test('Emoji alone are large, a few of them larger, and beside words as high as these.', async () => {
      expect(await size('emoji')).toBeGreaterThanOrEqual(32)
      expect(await inspectPage(page, 'large-emoji')).toEqual([])
      expect(await size('wall')).toBeGreaterThan(22)
      expect(await size('notOnly')).toBeLessThan(20)
    })
  })

  describe('of /me', () => {
    test('It is told of its sender, and never raw: in the list, while it is written and sent, edited, and in dialogs.', async () => {
      const article = await show('me')
      await expect.poll(() => article.textContent()).toContain('Grace is having lunch')
      expect(await article.getByRole('button', { name: 'Grace', exact: true }).count()).toBe(1)
      expect(await inspectPage(page, 'me')).toEqual([])
      await page.locator('#compose').fill('/me waves')
      await page.getByRole('button', { name: 'Preview' }).click()
      await expect.poll(() => page.locator('.compose-preview').textContent()).toBe('Ada waves')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.evaluate(() => {
        const raw: string[] = []
        Object.assign(globalThis, { raw })
        new MutationObserver(() => {
          const text = document.querySelector('.message-content')?.textContent ?? ''
          if (text.includes('/me')) raw.push(text)
        }).observe(document.body, { childList: true, subtree: true, characterData: true })
      })
      await page.locator('#compose').press('Control+Enter')
      await page.locator('article').filter({ hasText: 'Ada waves' }).waitFor()
      await ok(grace, 'PATCH', `/messages/${ids.me}`, { content: '/me has had lunch' })
      await expect.poll(() => article.textContent()).toContain('Grace has had lunch')
      expect(await page.evaluate(() => (globalThis as unknown as { raw: string[] }).raw)).toEqual([])
      await article.focus()
      await page.keyboard.press('H')
      const versions = page.getByRole('dialog').getByRole('listitem')
      await expect.poll(() => versions.allInnerTexts()).toHaveLength(2)
      expect((await versions.allInnerTexts()).join()).not.toContain('/me')
      await page.keyboard.press('Escape')
      await ok(grace, 'PATCH', `/messages/${ids.me}`, { content: 'No action any more' })
      await expect.poll(() => article.textContent()).toContain('No action any more')
    })
  })

  describe('that is long', () => {
    const more = (article: Locator) => article.getByRole('button', { name: 'Show more' })
    const less = (article: Locator) => article.getByRole('button', { name: 'Show less' })
    const height = async (article: Locator) => (await article.boundingBox())?.height ?? 0

    test('It is folded, opens below its begin, folds again, and stays as it was while the page is open.', async () => {
      const article = await show('long')
      await more(article).waitFor()
      expect(await height(article)).toBeLessThan(800)
      expect(await inspectPage(page, 'folded')).toEqual([])
      const first = article.getByText('Paragraph 1.', { exact: true })
      const { y: before = 0 } = (await first.boundingBox()) ?? {}
      await more(article).click()
      await less(article).waitFor({ state: 'attached' })
      expect(await height(article)).toBeGreaterThan(1500)
      await expect.poll(async () => Math.abs(((await first.boundingBox())?.y ?? 0) - before)).toBeLessThan(2)
      await page.goto(`${pages.url}/#inbox`)
      await article.waitFor({ state: 'detached' })
      await show('long')
      expect(await height(article)).toBeGreaterThan(1500)
      await article.focus()
      await page.keyboard.press('-')
      await more(article).waitFor()
      await expect.poll(async () => (await first.boundingBox())?.y ?? -1).toBeGreaterThan(0)
      await page.keyboard.press('-')
      await less(article).waitFor({ state: 'attached' })
      await less(article).press('Enter')
      await more(article).waitFor()
    })

    test('Tab and a search of the browser lead into what is folded.', async () => {
      const article = await show('link')
      await more(article).waitFor()
      const link = article.getByRole('link', { name: 'the last link' })
      await link.focus()
      await less(article).waitFor({ state: 'attached' })
      await expect.poll(() => isInSight(link)).toBe(true)
      await less(article).press('Enter')
      await more(article).waitFor()
      // What a search of the browser does with a match.
      await article.getByText('Paragraph 48.').evaluate((match) => match.scrollIntoView({ block: 'center' }))
      await less(article).waitFor({ state: 'attached' })
      await expect.poll(() => isInSight(article.getByText('Paragraph 48.'))).toBe(true)
      // Folded, as a second attempt expects it.
      await less(article).press('Enter')
      await more(article).waitFor()
    })

    test('A width that makes a message long folds it, and one that makes it short shows it whole.', async () => {
      const id = await postMessage(grace, channelId, 'width', 'many words '.repeat(120))
      await page.goto(`${pages.url}/#narrow/channel/${channelId}-texts/topic/width`)
      const article = page.locator(`article[data-id="${id}"]`)
      await article.waitFor()
      expect(await more(article).count()).toBe(0)
      await page.setViewportSize({ width: 320, height: 500 })
      await more(article).waitFor()
      expect(await inspectPage(page, 'folded-phone')).toEqual([])
      await page.setViewportSize(large)
      await more(article).waitFor({ state: 'detached' })
    })

    const isInSight = (part: Locator) =>
      part.evaluate((element) => {
        const [one, area] = [element.getBoundingClientRect(), document.querySelector('.message-scroller')]
        const around = area?.getBoundingClientRect()
        return around !== undefined && one.top >= around.top - 1 && one.bottom <= around.bottom + 1
      })
  })

  test('The pages report no error.', () => {
    expect(pages.problems).toEqual([])
  })
})
