/**
 * Link previews: a worker fetches the pages that a message links to and shows them below the link (protocol/messages.md
 * 6.5).
 *
 * The pages are served by the test.
 */
import { describe, expect, test } from 'vitest'
import { findFaults } from '../markdown/browser-check.js'
import { startOwnFleet } from '../setup/processes/own-fleet.js'
import { withoutProxy } from '../setup/proxies/proxied-addresses.js'
import { type Listener, listen } from '../setup/realm/event-listener.js'
import { waitForJobs } from '../setup/realm/jobs.js'
import { createChannel, postMessage } from '../setup/realm/messages.js'
import { ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { openServer } from '../setup/web/web-server.js'

interface Page {
  type?: string
  text?: string | Buffer
  /** the target of a redirect */
  location?: string
}

const site = (pages: Readonly<Record<string, Page>>) =>
  openServer(({ path }, response) => {
    const page = pages[path]
    response.writeHead(page === undefined ? 404 : page.location === undefined ? 200 : 302, {
      'Content-Type': page?.type ?? 'text/html; charset=utf-8',
      ...(page?.location === undefined ? {} : { Location: page.location }),
    })
    response.end(page?.text ?? '')
  })

const newsPage = (title = 'News') =>
  `<head><title>${title}</title><meta property="og:image" content="/logo.png">` +
  '<meta property="og:description" content="All &lt;of&gt; it"></head>'

const embed = (url: string, at: string, title = 'News') =>
  `<div class="message_embed"><a class="message_embed_image" href="${at}" ` +
  `style="background-image: url(&quot;${url}/logo.png&quot;)"></a><div class="data-container">` +
  `<div class="message_embed_title"><a href="${at}" title="${title}">${title}</a></div>` +
  '<div class="message_embed_description">All &lt;of&gt; it</div></div></div>'

const setUp = async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  const [ada, grace] = people as [Person, Person]
  await createChannel(ada, 'design', people)
  await updateRealmSettings(realm, { inline_url_embed_preview: true })
  return { realm, ada, grace }
}

/** With the addresses that the proxy of this server has in the place of others. */
const fetchHtml = async (by: Person, id: number): Promise<string> =>
  withoutProxy((await ok(by, 'GET', `/messages/${id}`)).message.content)

const waitForHtml = (by: Person, id: number, html: string) =>
  expect.poll(() => fetchHtml(by, id), { timeout: 15_000 }).toBe(html)

const readUpdates = async (listener: Listener) =>
  (await listener.events()).map(({ message_id, rendering_only, user_id, rendered_content, flags }) => ({
    message_id,
    rendering_only,
    user_id,
    rendered_content: withoutProxy(String(rendered_content)),
    flags,
  }))

describe('Link previews', () => {
  test('A preview is added below the message, and subscribers get an update_message event.', async () => {
    await using server = await site({ '/news': { text: newsPage() } })
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const listener = await listen(grace, { event_types: ['update_message'], apply_markdown: true })
    const at = `${server.url}/news`
    const id = await postMessage(ada, 'design', 'links', at)
    const html = `<p><a href="${at}">${at}</a></p>\n${embed(server.url, at)}`
    await waitForHtml(grace, id, html)
    expect(await readUpdates(listener)).toEqual([
      { message_id: id, rendering_only: true, user_id: null, rendered_content: html, flags: [] },
    ])
    const { message } = await ok(grace, 'GET', `/messages/${id}`)
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(server.calls.map(({ headers }) => headers['user-agent'])).toEqual(['ParleyLinkPreview/1.0'])
  })

  test('A hostile page adds nothing to the style of its preview.', async () => {
    const image = '/i?&amp;#34;&amp;#41;;position:fixed;inset:0;z-index:9999;x:url&amp;#40;&amp;#34;'
    await using server = await site({ '/bad': { text: `<meta property="og:image" content="${image}">` } })
    const { realm, ada, grace } = await setUp()
    await using _ = realm
    const at = `${server.url}/bad`
    const id = await postMessage(ada, 'design', 'links', at)
    await expect.poll(() => fetchHtml(grace, id), { timeout: 15_000 }).toContain('message_embed_image')
    expect(findFaults(await fetchHtml(grace, id))).toEqual([])
  })

  test("A preview follows a redirect and decodes the page's character set.", async () => {
    const latin = Buffer.from(newsPage('Käse'), 'latin1')
    await using server = await site({
      '/old': { location: '/new' },
      '/new': { type: 'text/html; charset=iso-8859-1', text: latin },
    })
    const { realm, ada } = await setUp()
    await using _ = realm
    const at = `${server.url}/old`
    const id = await postMessage(ada, 'design', 'links', `see [this](${at})`)
    await waitForHtml(ada, id, `<p>see <a href="${at}">this</a></p>\n${embed(server.url, at, 'Käse')}`)
  })

  test('A preview of edited content replaces the earlier preview.', async () => {
    await using server = await site({ '/a': { text: newsPage('A') }, '/b': { text: newsPage('B') } })
    const { realm, ada } = await setUp()
    await using _ = realm
    const [a, b] = [`${server.url}/a`, `${server.url}/b`]
    const id = await postMessage(ada, 'design', 'links', a)
    await waitForHtml(ada, id, `<p><a href="${a}">${a}</a></p>\n${embed(server.url, a, 'A')}`)
    await ok(ada, 'PATCH', `/messages/${id}`, { content: b })
    await waitForHtml(ada, id, `<p><a href="${b}">${b}</a></p>\n${embed(server.url, b, 'B')}`)
  })

  test('A preview of earlier content is dropped if the content changed during the fetch.', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    await using server = await openServer(async ({ path }, response) => {
      if (path === '/a') await gate
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(newsPage(path))
    })
    const { realm, ada } = await setUp()
    await using _ = realm
    const [a, b] = [`${server.url}/a`, `${server.url}/b`]
    const id = await postMessage(ada, 'design', 'links', a)
    await expect.poll(() => server.calls.length, { timeout: 15_000 }).toBe(1)
    await ok(ada, 'PATCH', `/messages/${id}`, { content: b })
    const html = `<p><a href="${b}">${b}</a></p>\n${embed(server.url, b, '/b')}`
    await waitForHtml(ada, id, html)
    release()
    await waitForJobs(realm)
    expect(await fetchHtml(ada, id)).toBe(html)
  })

  test('A page with a video gets a preview with a player.', async () => {
    const player = '<iframe src="https://player.vimeo.com/video/1" frameborder="0" allowfullscreen=""></iframe>'
    await using server = await site({
      '/film': { text: '<link rel="alternate" type="application/json+oembed" href="/oembed?film">' },
      '/oembed?film': {
        type: 'application/json',
        text: JSON.stringify({ type: 'video', title: 'A film', thumbnail_url: '/still.jpg', html: player }),
      },
    })
    const { realm, ada } = await setUp()
    await using _ = realm
    const at = `${server.url}/film`
    const id = await postMessage(ada, 'design', 'links', at)
    const data = player.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    await waitForHtml(
      ada,
      id,
      `<p><a href="${at}">${at}</a></p>\n<div class="embed-video message_inline_image">` +
        `<a data-id="${data}" href="${at}" title="A film"><img src="${server.url}/still.jpg"></a></div>`,
    )
  })

  test('A link to another file type, a missing page, a redirect loop, a private address or a page without an image gets no preview.', async () => {
    await using server = await site({
      '/file': { type: 'application/pdf', text: newsPage() },
      '/circle': { location: '/circle' },
      '/inside': { location: 'http://[::1]/' },
      '/elsewhere': { location: 'file:///etc/passwd' },
      '/bare': { text: '<title>No picture</title>' },
      '/news': { text: newsPage() },
    })
    const { realm, ada } = await setUp()
    await using _ = realm
    const links = ['file', 'gone', 'circle', 'inside', 'elsewhere', 'bare', 'news'].map(
      (path) => `${server.url}/${path}`,
    )
    const id = await postMessage(ada, 'design', 'links', links.map((link) => `* ${link}`).join('\n'))
    const item = (link: string) =>
      `<li><a href="${link}">${link}</a>${link.endsWith('/news') ? embed(server.url, link) : ''}</li>`
    await waitForHtml(ada, id, `<ul>\n${links.map(item).join('\n')}\n</ul>`)
  })

  test('No preview is fetched for messages of bots or if the organization has turned previews off.', async () => {
    await using server = await site({ '/news': { text: newsPage() }, '/last': { text: newsPage() } })
    const { realm, ada } = await setUp()
    await using _ = realm
    const bot = await ok(ada, 'POST', '/bots', { full_name: 'Echo', short_name: 'echo' })
    const { bots } = await ok(ada, 'GET', '/bots')
    const [{ username: email, api_key } = { username: '', api_key: '' }] = bots
    await postMessage({ ...ada, ...bot, email, api_key }, 'design', 'links', `${server.url}/news`)
    await updateRealmSettings(realm, { inline_url_embed_preview: false })
    await postMessage(ada, 'design', 'links', `${server.url}/news`)
    await updateRealmSettings(realm, { inline_url_embed_preview: true })
    const last = `${server.url}/last`
    const id = await postMessage(ada, 'design', 'links', last)
    await waitForHtml(ada, id, `<p><a href="${last}">${last}</a></p>\n${embed(server.url, last)}`)
    expect(server.calls.map(({ path }) => path)).toEqual(['/last'])
  })
})

test('A deployment can turn previews off and load external images through its proxy.', async () => {
  const env = { INLINE_URL_EMBED_PREVIEW: 'off', CAMO_URI: 'https://camo.example', CAMO_KEY: 'a key' }
  await using fleet = await startOwnFleet(env)
  const { realm } = fleet
  const at = { url: fleet.gateway.url }
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  await updateRealmSettings(realm, { inline_url_embed_preview: true })
  const { server_inline_url_embed_preview } = await ok(ada, 'POST', '/register', { fetch_event_types: ['realm'] }, at)
  expect(server_inline_url_embed_preview).toBe(false)
  const content = 'https://e.org/news\nhttps://e.org/a.png'
  const { id } = await ok(ada, 'POST', '/messages', { type: 'direct', to: [ada.user_id], content }, at)
  expect(await realm.sql`select from jobs where kind = 'page_previews'`).toHaveLength(0)
  const { message } = await ok(ada, 'GET', `/messages/${id}`, {}, at)
  // printf https://e.org/a.png | openssl dgst -sha1 -hmac 'a key'; printf https://e.org/a.png | xxd -p
  const [digest, hex] = ['d183831c55fb1d5fdfce90876a01e4d6d07a14ae', '68747470733a2f2f652e6f72672f612e706e67']
  expect(message.content).toBe(
    '<p><a href="https://e.org/news">https://e.org/news</a><br>\n<a href="https://e.org/a.png">https://e.org/a.png</a></p>\n' +
      '<div class="message_inline_image"><a href="https://e.org/a.png">' +
      `<img src="https://camo.example/${digest}/${hex}"></a></div>`,
  )
})
