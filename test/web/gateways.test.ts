/** The panel of the connection: users choose the transport and, behind the real HAProxy, the gateway. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { findHaproxy, type RunningProxy, startHaproxyOfFleet } from '../setup/proxies/proxies.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'
import { inspectPage, PATIENCE_MS } from '../setup/web/web-pages.js'

describe.skipIf(noBrowser !== undefined)(`The gateway of a page${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let realm: TestRealm
  let ada: Person
  let gateways: TestProcess[] = []
  let proxy: RunningProxy | undefined
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const program = findHaproxy()
    if (program === undefined) return
    realm = await newRealm()
    ada = (await realm.people({ full_name: 'Ada' }, { full_name: 'Grace' }))[0] as Person
    const env = {
      NODE_ENV: 'development',
      ROOT_REALM: realm.host.split('.')[0] ?? '',
      TRUSTED_PROXIES: '127.0.0.1',
      GATEWAY_NAMES: 'gateway1,gateway2',
    }
    gateways = await Promise.all([startGateway(env), startGateway(env)])
    proxy = await startHaproxyOfFleet(
      program,
      gateways.map(({ url }) => Number(new URL(url).port)),
    )
    browser = (await openBrowser()) as Browser
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(PATIENCE_MS)
    page = await context.newPage()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await proxy?.[Symbol.asyncDispose]()
    for (const gateway of gateways) await gateway.stop()
    await realm?.[Symbol.asyncDispose]()
  })

  /** How many clients of a transport each gateway has. */
  const connections = (transport: 'sockets' | 'streams') =>
    Promise.all(gateways.map((gateway) => countConnections(gateway, transport)))

  const choose = async (name: string) => {
    await page.getByRole('radio', { name, exact: true }).check()
    await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor()
  }

  const receive = async (content: string) => {
    await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content })
    await page.locator('article').filter({ hasText: content }).waitFor()
  }

  test('A reader chooses the gateway and the transport, and receives messages through both.', async ({ skip }) => {
    if (proxy === undefined) skip('this machine has no HAProxy and cannot unpack one')
    await page.goto(`http://127.0.0.1:${proxy?.port}/`)
    await page.getByRole('button', { name: 'Ada' }).click()
    await page.goto(`http://127.0.0.1:${proxy?.port}/#narrow/dm/${ada.user_id}-Ada`)
    await page.locator('button', { hasText: 'Connected' }).click()
    for (const [index, name] of ['gateway1', 'gateway2', 'gateway1'].entries()) {
      await choose(name)
      const wanted = name === 'gateway1' ? [1, 0] : [0, 1]
      await expect.poll(() => connections('sockets'), { timeout: PATIENCE_MS }).toEqual(wanted)
      await receive(`By ${name}, step ${index}`)
    }
    await choose('Server-sent events')
    await expect.poll(() => connections('streams'), { timeout: PATIENCE_MS }).toEqual([1, 0])
    await receive('By a stream')
    expect(await inspectPage(page, 'connection-panel')).toEqual([])
  })

  test('A page whose gateway ends continues with another one.', async ({ skip }) => {
    if (proxy === undefined) skip('this machine has no HAProxy and cannot unpack one')
    await gateways[0]?.stop()
    await expect.poll(() => countConnections(gateways[1] as TestProcess), { timeout: PATIENCE_MS }).toBe(1)
    await receive('After the end of the gateway')
  })
})

/** How many clients of a transport, or of all, a gateway has. */
const countConnections = async ({ operations_url }: TestProcess, transport = '[a-z]+'): Promise<number> => {
  const text = await (await fetch(`${operations_url}/metrics`)).text()
  const counts = [...text.matchAll(new RegExp(`^parley_connections\\{transport="${transport}"\\} (\\d+)`, 'gm'))]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
