/** How a gateway serves the web client: what browsers keep, compressed forms, and the policy of the page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { SitePageRequest } from '../../src/gateway/pages/site-page.js'
import { openWebClient } from '../../src/gateway/site/web-client.js'
import { portOf } from '../setup/processes/gateway-of-one-test.js'
import { anyGateway } from '../setup/realm/realm.js'
import { sendRequest } from '../setup/requests/raw-request.js'

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(portOf(anyGateway()), { method, path, host: 'any.example', headers })

/** The addresses of the script and of the styles that the page loads. */
const assetsOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)

describe('The page', () => {
  test('It is asked for again each time, and not sent again while it is the same.', async () => {
    const page = await ask('/')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['cache-control']).toBe('no-cache')
    const { etag = '' } = page.headers
    const again = await ask('/', { 'If-None-Match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    const head = await ask('/', {}, 'HEAD')
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag])
    expect((await ask('/', {}, 'POST')).json).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })

  test('Its policy allows no inline script, no inline style and no frame, and it contains none.', async () => {
    const page = await ask('/')
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
        "connect-src 'self'; media-src 'self' https:; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'",
    )
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
  })
})

test('The page always loads two scripts and one file of styles, which refer to no further ones.', async () => {
  const page = await ask('/')
  const assets = assetsOf(page.text).filter((path) => /\.(?:js|css)$/.test(path))
  expect(assets.map((path) => path.replace(/-[\w-]+\./, '-*.'))).toEqual([
    expect.stringMatching(/^\/assets\/first-/),
    '/assets/page-*.js',
    '/assets/page-*.css',
  ])
  for (const path of assets) expect((await ask(path)).text).not.toMatch(/(?:^|[;}@])import[\s{*"'\w$]/)
})

test('Files with hashed names are kept for ever, and are sent compressed to clients that accept it.', async () => {
  const assets = assetsOf((await ask('/')).text)
  expect(assets.length).toBeGreaterThan(0)
  for (const path of assets) {
    const plain = await ask(path)
    expect([plain.status, plain.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(plain.headers['content-type']).toMatch(/^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/)
    const [br, gzip] = [
      await ask(path, { 'Accept-Encoding': 'gzip, br' }),
      await ask(path, { 'Accept-Encoding': 'gzip' }),
    ]
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length)
  }
  expect((await ask('/assets/nothing.js')).status).toBe(404)
  expect((await ask('/assets/../index.html')).status).toBe(404)
})

describe('A folder', () => {
  test('A gateway whose web client was not built has no pages of it.', () => {
    expect(openWebClient(undefined, '/nothing/here')).toEqual([])
  })

  test('The policy of the page allows pictures of this server and of the media proxy of the operator.', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-web-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const policyWith = async (media: string | undefined) => {
      const [page] = openWebClient(media, folder)
      const reply = await page?.serve({ header: () => '', remoteAddress: '', isSecure: false })
      return / img-src ([^;]*);/.exec(String(reply?.headers['Content-Security-Policy']))?.[1]
    }
    return Promise.all([policyWith(undefined), policyWith('https://camo.example')])
      .then((sources) => expect(sources).toEqual(["'self' data: blob:", "'self' https://camo.example data: blob:"]))
      .finally(() => rmSync(folder, { recursive: true }))
  })

  test('A file without a compressed form is served as it is, with its type.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-web-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
    const pages = openWebClient(undefined, folder)
    rmSync(folder, { recursive: true })
    expect(pages.map(({ path }) => path).sort()).toEqual(['/', '/favicon.svg'])
    const request = { header: () => 'br', remoteAddress: '', isSecure: false } satisfies SitePageRequest
    const icon = await pages.find(({ path }) => path === '/favicon.svg')?.serve(request)
    expect(icon).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-cache' },
    })
    expect(icon?.headers).not.toHaveProperty('Content-Encoding')
  })
})
