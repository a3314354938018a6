/** The package of the client library as a program outside of the repository gets it: packed and installed. */
import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, expect, test } from 'vitest'
// @ts-expect-error A script, without types.
import { runNpm } from '../../scripts/clone/npm.mjs'
import { root } from '../../src/dev/root.js'
import { runProgram } from '../clients/python.js'
import { startRelay } from '../setup/proxies/relay.js'
import { anyGateway, ok } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-package-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/@parley/client')
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const write = (name: string, text: string) => {
  const path = join(project, name)
  writeFileSync(path, text)
  return path
}

mkdirSync(project)
write('package.json', '{ "private": true }')
const isInstalled =
  spawnSync(process.execPath, [join(root, 'scripts/pack-client.mjs'), folder], { stdio: 'inherit' }).status === 0 &&
  runNpm(
    ['install', '--offline', join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')],
    project,
  )

const readManifest = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

test('The package has both forms of the program, types, and a list of changes that names its version.', () => {
  expect(isInstalled).toBe(true)
  const { version, exports } = readManifest(installed)
  expect(version).toBe(readManifest(root).version)
  const files = JSON.stringify(exports).match(/\.\/dist\/[^"]+/g) ?? []
  expect(files).toHaveLength(8)
  expect(files.filter((file) => !existsSync(join(installed, file)))).toEqual([])
  expect(readFileSync(join(installed, 'CHANGELOG.md'), 'utf8')).toMatch(new RegExp(`^## ${version}$`, 'm'))
  expect(readdirSync(installed).sort()).toEqual(['CHANGELOG.md', 'README.md', 'dist', 'examples', 'package.json'])
})

/** The part of a program that is the same everywhere: it sends a message, and waits until a live realm has it. */
const body = `
  const client = createClient({ url, credentials: { email, apiKey } })
  const realm = await openRealm(client)
  const view = realm.messages([{ operator: 'channel', operand: 'general' }])
  const shown = new Promise((resolve) => {
    view.subscribe(() => {
      const found = view.get().messages.find((message) => message.content.includes(content))
      if (found !== undefined) resolve(found.content)
    })
  })
  const { id } = await client.call('POST /messages', { type: 'channel', to: 'general', topic: 'package', content })
  if (typeof id !== 'number') throw new Error('no id')
  const result = await shown
  realm.close()
`

/** An organization whose user is subscribed to the channel "general". */
const openWorld = async () => {
  const world = await newRealmWith('Owner', 'Ada')
  await ok(world.ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  const relay = await startRelay(anyGateway(), world.realm.host)
  return {
    access: { url: relay.url, email: world.ada.email, apiKey: world.ada.api_key },
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

test('A program loads the package with import, or with require.', async () => {
  await using world = await openWorld()
  const { url, email, apiKey } = world.access
  const rest = `
    const { url, email, apiKey, content } = process.env
    const main = async () => {${body} console.log(result, new ApiError(400, {}) instanceof Error)}
    main()`
  const programs = [
    write(
      'program.mjs',
      `import { ApiError, createClient } from '@parley/client'\nimport { openRealm } from '@parley/client/realm'\n${rest}`,
    ),
    write(
      'program.cjs',
      `const { ApiError, createClient } = require('@parley/client')\nconst { openRealm } = require('@parley/client/realm')\n${rest}`,
    ),
  ]
  for (const program of programs) {
    const env = { url, email, apiKey, content: `by ${program.slice(-3)}` }
    expect(await runProgram(process.execPath, [program], env)).toEqual({
      status: 0,
      out: `<p>by ${program.slice(-3)}</p> true\n`,
    })
  }
})

const typed = `
const client = createClient({ url: 'http://127.0.0.1', credentials: 'none' })
/** Reads messages. */
export const main = async (): Promise<number> => {
  for await (const event of client.events({ event_types: ['message'] })) {
    if (event.type === 'message') console.log(event.message.content.length)
  }
  // @ts-expect-error A parameter that is missing.
  await client.call('POST /messages', { type: 'channel' })
  // @ts-expect-error An endpoint that does not exist.
  await client.call('GET /nothing')
  const realm: Realm = await openRealm(client)
  return realm.unread.get().mentions.size
}
`
const imports = `import { createClient } from '@parley/client'\nimport { openRealm, type Realm } from '@parley/client/realm'\n`

test('TypeScript finds the types, with each way to resolve modules, also in a project without those of browsers.', () => {
  const files = [write('typed.mts', imports + typed), write('typed.cts', imports + typed)]
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', '--lib', 'es2023']
  const settings = [
    ['--module', 'node16', ...types],
    ['--module', 'nodenext', '--lib', 'es2023,dom,dom.asynciterable', '--types', ''],
    ['--module', 'esnext', '--moduleResolution', 'bundler', ...types],
  ]
  for (const given of settings) {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--skipLibCheck', 'false']
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...given, ...files], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(stdout, given.join(' ')).toBe('')
  }
})

test(`A page that Vite has bundled with the package runs in a browser.${noBrowser ?? ''}`, {
  timeout: 60_000,
}, async ({ skip }) => {
  await using browser = await openBrowser()
  if (browser === undefined) return skip('There is no Chromium.')
  write('index.html', '<!doctype html><script type="module" src="./page.js"></script>')
  write(
    'page.js',
    `${imports.replace(', type Realm', '')}
    const { url, email, apiKey } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
    const content = 'by a page'
    ${body}
    document.title = new DOMParser().parseFromString(result, 'text/html').body.textContent`,
  )
  await build({ configFile: false, logLevel: 'warn', root: project, build: { target: 'es2022' } })
  const site = createServer(({ url = '/' }, response) => {
    response.setHeader('Content-Type', url.endsWith('.js') ? 'text/javascript' : 'text/html')
    createReadStream(join(project, 'dist', url === '/' ? 'index.html' : url))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  try {
    await using world = await openWorld()
    const page = await browser.newPage()
    const values = encodeURIComponent(JSON.stringify(world.access))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/#${values}`)
    await expect.poll(() => page.title()).toBe('by a page')
  } finally {
    site.closeAllConnections()
    site.close()
  }
})
