/**
 * The content of messages in a real browser, in a page with the policy of the web client: what a hostile server or a
 * fault of the renderer could send does not run, load or restyle anything.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import katex from 'katex'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { katexClasses } from '../../web/src/messages/rendered/katex-classes.js'
import { noBrowser, openBrowser } from '../setup/web/browser.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const source = fileURLToPath(new URL('show-html.js', import.meta.url))

/** Compiles the two functions that show a message. */
const bundle = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry: source, formats: ['es'], fileName: 'show' } },
  })
  const [{ output }] = built as unknown as [{ output: { code: string }[] }]
  return output[0]?.code ?? ''
}

let server: Server
let browser: Browser | undefined
let page: Page
let violations: string[]

beforeAll(async () => {
  browser = await openBrowser()
  if (browser === undefined) return
  const script = await bundle()
  server = createServer((request, response) => {
    const isScript = request.url === '/show.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.setHeader('Content-Security-Policy', policy)
    response.end(isScript ? script : '<!doctype html><body><main></main><script type="module" src="/show.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  page = await browser.newPage()
  violations = []
  page.on('console', (message) => void (message.type() === 'error' && violations.push(message.text())))
  page.on('pageerror', (error) => violations.push(error.message))
  await page.route(/^https:/, (route) => route.abort())
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Shows HTML in the page and returns what the page has then. */
const show = async (html: string): Promise<string> => {
  violations.length = 0
  return page.evaluate(`showHtml(${JSON.stringify(html)})`)
}

describe.skipIf(noBrowser !== undefined)(`The content of a message${noBrowser ?? ''}`, () => {
  test.each([
    '<img src=x onerror="globalThis.ran = true">',
    '<script>globalThis.ran = true</script>',
    '<svg><script>globalThis.ran = true</script></svg>',
    '<svg onload="globalThis.ran = true"><use href="#x"></use></svg>',
    '<a href="javascript:globalThis.ran = true">x</a>',
    '<a href=" java\nscript:globalThis.ran = true">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<math><mtext><mglyph><style><img src=x onerror="globalThis.ran = true"></style></mglyph></mtext></math>',
    '<iframe srcdoc="<script>parent.ran = true</script>"></iframe>',
    '<form action="https://evil.example"><button formaction="javascript:1">x</button><input autofocus></form>',
    '<object data="x"></object><embed src="x"><base href="https://evil.example"><meta http-equiv="refresh" content="0">',
    '<noscript><p title="</noscript><img src=x onerror=globalThis.ran=true>"></noscript>',
    '<template><img src=x onerror="globalThis.ran = true"></template>',
    '<p id="app" name="body" class="chat-page drawer-shade" style="position:fixed;inset:0">x</p>',
    '<style>body { display: none }</style><link rel="stylesheet" href="/x.css">',
    '<span class="katex" style="position:fixed;top:0;background:url(https://evil.example/x)">x</span>',
    '<span class="katex"><span class="mord" style="background-image:url(https://evil.example);width:expression(1)">x</span></span>',
    '<img src="http://evil.example/x.png"><img src="//evil.example/x.png"><img src="/\\\\evil.example/x.png">',
    '<video src="javascript:1" onplay="globalThis.ran = true"></video>',
    '<time datetime="2025-01-02T02:04:05Z" onclick="globalThis.ran = true">x</time>',
  ])('runs nothing, and has nothing that is not allowed: %s', async (html) => {
    const shown = await show(html)
    expect(await page.evaluate('globalThis.ran')).toBeUndefined()
    expect(shown).not.toMatch(/<(?:script|style|iframe|form|button|input|object|embed|base|meta|link|template|use)\b/i)
    expect(shown).not.toMatch(/\son\w+=|javascript:|data:|srcdoc|\sid=|\sname=|chat-page|evil\.example/i)
    expect(shown).not.toMatch(/position: ?(?:fixed|absolute)|expression/)
    // The browser reports what it blocks while it parses.
    expect(violations.filter((text) => !text.includes('violates the following Content Security Policy'))).toEqual([])
  })

  test('that is very deep or very long is shown without an error.', async () => {
    await show('<blockquote>'.repeat(5_000))
    await show(`<p>${'<em>x</em>'.repeat(20_000)}</p>`)
    expect(violations).toEqual([])
  })

  test('keeps what Markdown makes.', async () => {
    for (const html of [
      '<p>a <strong>b</strong> <em>c</em> <del>d</del><br>e <code>f</code></p>',
      '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li></ol><blockquote><p>q</p></blockquote><hr>',
      '<p><span data-user-id="7" class="user-mention silent">Ada</span></p>',
      '<p><a data-stream-id="3" class="stream" href="#narrow/channel/3-design">#design</a></p>',
      '<h1>x</h1><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    ]) {
      expect(await show(html)).toBe(html)
    }
    expect(violations).toEqual([])
  })

  test('has the classes of Pygments in code and nowhere else.', async () => {
    const code = '<div class="codehilite"><pre><code><span class="k">if</span></code></pre></div>'
    expect(await show(code)).toContain('<span class="k">if</span>')
    expect(await show('<p><span class="k">x</span></p>')).toBe('<p><span>x</span></p>')
  })

  test('opens links of the organization in the page, and all others in a new one.', async () => {
    expect(await show('<p><a href="/#narrow/channel/3-x">x</a></p>')).toContain('<a href="#narrow/channel/3-x">')
    expect(await show('<p><a href="https://a.example">x</a></p>')).toContain('rel="noopener noreferrer"')
    expect(await show('<p><a href="user_uploads/1/a.png">x</a></p>')).toContain('href="/user_uploads/1/a.png"')
  })

  test('has formulas with their styles, which are set without a style attribute in the HTML.', async () => {
    const formula = katex.renderToString('\\sqrt{\\frac{a}{b}} + \\color{red}{x^2}', { displayMode: true })
    const shown = await show(`<p>${formula}</p>`)
    expect(violations).toEqual([])
    expect(shown).toContain('<math')
    expect(shown).toContain('<svg')
    const height = await page.evaluate(`document.querySelector('.strut').style.height`)
    expect(height).toMatch(/^\d.*em$/)
    expect(await page.evaluate(`document.querySelectorAll('[style*="color: red"]').length > 0`)).toBe(true)
  })

  test('aligns the cells of tables, and shows the picture of a preview.', async () => {
    expect(await show('<table><tbody><tr><td style="text-align: right;">1</td></tr></tbody></table>')).toContain(
      'text-align: right',
    )
    const preview = `<div class="message_embed"><a class="message_embed_image" href="https://a.example" style="background-image: url(&quot;/external_content/x.png&quot;)"></a></div>`
    expect(await show(preview)).toContain('/external_content/x.png')
  })
})

test('The list of KaTeX classes is that of its style sheet.', () => {
  const css = readFileSync(new URL('../../node_modules/katex/dist/katex.min.css', import.meta.url), 'utf8')
  const names = css.replace(/url\([^)]*\)/g, '').matchAll(/\.([A-Za-z][\w-]*)/g)
  const used = new Set([...names].map(([, name]) => name as string))
  used.delete('katex-version')
  expect([...katexClasses].sort()).toEqual([...used].sort())
})
