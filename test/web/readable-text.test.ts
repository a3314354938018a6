/** Descriptions are rendered, and Markdown is read without its signs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { readMarkdown } from '../../web/src/emoji/readable-text.js'
import { createChannel, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser } from '../setup/web/browser.js'
import { openDialog, openWebPages, type WebPages } from '../setup/web/web-pages.js'

const glyphs: Readonly<Record<string, string>> = { tada: '🎉' }

describe('Text in Markdown without its signs', () => {
  test.each([
    ['**bold**, *italic*, ***both*** and ~~gone~~', 'bold, italic, both and gone'],
    ['a [link](https://example.com) and ![sky](/user_uploads/1/sky.png)', 'a link and sky'],
    ['[](https://example.com)', 'https://example.com'],
    ['ask @**Grace Hopper|12** or @_**Ada** or @*gardeners*', 'ask @Grace Hopper or @Ada or @gardeners'],
    ['see #**general>spring plan** and #**general>old@17**', 'see #general › spring plan and #general › old'],
    [':tada: at 12:30:45 :unknown:', '🎉 at 12:30:45 :unknown:'],
    ['`**code**` stays, ``a `tick` too``', '**code** stays, a `tick` too'],
    ['```python\n**x** = 1\n# no heading\n```\nafter **it**', '**x** = 1\n# no heading\nafter it'],
    ['```spoiler The **end**\nThey *live*\n```', 'The end\nThey live'],
    ['````quote\n```\na * b\n```\n**said**\n````', 'a * b\nsaid'],
    ['> quoted **text**\n>> twice', 'quoted text\ntwice'],
    ['# Heading\n* one\n- two\n1. three', 'Heading\n• one\n• two\n1. three'],
    ['2 * 3 * 4 and snake_case_name and 5*6*7', '2 * 3 * 4 and snake_case_name and 5*6*7'],
    ['a ** b ** c', 'a ** b ** c'],
    ['$$a^2$$', 'a^2'],
    ['/me has lunch', 'has lunch'],
    ['<time:nonsense>', 'nonsense'],
    ['one\n---\ntwo', 'one\n\ntwo'],
    ['', ''],
  ])('%j is read as %j.', (markdown, text) => {
    expect(readMarkdown(markdown, (name) => glyphs[name])).toBe(text)
  })

  test('A long text of signs is read in no time.', () => {
    // The time of the processor: other programs of a busy machine do not count.
    const before = process.cpuUsage()
    for (const sign of ['*', '`', '~', '[', '@**', '#**', '> ', '$$', ':a', '![](', '`a` ', '`a ', '**a ', '* '])
      readMarkdown(sign.repeat(10_000), () => undefined)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(3_000)
  })
})

describe.skipIf(noBrowser !== undefined)(`Descriptions on the page${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let pages: WebPages
  const description = 'What **everyone** reads, with a [plan](https://example.com) :tada: and `code`'
  const asText = 'What everyone reads, with a plan 🎉 and code'
  const markdown = /\*\*|\]\(|:tada:|`/

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, grace] = (await realm.people({ full_name: 'Ada', role: Role.owner }, { full_name: 'Grace' })) as [
      Person,
      Person,
    ]
    channelId = Number(
      await createChannel(ada, 'general', [ada, grace], { subscriptions: [{ name: 'general', description }] }),
    )
    await ok(ada, 'PATCH', '/realm', { description: 'We **plant** trees' })
    await ok(ada, 'POST', '/user_groups/create', {
      name: 'gardeners',
      description: 'Who **water**',
      members: [ada.user_id],
    })
    const draft = { topic: 'spring', content: 'Please **water** the [plants](https://example.com) :tada:' }
    await ok(grace, 'POST', '/drafts', { drafts: [{ type: 'stream', to: [channelId], ...draft }] })
    await ok(grace, 'POST', '/scheduled_messages', {
      type: 'channel',
      to: channelId,
      ...draft,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400,
    })
    pages = await openWebPages(realm)
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  test('The header of a channel shows the rendered description, also after it was changed.', async () => {
    const page = await pages.logIn('Grace')
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-general`)
    const shown = page.locator('.view-description')
    await expect.poll(() => shown.textContent()).toBe(asText)
    expect(await shown.locator('strong').textContent()).toBe('everyone')
    expect(await shown.getByRole('link', { name: 'plan' }).getAttribute('href')).toBe('https://example.com')
    expect(await shown.getAttribute('title')).toBe(asText)
    const box = await shown.boundingBox()
    expect(box?.height).toBeLessThan(30)
    await ok(ada, 'PATCH', `/streams/${channelId}`, { description: 'Now *this* <b>&' })
    await expect.poll(() => shown.textContent()).toBe('Now this <b>&')
    expect(await shown.locator('em').textContent()).toBe('this')
    await ok(ada, 'PATCH', `/streams/${channelId}`, { description })
    await expect.poll(() => shown.textContent()).toBe(asText)
  })

  test('No list, dialog or suggestion shows Markdown.', async () => {
    const page = await pages.logIn('Grace')
    const look = async (selector: string, text: string) => {
      await expect
        .poll(() => page.locator(selector).filter({ hasText: text }).count(), { message: selector })
        .toBeGreaterThan(0)
      expect(await page.locator(selector).allTextContents()).not.toContainEqual(expect.stringMatching(markdown))
    }
    await openDialog(page, '#channels/all')
    await look('.dialog-row-main', asText)
    await openDialog(page, `#channels/${channelId}/settings/general`)
    await look('dialog', asText)
    expect(await page.locator('dialog strong').first().textContent()).toBe('everyone')
    await openDialog(page, '#groups/all')
    await look('.dialog-row-main', 'Who water')
    await page.goto(`${pages.url}/#drafts`)
    await look('.place-text', 'Please water the plants 🎉')
    await page.goto(`${pages.url}/#scheduled`)
    await look('.place-text', 'Please water the plants 🎉')
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-general/topic/summer`)
    await page.locator('.compose-text').fill('#gen')
    await look('.suggestion-row', asText)
  })

  test('The log-in shows what the organization says of itself.', async () => {
    const page = await pages.newPage()
    await page.goto(pages.url)
    const shown = page.locator('.log-in-panel .rendered-message')
    await expect.poll(() => shown.textContent()).toBe('We plant trees')
    expect(await shown.locator('strong').textContent()).toBe('plant')
  })

  test('A notification has the words of a message, and not what a spoiler hides.', async () => {
    const context = await pages.newContext({ permissions: ['notifications'] })
    await context.addInitScript(`
      globalThis.shownBodies = []
      globalThis.Notification = class { static permission = 'granted'; constructor(title, { body }) { shownBodies.push(body) } close() {} }
    `)
    const page = await pages.logIn('Grace', context)
    await sendDirectMessage(
      ada,
      [grace],
      '**Hello** :tada:\n\nsee $$a^2$$ and `code`\n\n```spoiler Film\nThey all live.\n```',
    )
    const bodies = () => page.evaluate<string[]>('shownBodies')
    await expect.poll(async () => (await bodies()).join()).toBe('Hello 🎉 see a^2 and code Film (…)')
    await sendDirectMessage(ada, [grace], '/poll Where do we **eat**?\nHere\nThere')
    await expect.poll(async () => (await bodies()).at(-1)).toBe('Poll: Where do we eat?')
    await sendDirectMessage(ada, [grace], '/todo')
    await expect.poll(async () => (await bodies()).at(-1)).toBe('To-do list')
    await sendDirectMessage(ada, [grace], '/me is **here**')
    await expect.poll(async () => (await bodies()).at(-1)).toBe('Ada is here')
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
