/** The page of the API reference in a real browser: it runs under its policy, and a reader can try an endpoint. */

import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { ok } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { findChromium } from '../setup/web/chromium.js'
import { openContrastMeter } from '../setup/web/contrast.js'
import { keepPicture } from '../setup/web/pictures.js'

const command = findChromium()

describe.skipIf(command === undefined)('The API reference in a browser (needs Chromium: apt install chromium)', () => {
  let browser: Browser
  let world: Awaited<ReturnType<typeof newRealmWith<'Owner' | 'Ada'>>>
  let gateway: TestProcess

  beforeAll(async () => {
    world = await newRealmWith('Owner', 'Ada')
    await ok(world.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
    const [ROOT_REALM = ''] = world.realm.host.split('.')
    gateway = await startGateway({ NODE_ENV: 'development', ROOT_REALM })
    browser = await chromium.launch({ executablePath: command as string, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await gateway?.stop()
    await world?.[Symbol.asyncDispose]()
  })

  /** Opens a page, and collects what a reader must not see: problems, and requests to other servers. */
  const open = async (path: string, colorScheme: 'light' | 'dark' = 'light') => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme })
    page.setDefaultTimeout(60_000)
    const problems: string[] = []
    const foreign: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway.url) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    await page.goto(`${gateway.url}${path}`)
    return { page, check: () => expect({ problems, foreign }).toEqual({ problems: [], foreign: [] }) }
  }

  /** Opens an endpoint and its form. */
  const openEndpoint = async (page: Page, resource: string, name: string) => {
    const endpoint = page.locator(`#operations-${resource}-${name}`)
    await page.locator(`#operations-tag-${resource}`).click()
    await endpoint.locator('.opblock-summary-control').click()
    await endpoint.locator('.try-out__btn').click()
    return endpoint
  }

  test('A reader chooses a demo account, and sends a message from the page.', { timeout: 120_000 }, async () => {
    const { page, check } = await open('/api/docs')
    await page.locator('.opblock-tag').first().waitFor()
    await keepPicture(page, 'reference')
    await page.locator('#account').selectOption(world.ada.email)
    await page.locator('#account-state', { hasText: 'made with this account' }).waitFor()
    const endpoint = await openEndpoint(page, 'Messages', 'sendMessage')
    const field = (name: string) => endpoint.locator(`tr[data-property-name="${name}"]`)
    const texts = { to: 'general', topic: 'reference', content: 'Hello from the reference.' }
    const write = (name: string, value: string) => endpoint.getByPlaceholder(name, { exact: true }).fill(value)
    await field('type').locator('select').selectOption('channel')
    for (const [name, value] of Object.entries(texts)) await write(name, value)
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/v1/messages'))
    await endpoint.locator('.btn.execute').click()
    const form = new URLSearchParams((await sent).postData() ?? '')
    expect(Object.fromEntries(form)).toEqual({ type: 'channel', ...texts })
    const answer = endpoint.locator('.live-responses-table')
    await answer.locator('.response-col_description', { hasText: '"result": "success"' }).first().waitFor()
    await keepPicture(endpoint, 'reference-try-it')
    check()
    const storage = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    const stored = await page.evaluate(storage)
    expect(stored).toBe('[{},{},""]')
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'Each control can be read in each state in %s.',
    { timeout: 120_000 },
    async (colorScheme) => {
      const { page } = await open('/api/docs', colorScheme)
      await page.locator('.opblock-tag').first().waitFor()
      const meter = await openContrastMeter(page)
      const found = await meter.measure()
      const endpoint = await openEndpoint(page, 'Messages', 'sendMessage')
      for (const resource of ['Channels', 'Users']) await page.locator(`#operations-tag-${resource}`).click()
      found.push(...(await meter.measure()))
      await endpoint.locator('tr[data-property-name="type"] select').selectOption('channel')
      await endpoint.locator('.btn.execute').click()
      await endpoint.locator('.live-responses-table').waitFor()
      found.push(...(await meter.measure()))
      await keepPicture(page, `reference-open-${colorScheme}`)
      await page.locator('.btn.authorize').click()
      found.push(...(await meter.measure()))
      await keepPicture(page, `reference-authorize-${colorScheme}`)
      await page.close()
      for (const path of ['/api/docs/events', '/api/docs/errors']) {
        const { page } = await open(path, colorScheme)
        found.push(...(await (await openContrastMeter(page)).measure()))
        await keepPicture(page, `reference${path.replaceAll('/', '-')}-${colorScheme}`)
        await page.close()
      }
      expect(found).toEqual([])
    },
  )

  test.each(['/api/docs/events', '/api/docs/errors'])('%s runs no script and loads nothing.', async (path) => {
    const { page, check } = await open(path)
    await keepPicture(page, `reference${path.slice('/api/docs'.length).replace('/', '-')}`)
    expect(await page.locator('section').count()).toBeGreaterThan(40)
    check()
    await page.close()
  })
})
