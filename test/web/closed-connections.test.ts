/** A browser whose connections a proxy closes while the page uses them: each call is made once, and none fails. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayOfOneTest, portOf, startOwnGateway } from '../setup/processes/gateway-of-one-test.js'
import { findHaproxy, findNginx, startDeployedHaproxy, startDeployedNginx } from '../setup/proxies/proxies.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { ok } from '../setup/realm/realm.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'

const CALLS = 30
/** The time after which the proxies close an idle connection here, and after which the page sends its next call. */
const IDLE_MS = 100

describe.skipIf(noBrowser !== undefined)(`Connections of a browser${noBrowser ?? ''}`, { timeout: 60_000 }, () => {
  let own: GatewayOfOneTest
  let browser: Browser
  beforeAll(async () => {
    own = await startOwnGateway({ TRUSTED_PROXIES: '127.0.0.1' })
    browser = (await openBrowser()) as Browser
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await own?.[Symbol.asyncDispose]()
  })

  const openPage = async (site: string): Promise<Page> => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(`${site}/api/v1/server_settings`)
    return page
  }

  test.for([
    [
      'HAProxy',
      'http',
      findHaproxy,
      startDeployedHaproxy,
      (text: string) => text.replace(/timeout http-keep-alive .*/, `timeout http-keep-alive ${IDLE_MS}ms`),
    ],
    [
      'nginx',
      'https',
      findNginx,
      startDeployedNginx,
      // Only with HTTP/1.1 does a browser not know that its connection is being closed.
      (text: string) =>
        text
          .replace(/ http2/g, '')
          .replace('client_max_body_size', `keepalive_timeout ${IDLE_MS}ms; client_max_body_size`),
    ],
  ] as const)(
    'Calls of a page are made once each while %s closes its idle connections.',
    async ([name, protocol, find, start, edit], { skip }) => {
      const program = find() ?? skip(`this machine has no ${name} and cannot unpack one`)
      await using proxy = await start(program, portOf(own.gateway.url), edit)
      const page = await openPage(`${protocol}://${own.ada.host}:${proxy.port}`)
      const call = {
        count: CALLS,
        pause: IDLE_MS,
        authorization: basicAuthorization(own.ada),
        to: own.ada.user_id,
        name,
      }
      const failures = await page.evaluate(async ({ count, pause, authorization, to, name }) => {
        const failed: string[] = []
        for (let n = 0; n < count; n++) {
          // Around the moment at which the proxy closes the connection.
          await new Promise((resolve) => setTimeout(resolve, pause - 6 + (n % 12)))
          const body = new URLSearchParams({ type: 'direct', to: `[${to}]`, content: `${name} ${n}.` })
          await fetch('/api/v1/messages', { method: 'POST', body, headers: { Authorization: authorization } }).then(
            (answer) => answer.status === 200 || failed.push(`${n}: ${answer.status}`),
            (error: Error) => failed.push(`${n}: ${error.message}`),
          )
        }
        return failed
      }, call)
      const { messages } = await ok(own.ada, 'GET', '/messages', {
        anchor: 'newest',
        num_before: 1_000,
        num_after: 0,
        apply_markdown: false,
      })
      const made = messages.map(({ content }) => content).filter((content) => content.startsWith(name))
      expect([failures, made.length, new Set(made).size]).toEqual([[], CALLS, CALLS])
    },
  )

  test('A page that opened a connection beforehand is not answered with the 408 of HAProxy.', async ({ skip }) => {
    const program = findHaproxy() ?? skip('this machine has no HAProxy and cannot unpack one')
    const edit = (text: string) => text.replace('timeout http-request 15s', 'timeout http-request 1s')
    await using proxy = await startDeployedHaproxy(program, portOf(own.gateway.url), edit)
    const site = `http://${own.ada.host}:${proxy.port}`
    const page = await openPage(`http://${own.ada.host}:${portOf(own.gateway.url)}`)
    const statuses = await page.evaluate(async (address) => {
      const found: (number | string)[] = []
      for (let n = 0; n < 5; n++) {
        const link = Object.assign(document.createElement('link'), { rel: 'preconnect', href: `${address}?${n}` })
        document.head.append(link)
        // Around the moment at which the proxy gives up the connection.
        await new Promise((resolve) => setTimeout(resolve, 980 + 8 * n))
        const get = () => fetch(`${address}/api/v1/server_settings`).then(({ status }) => status, String)
        found.push(...(await Promise.all([get(), get(), get()])))
        link.remove()
      }
      return found
    }, site)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
