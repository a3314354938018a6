/**
 * The headers of answers that protect browsers: of every endpoint, of every page, and of refusals. An HTML page has a
 * policy under which nothing runs or loads but its own style.
 */
import { createHash, randomInt } from 'node:crypto'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { registry } from '../../src/gateway/api/index.js'
import type { App } from '../../src/gateway/contract/app.js'
import { openSitePages } from '../../src/gateway/site/pages.js'
import type { Health } from '../../src/monitoring/health.js'
import { startGateway } from '../setup/processes/processes.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { waitForMails } from '../setup/realm/mails.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { type RawResponse, sendRequest } from '../setup/requests/raw-request.js'

const port = () => Number(new URL(anyGateway()).port)

/** A page with scripts of the build. */
const REFERENCE = '/api/docs'
const pages = openSitePages({} as App, entryKinds, {} as Health).map(({ path }) => path)

/** One request for every path and method of the server, with values that name nothing. */
const requests = [
  ...pages.map((path) => ({ method: 'GET', path })),
  ...Object.values(registry).flatMap(({ method, paths, site, list }) => {
    const kinds = Object.fromEntries(list.map(([name, { schema }]) => [name, schema.type === 'number' ? '1' : 'x']))
    return paths.map((path) => ({
      method: method as string,
      path: `${site === true ? '' : '/api/v1'}${path.replace(/\{(\w+)\}/g, (_, name: string) => kinds[name] ?? 'x')}`,
    }))
  }),
]

let realm: TestRealm
let ada: Person
beforeAll(async () => {
  realm = await newRealm()
  ;[ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
})
afterAll(() => realm[Symbol.asyncDispose]())

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  sendRequest(port(), { method, path, host: realm.host, headers, ...(method === 'GET' ? {} : { body: '' }) })

const valuesOf = ({ rawHeaders }: RawResponse, name: string): string[] =>
  rawHeaders.flatMap((key, i) => (i % 2 === 0 && key.toLowerCase() === name ? [rawHeaders[i + 1] as string] : []))

/** Names of headers that occur twice. */
const repeated = ({ rawHeaders }: RawResponse): string[] => {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  return names.filter((name, i) => names.indexOf(name) !== i)
}

const isHtml = ({ headers }: RawResponse): boolean => headers['content-type']?.startsWith('text/html') === true

type Element = DefaultTreeAdapterTypes.Element

const elementsOf = (html: string): Element[] => {
  const found: Element[] = []
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return found
}

/** The values of the fields of a form. */
const inputValues = ({ text }: RawResponse): (string | undefined)[] =>
  elementsOf(text)
    .filter(({ tagName }) => tagName === 'input')
    .map(({ attrs }) => attrs.find(({ name }) => name === 'value')?.value)

/** Checks a page: its policy, and that its style is the only thing that the policy permits. */
const checkPage = ({ headers, text }: RawResponse, path: string): void => {
  const elements = elementsOf(text)
  const style = elements.find(({ tagName }) => tagName === 'style')?.childNodes[0]
  const css = style !== undefined && 'value' in style ? style.value : ''
  const hash = createHash('sha256').update(css).digest('base64')
  expect(headers['content-security-policy'], path).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(headers['referrer-policy'], path).toBe('same-origin')
  for (const { tagName, attrs } of elements) {
    expect(['script', 'iframe', 'object', 'embed', 'base', 'link', 'img'], path).not.toContain(tagName)
    for (const { name } of attrs) expect(name, path).not.toMatch(/^(?:on|style$|srcdoc$|action$|formaction$)/)
  }
}

test('Every answer has X-Content-Type-Options and a policy for other sites, and no header twice, also for pages of other sites.', async () => {
  expect(requests.length).toBeGreaterThan(200)
  const authorization = basicAuthorization(ada)
  for (const { method, path } of requests) {
    // A long poll without parameters is refused at once, as everything else here.
    for (const origin of [undefined, 'https://other.example']) {
      const answer = await ask(method, path, origin === undefined ? {} : { Origin: origin })
      const name = `${method} ${path} (${answer.status})`
      expect(valuesOf(answer, 'x-content-type-options'), name).toEqual(['nosniff'])
      expect(valuesOf(answer, 'cross-origin-resource-policy'), name).toEqual(['same-origin'])
      expect(repeated(answer), name).toEqual([])
      expect(valuesOf(answer, 'strict-transport-security'), name).toEqual([])
      if (origin !== undefined) expect(valuesOf(answer, 'access-control-allow-origin'), name).toEqual(['*'])
      if (path === REFERENCE) expect(answer.headers['content-security-policy']).toContain("; script-src 'self'; ")
      else if (isHtml(answer)) checkPage(answer, name)
    }
  }
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['OPTIONS', '/api/v1/messages'],
    ['PUT', '/api/docs'],
    ['HEAD', '/api/docs'],
    ['POST', '/api/v1/users/me/subscriptions'],
  ] as const) {
    const answer = await ask(method, path, { Authorization: authorization })
    expect(valuesOf(answer, 'x-content-type-options'), path).toEqual(['nosniff'])
    expect(valuesOf(answer, 'cross-origin-resource-policy'), path).toEqual(['same-origin'])
  }
}, 60_000)

describe('HTML pages', () => {
  test('Every form and message of an account has the policy.', async () => {
    const paths = requests.filter(({ path }) => /^\/(?:join|confirm_email|accounts)\//.test(path))
    const shown = await Promise.all(paths.map(async ({ method, path }) => ({ path, answer: await ask(method, path) })))
    const html = shown.filter(({ answer }) => isHtml(answer))
    expect(new Set(html.map(({ path }) => path))).toEqual(
      new Set([
        ...['/join/x', '/join/x/', '/confirm_email/x', '/accounts/unsubscribe/x'],
        ...['/accounts/password/reset', '/accounts/password/reset/x'],
        ...['/accounts/sign_up', '/accounts/sign_up/x'],
      ]),
    )
    for (const { path, answer } of html) {
      checkPage(answer, path)
      expect(answer.headers['cache-control'], path).toBe('no-store')
    }
  })

  test('Names and values in a page are text, whatever they contain.', async () => {
    const hostile = '"><script>alert(1)</script><b title=\'&#34;'
    const [owner] = (await realm.people({ full_name: 'Owner', role: 100 })) as [Person]
    await ok(owner, 'PATCH', '/realm', { name: hostile.slice(0, 40) })
    const post = (path: string, form: Record<string, string>) =>
      sendRequest(port(), { method: 'POST', path, host: realm.host, body: new URLSearchParams(form).toString() })
    const answer = await post('/accounts/password/reset', { email: hostile })
    expect(answer.status).toBe(400)
    checkPage(answer, answer.text)
    const title = elementsOf(answer.text).find(({ tagName }) => tagName === 'title')?.childNodes[0]
    expect(title).toMatchObject({ value: `New password at ${hostile.slice(0, 40)}` })
    const { invite_link } = await ok(owner, 'POST', '/invites/multiuse', {})
    const address = await post(new URL(invite_link).pathname, { email: hostile })
    expect([address.status, inputValues(address)]).toEqual([400, [hostile]])
    checkPage(address, address.text)
    const invited = `hostile-name-${process.pid}@example.com`
    await ok(owner, 'POST', '/invites', { invitee_emails: invited, stream_ids: [] })
    const link = /\/join\/[\w-]+/.exec((await waitForMails(invited))[0] as string)?.[0] as string
    const join = await post(link, { full_name: hostile, password: 'x' })
    expect([join.status, inputValues(join)]).toEqual([400, [invited, hostile, '']])
    checkPage(join, join.text)
  })
})

test('A deployment with an https address tells browsers to use https only.', async () => {
  await using gateway = await startGateway({ PUBLIC_URL: 'https://chat.example.org' })
  for (const path of ['/api/v1/server_settings', '/api/docs', '/nothing', '/health/live', '/accounts/password/reset']) {
    const answer = await sendRequest(Number(new URL(gateway.url).port), { path, host: realm.host })
    expect(valuesOf(answer, 'strict-transport-security'), path).toEqual(['max-age=31536000'])
  }
})

describe('The API reference', () => {
  const documents = ['/api/docs/events', '/api/v1/openapi.json']

  test.each(documents)('%s is composed once, compressed, and not sent again to a client that has it.', async (path) => {
    const [first, again] = [await ask('GET', path), await ask('GET', path)]
    const { etag = '' } = first.headers
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
    expect([first.status, again.headers.etag, again.text]).toEqual([200, etag, first.text])
    const packed = await ask('GET', path, { 'Accept-Encoding': 'gzip, br' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', etag })
    expect(packed.bytes.length).toBeLessThan(first.bytes.length / 4)
    for (const known of [etag, etag.slice(2), `"x", ${etag}`]) {
      const unchanged = await ask('GET', path, { 'If-None-Match': known })
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag])
    }
    expect((await ask('GET', path, { 'If-None-Match': '"x"' })).status).toBe(200)
  })

  test('Requests for it are counted against the rate limit of their address.', async () => {
    await using gateway = await startGateway({
      RATE_LIMITS: 'on',
      RATES: 'api_by_ip=3/3600',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    // The counters are in the Redis that all tests share.
    const network = `100.64.${randomInt(256)}`
    const from = (address: string, path: string) =>
      sendRequest(Number(new URL(gateway.url).port), { path, headers: { 'X-Forwarded-For': address } })
    for (const path of ['/api/docs/events', '/api/v1/openapi.json', '/api/docs/errors']) {
      const answer = await from(`${network}.7`, path)
      expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, '3'])
    }
    for (const path of documents) {
      const answer = await from(`${network}.7`, path)
      expect([answer.status, answer.json.code]).toEqual([429, 'RATE_LIMIT_HIT'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await from(`${network}.8`, '/api/docs/events')).status).toBe(200)
    expect((await from(`${network}.7`, '/health/live')).status).toBe(200)
  })
})
