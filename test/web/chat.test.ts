/**
 * People chat in real browsers: they log in with a click, and see each other's changes and those of a Python program,
 * also while a gateway is killed and while their network is gone.
 */

import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPython, startProgram, waitUntil } from '../clients/python.js'
import { writeZuliprc } from '../clients/zuliprc.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { startTcpFront, type TcpFront } from '../setup/proxies/tcp-front.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { findViolations } from '../setup/web/axe.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { keepPicture } from '../setup/web/pictures.js'

/** How long a change may take to appear. It appears within milliseconds; a machine under test stalls for seconds. */
const PATIENCE_MS = 15_000

/** A person with a browser. */
interface Reader {
  page: Page
  context: BrowserContext
  /** what the console says that it should not */
  problems: string[]
}

describe.skipIf(noBrowser !== undefined)(`The web client in a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let browser: Browser
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let robot: Person
  let gateways: TestProcess[]
  let front: TcpFront
  let narrow: string
  const readers: Reader[] = []

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace', 'Robot')
    realm = made.realm
    ;[ada, grace, robot] = made.people as [Person, Person, Person]
    await ok(ada, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: made.people.map(({ user_id }) => user_id),
    })
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'general' })
    narrow = `#narrow/channel/${stream_id}-general/topic/greetings`
    const env = { NODE_ENV: 'development', ROOT_REALM: realm.host.split('.')[0] ?? '' }
    gateways = await Promise.all([startGateway(env), startGateway(env)])
    front = await startTcpFront(gateways.map(({ url }) => url))
    await send(robot, 'Welcome')
    browser = (await openBrowser()) as Browser
    for (const name of ['Ada', 'Grace']) readers.push(await logIn(name))
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await front?.[Symbol.asyncDispose]()
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop()))
    await realm?.[Symbol.asyncDispose]()
  })

  const send = (person: Person, content: string) =>
    ok(person, 'POST', '/messages', { type: 'channel', to: 'general', topic: 'greetings', content })

  /** Logs in with one click, and opens the topic. */
  const logIn = async (name: string): Promise<Reader> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      // The browser reports every answer of the kind "log in first" and every lost connection as an error.
      const isExpected = /Failed to load resource|WebSocket connection|net::ERR/.test(message.text())
      if (message.type() === 'error' && !isExpected) problems.push(message.text())
    })
    await page.goto(front.url)
    await page.getByRole('button', { name }).click()
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    await page.goto(`${front.url}/${narrow}`)
    await page.getByText('Welcome', { exact: true }).waitFor()
    return { page, context, problems }
  }

  /** Writes a message in the page's compose box. */
  const write = async ({ page }: Reader, content: string) => {
    const box = page.locator('#compose')
    await box.fill(content)
    await box.press('Control+Enter')
  }

  const sees = ({ page }: Reader, content: string) =>
    page.locator('article').filter({ hasText: content }).first().waitFor()

  /** The numbers of the test's messages, as the page shows them. */
  const numbersIn = async ({ page }: Reader, word: string): Promise<number[]> => {
    const texts = await page.locator('article .rendered-markdown, article').allInnerTexts()
    const numbers = texts.flatMap((text) =>
      [...text.matchAll(new RegExp(`${word}(\\d+)`, 'g'))].map(([, n]) => Number(n)),
    )
    return [...new Set(numbers)]
  }

  const [ADA, GRACE] = [0, 1]
  const reader = (at: number) => readers[at] as Reader

  test('Two people see what the other writes and how the other reacts.', async () => {
    await write(reader(ADA), 'Hello Grace, this is **Ada**')
    await sees(reader(GRACE), 'Hello Grace, this is Ada')
    await write(reader(GRACE), 'Hello Ada')
    await sees(reader(ADA), 'Hello Ada')
    const { messages } = await ok(ada, 'GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    await ok(grace, 'POST', `/messages/${messages[0]?.id}/reactions`, { emoji_name: 'tada' })
    await reader(ADA)
      .page.getByRole('button', { name: /^1 tada/ })
      .waitFor()
    await keepPicture(reader(ADA).page, 'web-topic')
  })

  test('A Python program and two browsers write to each other.', { timeout: 150_000 }, async (context) => {
    const python = await findPython()
    context.skip(python.missing !== undefined, python.missing)
    const rc = { MEMBER_RC: writeZuliprc(robot, front.url) }
    const script = join(import.meta.dirname, '../clients/follow.py')
    await using program = startProgram(join(python.bin, 'python'), [script, 'messages'], rc)
    const hears = (content: string) => program.lines.some((line) => line.includes(content))
    await waitUntil(async () => {
      await send(grace, 'are you there?')
      return hears('are you there?')
    }, [program])
    await write(reader(ADA), 'from a browser to Python')
    await waitUntil(() => hears('from a browser to Python'), [program])
    await send(robot, 'from Python to browsers')
    await Promise.all(readers.map((each) => sees(each, 'from Python to browsers')))
  })

  test('No message is lost or doubled while the gateway of both is killed.', async () => {
    const [first] = gateways as [TestProcess]
    for (let n = 1; n <= 16; n++) {
      await send(robot, `survive${n}`)
      if (n === 5) first.signal('SIGKILL')
    }
    await first.ended
    const wanted = Array.from({ length: 16 }, (_, i) => i + 1)
    for (const each of readers) {
      await expect.poll(() => numbersIn(each, 'survive'), { timeout: PATIENCE_MS }).toEqual(wanted)
    }
    await write(reader(GRACE), 'still here')
    await sees(reader(ADA), 'still here')
  })

  test('A person who was offline sees that, and then what was written meanwhile.', async () => {
    const { page } = reader(ADA)
    front.cut()
    await page
      .getByRole('status')
      .filter({ hasText: /Offline|Connecting/ })
      .waitFor()
    await keepPicture(page, 'web-offline')
    for (let n = 1; n <= 5; n++) await send(robot, `meanwhile${n}`)
    front.restore()
    for (const each of readers) {
      // The pauses between attempts of a client grow in an outage.
      await expect.poll(() => numbersIn(each, 'meanwhile'), { timeout: 2 * PATIENCE_MS }).toEqual([1, 2, 3, 4, 5])
    }
    await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor()
  })

  test.each(['light', 'dark'] as const)('axe finds no violation in the %s theme.', async (colorScheme) => {
    const { page } = reader(ADA)
    await page.emulateMedia({ colorScheme })
    // So that the inbox is not empty.
    await ok(robot, 'POST', '/messages', { type: 'channel', to: 'general', topic: 'news', content: 'Something new' })
    for (const [name, fragment] of [
      ['topic', narrow],
      ['inbox', '#inbox'],
    ] as const) {
      await page.goto(`${front.url}/${fragment}`)
      await page
        .locator(name === 'inbox' ? '.inbox-page' : 'article')
        .first()
        .waitFor()
      await keepPicture(page, `web-${name}-${colorScheme}`)
      expect(await findViolations(page), name).toEqual([])
    }
    const context = await browser.newContext({ colorScheme })
    const fresh = await context.newPage()
    const problems: string[] = []
    fresh.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await fresh.goto(front.url)
    await fresh.getByRole('button', { name: 'Grace' }).waitFor()
    await keepPicture(fresh, `web-log-in-${colorScheme}`)
    expect(await findViolations(fresh), 'log-in').toEqual([])
    expect(problems, 'log-in').toEqual([])
    await context.close()
  })

  test('The pages reported no problem, and kept nothing of the session where scripts could read it.', async () => {
    for (const { page, context, problems } of readers) {
      expect(problems).toEqual([])
      const readable = await page.evaluate(
        'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
      )
      const cookies = await context.cookies()
      expect(cookies).toMatchObject([{ name: 'parley_session', httpOnly: true, sameSite: 'Lax' }])
      expect(readable).not.toContain(cookies[0]?.value.split('.')[1])
      expect(readable).not.toContain(ada.api_key)
    }
  })

  test('A person who logs out sees the log-in view, and so do the other pages of the browser.', async () => {
    const { page, context } = reader(GRACE)
    const other = await context.newPage()
    await other.goto(`${front.url}/${narrow}`)
    await other.locator('article').first().waitFor()
    await page.evaluate(`(async () => {
      const { csrf_token } = await (await fetch('/api/v1/sessions/current')).json()
      await fetch('/api/v1/sessions/current', { method: 'DELETE', headers: { 'X-CSRF-Token': csrf_token } })
    })()`)
    for (const each of [page, other]) await each.getByRole('heading', { name: 'demo' }).waitFor()
  })
})
