/** docs/open-addresses.md: every address that answers without credentials, or that is a secret by itself, is in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { defaultRateLimits } from '../../src/domain/limits/rate-limits.js'
import { registry } from '../../src/gateway/api/index.js'
import type { Registry } from '../../src/gateway/call/endpoint.js'
import type { App } from '../../src/gateway/contract/app.js'
import { openSitePages } from '../../src/gateway/site/pages.js'
import type { Health } from '../../src/monitoring/health.js'

type Declared = Pick<Registry[string], 'method' | 'paths' | 'site' | 'callers' | 'list' | 'rateLimit' | 'authenticate'>

/** The names of parameters that are a secret. */
const secret = /^(?:token|key|api_key|secret|signature|ticket|password_token|code)$/

const addressesOf = ({ method, paths, site }: Declared): string[] =>
  paths.map((path) => `${method} ${site === true ? '' : '/api/v1'}${path}`)

/** Whether anyone may call the endpoint, or its address has a secret: of a GET, each parameter is in the address. */
const isOpen = ({ method, paths, callers, list, authenticate }: Declared): boolean => {
  const inAddress = list.map(([name]) => name).filter((name) => method === 'GET' || paths[0].includes(`{${name}}`))
  return (
    callers === 'anyone' ||
    callers === 'spectator' ||
    authenticate !== undefined ||
    inAddress.some((name) => secret.test(name))
  )
}

const ratesOfClass: Record<string, string> = {
  api: 'api_by_ip',
  downloads: 'downloads_by_ip',
  events: 'events_by_user',
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The faults of the table of endpoints, a sentence for each. */
const findFaults = (lines: readonly string[], declared: readonly Declared[]): string[] => {
  const rows = new Map(lines.map((line) => [namesIn(cellsOf(line)[0])[0] ?? '', cellsOf(line)]))
  const open = declared.filter(isOpen)
  const known = new Set(declared.flatMap(addressesOf))
  const rateNames: readonly string[] = Object.keys(defaultRateLimits)
  return [
    ...[...rows.keys()].filter((address) => !known.has(address)).map((address) => `${address} does not exist.`),
    ...open.flatMap((endpoint) =>
      addressesOf(endpoint).flatMap((address) => {
        const [, reveals, life, counted] = rows.get(address) ?? []
        if (reveals === undefined) return [`Describe ${address} in docs/open-addresses.md.`]
        if (reveals === '' || life === undefined || life === '') return [`${address} has an empty cell.`]
        const rates = namesIn(counted)
        const ofClass = endpoint.rateLimit === null ? undefined : ratesOfClass[endpoint.rateLimit]
        if (rates.length === 0 || !rates.every((name) => rateNames.includes(name)))
          return [`${address} does not say what counts it.`]
        if (ofClass !== undefined && !rates.includes(ofClass)) return [`${address} is counted by ${ofClass}.`]
        return []
      }),
    ),
  ]
}

const page = readFileSync(join(root, 'docs/open-addresses.md'), 'utf8')
const [ofEndpoints = '', ofPages = ''] = page.split('## Pages')
const linesOf = (text: string) => text.split('\n').filter((line) => /^\| [`]/.test(line))

test('Every endpoint that needs no credentials, or whose address is a secret, is described.', () => {
  expect(findFaults(linesOf(ofEndpoints), Object.values(registry as Registry))).toEqual([])
})

test('Every page is described.', () => {
  const described = linesOf(ofPages).flatMap((line) => namesIn(cellsOf(line)[0]))
  const covers = (path: string) =>
    described.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one)) ||
    // Files of the build.
    /^\/api\/docs\/(?:assets\/|[\w.-]+\.(?:js|css|png|svg|ico|html)$)/.test(path)
  const paths = openSitePages({} as App, entryKinds, {} as Health).map(({ path }) => path)
  expect(paths.filter((path) => !covers(path))).toEqual([])
})

test('The search for undescribed addresses finds a new one, a gone one, and one that nothing counts.', () => {
  const endpoint = (more: object): Declared =>
    ({ method: 'GET', paths: ['/x'], site: true, callers: 'anyone', list: [], rateLimit: 'api', ...more }) as Declared
  const row = (address: string, counted = '`api_by_ip`') => `| \`${address}\` | a | none | ${counted} |`
  expect(findFaults([row('GET /x')], [endpoint({})])).toEqual([])
  expect(findFaults([], [endpoint({ callers: 'account' })])).toEqual([])
  const faulty: [string[], Declared][] = [
    [[], endpoint({})],
    [[], endpoint({ callers: 'spectator' })],
    [[], endpoint({ callers: 'account', paths: ['/x/{token}'], list: [['token', {}]] })],
    [[], endpoint({ callers: 'account', list: [['ticket', {}]] })],
    [[row('GET /x'), row('GET /y')], endpoint({})],
    [[row('GET /x', 'nothing')], endpoint({})],
    [[row('GET /x', '`no_such_rate`')], endpoint({})],
    [[row('GET /x', '`downloads_by_ip`')], endpoint({})],
    [['| `GET /x` | | none | `api_by_ip` |'], endpoint({})],
  ]
  for (const [lines, one] of faulty) expect([lines, findFaults(lines, [one]).length]).toEqual([lines, 1])
})
