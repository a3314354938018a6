/**
 * The page behind the proxies that deploy/ configures, with TLS and HTTP/2 to the browser: several tabs, uploads, both
 * kinds of connections for events, and a proxy that restarts.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import {
  findHaproxy,
  findNginx,
  type RunningProxy,
  startDeployedNginx,
  startSecureHaproxy,
} from '../setup/proxies/proxies.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { PATIENCE_MS } from '../setup/web/web-pages.js'

/** One more than the connections that a browser opens to one host with HTTP/1.1. */
const TABS = 7

describe.skipIf(noBrowser !== undefined).each([
  ['HAProxy', findHaproxy, startSecureHaproxy],
  ['nginx', findNginx, startDeployedNginx],
] as const)(`The page behind %s${noBrowser ?? ''}`, { timeout: 60_000 }, (name, find, start) => {
  let realm: TestRealm
  let ada: Person
  let grace: Person
  let channelId: number
  let gateway: TestProcess
  let proxy: RunningProxy | undefined
  let browser: Browser
  let context: BrowserContext
  let tabs: Page[]
  let site: string

  beforeAll(async () => {
    const program = find()
    if (program === undefined) return
    const made = await newQuietRealm('Ada', 'Grace')
    realm = made.realm
    ;[ada, grace] = made.people as [Person, Person]
    channelId = Number(await createChannel(grace, 'general', [ada, grace]))
    await postMessage(grace, channelId, 'proxy', 'Before')
    gateway = await startGateway({
      NODE_ENV: 'development',
      ROOT_REALM: realm.host.split('.')[0] ?? '',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    proxy = await start(program, portOf(gateway.url))
    site = `https://127.0.0.1:${proxy.port}/`
    browser = (await openBrowser()) as Browser
    context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(2 * PATIENCE_MS)
    const first = await context.newPage()
    await first.goto(site)
    await first.getByRole('button', { name: 'Ada' }).click()
    await first.locator('#left-sidebar').waitFor({ state: 'attached' })
    tabs = [first]
    while (tabs.length < TABS) tabs.push(await context.newPage())
    const topic = `${site}#narrow/channel/${channelId}/topic/proxy`
    for (const tab of tabs) await tab.goto(topic, { waitUntil: 'commit' })
    for (const tab of tabs) await connected(tab).waitFor()
  }, 150_000)

  afterAll(async () => {
    await browser?.close()
    await proxy?.[Symbol.asyncDispose]()
    await gateway?.stop()
    await realm?.[Symbol.asyncDispose]()
  })

  const missing = `this machine has no ${name} and cannot unpack one`
  const connected = (page: Page) => page.getByRole('status').filter({ hasText: 'Connected' })
  const shown = (page: Page, content: string) => page.locator('article').filter({ hasText: content })
  const expectOnce = async (content: string) => {
    for (const tab of tabs) await shown(tab, content).first().waitFor({ state: 'attached' })
    for (const tab of tabs) expect(await shown(tab, content).count()).toBe(1)
  }

  test('Seven tabs receive each message once over WebSockets, and then over streams; all calls use HTTP/2.', async ({
    skip,
  }) => {
    if (proxy === undefined) skip(missing)
    await postMessage(grace, channelId, 'proxy', 'Over WebSockets')
    await expectOnce('Over WebSockets')
    for (const tab of tabs) {
      await tab.locator('button', { hasText: 'Connected' }).click()
      await tab.getByRole('radio', { name: 'Server-sent events' }).check()
      await connected(tab).waitFor()
    }
    await postMessage(grace, channelId, 'proxy', 'Over streams')
    await expectOnce('Over streams')
    const protocols = await (tabs[1] as Page).evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
    )
    expect(new Set(protocols.filter((protocol) => protocol !== ''))).toEqual(new Set(['h2']))
  })

  test('A page uploads a file of 3 MiB, and reads it again.', async ({ skip }) => {
    if (proxy === undefined) skip(missing)
    const size = await (tabs[0] as Page).evaluate(async () => {
      const { csrf_token } = await (await fetch('/api/v1/sessions/current')).json()
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(3 * 1024 * 1024)]), 'zeros.bin')
      const headers = { 'X-CSRF-Token': csrf_token }
      const answer = await (await fetch('/api/v1/user_uploads', { method: 'POST', body: form, headers })).json()
      return (await (await fetch(answer.url)).blob()).size
    })
    expect(size).toBe(3 * 1024 * 1024)
  })

  test('Tabs whose proxy restarts are connected again, and show what was sent meanwhile once.', async ({ skip }) => {
    const { restart } = proxy ?? skip(missing)
    const restarted = restart()
    await postMessage(grace, channelId, 'proxy', 'During the restart')
    await restarted
    await expectOnce('During the restart')
    for (const tab of tabs) await connected(tab).waitFor()
    await postMessage(grace, channelId, 'proxy', 'After the restart')
    await expectOnce('After the restart')
    expect((await ok(ada, 'GET', '/users/me')).user_id).toBe(ada.user_id)
  })
})
