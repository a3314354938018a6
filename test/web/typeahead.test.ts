/** What the page proposes while the user types: in messages and in the search field. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { upload } from '../setup/requests/files.js'
import { noBrowser } from '../setup/web/browser.js'
import { pdfOf } from '../setup/web/documents.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`While the user types${noBrowser ?? ''}`, { timeout: 90_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let subscriber: Person
  let participant: Person
  let channelId: number

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace Other', 'Grant Partner', 'Greta Subscriber', 'Zoe Gregor')
    realm = made.realm
    let partner: Person
    ;[ada, , partner, subscriber, participant] = made.people as [Person, Person, Person, Person, Person]
    channelId = Number(await createChannel(ada, 'plans', [ada, subscriber, participant]))
    await createChannel(ada, 'plots', [ada, subscriber])
    await createChannel(subscriber, 'pluto', [subscriber])
    for (const topic of ['spring', 'autumn', 'spring cleaning', 'winter']) {
      await postMessage(ada, channelId, topic, `About ${topic}`)
    }
    await postMessage(participant, channelId, 'spring', 'A plan of Zoe')
    await sendDirectMessage(ada, [partner], 'Hello')
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-plans/topic/spring`)
    await page.getByText('A plan of Zoe').waitFor()
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const box = () => page.locator('#compose')
  const labels = () => page.locator('[role=option] .suggestion-label').allInnerTexts()
  const polled = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE_MS })
  const type = async (text: string) => {
    await box().fill('')
    await box().pressSequentially(text)
  }
  const send = async (text: string) => {
    await box().fill(text)
    await box().press('Control+Enter')
    await polled(() => box().inputValue()).toBe('')
  }

  test('People who take part come first, then those whom the user wrote to, then subscribers.', async () => {
    await type('@gr')
    await polled(labels).toEqual(['Zoe Gregor', 'Grant Partner', 'Greta Subscriber', 'Grace Other'])
    await box().fill('A question for @**Grace Other**')
    await box().press('Control+Enter')
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await page.locator('.user-mention', { hasText: 'Grace Other' }).waitFor()
    await type('@gr')
    await polled(labels).toEqual(['Zoe Gregor', 'Grace Other', 'Grant Partner', 'Greta Subscriber'])
    expect(await inspectPage(page, 'typeahead-people')).toEqual([])
    // It is remembered in the browser.
    await box().fill('')
    await page.reload()
    await page.getByText('A plan of Zoe').waitFor()
    await type('@gra')
    await polled(labels).toEqual(['Grace Other', 'Grant Partner'])
  })

  test('The only match is taken with Enter and with Tab, and a wildcard that is typed to its end before names.', async () => {
    for (const key of ['Enter', 'Tab']) {
      await type('@greta')
      await page.getByRole('option', { name: 'Greta Subscriber' }).waitFor()
      await box().press(key)
      expect(await box().inputValue()).toBe('@**Greta Subscriber** ')
    }
    await type('@all')
    await page.getByRole('option', { name: '@all' }).waitFor()
    await box().press('Enter')
    expect(await box().inputValue()).toBe('@**all** ')
  })

  test('Subscribed channels in which something was written lately come first.', async () => {
    await type('#pl')
    await polled(labels).toEqual(['#plans', '#plots', '#pluto'])
    await postMessage(subscriber, 'plots', 'new', 'A plot')
    await page
      .getByRole('link', { name: /^plots/ })
      .getByText('1')
      .waitFor()
    await type('#pl')
    await polled(labels).toEqual(['#plots', '#plans', '#pluto'])
  })

  test('A channel goes on to its topics with >, also after it was completed; the newest come first.', async () => {
    await type('#plan')
    await page.getByRole('option', { name: '#plans' }).waitFor()
    await box().press('>')
    const topics = ['spring', 'winter', 'spring cleaning', 'autumn'].map((topic) => `#plans › ${topic}`)
    await polled(labels).toEqual(topics)
    await box().press('Enter')
    expect(await box().inputValue()).toBe('#**plans>spring** ')
    await type('#plan')
    await page.getByRole('option', { name: '#plans' }).waitFor()
    await box().press('Enter')
    expect(await box().inputValue()).toBe('#**plans** ')
    await box().pressSequentially('>')
    await polled(labels).toEqual(topics)
    await box().pressSequentially('win')
    await polled(labels).toEqual(['#plans › winter'])
    await box().press('Tab')
    expect(await box().inputValue()).toBe('#**plans>winter** ')
    await type('#plans>au')
    await polled(labels).toEqual(['#plans › autumn'])
  })

  test('The emoji that the user uses most come first, in completions and in the picker.', async () => {
    await type(':th')
    await polled(async () => (await labels())[0]).toBe(':thumbs_up:')
    await send('So warm :thermometer:')
    await page.locator('article .emoji-1f321').waitFor()
    await type(':th')
    await polled(async () => (await labels())[0]).toBe(':thermometer:')
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await polled(() => page.locator('.emoji-choice').first().getAttribute('aria-label')).toBe('temperature')
    await page.keyboard.press('Escape')
  })

  test('An emoji of people is written with the skin tone that the browser keeps.', async () => {
    await type('Hi ')
    const button = page.getByRole('button', { name: 'Insert an emoji' })
    await button.click()
    const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
    await picker.getByLabel('Skin tone').selectOption('medium-dark')
    expect(await inspectPage(page, 'skin-tone')).toEqual([])
    const search = picker.getByRole('combobox', { name: 'Search emoji' })
    await search.fill('wave')
    await picker.getByRole('option', { name: 'wave', exact: true }).click()
    await polled(() => box().inputValue()).toMatch(/^Hi ?\u{1F44B}\u{1F3FE} $/u)
    await page.reload()
    await box().fill('')
    await button.click()
    await search.fill('octopus')
    await search.press('Enter')
    await polled(() => box().inputValue()).toBe(':octopus: ')
    await button.click()
    await polled(() => picker.getByLabel('Skin tone').inputValue()).toBe('medium-dark')
    await picker.getByLabel('Skin tone').selectOption('none')
    await page.keyboard.press('Escape')
    await box().fill('')
  })

  test('A time is chosen in a form, and each reader sees it in their own time zone.', async () => {
    await type('We meet at <time')
    await page.getByRole('option', { name: /Choose a date and a time/ }).waitFor()
    await box().press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Insert a time' })
    await dialog.getByLabel('Date and time').fill('2031-02-03T04:05')
    expect(await inspectPage(page, 'typeahead-time')).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await polled(() => box().inputValue()).toMatch(/^We meet at <time:2031-02-03T04:05:00(?:Z|[+-]\d\d:\d\d)> $/)
    await page.keyboard.type('sharp')
    await box().press('Control+Enter')
    const time = page.locator('article time[datetime^="2031"]')
    await time.waitFor()
    expect(new Date((await time.getAttribute('datetime')) ?? '').getTime()).toBe(new Date('2031-02-03T04:05').getTime())
    // The end of the form without a time leaves the text.
    await type('At <time:2031-02-03T04:05:00Z')
    await page.getByRole('option').waitFor()
    await box().press('Tab')
    await expect.poll(() => dialog.getByLabel('Date and time').inputValue()).toMatch(/^2031-02-0/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await box().inputValue()).toBe('At <time:2031-02-03T04:05:00Z')
  })

  test('A language is completed after ```, with the end of the block; what the user used comes first.', async () => {
    await type('```pyth')
    await page.getByRole('option', { name: 'python' }).waitFor()
    await box().press('Enter')
    await page.keyboard.type('print(1)')
    expect(await box().inputValue()).toBe('```python\nprint(1)\n```')
    await type('```p')
    await polled(async () => (await labels())[0]).toBe('python')
    await send('```perl\nprint 1\n```')
    await page.locator('article [data-code-language=Perl]').waitFor()
    await type('```p')
    await polled(async () => (await labels())[0]).toBe('perl')
    await type('```spoil')
    await page.getByRole('option', { name: 'spoiler' }).waitFor()
    await box().press('Tab')
    await page.keyboard.type('The end')
    expect(await box().inputValue()).toBe('```spoiler The end\n\n```')
    await box().fill('')
  })

  const field = () => page.getByRole('combobox', { name: 'Search messages' })
  const proposals = () => page.locator('.search-box [role=option]').allInnerTexts()
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  test('Plain words in the search field propose people, channels and topics.', async () => {
    await field().fill('greta')
    await polled(proposals).toEqual([
      expect.stringMatching(/Greta Subscriber\s+Messages from Greta Subscriber/),
      expect.stringMatching(/Greta Subscriber\s+Direct messages with Greta Subscriber/),
    ])
    expect(await inspectPage(page, 'typeahead-search')).toEqual([])
    await page.getByRole('option', { name: 'Direct messages with Greta Subscriber' }).click()
    await heading('Greta Subscriber')
    await field().fill('zoe greg')
    await page.getByRole('option', { name: 'Messages from Zoe Gregor' }).waitFor()
    await field().press('ArrowDown')
    await field().press('Enter')
    await heading('from Zoe Gregor')
    await page.getByText('A plan of Zoe').waitFor()
    await field().fill('plo')
    await page.getByRole('option', { name: '#plots Messages in the channel' }).click()
    await heading('#plots')
    await field().fill('spring cl')
    await page.getByRole('option', { name: '#plans › spring cleaning' }).click()
    await heading('#plans › spring cleaning')
  })

  test('A proposal stands beside the other words of a search, and Tab only completes it.', async () => {
    await field().fill('plan zoe')
    await page.getByRole('option', { name: 'Messages from Zoe Gregor' }).waitFor()
    await field().press('Tab')
    expect(await field().inputValue()).toBe('plan sender:"Zoe Gregor" ')
    await field().press('Enter')
    await heading('Search: plan')
    await page.getByText('A plan of Zoe').waitFor()
  })

  test('The only completion of a name is taken with Enter; plain words are searched as they are.', async () => {
    await field().fill('sender:zoe')
    await page.getByRole('option', { name: 'sender:"Zoe Gregor"' }).waitFor()
    await field().press('Enter')
    await heading('from Zoe Gregor')
    await field().fill('spring')
    await page.getByRole('option', { name: '#plans › spring cleaning' }).waitFor()
    await field().press('Enter')
    await heading('Search: spring')
  })

  test('Past searches are proposed first in an empty field, and can be forgotten.', async () => {
    const first = async () => (await proposals())[0]
    await field().fill('')
    await polled(first).toMatch(/^spring\s+Past search$/)
    expect(await inspectPage(page, 'typeahead-past')).toEqual([])
    await field().press('ArrowDown')
    await field().press('Shift+Delete')
    await polled(first).toMatch(/^sender:"?Zoe.*Past search$/s)
    await field().press('ArrowDown')
    await field().press('Enter')
    await heading('from Zoe Gregor')
    await field().fill('zoe')
    await polled(async () => (await proposals()).at(-1)).toMatch(/Past search$/)
    await page.keyboard.press('Escape')
  })

  test('A search that finds nothing offers known words, and one that finds a file names it.', async () => {
    const narrow = [{ operator: 'search', operand: 'cleanign' }]
    await polled(
      async () => (await ok(ada, 'GET', '/messages/search_corrections', { narrow })).corrections.length,
    ).toBe(1)
    await field().fill('cleanign')
    await field().press('Enter')
    const offer = page.getByRole('status').filter({ hasText: 'Did you mean' })
    await offer.getByRole('link', { name: 'cleaning' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await inspectPage(page, `search-corrections-${colorScheme}`)).toEqual([])
    }
    await offer.getByRole('link', { name: 'cleaning' }).click()
    await heading('Search: cleaning')
    await page.getByText('About spring cleaning').waitFor()
    const file = { filename: 'harvest-of-fruit.pdf', data: pdfOf(['Quinces and medlars']) }
    const { url } = (await upload(ada, '/user_uploads', file)).json
    await postMessage(ada, channelId, 'autumn', `The [report](${url}) is here`)
    await waitForJobs(realm)
    await field().fill('medlar quince')
    await field().press('Enter')
    await page.locator('.found-files mark', { hasText: 'harvest-of-fruit.pdf' }).waitFor()
    for (const [screen, width, colorScheme] of [
      ['wide', 1280, 'dark'],
      ['wide', 1280, 'light'],
      ['phone', 390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      expect(await inspectPage(page, `search-files-${screen}-${colorScheme}`)).toEqual([])
    }
    expect(await page.locator('.found-files a').getAttribute('href')).toBe(url)
  })

  test('The pages reported no problem.', () => {
    expect(pages.problems).toEqual([])
  })
})
