/**
 * Twelve tabs of one account in one browser, which share one connection: whatever happens to the tab that has it, or to
 * the connection, each tab shows every message once.
 */
import type { BrowserContext, Page, WebSocket } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Relay, startRelay } from '../setup/proxies/relay.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import type { Person, TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const TABS = 12
/** Enough for everything that happens to one tab. Each tab in sight draws every message. */
const FEW_TABS = 4
/** Few pixels, because the browser of a test draws all tabs at once. */
const SMALL = { width: 640, height: 400 }
/** More messages than a test sends. The page has no more of them than it needs. */
const LAST = 20
/** A follower leads within a second. The machine of a test stalls for seconds. */
const TAKEOVER_MS = 30_000
/** The pauses between attempts of a client grow in an outage. */
const OUTAGE_PATIENCE_MS = 40_000

describe.skipIf(noBrowser !== undefined)(`Tabs that share a connection${noBrowser ?? ''}`, { timeout: 180_000 }, () => {
  let realm: TestRealm
  let grace: Person
  let channelId: number
  let pages: WebPages
  let relay: Relay
  let context: BrowserContext
  let url: string
  const sockets = new Map<Page, Set<WebSocket>>()
  const contents: string[] = []

  beforeAll(async () => {
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    const [ada, other] = made.people as [Person, Person]
    grace = other
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    pages = await openWebPages(realm)
    relay = await startRelay(pages.url, realm.host)
    url = `http://localhost:${new URL(relay.url).port}/#narrow/channel/${channelId}/topic/tabs`
    context = await pages.newContext({ viewport: SMALL })
    await say('The first')
    const first = await openTab()
    await first.getByRole('button', { name: 'Ada' }).click()
    await first.locator('article').waitFor()
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await relay?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const openTab = async (): Promise<Page> => {
    const page = await pages.newPage(context)
    const open = new Set<WebSocket>()
    sockets.set(page, open)
    page.on('websocket', (socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    })
    // The browser does not say that the sockets of a page that is left are closed.
    page.on('framenavigated', () => open.clear())
    page.on('close', () => sockets.delete(page))
    page.on('crash', () => sockets.delete(page))
    await page.goto(url, { waitUntil: 'commit', timeout: 30_000 })
    return page
  }
  /** Opens or closes tabs, so that there are so many, one of them connected. */
  const haveTabs = async (count: number) => {
    for (const page of tabs().slice(count)) await page.close()
    while (tabs().length < count) await openTab()
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  }
  const tabs = () => [...sockets.keys()]
  const connections = () => [...sockets.values()].reduce((sum, open) => sum + open.size, 0)
  const leader = (): Page => {
    const [page] = [...sockets].filter(([, open]) => open.size > 0).map(([each]) => each)
    if (page === undefined) throw new Error('No tab is connected.')
    return page
  }
  const say = async (text: string) => {
    await postMessage(grace, channelId, 'tabs', text)
    contents.push(text)
  }
  const shown = async (page: Page) => {
    // A tab that was opened while messages were unread begins there, and new ones come to the end, out of its sight.
    const toEnd = page.getByRole('button', { name: /^Jump to the newest$|new messages?$/ })
    if (await toEnd.isVisible()) await toEnd.click({ timeout: 1_000 }).catch(() => {})
    return (await page.locator('article .message-main p').allTextContents()).slice(-LAST)
  }
  /** Each tab shows every message once and in order, and says that it is connected. */
  const allShow = async (which = tabs()) => {
    for (const page of which) {
      await expect.poll(() => shown(page), { timeout: OUTAGE_PATIENCE_MS }).toEqual(contents.slice(-LAST))
      await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor({ state: 'attached' })
    }
  }
  /** Writes while `disturb` takes the connection away from its tab, and expects another tab to have it soon. */
  const survives = async (name: string, disturb: (page: Page) => Promise<unknown>) => {
    const before = relay.handshakes
    const page = leader()
    await say(`Before: ${name}`)
    const writing = (async () => {
      for (let i = 0; i < 8; i += 1) await say(`${name} ${i}`)
    })()
    await disturb(page)
    await expect.poll(() => relay.handshakes - before, { timeout: TAKEOVER_MS }).toBeGreaterThan(0)
    await writing
    await say(`After: ${name}`)
    return page
  }

  test('Twelve tabs have one connection, and each shows every message once.', async () => {
    await haveTabs(TABS)
    for (let i = 0; i < 5; i += 1) await say(`Together ${i}`)
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('A tab that writes sees its message once, and so do the others.', async () => {
    const writer = tabs().find((page) => page !== leader()) as Page
    const text = 'From a tab that follows'
    await writer.locator('#compose').fill(text)
    await writer.locator('#compose').press('Control+Enter')
    contents.push(text)
    await allShow()
    await expect.poll(() => writer.locator('.outgoing-message').count()).toBe(0)
  })

  test.for<[string, (is: boolean) => unknown]>([
    ['handshakes are refused', (is) => Object.assign(relay, { refusesSockets: is })],
    ['the gateway is away', (is) => Object.assign(relay, { isDown: is })],
    ['nothing arrives', (is) => Object.assign(relay, { swallows: is })],
  ])('After seconds in which %s, each tab is connected and shows every message once.', async ([name, set]) => {
    await haveTabs(TABS)
    set(true)
    if (name !== 'nothing arrives') relay.cut()
    await say(`During: ${name}`)
    await tabs()[0]?.waitForTimeout(6_000)
    set(false)
    if (name === 'nothing arrives') relay.cut()
    await say(`After: ${name}`)
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
    // The connections of the browser to this host are free.
    const call = `fetch('/api/v1/server_settings', { cache: 'no-store' }).then(({ status }) => status)`
    for (const page of tabs()) expect(await page.evaluate(call)).toBe(200)
  })

  test('When the tab with the connection is closed, another one connects.', async () => {
    await haveTabs(FEW_TABS)
    await survives('closed', (page) => page.close())
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('When the tab with the connection is reloaded, another one connects.', async () => {
    await haveTabs(FEW_TABS)
    await survives('reloaded', (page) => page.reload())
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('When the tab with the connection crashes, another one connects.', async () => {
    await haveTabs(FEW_TABS)
    await survives('crashed', async (page) => {
      const crashed = page.waitForEvent('crash')
      page.goto('chrome://crash').catch(() => {})
      await crashed
    })
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('When the tab with the connection stands still, another one connects, and it catches up when it goes on.', async () => {
    await haveTabs(FEW_TABS)
    let goOn = async () => {}
    const stopped = await survives('stopped', async (page) => {
      const devtools = await context.newCDPSession(page)
      await devtools.send('Debugger.enable')
      const paused = new Promise((resolve) => devtools.once('Debugger.paused', resolve))
      await devtools.send('Debugger.pause')
      await paused
      goOn = async () => {
        await devtools.send('Debugger.resume')
        await devtools.detach()
      }
    })
    await allShow(tabs().filter((page) => page !== stopped))
    await goOn()
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('The tab with the connection gives it up before the browser freezes it.', async () => {
    await haveTabs(FEW_TABS)
    const frozen = await survives('frozen', (page) => page.evaluate('document.dispatchEvent(new Event("freeze"))'))
    await allShow()
    await expect.poll(() => leader() === frozen, { timeout: PATIENCE_MS }).toBe(false)
    await frozen.evaluate('document.dispatchEvent(new Event("resume"))')
    await say('After the frozen tab went on')
    await allShow()
  })

  test('When the tab with the connection hangs, a tab in sight connects, and it catches up when it goes on.', async () => {
    await haveTabs(FEW_TABS)
    const hung = await survives('hung', async (page) => {
      page.evaluate('{ const end = Date.now() + 8_000; while (Date.now() < end); }').catch(() => {})
    })
    await allShow(tabs().filter((page) => page !== hung))
    await allShow()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
  })

  test('Another transport is chosen in a tab that follows, and all tabs use it.', async () => {
    await haveTabs(FEW_TABS)
    const page = tabs().find((each) => each !== leader()) as Page
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Connection:/ }).click()
      await page.getByRole('radio', { name }).click()
      await page.keyboard.press('Escape')
    }
    await choose('Server-sent events')
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(0)
    await say('Over a stream')
    await allShow()
    await choose('WebSocket')
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(1)
    await say('Over a socket')
    await allShow()
  })

  test('When one tab logs out, all end.', async () => {
    const [page, ...others] = tabs() as [Page, ...Page[]]
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    for (const each of [page, ...others]) await each.getByRole('button', { name: 'Ada' }).first().waitFor()
    await expect.poll(connections, { timeout: PATIENCE_MS }).toBe(0)
    expect(pages.problems).toEqual([])
  })
})
